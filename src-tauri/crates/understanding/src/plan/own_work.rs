//! What of a clause is the person's own: work that nothing here does, and when what is asked about was or will be.

use super::clause::Parse;
use super::cursor::Cursor;
use super::lexicon::{NOUNS, Noun, State, VERBS, Verb};
use super::model::{Act, Request};
use super::said::{Form, Said};
use crate::time::Relation;

impl<'s, 'a> Parse<'s, 'a> {
    /// "I need to finish the slides by Thursday": work of the person's own, not something to be done here.
    pub(super) fn own_work(&self, cursor: &Cursor<'s, 'a>) -> bool {
        let own = matches!(
            cursor.sees_in(&VERBS),
            Some((Verb::Complete | Verb::Draft | Verb::Read | Verb::End, _))
        ) || matches!(cursor.word(0), "write" | "review" | "answer")
            || self.books_elsewhere(cursor);
        let mut rest = *cursor;
        own && cursor.is_content(0)
            && !(cursor.at + 1..cursor.end).any(|at| {
                rest.at = at;
                matches!(
                    rest.sees_in(&NOUNS),
                    Some(((Noun::Task | Noun::Reminder | Noun::Mail, _), _))
                )
            })
            && (cursor.at..cursor.end)
                .any(|at| matches!(cursor.said.pieces[at].form, Form::Time(_)))
    }

    /// "Finish the slides by Thursday": a deadline tells that it is not done yet.
    pub(super) fn has_deadline(&self, cursor: &Cursor<'s, 'a>) -> bool {
        let dated = (cursor.at..cursor.end).any(|at| match cursor.said.pieces[at].form {
            Form::Time(index) => self.said.times.get(index).is_some_and(|found| {
                matches!(found.relation, Relation::By | Relation::Before) && found.has_day
            }),
            _ => false,
        });
        let mut rest = *cursor;
        dated
            && matches!(
                cursor.word(0),
                "finish" | "complete" | "finalize" | "finalise"
            )
            && !(cursor.at + 1..cursor.end).any(|at| {
                rest.at = at;
                matches!(
                    rest.sees_in(&NOUNS),
                    Some(((Noun::Task | Noun::Reminder, _), _))
                )
            })
    }

    /// "I should book the car service this week": no event of the calendar, and no hour for one.
    pub(super) fn books_elsewhere(&self, cursor: &Cursor<'s, 'a>) -> bool {
        let rest = || cursor.at..cursor.end;
        matches!(
            cursor.word(0),
            "book" | "reserve" | "arrange" | "plan" | "organize" | "organise"
        ) && !rest().any(|at| {
            matches!(
                NOUNS.at(&self.said.pieces[..cursor.end], at),
                Some(((Noun::Event, _), _))
            )
        }) && !rest().any(|at| match cursor.said.pieces[at].form {
            Form::Time(index) => self.said.times.get(index).is_some_and(|found| {
                found.clock.is_some() || matches!(found.value, crate::time::Value::Duration(_))
            }),
            _ => false,
        })
    }

    /// "Get the plumber on the calendar for Monday at 9": something new, where no events are asked for.
    pub(super) fn gets_in(&self, cursor: &Cursor<'s, 'a>) -> bool {
        let got = cursor
            .at
            .checked_sub(1)
            .and_then(|at| self.said.pieces.get(at))
            .is_some_and(|verb| verb.word == "get");
        let Some((end, Noun::Event, _)) = super::destination::destination(cursor).filter(|_| got)
        else {
            return false;
        };
        cursor.at < end
            && !(cursor.at..end).any(|at| {
                let piece = &self.said.pieces[at];
                matches!(
                    piece.word.as_str(),
                    "everything"
                        | "all"
                        | "what"
                        | "every"
                        | "each"
                        | "my"
                        | "next"
                        | "first"
                        | "last"
                ) || piece.base != piece.word
                    && piece.word.ends_with('s')
                    && NOUNS.at(&self.said.pieces[..end], at).is_some()
            })
    }
}

/// "How many meetings did I have in February": of what was.
pub(super) fn past_question(said: &Said<'_>, made: &mut Request) {
    let asked = said.pieces.get(made.span.clone()).is_some_and(|pieces| {
        pieces.windows(3).any(|three| {
            three[0].word == "did"
                && matches!(three[1].word.as_str(), "i" | "we")
                && matches!(
                    three[2].word.as_str(),
                    "have" | "meet" | "spend" | "attend" | "see"
                )
        })
    });
    if asked
        && matches!(made.act, Act::Query(_))
        && made.sel.noun == Some(Noun::Event)
        && !made.sel.states.contains(&State::Past)
        && !made.sel.when.is_empty()
    {
        made.sel.states.push(State::Past);
    }
}

/// "What meetings do I still have today": those to come.
pub(super) fn still_to_come(said: &Said<'_>, made: &mut Request) {
    let asked = said.pieces.get(made.span.clone()).is_some_and(|pieces| {
        pieces.windows(4).any(|four| {
            four[0].word == "do"
                && matches!(four[1].word.as_str(), "i" | "we")
                && four[2].word == "still"
                && four[3].word == "have"
        })
    });
    if asked
        && matches!(made.act, Act::Query(_))
        && made.sel.noun == Some(Noun::Event)
        && !made.sel.states.contains(&State::Future)
    {
        made.sel.states.push(State::Future);
    }
}
