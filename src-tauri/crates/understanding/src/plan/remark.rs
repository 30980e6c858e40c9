//! Remarks in front of a request and reasons behind it: whom and what they speak of.

use super::clause::Parse;
use super::condition;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, VERBS};
use super::model::{Sel, Who};
use super::noun::{self, Rules};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;

/// Where a remark ends and a request of the same sentence begins ("…, can you delete it?").
pub(super) fn request_behind(parse: &Parse<'_, '_>, cursor: &Cursor<'_, '_>) -> Option<usize> {
    (cursor.at..cursor.end).find(|at| {
        let word = parse.said.pieces[*at].word.as_str();
        matches!(word, "," | "so" | "-" | "and") && {
            let mut rest = *cursor;
            rest.at = at + 1;
            filler::open(&mut rest);
            rest.sees_in(&VERBS).is_some()
                && rest.peek(0).is_some_and(|verb| verb.word == verb.base)
                && (word != "and" || rest.at > at + 1)
        }
    })
}

/// A remark in front of the request: "Sofia is off sick.", "I'm not feeling well."
pub(super) fn background<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    // Only in front of another sentence or clause, and only where it cannot restrict what is asked.
    let more = parse.said.pieces.len() > cursor.end;
    let stop = request_behind(parse, cursor);
    if !parse.requests.is_empty() && stop.is_none() && afterthought(cursor) {
        cursor.at = cursor.end;
        return true;
    }
    if !parse.requests.is_empty() || !(more || stop.is_some()) {
        return false;
    }
    let end = stop.unwrap_or(cursor.end);
    let mut subject = *cursor;
    subject.eat_any(phrases!("since | as | because | now that | seeing as | seeing that | considering | considering that | given"));
    let plain = subject.eat_any(phrases!("i have double booked | i double booked | i have booked | i accidentally | i mistakenly | i overslept | i screwed up | i messed up | i did not mean to | my mistake | never mind | i moved | i have moved | i am | i was | we are | i have been | i feel | i will be | something has come up | something is come up | something 's come up | \
        something came up | my plans have changed | my plans changed | there has been | there was | \
        plans have changed | it is | it has been | i got | i forgot | i just | i think | i have just | \
        i know | my flight | i missed | i made | the client | my inbox is | my calendar is | \
        my schedule is | i can not make it | today is | tomorrow is | i lost | i caught | i had | \
        the meeting is | i have got | my day is | my week is | things have changed | there is | \
        i have a lot | i have a conflict | i have a clash | there is a conflict | make sure everyone | make sure everybody | make sure people | make sure the team | i promised | the weather | i am afraid | we had | we have | the team | \
        everyone | my boss | my kid | my train | i ran"));
    let person = !plain && people::one(&mut subject, Place::Maybe).is_some_and(|who| matches!(who, Who::Named { .. }))
        && subject.sees_any(phrases!("is | are | was | has | can not | will | had | and i | will not | called | asked | told | said | \
        just | mentioned | got | left | does not | did not | needs | wants | moved | could not | \
        keeps | 's")).is_some();
    if !plain && !person {
        return false;
    }
    let mut restricts = *cursor;
    restricts.end = end;
    while !restricts.is_done() {
        if restricts
            .sees_any(phrases!(
                "except | keep | only | but not | if | unless | apart from | other than"
            ))
            .is_some()
            || matches!(
                restricts.peek(0).map(|piece| piece.form),
                Some(Form::Quote(_))
            )
        {
            return false;
        }
        restricts.at += 1;
    }
    gather(parse, *cursor, end);
    context(parse, *cursor, end);
    cursor.at = end;
    true
}

/// The day a remark speaks of ("I have to leave early tomorrow") holds for the request behind it that names none.
pub(super) fn context<'s, 'a>(parse: &mut Parse<'s, 'a>, mut cursor: Cursor<'s, 'a>, end: usize) {
    cursor.end = end;
    while !cursor.is_done() {
        let Some((index, len)) = cursor.sees_time() else {
            // "A conflict at 3": the event that is there.
            let clash = cursor.eat(&["conflict", "clash", "overlap", "collision"]);
            if clash && let Some((index, _)) = cursor.sees_time() {
                parse.mentioned.push(Sel {
                    when: vec![index],
                    ..Sel::of(Noun::Event)
                });
            }
            cursor.at += usize::from(!clash);
            continue;
        };
        let today = parse.said.utterance.now.date();
        let ahead = parse.said.times.get(index).is_some_and(|found| {
            found.has_day
                && found
                    .value
                    .stretch(parse.said.utterance.now)
                    .is_some_and(|(_, end)| end.date() >= today)
        });
        if ahead {
            parse.context.push(index);
        }
        cursor.at += len;
    }
}

