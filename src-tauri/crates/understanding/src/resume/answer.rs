//! Reads typed answers to questions.

use adjutant_domain::moment::Moment;
use adjutant_domain::plan::{AnswerKind, Choice};
use adjutant_domain::reading::Utterance;
use adjutant_text::message::truncate;
use serde_json::{Value as Json, json};

use crate::frames;
use crate::time::{self, Policy, Value};
use adjutant_text::{fold, number};

/// Maximum number of bytes to read of an answer; a dictated mail may be long.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Reads an answer of the given kind.
pub(super) fn read(said: &Utterance<'_>, kind: AnswerKind, choices: &[Choice]) -> Option<Json> {
    let text = truncate(said.text.trim(), ANSWER_BYTES_MAX).0;
    if text.is_empty() {
        return None;
    }
    match kind {
        AnswerKind::Text => Some(json!(unquoted(text))),
        AnswerKind::Moment => moment(said, None),
        AnswerKind::Minutes => minutes(said),
        AnswerKind::People => {
            let people = frames::people(said);
            match choices.is_empty() || !people.is_empty() {
                true => (!people.is_empty()).then(|| json!(people)),
                // "Miller, the one from Legal": one of those that the question names, by what it says of them.
                false => choice(said, text, choices).map(|one| json!([one])),
            }
        }
        AnswerKind::Choice => choice(said, text, choices),
    }
}

/// Removes the quotation marks around a text that is quoted as a whole.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('«', '»')] {
        if let Some(inner) = text
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            && !inner.is_empty()
            && !inner.contains([open, close])
        {
            return inner;
        }
    }
    text
}

/// Reads a point in time; a time of day alone falls on `day` if that is known.
pub(super) fn moment(said: &Utterance<'_>, day: Option<&Moment>) -> Option<Json> {
    let policy = Policy::of(said.settings);
    let founds = time::find(said.text, said.now, &policy);
    let first = founds.first().or(None)?;
    // A reply with more than the time and a few small words is something else.
    let rest: usize = said.text.split_whitespace().count();
    let covered: usize = founds
        .iter()
        .filter_map(|found| said.text.get(found.cut()))
        .map(|part| part.split_whitespace().count())
        .sum();
    if rest > covered + 4 {
        return None;
    }
    let point = founds
        .iter()
        .find(|found| found.clock.is_some())
        .unwrap_or(first);
    let date = founds
        .iter()
        .find(|found| found.has_day)
        .and_then(|found| found.value.stretch(said.now))
        .map(|(start, _)| start.date());
    let moment = match &point.value {
        Value::Instant(at) => {
            let on = match (point.has_day, date, day) {
                (true, ..) => None,
                (false, Some(date), _) => Some(date),
                (false, None, Some(Moment::Day(day))) => Some(*day),
                (false, None, Some(Moment::At(at))) => Some(at.date()),
                _ => None,
            };
            match on {
                Some(on) => Moment::At(
                    on.to_datetime(at.time())
                        .to_zoned(at.time_zone().clone())
                        .ok()?,
                ),
                None => Moment::At(at.clone()),
            }
        }
        Value::Date(day) => Moment::Day(*day),
        Value::Interval { start, .. } if point.clock.is_some() => Moment::At(start.clone()),
        Value::Interval { start, .. } => Moment::Day(start.date()),
        Value::Duration(length) => Moment::At(said.now.checked_add(length.span).ok()?),
        Value::Set { first, .. } => Moment::At(first.clone()?),
    };
    Some(json!(moment))
}

/// Returns whether a reply holds only a time and words that say nothing: "at noon I guess".
pub(super) fn is_only_a_time(said: &Utterance<'_>) -> bool {
    const SMALL: &[&str] = &[
        "i", "guess", "think", "please", "works", "work", "is", "fine", "good", "ok", "okay",
        "for", "me", "would", "be", "maybe", "let", "us", "say", "make", "it", "the", "a", "on",
        "at", "by", "best", "great", "then", "yes", "sure", "will", "do", "lets", "let's", "hmm",
        "um", "well", "so", "that's", "that",
    ];
    let rest = without_times(said);
    if rest == said.text.to_lowercase() {
        return false;
    }
    rest.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .all(|word| word.is_empty() || SMALL.contains(&word))
}

