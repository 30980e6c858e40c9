//! What a clause says about the request before it, or names without a verb.

use super::clause::{Parse, Read, Unread};
use super::create;
use super::cursor::Cursor;
use super::lexicon::{Noun, VERBS, Verb};
use super::model::{Act, Ask, Pron, Request, Sel, Value};
use super::noun::{self, Rules};
use super::table::phrases;
use super::{further, letter};

/// Words of the name of an event that is jotted down without a verb.
const JOTTED_WORDS_MAX: usize = 5;

/// Verbs that begin what somebody has to do, which is no event.
const TO_DO: &str = "ask bring buy check clean collect cook do drop email feed fetch fill find finish fix get give go iron \
    leave let mail make order pack pay phone pick post prepare print read renew repair return ring send start stop submit take \
    tell text tidy turn use wait wake walk wash water write";

/// Whether a word begins something to do ("Clean gutters").
pub(super) fn is_to_do(word: &str) -> bool {
    TO_DO
        .split_whitespace()
        .any(|verb| verb.eq_ignore_ascii_case(word))
}

/// What is asked about or switched, and put into no calendar.
const NO_EVENTS: &str = "weather forecast temperature rain snow sun sunrise sunset wind humidity traffic news headlines score scores price \
    prices status time timezone timer alarm light lights lamp heating heater thermostat music song playlist radio tv volume uber taxi \
    lyft cab availability free busy";

/// The same where nothing else says that the calendar is meant.
const JOTTED_UNSURE_MAX: usize = 2;

/// "Mon", "wed": a day that was not read as one.
fn is_short_day(word: &str) -> bool {
    matches!(
        word.to_lowercase().trim_end_matches(['.', ',']),
        "mon" | "tue" | "tues" | "wed" | "thu" | "thur" | "thurs" | "fri" | "sat" | "sun"
    )
}

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

    /// "Dentist Thursday 3pm", "lunch with Grace on Friday at 12:30": a whole message that is nothing but the name of an event,
    /// its day and its time of day is one to be entered.
    fn jotted(&mut self, cursor: &mut Cursor<'s, 'a>) -> bool {
        let whole = cursor.end == self.said.pieces.len()
            && self.requests.is_empty()
            && self.conds.is_empty()
            && self.mentioned.is_empty()
            && !self.duty
            && !self.wonders;
        let first = cursor.peek(0);
        // "Weekly review every Friday at 4".
        let front = usize::from(first.is_some_and(|piece| match piece.form {
            super::said::Form::Time(index) => self.said.times.get(index).is_some_and(|found| {
                matches!(found.value, crate::time::Value::Set { .. }) && found.clock.is_none()
            }),
            _ => false,
        }));
        let first = cursor.peek(front);
        let named = cursor.is_content(front)
            && cursor.sees_in(&VERBS).is_none()
            && cursor.sees_in(&super::lexicon::STATES).is_none()
            && first.is_some_and(|piece| {
                piece.form == super::said::Form::Word
                    && !(piece.base != piece.word && piece.word.ends_with('s'))
            });
        let asks = self.said.pieces[cursor.at..cursor.end]
            .iter()
            .any(|piece| piece.word == "?");
        let unsure = self.domains.is_empty();
        let calendar = unsure || self.domains == [adjutant_domain::route::Domain::Calendar];
        // "Call mum tomorrow at 6" is something to do.
        let told = cursor.word(0) == "call"
            && !matches!(cursor.word(1), "with" | "about" | "on" | "at" | "")
            || is_to_do(cursor.word(0));
        // "Weather tomorrow 3pm" is asked about, "lights off at 10 tonight" is for the house.
        let other = self.said.pieces[cursor.at..cursor.end].iter().any(|piece| {
            NO_EVENTS
                .split_whitespace()
                .any(|word| word == piece.base || word == piece.word)
        });
        if other {
            return false;
        }
        if !whole
            || !named
            || told
            || asks
            || !calendar
            || super::ask::is_question_word(cursor.word(0))
        {
            return false;
        }
        let mut ahead = *cursor;
        let read = create::create(self, &mut ahead, Verb::Book).is_ok()
            && self.requests.len() == 1
            && (ahead.is_done() || super::filler::only_closers(&ahead));
        let made = self.requests.last();
        let timed = |with_day: bool| {
            made.is_some_and(|made| {
                made.vals.times.iter().any(|index| {
                    self.said.times.get(*index).is_some_and(|found| {
                        // "Yoga every Monday at 7pm".
                        let repeats = matches!(found.value, crate::time::Value::Set { .. });
                        if with_day {
                            found.has_day || repeats
                        } else {
                            found.clock.is_some()
                        }
                    })
                })
            })
        };
        let plain = made.is_some_and(|made| {
            made.act == Act::CreateEvent
                && !made.vals.free_slot
                && made.vals.beside.is_none()
                && (made.sel.title.as_ref().or(made.sel.about.as_ref())).is_some_and(|title| {
                    let most = if unsure {
                        JOTTED_UNSURE_MAX
                    } else {
                        JOTTED_WORDS_MAX
                    };
                    title.text.split_whitespace().count() <= most
                        && !title.text.split_whitespace().any(is_short_day)
                })
        });
        if read && plain && timed(true) && timed(false) {
            *cursor = ahead;
            return true;
        }
        self.requests.clear();
        false
    }

    /// A noun phrase alone: "my tasks", "emails from Bob", "meetings tomorrow".
    pub(super) fn bare(&mut self, cursor: &mut Cursor<'s, 'a>) -> Read {
        if further::state_alone(self, cursor) {
            return Ok(());
        }
        if self.jotted(cursor) {
            return Ok(());
        }
        // "Alarm 7am", "timer 5 min": one is to be set.
        let rings = matches!(cursor.word(0), "alarm" | "timer" | "reminder")
            && cursor.peek(1).is_some_and(|next| {
                next.leads.is_some() || matches!(next.form, super::said::Form::Time(_))
            });
        if rings && self.requests.is_empty() && self.conds.is_empty() && !self.wonders {
            return create::create(self, cursor, Verb::Create);
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
                matches!(word, "never" | "always" | "not" | "stop")
                    || VERBS.at(&self.said.pieces, at).is_some_and(|(verb, _)| {
                        matches!(
                            verb,
                            Verb::Create
                                | Verb::Book
                                | Verb::Delay
                                | Verb::Advance
                                | Verb::Rename
                                | Verb::Uninvite
                                | Verb::Reopen
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
        // "Move the review to 3 and the stand-up to 10": the same is to be done to it, and it is not asked for.
        let joined = start
            .checked_sub(1)
            .and_then(|before| self.said.pieces.get(before))
            .is_some_and(|before| {
                !before.ends && matches!(before.word.as_str(), "and" | "or" | ",")
            });
        if joined
            && self.requests.last().is_some_and(|last| {
                !matches!(
                    last.act,
                    Act::Query(_) | Act::Free | Act::IsFree | Act::Read | Act::Recall
                )
            })
        {
            return Err(self.words(&Cursor {
                at: start,
                ..*cursor
            }));
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
