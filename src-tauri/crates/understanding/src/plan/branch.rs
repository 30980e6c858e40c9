//! "If so", "if not", "otherwise", "actually": requests that hang on a condition, a question or a request said before.

use super::clause::{Parse, Read, Unread};
use super::command;
use super::correct::Retracts;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, VERBS};
use super::model::{Act, Ask, Cond, Det, Request, Test};
use super::table::phrases;

impl<'s, 'a> Parse<'s, 'a> {
    /// "If so", "if not", "otherwise": the condition or the yes-no question before decides.
    pub(super) fn branch(&mut self, cursor: &mut Cursor<'s, 'a>) -> Result<bool, Unread> {
        let mut ahead = *cursor;
        ahead.eat(&["and", "but"]);
        let yes = ahead.eat_any(phrases!("if so | if yes | in that case | if it has | if they are | if it is | if i do | if i am | \
        if there is | if there are | if i have | if that is the case | if true | if they have | \
        if i did | if there is one | if there are any | if it does | if he has | if she has"));
        let no = !yes && ahead.eat_any(phrases!("if not | otherwise | or else | else | if no | if it has not | if they have not | if it is not | \
        if i am not | if i do not | if there is not | if there are not | if i have not | \
        if there are none | if there is none | if none | if that is not the case | if they are not | \
        if i did not | if he has not | if she has not"));
        // "Are there more than five mails from Tom? Then mark them all as read".
        let then = cursor
            .at
            .checked_sub(2)
            .and_then(|from| self.said.pieces.get(from..cursor.at))
            .is_some_and(|said| said[0].word == "?" && said[1].word == "then");
        let asked = self.requests.last().is_some_and(|last| {
            matches!(last.act, Act::Query(Ask::Any | Ask::Count) | Act::IsFree)
        });
        let yes = yes || !no && then && asked;
        let mut short = *cursor;
        short.eat(&["and", "but"]);
        let yes = match short_answer(&mut short) {
            Some(yes) => {
                ahead = short;
                yes
            }
            None if yes || no => yes,
            None => return Ok(false),
        };
        if !(ahead.is_done()
            || matches!(ahead.word(0), "," | "then" | "please")
            || matches!(cursor.word(0), "otherwise" | "else" | "or")
            || command::command_at(&ahead, 0)
            || ahead.sees_in(&VERBS).is_some()
            || ahead
                .sees(&["can you", "could you", "i", "would you"])
                .is_some_and(|_| ahead.at - cursor.at == 2))
        {
            return Ok(false);
        }
        let index = match self.question_before() {
            Some(cond) => {
                self.conds.push(cond);
                self.conds.len() - 1
            }
            None => match self.conds.len() {
                0 => return Ok(false),
                n => n - 1,
            },
        };
        self.cond = Some((index, yes));
        cursor.at = ahead.at;
        cursor.skip_marks();
        cursor.eat(&["then", "please"]);
        self.after_condition(cursor)?;
        Ok(true)
    }

    /// "Let me know if I'm free at 3": where nothing else is asked for, the condition is the question.
    pub(super) fn asks_only(&mut self, cursor: &Cursor<'s, 'a>, cond: &Cond) -> bool {
        let last = self
            .said
            .pieces
            .get(cursor.end..)
            .is_none_or(<[_]>::is_empty);
        if !filler::only_closers(cursor) || !self.requests.is_empty() || !last || cond.negated {
            return false;
        }
        let act = match &cond.test {
            Test::Exists(_) => Act::Query(Ask::Any),
            Test::Count(..) => Act::Query(Ask::Count),
            Test::Free(_) => Act::IsFree,
            Test::Like(..) => return false,
        };
        // "Let me know if Ana replies" asks to wait for it.
        let watches = cond.sel.noun == Some(Noun::Mail)
            && !self.said.pieces[cond.sel.span.clone()].iter().any(|piece| {
                matches!(
                    piece.word.as_str(),
                    "has"
                        | "have"
                        | "had"
                        | "did"
                        | "is"
                        | "are"
                        | "was"
                        | "were"
                        | "got"
                        | "sent"
                        | "wrote"
                )
            });
        if cond.within_minutes.is_some() || watches {
            return false;
        }
        self.push(Request::new(act, cond.sel.clone()));
        true
    }

    /// "Delete the mail from Ana. Actually, archive it.": the request before is not wanted, or only what it names is.
    pub(super) fn take_back(
        &mut self,
        how: Retracts,
        before: std::ops::Range<usize>,
        whole: &Cursor<'s, 'a>,
    ) -> Read {
        let after = before.end;
        if self.requests.len() <= after || before.is_empty() {
            return Ok(());
        }
        let reads = |request: &Request| {
            matches!(
                request.act,
                Act::Query(_) | Act::Read | Act::Free | Act::IsFree | Act::Recall
            )
        };
        if self.requests[before.clone()].iter().all(reads) {
            return Ok(());
        }
        let stands = |request: &Request| request.sel.pron.is_some();
        if self.requests[after..].iter().all(stands) && before.len() == 1 {
            let named = self.requests[before.start].sel.clone();
            for request in &mut self.requests[after..] {
                request.sel = named.clone();
            }
        } else if how == Retracts::Perhaps {
            return Err(self.words(whole));
        }
        self.requests.drain(before);
        self.floor = self.floor.min(self.requests.len());
        Ok(())
    }

    /// The comparison in a question for a number; a plain "how many" is answered by yes and no in no way.
    fn counted(&self, request: &Request) -> Option<Test> {
        request.span.clone().find_map(|at| {
            let mut cursor = Cursor::new(self.said, at..request.span.end);
            super::compared::compared(&mut cursor)
        })
    }

    /// Turns the yes-no question that was asked last into a condition.
    fn question_before(&mut self) -> Option<Cond> {
        let last = self.requests.last()?;
        let test = match last.act {
            // "Do I have more than two meetings? If so, …": how many was asked.
            Act::Query(Ask::Count) => self.counted(last)?,
            Act::Query(Ask::Any | Ask::List) => Test::Exists(last.sel.det != Det::No),
            Act::IsFree => Test::Free(true),
            _ => return None,
        };
        let made = self.requests.pop()?;
        self.floor = self.floor.min(self.requests.len());
        Some(Cond {
            sel: made.sel,
            test,
            negated: false,
            within_minutes: None,
            span: self.said.span(&made.span),
        })
    }
}

/// "If I didn't", "if he has", "if she did not": the question before, answered in short.
fn short_answer(cursor: &mut Cursor<'_, '_>) -> Option<bool> {
    let mut ahead = *cursor;
    ahead.eat(&["if"]).then_some(())?;
    ahead
        .eat(&["i", "he", "she", "they", "it", "there", "we", "that"])
        .then_some(())?;
    ahead
        .eat_any(phrases!(
            "do | does | did | have | has | had | is | are | am | was | were | will"
        ))
        .then_some(())?;
    let not = ahead.eat(&["not"]);
    ahead.eat(&["one", "any", "some", "so", "yet", "anything"]);
    (ahead.is_done()
        || matches!(ahead.word(0), "," | "then" | "please")
        || ahead.sees_in(&VERBS).is_some())
    .then(|| {
        *cursor = ahead;
        !not
    })
}