/// Returns a reply in lower case without its times.
pub(super) fn without_times(said: &Utterance<'_>) -> String {
    let low = said.text.to_lowercase();
    if low.len() != said.text.len() {
        return low;
    }
    let mut founds = time::find(said.text, said.now, &Policy::of(said.settings));
    founds.reverse();
    founds.into_iter().fold(low, |mut rest, found| {
        rest.replace_range(found.cut(), " ");
        rest
    })
}

fn minutes(said: &Utterance<'_>) -> Option<Json> {
    let policy = Policy::of(said.settings);
    let founds = time::find(said.text, said.now, &policy);
    for found in &founds {
        if let Value::Duration(length) = &found.value {
            let minutes = (length.seconds / 60.0).round();
            return (1.0..=600_000.0)
                .contains(&minutes)
                .then(|| json!(minutes as i64));
        }
    }
    let low = said.text.trim().to_lowercase();
    let number = low
        .trim_end_matches(['.', '!'])
        .trim_end_matches("minutes")
        .trim_end_matches("min")
        .trim();
    number
        .parse::<i64>()
        .ok()
        .filter(|minutes| (1..=600_000).contains(minutes))
        .map(|minutes| json!(minutes))
}

/// Finds a choice by its label, number, position, or words that only one choice has in its label or detail.
fn choice(said: &Utterance<'_>, text: &str, choices: &[Choice]) -> Option<Json> {
    let low = fold(text.trim().trim_end_matches(['.', '!']));
    let low = bare(&low);
    let exact = |choice: &&Choice| fold(&choice.label) == low || fold(&choice.line()) == low;
    if let Some(exact) = choices.iter().find(exact) {
        return Some(exact.value.clone());
    }
    if let Some(value) = scope(low, choices) {
        return Some(value);
    }
    if let Some(dated) = dated(low, said, choices) {
        return Some(dated);
    }
    if let Some(place) = place(low, choices.len()) {
        return choices.get(place).map(|choice| choice.value.clone());
    }
    let all = matches!(
        low,
        "all" | "both" | "all of them" | "both of them" | "every" | "everything" | "each"
    );
    if all && choices.iter().all(|choice| choice.value.is_string()) {
        let mut all = choices.iter();
        return all
            .find(|choice| fold(&choice.label).starts_with("all"))
            .map(|choice| choice.value.clone());
    }
    by_words(low, choices).or_else(|| described(low, choices))
}

/// Returns the only choice that a reply with the number of a day names, if all choices are days: "the 20th" of Friday 20
/// March and Thursday 19 March.
fn dated(low: &str, said: &Utterance<'_>, choices: &[Choice]) -> Option<Json> {
    let last = low.rsplit(' ').next()?;
    let number = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| last.strip_suffix(ending))?;
    let policy = Policy::of(said.settings);
    let is_day = |choice: &Choice| {
        let found = time::find_main(&choice.label, said.now, &policy);
        found.is_some_and(|found| found.has_day && found.cut() == (0..choice.label.len()))
    };
    let before = low.strip_suffix(last)?;
    let days = choices.iter().all(is_day);
    days.then(|| by_words(&format!("{before}{number}"), choices))?
}

/// Returns the choice that the words before a comma name, if what follows only describes it: "Miller, from Legal",
/// "the second one, not the first".
fn described(text: &str, choices: &[Choice]) -> Option<Json> {
    const DESCRIBES: &[&str] = &[
        "from", "at", "of", "in", "the", "my", "our", "who", "with", "not", "a", "an", "please",
    ];
    let low = fold(text.trim().trim_end_matches(['.', '!']));
    let (name, more) = low.split_once([',', '(', ';'])?;
    let first = more.split_whitespace().next()?;
    let named = by_words(bare(name.trim()), choices)?;
    let mut words = more.split(|ch: char| !ch.is_alphanumeric());
    let another = words.any(|word| by_words(word, choices).is_some_and(|other| other != named));
    (DESCRIBES.contains(&first) && (!another || first == "not")).then_some(named)
}

