//! The message as the grammar sees it: words, with quotations, times and addresses as single pieces.

use adjutant_text::message::{self as text, Text};

use super::mask::mask;
use super::moved_times::{
    by_a_length, first_of_day, is_change, is_move, last_weekend, lasting, named_part, ought,
    own_part, owned, owner_of_ordinal, rolling, started,
};
use super::split_times::{
    alarm_hours, bare_bounds, bare_from, bare_hours, block_hours, split_lengths, split_moves,
    split_repeats, split_weeks,
};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use adjutant_domain::reading::Utterance;
use adjutant_domain::settings::{Settings, WeekStart};
use jiff::civil::Weekday;

use super::lexicon;
use crate::time::{self, Found, Policy, Prefer};

/// Bytes of a message that are planned: a request is short; a longer text is material, and quoting it whole is enough.
pub(super) const PLAN_BYTES_MAX: usize = 16 * 1024;
/// Pieces that are planned.
const PIECES_MAX: usize = 3000;
/// People of the address book that are looked through.
const PEOPLE_MAX: usize = 5000;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A word.
    Word,
    /// A number.
    Number,
    /// `2nd`.
    Ordinal,
    /// A whole quotation; index into [`Said::quotes`].
    Quote(usize),
    /// A whole time expression without its preposition; index into [`Said::times`].
    Time(usize),
    /// A mail address.
    Address,
    /// A web address.
    Link,
    /// A file name or path.
    File,
    /// Any other mark.
    Mark,
}

/// A word, mark, quotation or time expression.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Folded text.
    pub word: String,
    /// Its base form where the lexicon knows that ("meetings" is "meeting"), else the same.
    pub base: String,
    /// Bytes in the message.
    pub span: Range<usize>,
    /// What it is.
    pub form: Form,
    /// Begins with a capital letter.
    pub capital: bool,
    /// The time expression it introduces as a preposition.
    pub leads: Option<usize>,
    /// Ends a sentence.
    pub ends: bool,
}

impl Piece {
    /// Whether it is a word, a number or a mark, and not a whole expression.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.form, Form::Word | Form::Mark | Form::Number)
    }
}

/// A message, prepared.
pub(super) struct Said<'a> {
    /// Everything around it.
    pub utterance: &'a Utterance<'a>,
    /// The message, cut to [`PLAN_BYTES_MAX`].
    pub source: &'a str,
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// Inner bytes of the quotations.
    pub quotes: Vec<Range<usize>>,
    /// Time expressions, looking forward.
    pub times: Vec<Found>,
    /// Whether not all of the message was read.
    pub cut: bool,
    /// Whether a word stands in it that may take something back ("no wait"), where that was looked for.
    pub marked: bool,
    masked: String,
    past: OnceCell<Vec<Found>>,
    people: OnceCell<HashMap<String, Vec<usize>>>,
}

impl<'a> Said<'a> {
    /// Prepares `source`, which is the message or, for follow-ups, a rewritten one.
    pub(super) fn read(source: &'a str, utterance: &'a Utterance<'a>) -> Self {
        let (source, cut) = text::truncate(source, PLAN_BYTES_MAX);
        let read = Text::read(source);
        let masked = mask(source, &read);
        let mut times = times(&masked, utterance, &policy(utterance.settings));
        times = split_weeks(times, &masked, utterance);
        if is_move(&read) {
            times = split_moves(times, &masked, utterance);
        }
        times = split_repeats(times, &masked, utterance);
        times = split_lengths(times, &masked, utterance);
        if is_change(&read) {
            for found in &mut times {
                started(found, &masked, utterance);
                by_a_length(found, &masked, utterance);
                lasting(found, &masked, utterance);
            }
        }
        for found in &mut times {
            if ought(found, &masked) {
                by_a_length(found, &masked, utterance);
                lasting(found, &masked, utterance);
            }
            owner_of_ordinal(found, &masked, utterance);
            first_of_day(found, &masked, utterance);
            named_part(found, &masked);
            started(found, &masked, utterance);
            rolling(found, &masked, utterance.now);
        }
        let mut pieces = hyphened(pieces(&read, &times));
        let cut = cut || pieces.len() > PIECES_MAX;
        pieces.truncate(PIECES_MAX);
        owned(&mut pieces, &mut times, source);
        bare_hours(&mut pieces, &mut times, utterance);
        bare_bounds(&mut pieces, &mut times, utterance);
        alarm_hours(&mut pieces, &mut times, utterance);
        block_hours(&mut pieces, &mut times, utterance);
        own_part(&mut pieces, &mut times, utterance);
        if is_move(&read) {
            bare_from(&mut pieces, &mut times, &masked, utterance);
        }
        Self {
            utterance,
            source,
            quotes: read
                .quotes
                .iter()
                .map(|quote| quote.inner.clone())
                .collect(),
            pieces,
            times,
            cut,
            marked: false,
            masked,
            past: OnceCell::new(),
            people: OnceCell::new(),
        }
    }

