//! Puts parts into the words of a request, each in place of the corresponding words or at the end.

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;

use super::super::binding::{Binding, Value};
use super::super::compile::time_of_day;
use super::super::lattice::{Filler, Lattice, PersonMention};
use super::mentions;
use super::parts::{ChangePart, PartKind};
use crate::time::{self, Policy, TimeExpression};

/// Maximum number of texts that are tried for one reading of the parts.
const TEXTS_MAX: usize = 12;
/// Maximum number of tokens of a time that is split into its pieces.
const PIECE_TOKENS_MAX: usize = 9;

/// An edit of the words of a request.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// Replaces a byte range with other words.
    Replace(Range<usize>, String),
    /// Appends words at the end.
    Append(String),
}

/// Returns the words of a request with parts put into them, the likeliest first.
pub(super) fn into(lattice: &Lattice<'_>, frame: &Binding, parts: &[ChangePart]) -> Vec<String> {
    let mut all: Vec<Vec<Edit>> = vec![Vec::new()];
    for part in parts {
        let ways = ways(lattice, frame, part);
        let mut next = Vec::new();
        for edits in &all {
            for way in &ways {
                next.push([edits.as_slice(), std::slice::from_ref(way)].concat());
            }
        }
        next.truncate(TEXTS_MAX);
        all = next;
    }
    let texts = all
        .iter()
        .filter_map(|edits| edited(lattice.text.source, edits));
    texts.collect()
}

/// Reports whether parts only change a time within a message to somebody.
pub(super) fn changes_what_is_told(
    lattice: &Lattice<'_>,
    frame: &Binding,
    parts: &[ChangePart],
) -> bool {
    let time = |part: &ChangePart| matches!(part.like, PartKind::Time { .. } | PartKind::Hour(_));
    parts.iter().all(time) && ReplaceableRanges::of(lattice, frame).only_told()
}

/// Reports whether words begin with a time and go on behind it.
fn begins_with_time(lattice: &Lattice<'_>, words: &str) -> bool {
    let founds = time::find(words, lattice.said.now, &Policy::of(lattice.said.settings));
    founds
        .iter()
        .any(|found| found.cut().start == 0 && found.cut().end < words.trim_end().len())
}

/// Returns the possible edits for one part.
fn ways(lattice: &Lattice<'_>, frame: &Binding, part: &ChangePart) -> Vec<Edit> {
    let places = ReplaceableRanges::of(lattice, frame);
    match &part.like {
        PartKind::Time { day, clock } if places.only_told() => {
            mentions::times(lattice, &places.told, &part.bare, (*day, *clock))
        }
        PartKind::Hour(hour) if places.only_told() => {
            mentions::times(lattice, &places.told, &hour.to_string(), (false, true))
        }
        PartKind::Time { day, clock } => times(lattice, &places, part, (*day, *clock)),
        PartKind::Hour(hour) => {
            let near = places.clock(lattice).unwrap_or(12);
            let words = format!("at {}:00", time_of_day(*hour, near));
            let part = ChangePart {
                bare: words.trim_start_matches("at ").to_owned(),
                words,
                ..part.clone()
            };
            times(lattice, &places, &part, (false, true))
        }
        PartKind::Later(days) => later(lattice, &places, *days).into_iter().collect(),
        PartKind::People => people(lattice, &places, part),
        PartKind::MorePeople => more_people(lattice, &places, part),
        PartKind::Length => {
            let replaced = places.lengths.iter();
            let replaced = replaced.map(|at| Edit::Replace(at.clone(), part.bare.clone()));
            let appended = Edit::Append(format!("for {}", part.bare));
            replaced.chain([appended]).collect()
        }
        PartKind::Copied => vec![Edit::Append(part.bare.clone())],
        PartKind::Subject => name_edits(&places.subjects, "with the subject", part),
        PartKind::Title => name_edits(&places.titles, "called", part),
        // The place of an existing thing only identifies it; it is not what the request changes.
        PartKind::Place if frame.has("target") => Vec::new(),
        PartKind::Place => vec![Edit::Append(format!("at {}", part.bare))],
        PartKind::More => {
            let spoken = places.spoken.iter();
            let goes_on =
                spoken.map(|at| Edit::Replace(at.end..at.end, format!(" and {}", part.bare)));
            goes_on.collect()
        }
        // "Say Saturday, and that it is red" changes the time and adds something: it is no other wording.
        PartKind::Wording if begins_with_time(lattice, &part.bare) => Vec::new(),
        PartKind::Wording => {
            let spoken = places.spoken.iter();
            spoken
                .map(|at| Edit::Replace(at.clone(), part.bare.clone()))
                .collect()
        }
        PartKind::State => vec![Edit::Append(format!("that are {}", part.bare))],
        PartKind::About => {
            let replaced = places.about.iter();
            let bare = ["about ", "regarding "];
            let bare = bare.iter().find_map(|lead| part.words.strip_prefix(lead));
            let bare = bare.unwrap_or(&part.words);
            let replaced = replaced.map(|at| Edit::Replace(at.clone(), bare.to_owned()));
            let appended = Edit::Append(part.words.clone());
            replaced.chain([appended]).collect()
        }
        PartKind::Pick => {
            let picks = (0..lattice.len()).filter_map(|at| {
                let end = lattice.phrase("pick", at)?;
                lattice.text.span(at..end)
            });
            picks
                .map(|at| Edit::Replace(at, part.bare.clone()))
                .collect()
        }
        PartKind::Thing => {
            let named = places.names.iter();
            let named = named.map(|at| Edit::Replace(at.clone(), part.bare.clone()));
            let whole = places.things.iter();
            let whole = whole.map(|at| Edit::Replace(at.clone(), part.words.clone()));
            // A name of its own brings nothing of the other thing: "lunch with Ana. No, the Berlin sync".
            match is_called(lattice, &part.bare) {
                true => whole.chain(named).collect(),
                false => named.chain(whole).collect(),
            }
        }
    }
}