/// Strips "the one with", "option", "please" and the like from the words of a choice.
fn bare(low: &str) -> &str {
    const LEADS: &[&str] = &[
        "the one with ",
        "the one from ",
        "the one about ",
        "the one on ",
        "the one at ",
        "the one called ",
        "the one who is ",
        "the one who's ",
        "the one that is ",
        "the one that's ",
        "the one who works ",
        "the one in ",
        "the ",
        "option ",
        "number ",
        "choice ",
        "#",
        "no. ",
    ];
    let low = LEADS
        .iter()
        .fold(low, |text, lead| text.strip_prefix(lead).unwrap_or(text));
    let low = low.strip_suffix(" please").unwrap_or(low);
    [" one", " option", " choice"]
        .iter()
        .fold(low, |text, tail| text.strip_suffix(tail).unwrap_or(text))
        .trim()
}

/// Returns the only choice that has all the words, apart from small ones.
fn by_words(low: &str, choices: &[Choice]) -> Option<Json> {
    const SMALL: &[&str] = &[
        "the", "a", "on", "at", "with", "from", "about", "of", "please", "one", "yes", "i", "mean",
        "meant", "for", "in", "it", "is", "s", "who", "our", "my", "that", "works", "sorry", "guy",
        "person",
    ];
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(|ch: char| !ch.is_alphanumeric() && ch != ':');
        parts.map(str::to_owned).collect()
    };
    let mut wanted = parts(low);
    wanted.retain(|word| !word.is_empty() && !SMALL.contains(&word.as_str()));
    if wanted.is_empty() {
        return None;
    }
    let fits = |choice: &&Choice| {
        let label = parts(&fold(&choice.line()));
        wanted.iter().all(|word| {
            label.iter().any(|part| {
                part == word || part.len() > 3 && word.len() > 2 && part.starts_with(word)
            })
        })
    };
    let mut fitting = choices.iter().filter(fits);
    let first = fitting.next()?;
    fitting.next().is_none().then(|| first.value.clone())
}

/// Finds which instances of a recurring event are meant: "only this one", "this and later", "the whole series".
fn scope(low: &str, choices: &[Choice]) -> Option<Json> {
    let has = |value: &str| {
        choices
            .iter()
            .find(|choice| choice.value.as_str() == Some(value))
            .map(|choice| choice.value.clone())
    };
    has("series").or_else(|| has("following"))?;
    let words: Vec<&str> = low.split(|ch: char| !ch.is_alphanumeric()).collect();
    let says = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if says(&[
        "later",
        "following",
        "onwards",
        "onward",
        "future",
        "after",
        "forward",
        "rest",
        "subsequent",
        "remaining",
    ]) {
        return has("following");
    }
    if says(&[
        "series",
        "all",
        "every",
        "everything",
        "whole",
        "entire",
        "each",
    ]) {
        return has("series");
    }
    says(&[
        "only",
        "just",
        "this",
        "that",
        "one",
        "single",
        "instance",
        "occurrence",
        "it",
    ])
    .then(|| has("this"))
    .flatten()
}

fn place(word: &str, count: usize) -> Option<usize> {
    match word {
        "last" | "bottom" | "latter" => return count.checked_sub(1),
        "top" | "former" => return (count > 0).then_some(0),
        _ => {}
    }
    let mut endings = ["st", "nd", "rd", "th"].iter();
    let digits = endings
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    let lettered = || match word.as_bytes() {
        [letter @ b'a'..=b'e'] => Some(usize::from(letter - b'a') + 1),
        _ => None,
    };
    let number = digits.parse().ok();
    number
        .or_else(|| {
            number::cardinal(word)
                .or_else(|| number::ordinal(word))
                .map(usize::from)
        })
        .or_else(lettered)
        .and_then(|number: usize| number.checked_sub(1))
        .filter(|place| *place < count)
}
