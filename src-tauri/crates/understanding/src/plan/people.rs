//! People: names of the address book, names nobody knows, addresses, pronouns, groups.

use adjutant_text::fold;

use super::cursor::Cursor;
use super::guests::guests;
use super::lexicon;
use super::model::{Pick, Who};
use super::said::Form;
use super::strangers::{group, stands_as_name, time_that_is_a_name, unknown};
use super::table::phrases;
use super::title;

/// People of one list.
const LIST_MAX: usize = 50;
/// Words of one name.
pub(super) const NAME_WORDS_MAX: usize = 4;

/// How sure the place is that a person stands here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// After "with", "from", "to": an unknown word is a name too.
    Sure,
    /// Anywhere: only known names, addresses and capitalised unknown words.
    Maybe,
    /// Anywhere: only names the address book has, and addresses.
    Known,
}

/// Words for people that the address book may hold as a relation.
const RELATIONS: &[&str] = &[
    "boss",
    "manager",
    "wife",
    "husband",
    "spouse",
    "mom",
    "mum",
    "mother",
    "dad",
    "father",
    "sister",
    "brother",
    "son",
    "daughter",
    "doctor",
    "dentist",
    "lawyer",
    "accountant",
    "colleague",
    "assistant",
    "landlord",
    "neighbor",
    "neighbour",
    "girlfriend",
    "boyfriend",
    "partner",
    "friend",
    "cousin",
    "aunt",
    "uncle",
    "grandma",
    "grandpa",
    "grandmother",
    "grandfather",
    "therapist",
    "coach",
    "teacher",
    "supervisor",
    "roommate",
    "flatmate",
    "plumber",
    "mechanic",
    "vet",
    "tutor",
    "nanny",
    "babysitter",
    "ceo",
    "cto",
    "cfo",
    "mentor",
    "trainer",
    "hairdresser",
    "barber",
    "parents",
    "kids",
    "family",
    "niece",
    "nephew",
];

/// Reads a list of people: "Ana, Bob and kim@example.org". Empty when none stands here.
pub(super) fn list(cursor: &mut Cursor<'_, '_>, place: Place) -> Vec<Who> {
    let mut out = Vec::new();
    cursor.eat(&["both"]);
    while out.len() < LIST_MAX {
        let mut try_one = *cursor;
        if !out.is_empty() && !separator(&mut try_one) {
            break;
        }
        // A list that began with people one knows does not go on with a plain word.
        let place = match out.last() {
            Some(Who::Named { known: true, .. }) if place == Place::Sure => Place::Maybe,
            _ => place,
        };
        // Behind a separator an unknown word without a capital may begin another clause.
        let sure = if out.is_empty() {
            place
        } else {
            further(&try_one, place)
        };
        let Some(who) = one(&mut try_one, sure) else {
            break;
        };
        *cursor = try_one;
        out.push(who);
    }
    out
}

fn further(cursor: &Cursor<'_, '_>, place: Place) -> Place {
    let ends = cursor.peek(1).is_none_or(|next| {
        matches!(next.form, Form::Mark | Form::Time(_))
            || next.leads.is_some()
            || matches!(
                next.word.as_str(),
                "about"
                    | "on"
                    | "at"
                    | "to"
                    | "saying"
                    | "that"
                    | "and"
                    | "titled"
                    | "called"
                    | "regarding"
                    | "for"
            )
    });
    match place {
        Place::Sure if ends && !lexicon::is_known(cursor.word(0)) => Place::Sure,
        Place::Known => Place::Known,
        _ => Place::Maybe,
    }
}

fn separator(cursor: &mut Cursor<'_, '_>) -> bool {
    let comma = cursor.eat(&[",", ";"]);
    let joined = cursor.eat_any(phrases!(
        "and also | and | & | or | as well as | plus | along with | and with | and to | and from"
    ));
    comma || joined
}

/// Reads one person.
pub(super) fn one(cursor: &mut Cursor<'_, '_>, place: Place) -> Option<Who> {
    let piece = cursor.peek(0)?;
    match piece.form {
        Form::Address => {
            let text = cursor.said.slice(cursor.at..cursor.at + 1).to_lowercase();
            cursor.at += 1;
            return Some(Who::Address(text));
        }
        Form::Quote(_) if place == Place::Sure => return None,
        Form::Word => {}
        Form::Time(_) => return time_that_is_a_name(cursor),
        _ => return None,
    }
    if piece.leads.is_some() {
        return None;
    }
    if let Some(who) = guests(cursor, place) {
        return Some(who);
    }
    if cursor.eat(&["me", "myself", "us"]) {
        return Some(Who::Me);
    }
    if place != Place::Known
        && cursor
            .sees_any(phrases!("him | her | them | they | he | she"))
            .is_some()
        && !(cursor.word(0) == "her"
            && cursor.is_content(1)
            && !title::STOPS.contains(&cursor.word(1))
            && cursor.peek(1).is_some_and(|next| next.leads.is_none()))
    {
        cursor.at += 1;
        return Some(Who::They);
    }
    cursor
        .eat_any(phrases!("mr | mrs | ms | dr | prof"))
        .then(|| cursor.skip_marks());
    let who = related(cursor)
        .or_else(|| known(cursor, place))
        .or_else(|| unknown(cursor, place))
        .or_else(|| group(cursor, place))?;
    // "My landlord landlord@home.example": the address says who.
    let mut ahead = *cursor;
    ahead.eat(&["at", "("]);
    if ahead
        .peek(0)
        .is_some_and(|piece| piece.form == Form::Address)
    {
        let text = ahead.said.slice(ahead.at..ahead.at + 1).to_lowercase();
        ahead.at += 1;
        ahead.eat(&[")"]);
        *cursor = ahead;
        return Some(Who::Address(text));
    }
    Some(who)
}