/// Reports whether something that the message mentions has this name.
fn is_called(lattice: &Lattice<'_>, name: &str) -> bool {
    let name = adjutant_text::fold(name.trim_end_matches(['.', '!', '?']));
    let bare = name.strip_prefix("the ").unwrap_or(&name);
    let names = lattice.said.names.iter();
    names
        .clone()
        .any(|one| adjutant_text::fold(&one.label) == bare)
}

/// Replaces a name, or appends it after the words that introduce it.
fn name_edits(places: &[Range<usize>], lead: &str, part: &ChangePart) -> Vec<Edit> {
    let name = format!("\"{}\"", part.bare);
    let replaced = places.iter();
    let replaced = replaced.map(|at| Edit::Replace(at.clone(), name.clone()));
    let appended = Edit::Append(format!("{lead} {name}"));
    replaced.chain([appended]).collect()
}

/// Replaces times of the same kind: a new day keeps the time of day that was said, and a new time of day keeps the day.
fn times(
    lattice: &Lattice<'_>,
    places: &ReplaceableRanges,
    part: &ChangePart,
    (day, clock): (bool, bool),
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for old in &places.times {
        let inside = pieces(lattice, old);
        let like = inside.iter().filter(|found| match (day, clock) {
            (true, true) => true,
            (true, false) => found.clock.is_none(),
            _ => !found.has_day && found.clock.is_some(),
        });
        let longest = like.max_by_key(|found| found.span.len());
        if let Some(found) = longest {
            if !led_alike(lattice, found, part) {
                edits.push(Edit::Replace(found.cut(), part.words.clone()));
            }
            edits.push(Edit::Replace(found.span.clone(), part.bare.clone()));
        } else {
            // If the request said only the other half, keep it and add this one.
            let said = lattice.text.source.get(old.clone()).unwrap_or("");
            let both = format!("{said} {}", part.words);
            edits.push(Edit::Replace(old.clone(), both));
            edits.push(Edit::Replace(old.clone(), part.words.clone()));
        }
    }
    edits.push(Edit::Append(part.words.clone()));
    edits
}

/// Reports whether the word before a time is the one with which the part begins: "what's on Friday", "and on
/// Saturday?".
fn led_alike(lattice: &Lattice<'_>, found: &TimeExpression, part: &ChangePart) -> bool {
    let before = lattice.text.source.get(..found.cut().start).unwrap_or("");
    let lead = part.words.strip_suffix(&part.bare).unwrap_or("").trim();
    !lead.is_empty() && before.trim_end().ends_with(lead)
}