/// "…, the client is running late": a reason at the end of a sentence; whether that is all that is left.
pub(super) fn reason(cursor: &Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let behind_mark = cursor
        .at
        .checked_sub(1)
        .and_then(|at| cursor.said.pieces.get(at))
        .is_some_and(|last| last.form == Form::Mark && !last.ends);
    if !ahead.eat(&[",", "-", ";", "–", "—", "as", "since", "because"]) && !behind_mark {
        return false;
    }
    ahead.eat(&["as", "since", "because", "sorry", "cause", "cos"]);
    afterthought(&ahead)
}

/// "They are out sick." behind the request: a reason, with nothing in it that could change what was asked.
pub(super) fn afterthought(cursor: &Cursor<'_, '_>) -> bool {
    /// Words of "the other client".
    const SUBJECT_MAX: usize = 3;
    let mut ahead = *cursor;
    let mut named = *cursor;
    if named.eat(&["the", "my", "our", "his", "her", "their"]) {
        let from = named.at;
        while named.is_content(0)
            && named.at - from < SUBJECT_MAX
            && named.sees_any(phrases!("is | are | was | has")).is_none()
        {
            named.at += 1;
        }
        if named.at > from {
            ahead = named;
        }
    }
    let subject = ahead.at > cursor.at
        || ahead.eat_any(phrases!("they | he | she | i | we | it"))
        || matches!(
            people::one(&mut ahead, Place::Maybe),
            Some(Who::Named { .. })
        );
    let state = ahead.eat_any(phrases!(
        "are | is | am | was | were | will be | has been | have been | have | had | can not make it | could not make it | got"
    ));
    subject
        && state
        && (ahead.at..ahead.end).all(|at| {
            let piece = &ahead.said.pieces[at];
            let mut here = ahead;
            here.at = at;
            !matches!(
                piece.form,
                Form::Time(_) | Form::Quote(_) | Form::Address | Form::Number
            ) && piece.leads.is_none()
                && !matches!(
                    piece.word.as_str(),
                    "not"
                        | "only"
                        | "except"
                        | "but"
                        | "if"
                        | "unless"
                        | "called"
                        | "titled"
                        | "supposed"
                        | "about"
                        | "to"
                        | "with"
                        | "from"
                )
                && here.sees_in(&super::lexicon::NOUNS).is_none()
                && lexicon_verb(piece).is_none()
        })
}

pub(super) fn lexicon_verb(piece: &super::said::Piece) -> Option<&'static str> {
    super::lexicon::verb_of(&piece.word)
}

/// Remembers the people and things of a remark.
pub(super) fn gather<'s, 'a>(parse: &mut Parse<'s, 'a>, mut cursor: Cursor<'s, 'a>, end: usize) {
    cursor.end = end;
    while !cursor.is_done() {
        let mut ahead = cursor;
        if let Some(who) = people::one(&mut ahead, Place::Maybe) {
            if matches!(who, Who::Named { .. } | Who::Address(_)) {
                parse.remarked = Some(who.clone());
                parse.people.push(who);
            }
            cursor = ahead;
            continue;
        }
        // "She can't make tomorrow's review".
        let dated = cursor
            .sees_time()
            .is_some_and(|(_, len)| len == 1 && (cursor.word(1) == "'s" || cursor.is_content(1)));
        if dated
            || matches!(
                cursor.word(0),
                "my" | "the" | "a" | "an" | "our" | "any" | "all"
            )
        {
            let mut ahead = cursor;
            // "The 3pm with Bob": what is there at that time.
            let mut hour = cursor;
            hour.at += usize::from(!dated);
            let hour = hour.sees_time().is_some_and(|(index, _)| {
                cursor
                    .said
                    .times
                    .get(index)
                    .is_some_and(|found| found.clock.is_some())
            });
            if let Some(mut sel) =
                noun::phrase(&mut ahead, hour.then_some(Noun::Event), Rules::default())
                && matches!(
                    sel.noun,
                    Some(Noun::Event | Noun::Mail | Noun::Task | Noun::Note)
                )
            {
                condition::resolve_they(parse, &mut sel.with);
                sel.pron = None;
                parse.mentioned.push(sel);
                cursor = ahead;
                continue;
            }
        }
        cursor.at += 1;
    }
}