/// "My boss", "my friend Tom", "Tom's wife" stays a name.
fn related(cursor: &mut Cursor<'_, '_>) -> Option<Who> {
    let mut ahead = *cursor;
    if !ahead.eat(&["my", "our", "the"])
        && !matches!(ahead.word(0), "mom" | "mum" | "dad" | "grandma" | "grandpa")
    {
        return None;
    }
    let relation = ahead.word(0);
    if !RELATIONS.contains(&relation)
        || ahead.word(1) == "'s"
            && ahead.peek(2).is_some_and(|next| {
                next.form == Form::Word
                    && lexicon::NOUNS
                        .at(&ahead.said.pieces, ahead.at + 2)
                        .is_none()
                    && ahead.is_content(2)
            })
    {
        return None;
    }
    let start = cursor.at;
    ahead.at += 1;
    if let Some(who) = known(&mut ahead, Place::Maybe) {
        *cursor = ahead;
        return Some(who);
    }
    // A title such as "dentist appointment" is no person.
    if ahead.is_content(0) && lexicon::NOUNS.at(&ahead.said.pieces, ahead.at).is_some() {
        return None;
    }
    let said = strip_possessive(cursor.said.slice(start..ahead.at)).to_owned();
    *cursor = ahead;
    Some(Who::Named {
        name: relation.to_owned(),
        said,
        known: false,
    })
}

fn known(cursor: &mut Cursor<'_, '_>, place: Place) -> Option<Who> {
    let people = cursor.said.utterance.people;
    let mut fitting: Vec<usize> = Vec::new();
    let mut len = 0;
    while len < NAME_WORDS_MAX {
        let Some(piece) = cursor.peek(len).filter(|piece| piece.form == Form::Word) else {
            break;
        };
        let named = cursor.said.people_named(&piece.word);
        let next: Vec<usize> = if len == 0 {
            named.to_vec()
        } else {
            fitting
                .iter()
                .copied()
                .filter(|at| named.contains(at))
                .collect()
        };
        if next.is_empty() {
            break;
        }
        fitting = next;
        len += 1;
    }
    let first = cursor.peek(0)?;
    if len == 0
        || (len == 1
            && !first.capital
            && (lexicon::is_known(&first.word) && place != Place::Sure
                || lexicon::is_function(&first.word)
                    && !(place == Place::Sure && stands_as_name(cursor))))
    {
        return None;
    }
    // Not a person when the name goes on with another word of a name ("Maria Silva" where only Maria Lopez is known).
    let goes_on = cursor.peek(len).is_some_and(|next| {
        next.form == Form::Word
            && next.capital
            && first.capital
            && !lexicon::is_known(&next.word)
            && cursor.peek(len - 1).is_some_and(|last| !last.ends)
            && !cursor.said.people_named(&next.word).is_empty()
    });
    if goes_on {
        return None;
    }
    let said = strip_possessive(cursor.said.slice(cursor.at..cursor.at + len)).to_owned();
    cursor.at += len;
    let exact: Vec<usize> = fitting
        .iter()
        .copied()
        .filter(|at| {
            people
                .get(*at)
                .is_some_and(|(name, _)| fold(name) == fold(&said))
        })
        .collect();
    let name = match (exact.as_slice(), fitting.as_slice()) {
        ([only], _) | ([], [only]) => people
            .get(*only)
            .map_or_else(|| said.clone(), |(name, _)| name.clone()),
        _ => said.clone(),
    };
    Some(Who::Named {
        name,
        said,
        known: true,
    })
}

pub(super) fn strip_possessive(text: &str) -> &str {
    text.strip_suffix("'s")
        .or_else(|| text.strip_suffix("\u{2019}s"))
        .unwrap_or(text)
}

/// Whether a possessive follows ("Ana's").
pub(super) fn possessive(cursor: &Cursor<'_, '_>) -> bool {
    cursor.word(0) == "'s" || cursor.word(0) == "'"
}

/// The place a pick has in a list, when it is one.
pub(super) fn place_of(pick: Pick) -> Option<i64> {
    match pick {
        Pick::First(1) => Some(1),
        Pick::Nth(n) => Some(n),
        Pick::Last(1) | Pick::Latest(1) => Some(-1),
        _ => None,
    }
}