    /// What cannot be said of something that repeats: days left out by what they are, a number of times without days.
    pub(super) fn no_such_repetition(&self) -> Option<String> {
        let sets: Vec<&Found> = self
            .times
            .iter()
            .filter(|found| matches!(found.value, time::Value::Set { .. }))
            .collect();
        if sets.is_empty() {
            return None;
        }
        let counted = sets.iter().any(|found| {
            found
                .notes
                .iter()
                .any(|note| matches!(note, time::Note::TimesPerPeriod(times) if *times > 1))
        });
        if counted {
            return Some(
                "That says how often, but not on which days, so I have done nothing. For example “every Tuesday and Thursday at 6”."
                    .to_owned(),
            );
        }
        let holidays = self.pieces.windows(2).any(|pair| {
            let plain = pair.iter().all(Piece::is_plain);
            plain
                && matches!(
                    pair[0].word.as_str(),
                    "except"
                        | "excluding"
                        | "excepting"
                        | "skipping"
                        | "not"
                        | "on"
                        | "for"
                        | "than"
                        | "from"
                        | "bank"
                        | "public"
                        | "school"
                )
                && matches!(pair[1].word.as_str(), "holidays" | "vacations")
        }) && self.pieces.iter().any(|piece| {
            matches!(
                piece.word.as_str(),
                "except" | "excluding" | "skipping" | "not" | "excepting" | "apart" | "other"
            )
        });
        holidays.then(|| {
            "Holidays cannot be left out of something that repeats, so I have done nothing. Please say it without them, or name the dates."
                .to_owned()
        })
    }

    /// The message's own words from piece `range`, trimmed, without a possessive ending at the end.
    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        let (Some(first), Some(last)) = (
            self.pieces.get(range.start),
            range.end.checked_sub(1).and_then(|at| self.pieces.get(at)),
        ) else {
            return "";
        };
        self.source
            .get(first.span.start..last.span.end)
            .unwrap_or("")
            .trim()
    }

    /// The byte span of a range of pieces.
    pub(super) fn span(&self, range: &Range<usize>) -> Option<(usize, usize)> {
        let first = self.pieces.get(range.start)?;
        let last = self.pieces.get(range.end.checked_sub(1)?)?;
        (first.span.start <= last.span.end).then_some((first.span.start, last.span.end))
    }

    /// A quotation's inner text, word for word.
    pub(super) fn quoted(&self, quote: usize) -> &'a str {
        self.quotes
            .get(quote)
            .and_then(|inner| self.source.get(inner.clone()))
            .unwrap_or("")
    }

    /// A time expression, read as past where `past` says that what was is asked about.
    pub(super) fn time(&self, index: usize, past: bool) -> Option<&Found> {
        let ahead = self.times.get(index)?;
        if !past {
            return Some(ahead);
        }
        let back = self.past.get_or_init(|| {
            let policy = Policy {
                prefer: Prefer::Past,
                ..policy(self.utterance.settings)
            };
            let mut back = times(&self.masked, self.utterance, &policy);
            for found in &mut back {
                rolling(found, &self.masked, self.utterance.now);
                last_weekend(found, &self.masked, self.utterance.now);
            }
            back
        });
        back.iter()
            .find(|found| found.span == ahead.span)
            .or(Some(ahead))
    }

    /// Whether the words of a time are "all day", "full-day" and the like: how long something is, but not so many minutes.
    pub(super) fn is_whole_day(&self, span: &Range<usize>) -> bool {
        self.source.get(span.clone()).is_some_and(|text| {
            matches!(
                text.to_lowercase().replace('-', " ").as_str(),
                "all day" | "full day" | "whole day"
            )
        })
    }

    /// Indices of people whose name has this (folded) word.
    pub(super) fn people_named(&self, word: &str) -> &[usize] {
        self.people
            .get_or_init(|| {
                let mut index: HashMap<String, Vec<usize>> = HashMap::new();
                let people = self.utterance.people.iter().take(PEOPLE_MAX);
                for (at, (name, _)) in people.enumerate() {
                    for word in name.split(|ch: char| !ch.is_alphanumeric() && ch != '\'') {
                        if word.chars().count() > 1 {
                            index.entry(adjutant_text::fold(word)).or_default().push(at);
                        }
                    }
                }
                index
            })
            .get(word)
            .map_or(&[], Vec::as_slice)
    }
}