/// Returns all times within a byte range of the request, including the whole range: "tomorrow at 3" contains "tomorrow"
/// and "at 3".
pub(super) fn pieces(lattice: &Lattice<'_>, bytes: &Range<usize>) -> Vec<TimeExpression> {
    let (source, now) = (lattice.text.source, lattice.said.now);
    let policy = Policy::of(lattice.said.settings);
    let tokens = lattice.text.tokens.iter().map(|token| &token.span);
    let inside: Vec<_> = tokens
        .filter(|span| bytes.start <= span.start && span.end <= bytes.end)
        .take(PIECE_TOKENS_MAX)
        .collect();
    let mut pieces: Vec<TimeExpression> = Vec::new();
    for (at, from) in inside.iter().enumerate() {
        for to in &inside[at..] {
            let text = source.get(from.start..to.end).unwrap_or("");
            let found = time::find(text, now, &policy);
            let [found] = found.as_slice() else { continue };
            if found.cut() == (0..text.len()) {
                let moved = |range: Range<usize>| range.start + from.start..range.end + from.start;
                pieces.push(TimeExpression {
                    span: moved(found.span.clone()),
                    lead: found.lead.clone().map(moved),
                    ..found.clone()
                });
            }
        }
    }
    pieces
}

/// Moves the time that was said by a number of days.
fn later(lattice: &Lattice<'_>, places: &ReplaceableRanges, days: i64) -> Option<Edit> {
    let old = places.times.first()?;
    let found = pieces(lattice, old);
    let found = found
        .into_iter()
        .filter(|found| found.has_day || found.clock.is_none())
        // Prefer a piece without a time of day, so that the hour stays.
        .max_by_key(|found| (found.clock.is_none(), found.span.len()))?;
    let (start, end) = found.value.stretch(lattice.said.now)?;
    let (first, last) = (start.date(), last_day(&end, start.date()));
    let words = match days {
        7 | -7 if first != last => {
            let (first, last) = (
                first.checked_add(days.days()),
                last.checked_add(days.days()),
            );
            format!("from {} to {}", first.ok()?, last.ok()?)
        }
        days if days > 0 => format!("on {}", last.checked_add(days.days()).ok()?),
        days => format!("on {}", first.checked_add(days.days()).ok()?),
    };
    Some(Edit::Replace(found.cut(), words))
}

fn last_day(end: &jiff::Zoned, first: Date) -> Date {
    let before = end.checked_sub(1.second());
    before.map_or(first, |last| last.date().max(first))
}

/// Replaces people.
fn people(lattice: &Lattice<'_>, places: &ReplaceableRanges, part: &ChangePart) -> Vec<Edit> {
    const PREPOSITIONS: &[&str] = &["with", "from", "to", "by", "for"];
    let mut edits = Vec::new();
    for (tokens, bytes) in &places.people {
        let led = tokens
            .start
            .checked_sub(1)
            .filter(|before| PREPOSITIONS.contains(&lattice.word(*before)));
        let from = led.and_then(|before| lattice.text.span(before..before + 1));
        if let Some(from) = from.filter(|_| part.words != part.bare) {
            edits.push(Edit::Replace(from.start..bytes.end, part.words.clone()));
        }
        edits.push(Edit::Replace(bytes.clone(), part.bare.clone()));
    }
    if part.words != part.bare {
        edits.push(Edit::Append(part.words.clone()));
    }
    edits
}

/// Adds people to those already named.
fn more_people(lattice: &Lattice<'_>, places: &ReplaceableRanges, part: &ChangePart) -> Vec<Edit> {
    let source = lattice.text.source;
    let joined = places.people.iter().filter_map(|(_, bytes)| {
        let known = source.get(bytes.clone())?;
        let both = format!("{known} and {}", part.bare);
        Some(Edit::Replace(bytes.clone(), both))
    });
    joined
        .chain([Edit::Append(format!("with {}", part.bare))])
        .collect()
}

/// Byte ranges of a request that parts may replace.
#[derive(Debug, Default)]
struct ReplaceableRanges {
    times: Vec<Range<usize>>,
    lengths: Vec<Range<usize>>,
    /// With their tokens.
    people: Vec<(Range<usize>, Range<usize>)>,
    about: Vec<Range<usize>>,
    names: Vec<Range<usize>>,
    titles: Vec<Range<usize>>,
    subjects: Vec<Range<usize>>,
    /// Messages to somebody.
    spoken: Vec<Range<usize>>,
    /// Times within those messages.
    told: Vec<Range<usize>>,
    things: Vec<Range<usize>>,
}

