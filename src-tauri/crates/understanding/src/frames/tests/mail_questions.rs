//! Questions over mail, each with the read it becomes.

use adjutant_domain::focus::Focus;

use super::mail_tools::{check, steps};

#[test]
fn mails_by_what_they_are() {
    check(
        r#"
how many newsletters came this week | email.search | {"ask": "count", "since": "2026-05-04", "sort": "newsletter", "until": "2026-05-11"}
how many newsletters did I get in April | email.search | {"ask": "count", "since": "2026-04-01", "sort": "newsletter", "until": "2026-05-01"}
any notifications today? | email.search | {"ask": "any", "since": "2026-05-06", "sort": "notification", "until": "2026-05-07"}
show me the unread newsletters from Garden Post | email.search | {"ask": "list", "from": ["Garden Post"], "sort": "newsletter", "unread": true}
how many promotional emails are in my inbox | email.search | {"ask": "count", "folder": "inbox", "sort": "promotion"}
open the last newsletter | email.read | {"target": {"order": "-date", "pick": "first", "sort": "newsletter"}}
"#,
        &Focus::default(),
    );
}

#[test]
fn sums_comparisons_and_counts() {
    check(
        r#"
what's the total of the receipts in my mail | email.search | {"ask": "total", "text": "receipt"}
how much were my invoices last month | email.search | {"ask": "total", "since": "2026-04-01", "text": "invoice", "until": "2026-05-01"}
add up the invoices in my inbox | email.search | {"ask": "total", "folder": "inbox", "text": "invoice"}
who has emailed me more this month, Will or Kim? | email.search | {"ask": "who", "from": ["Will", "Kim"], "since": "2026-05-01", "until": "2026-06-01"}
who writes me the most | email.search | {"ask": "who"}
how many emails did Kim send me | email.search | {"ask": "count", "from": ["Kim"]}
how many mails did I send to Ana | email.search | {"ask": "count", "folder": "sent", "to": ["Ana"]}
"#,
        &Focus::default(),
    );
}

#[test]
fn who_wrote_and_who_answered() {
    check(
        r#"
anything from the harbour office | email.search | {"ask": "any", "from": ["harbour office"]}
mails with attachments from last week | email.search | {"ask": "list", "has_attachment": true, "since": "2026-04-27", "until": "2026-05-04"}
find the floor plan Kim sent | email.search | {"ask": "list", "from": ["Kim"], "text": "floor plan"}
which mail has the deed | email.search | {"ask": "list", "text": "deed"}
any reply from Ana | email.search | {"ask": "any", "from": ["Ana"]}
did anyone reply to my boiler email | email.search | {"ask": "list", "text": "boiler"}
did Kim answer my mail about the sails | email.search | {"ask": "any", "from": ["Kim"], "text": "sails"}
have I answered Ana's email about the fence | email.search | {"answered": true, "ask": "any", "from": ["Ana"], "text": "fence"}
did I reply to Petra | email.search | {"answered": true, "ask": "any", "from": ["Petra"]}
which mails from last week haven't I answered | email.search | {"answered": false, "ask": "list", "since": "2026-04-27", "until": "2026-05-04"}
did Petra send the deed yet | email.search | {"ask": "any", "from": ["Petra"], "text": "deed"}
did I email Ana last week | email.search | {"ask": "any", "folder": "sent", "since": "2026-04-27", "to": ["Ana"], "until": "2026-05-04"}
when did I last write to Will | email.search | {"ask": "when", "folder": "sent", "order": "-date", "pick": "first", "to": ["Will"]}
show me what I sent to Kim | email.search | {"ask": "list", "folder": "sent", "to": ["Kim"]}
what's in my drafts | email.search | {"ask": "list", "folder": "drafts"}
what did Ana offer me | email.read | {"target": {"from": ["Ana"], "order": "-date", "pick": "first"}}
what did Petra suggest about the roof | email.read | {"target": {"from": ["Petra"], "order": "-date", "pick": "first", "text": "roof"}}
what was the last thing Will sent me | email.read | {"target": {"from": ["Will"], "order": "-date", "pick": "first"}}
"#,
        &Focus::default(),
    );
}

/// The tools of a request with their arguments.
fn calls(text: &str) -> Vec<String> {
    let steps = steps(text, &Focus::default()).unwrap_or_default();
    steps
        .iter()
        .map(|step| format!("{} {}", step.tool, step.args))
        .collect()
}

#[test]
fn a_day_is_several_reads() {
    let (day, tasks, mail) = (
        r#"calendar.list {"from":"2026-05-06","to":"2026-05-07"}"#,
        r#"task.list {"due_to":"2026-05-07"}"#,
        r#"email.search {"unread":true}"#,
    );
    for (text, expected) in [
        ("summarize my day", vec![day, tasks, mail]),
        ("brief me", vec![day, tasks, mail]),
        ("what's new", vec![day, tasks, mail]),
        (
            "summarize my day: meetings, tasks and unread mail",
            vec![day, tasks, mail],
        ),
        (
            "give me an overview of today: meetings and unread mail",
            vec![day, mail],
        ),
        ("summarise my inbox", vec![mail]),
    ] {
        assert_eq!(calls(text), expected, "{text}");
    }
}
