//! What a clause says about the request before it, or names without a verb.

use super::clause::{Parse, Read, Unread};
use super::create;
use super::cursor::Cursor;
use super::lexicon::{Noun, VERBS, Verb};
use super::model::{Act, Ask, Pron, Request, Sel, Value};
use super::noun::{self, Rules};
use super::table::phrases;
use super::{further, letter};

impl<'s, 'a> Parse<'s, 'a> {
    /// "Title it 'X'", "make it 30 minutes", "invite Ana too": more about what was just asked for.
    pub(super) fn amendment(&mut self, cursor: &mut Cursor<'s, 'a>) -> Result<bool, Unread> {
        let Some(last) = self.requests.last_mut() else {
            return Ok(false);
        };
        if !matches!(
            last.act,
            Act::Send
                | Act::Draft
                | Act::Reply
                | Act::ReplyAll
                | Act::CreateEvent
                | Act::CreateTask
                | Act::CreateNote
        ) {
            return Ok(false);
        }
        let mail = matches!(
            last.act,
            Act::Send | Act::Draft | Act::Reply | Act::ReplyAll
        );
        if !mail && let Some(value) = letter::as_title(self, cursor) {
            if let Some(last) = self.requests.last_mut() {
                last.vals.title = Some(value);
            }
            return Ok(true);
        }
        let mut ahead = *cursor;
        let title = ahead.eat_any(phrases!("title it with | title it as | title it | call it | name it | give it the title | \
        give it the name | give it the subject | the title should be | the title is | \
        the subject should be | the subject is | the subject line should be | use the subject | \
        with the subject | subject | title | the name should be | it should be called | \
        it should be titled | make the subject | make the title | set the subject to | \
        set the title to | use the title | title them with | title them | the email should be titled | \
        label it | titled | the event should be called | subject line"));
        if title {
            ahead.skip_marks();
            let value = value_of(self, &mut ahead);
            let Some(value) = value else { return Ok(false) };
            let Some(last) = self.requests.last_mut() else {
                return Ok(false);
            };
            if mail {
                last.vals.subject = Some(value);
            } else {
                last.vals.title = Some(value);
            }
            *cursor = ahead;
            return Ok(true);
        }
        if mail {
            return letter::more(self, cursor);
        }
        create::more(self, cursor)
    }

    /// A noun phrase alone: "my tasks", "emails from Bob", "meetings tomorrow".
    pub(super) fn bare(&mut self, cursor: &mut Cursor<'s, 'a>) -> Read {
        if further::state_alone(self, cursor) {
            return Ok(());
        }
        let start = cursor.at;
        let mut ahead = *cursor;
        let Some(sel) = noun::phrase(
            &mut ahead,
            None,
            Rules {
                question: true,
                ..Rules::default()
            },
        ) else {
            return Err(self.words(cursor));
        };
        let said = matches!(sel.noun, Some(noun) if noun != Noun::Any)
            && sel.pron.is_none()
            && (sel.plural || sel.det != super::model::Det::None || sel.is_narrowed());
        // "Never delete …" is no title.
        let verb = sel.title.as_ref().is_some_and(|words| !words.quoted)
            && (start..ahead.at).any(|at| {
                let word = self.said.pieces[at].word.as_str();
                matches!(word, "never" | "not" | "stop")
                    || VERBS.at(&self.said.pieces, at).is_some_and(|(verb, _)| {
                        matches!(
                            verb,
                            Verb::Create
                                | Verb::Book
                                | Verb::Delete
                                | Verb::Cancel
                                | Verb::Send
                                | Verb::Forward
                                | Verb::Move
                        )
                    })
            });
        if verb {
            return Err(self.words(cursor));
        }
        if !said || ahead.at == start {
            return Err(self.words(cursor));
        }
        // A new thing with its time ("lunch with Ana tomorrow at noon") is not asked for with these words alone.
        if !sel.plural && sel.det == super::model::Det::A {
            return Err(self.words(cursor));
        }
        let act = if sel.noun == Some(Noun::Slot) {
            Act::Free
        } else {
            Act::Query(Ask::List)
        };
        let mut request = Request::new(act, sel);
        request.span = usize::MAX..usize::MAX;
        self.requests.push(request);
        *cursor = ahead;
        Ok(())
    }
}

/// A title: words, or "the event's name".
pub(super) fn value_of(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Value> {
    let mut ahead = *cursor;
    ahead.eat(&["with", "as", "to", "after"]);
    if ahead.eat_any(phrases!("the event name | the name of the event | the event title | the title of the event | \
        the meeting name | the name of the meeting | the title of the meeting | the meeting title | \
        the event s name | its name | its title | the same name | the event 's name | \
        the event 's title | the meeting 's name | the meeting 's title | the same title | \
        the name of that event | the name of that meeting")) {
        *cursor = ahead;
        let mut sel = Sel::of(Noun::Event);
        sel.pron = Some(Pron::That);
        return Some(Value::TitleOf(Box::new(parse.antecedent(Some(Noun::Event)).unwrap_or(sel))));
    }
    if ahead.eat_any(phrases!("the mail 's subject | the email 's subject | the message 's subject | the subject of the mail | \
        the subject of the email | the subject of that email | the subject of that mail | its subject | the email subject | \
        the mail subject | the same subject | its subject line | the subject of the message | the email 's title | \
        the mail 's title | the subject line of the email | the email 's subject line")) {
        *cursor = ahead;
        let mut sel = Sel::of(Noun::Mail);
        sel.pron = Some(Pron::That);
        return Some(Value::TitleOf(Box::new(parse.antecedent(Some(Noun::Mail)).unwrap_or(sel))));
    }
    // "With the subject of Kim's latest mail".
    if ahead.eat(&[
        "the subject of",
        "the title of",
        "the name of",
        "the subject line of",
    ]) && let Some(sel) = noun::phrase(
        &mut ahead,
        None,
        Rules {
            times_are_values: true,
            with_is_value: true,
            ..Rules::default()
        },
    ) && matches!(sel.noun, Some(Noun::Event | Noun::Mail))
        && sel.said
    {
        *cursor = ahead;
        return Some(Value::TitleOf(Box::new(sel)));
    }
    let words = super::value::text(cursor, &[])?;
    Some(Value::Words(words))
}
