//! Keeps a rejected mail as a draft with exactly what was shown.

use adjutant_domain::change::Expect;
use adjutant_domain::gate::Call;
use adjutant_domain::record::Kind;
use serde_json::{Map, Value, json};

/// Returns the arguments, limited to `fields`, of a draft that keeps the mail of `call`. `None` if there is nothing to
/// keep: the mail already was a draft, or it cannot be determined from the call.
pub(super) fn draft(call: &Call, fields: &[String]) -> Option<Map<String, Value>> {
    let was_draft = call
        .before
        .targets
        .iter()
        .any(|target| target.kind == Kind::Outbox);
    if was_draft {
        return None;
    }
    let all = match call.mail().filter(|(_, expect)| *expect == Expect::Absent) {
        Some((mail, _)) => json!({
            "to": mail.to, "cc": mail.cc, "bcc": mail.bcc, "subject": mail.subject, "body": mail.body,
            "in_reply_to": mail.in_reply_to, "forward_of": mail.forward_of,
        }),
        None => call.args.clone(),
    };
    let kept: Map<String, Value> = fields
        .iter()
        .filter_map(|field| Some((field.clone(), all.get(field)?.clone())))
        .filter(|(_, value)| {
            !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty())
        })
        .collect();
    kept.contains_key("body").then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::change::Change;
    use adjutant_domain::operation::Operation;
    use adjutant_domain::record::{Address, OutboxItem, OutboxState, Record};
    use adjutant_domain::tool::{Before, Definition, Frozen, Target};

    fn call(change: Option<Change>, args: Value) -> Call {
        let frozen = change.map(|change| Frozen {
            operations: vec![Operation::Local { change }],
            ..Frozen::default()
        });
        Call {
            tool: "email.reply".into(),
            account: "local".into(),
            args,
            sources: Default::default(),
            definition: Definition(String::new()),
            before: Before {
                frozen,
                ..Before::default()
            },
        }
    }

    fn fields() -> Vec<String> {
        ["to", "cc", "subject", "body", "in_reply_to"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn the_mail_that_was_shown_is_kept() {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let mail = OutboxItem {
            id: "out_1".into(),
            message_id: "m@x".into(),
            to: vec![Address {
                name: "Bob".into(),
                email: "bob@example.org".into(),
            }],
            cc: Vec::new(),
            bcc: Vec::new(),
            subject: "Re: Hi".into(),
            body: "Late.".into(),
            in_reply_to: Some("hi@x".into()),
            forward_of: None,
            state: OutboxState::Queued,
            mime: None,
            not_before: None,
            created: at,
            updated: at,
            version: 0,
        };
        let change = Change::add(Record::Outbox(mail));
        let reply = call(Some(change), json!({"id": "mail_1", "body": "Late."}));
        let kept = draft(&reply, &fields()).map(Value::Object);
        let expect = json!({
            "to": [{"name": "Bob", "email": "bob@example.org"}], "subject": "Re: Hi", "body": "Late.",
            "in_reply_to": "hi@x",
        });
        assert_eq!(kept, Some(expect));
    }

    #[test]
    fn without_a_fixed_mail_the_arguments_are_kept_if_they_hold_a_text() {
        let send = call(None, json!({"to": ["b@x"], "body": "Late.", "odd": 1}));
        let kept = draft(&send, &fields()).map(Value::Object);
        assert_eq!(kept, Some(json!({"to": ["b@x"], "body": "Late."})));
        let mut was_draft = send;
        was_draft.before.targets.push(Target {
            kind: Kind::Outbox,
            id: "out_1".into(),
            version: 1,
            label: String::new(),
        });
        assert_eq!(draft(&was_draft, &fields()), None);
    }
}