/// Every time expression. Two that stand side by side ("on Friday by 2 hours") may hide one another: what was found is
/// covered and the rest looked at again.
fn times(masked: &str, utterance: &Utterance<'_>, policy: &Policy) -> Vec<Found> {
    let mut found = time::find(masked, utterance.now, policy);
    if found.is_empty() {
        return found;
    }
    let mut rest = String::with_capacity(masked.len());
    let mut at = 0;
    for one in &found {
        let cut = one.cut();
        let (Some(before), true) = (masked.get(at..cut.start.max(at)), cut.end >= at) else {
            continue;
        };
        rest.push_str(before);
        // A mark between words keeps what stands on both sides apart.
        rest.extend(std::iter::repeat_n('|', cut.end - cut.start.max(at)));
        at = cut.end;
    }
    rest.push_str(masked.get(at..).unwrap_or(""));
    let more = time::find(&rest, utterance.now, policy);
    if !more.is_empty() {
        found.extend(more);
        found.sort_by_key(|one| one.span.start);
    }
    found
}

/// How words for times are read under the person's settings.
pub(crate) fn policy(settings: &Settings) -> Policy {
    Policy {
        week_starts_on: match settings.week_start {
            WeekStart::Monday => Weekday::Monday,
            WeekStart::Sunday => Weekday::Sunday,
            WeekStart::Saturday => Weekday::Saturday,
        },
        day_first: settings.day_first,
        work_start: settings.work_start,
        work_end: settings.work_end,
        ..Policy::default()
    }
}

fn pieces(read: &Text<'_>, times: &[Found]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(read.tokens.len());
    let mut next_time = 0;
    let mut ends = read.sentences.iter().map(|range| range.end).peekable();
    for (at, token) in read.tokens.iter().enumerate() {
        while ends.peek().is_some_and(|end| *end <= at) {
            ends.next();
        }
        let is_end = ends.peek() == Some(&(at + 1));
        while times
            .get(next_time)
            .is_some_and(|found| found.span.end <= token.span.start)
        {
            next_time += 1;
        }
        let here = times
            .get(next_time)
            .filter(|found| token.quote.is_none() && found.span.start < token.span.end);
        let form = match (token.quote, here) {
            (Some(quote), _) => Form::Quote(usize::from(quote)),
            (None, Some(_)) => Form::Time(next_time),
            (None, None) => form(token.kind),
        };
        if let (Form::Quote(_) | Form::Time(_), Some(last)) = (form, out.last_mut())
            && last.form == form
        {
            last.span.end = last.span.end.max(token.span.end);
            last.ends |= is_end;
            continue;
        }
        let leads = times
            .get(next_time)
            .filter(|found| {
                here.is_none()
                    && token.quote.is_none()
                    && found.lead.as_ref().is_some_and(|lead| {
                        lead.start <= token.span.start && token.span.end <= lead.end
                    })
            })
            .map(|_| next_time);
        out.push(Piece {
            base: lexicon::base(&token.word),
            word: token.word.clone(),
            span: token.span.clone(),
            form,
            capital: token.capital,
            leads,
            ends: is_end,
        });
    }
    out
}

/// "Stand-up", "one-on-one": what the lexicon writes apart is read without its hyphens. Its text keeps them.
fn hyphened(pieces: Vec<Piece>) -> Vec<Piece> {
    let tied = |at: usize| {
        at > 0
            && pieces[at].form == Form::Mark
            && pieces[at].word == "-"
            && pieces[at - 1].form == Form::Word
            && pieces[at - 1].span.end == pieces[at].span.start
            && pieces
                .get(at + 1)
                .is_some_and(|next| next.span.start == pieces[at].span.end)
    };
    let mut dropped = vec![false; pieces.len()];
    for start in 0..pieces.len() {
        if start + 2 >= pieces.len() || !tied(start + 1) || start > 0 && tied(start) {
            continue;
        }
        let mut end = start;
        while end + 2 < pieces.len() && tied(end + 1) {
            end += 2;
        }
        let words: Vec<Piece> = (start..=end)
            .step_by(2)
            .filter_map(|at| pieces.get(at).cloned())
            .collect();
        let noun = lexicon::NOUNS.at(&words, 0);
        if noun.is_some_and(|(_, len)| len == words.len()) {
            (start + 1..end)
                .step_by(2)
                .for_each(|at| dropped[at] = true);
        }
    }
    let mut at = 0;
    let mut kept = pieces;
    kept.retain(|_| {
        at += 1;
        !dropped[at - 1]
    });
    kept
}

fn form(kind: text::Kind) -> Form {
    match kind {
        text::Kind::Word => Form::Word,
        text::Kind::Number => Form::Number,
        text::Kind::Ordinal => Form::Ordinal,
        text::Kind::Address => Form::Address,
        text::Kind::Link => Form::Link,
        text::Kind::File => Form::File,
        text::Kind::Emoji | text::Kind::Mark => Form::Mark,
    }
}