impl ReplaceableRanges {
    fn of(lattice: &Lattice<'_>, frame: &Binding) -> Self {
        let mut places = Self::default();
        places.collect(lattice, frame);
        places
    }

    fn collect(&mut self, lattice: &Lattice<'_>, frame: &Binding) {
        for (role, value) in &frame.roles {
            match value {
                Value::Filler(Filler::Time(time), tokens) => {
                    let found = lattice.times.get(*time).map(TimeExpression::cut);
                    // Change the time to which something moves rather than the time that identifies it.
                    let first = if *role == "to" { 0 } else { self.times.len() };
                    let bytes = found.or_else(|| lattice.text.span(tokens.clone()));
                    self.times.splice(first..first, bytes);
                }
                Value::Filler(Filler::Length(_), tokens) => {
                    self.lengths.extend(lattice.text.span(tokens.clone()));
                }
                Value::Filler(Filler::People(people), tokens) if *people != [PersonMention::Me] => {
                    let bytes = lattice.text.span(tokens.clone());
                    self.people
                        .extend(bytes.map(|bytes| (tokens.clone(), bytes)));
                }
                Value::Filler(Filler::Quote(_), tokens) if *role == "subject" => {
                    self.subjects.extend(lattice.text.span(tokens.clone()));
                }
                Value::Text(stretches) => {
                    let (Some(first), Some(last)) = (stretches.first(), stretches.last()) else {
                        continue;
                    };
                    let bytes = lattice.text.span(first.start..last.end);
                    if *role == "title" {
                        self.people
                            .extend(mentions::people_in(lattice, first.start..last.end));
                    }
                    match *role {
                        "said" => {
                            self.told
                                .extend(mentions::times_in(lattice, first.start..last.end));
                            self.spoken.extend(bytes);
                        }
                        "title" => self.titles.extend(bytes),
                        "subject" => self.subjects.extend(bytes),
                        "name" => self.names.extend(bytes),
                        "about" | "text" => self.about.extend(bytes),
                        _ => {}
                    }
                }
                Value::Inner(inner) => {
                    if matches!(*role, "thing" | "target") {
                        self.things.extend(lattice.text.span(inner.span.clone()));
                    }
                    self.collect(lattice, inner);
                }
                _ => {}
            }
        }
    }

    /// Reports whether all times of the request are within a message to somebody.
    fn only_told(&self) -> bool {
        self.times.is_empty() && !self.told.is_empty()
    }

    /// Returns the hour that was said.
    fn clock(&self, lattice: &Lattice<'_>) -> Option<i64> {
        let times = self.times.iter();
        let said: Vec<TimeExpression> = times.flat_map(|bytes| pieces(lattice, bytes)).collect();
        let timed = said.iter().filter(|found| found.clock.is_some());
        let found = timed.max_by_key(|found| found.span.len())?;
        let morning = Policy::of(lattice.said.settings).first_morning_hour;
        let clock = match !found.has_day && said.iter().any(|found| found.has_day) {
            true => found.clock_elsewhere(morning),
            false => found.clock,
        };
        clock.map(|clock| clock.hour().into())
    }
}

/// Returns the words of a request after its edits, or `None` if the edits overlap.
fn edited(source: &str, edits: &[Edit]) -> Option<String> {
    let mut replaced: Vec<(&Range<usize>, &str)> = Vec::new();
    let mut text = source.to_owned();
    for edit in edits {
        if let Edit::Replace(bytes, words) = edit {
            replaced.push((bytes, words));
        }
    }
    replaced.sort_by_key(|(bytes, _)| std::cmp::Reverse(bytes.start));
    if replaced.windows(2).any(|two| two[1].0.end > two[0].0.start) {
        return None;
    }
    for (bytes, words) in replaced {
        text.get(bytes.clone())?;
        text.replace_range(bytes.clone(), words);
    }
    let mut text = text.trim_end_matches(['.', '?', '!', ' ']).to_owned();
    for edit in edits {
        if let Edit::Append(words) = edit {
            text.push(' ');
            text.push_str(words);
        }
    }
    Some(text)
}
