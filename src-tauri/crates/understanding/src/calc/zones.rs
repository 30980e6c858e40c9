//! Answers questions about clock times around the world: "what time is it in Tokyo", "3pm Tokyo in New York".

use adjutant_domain::settings::DateOrder;
use adjutant_text::message::{Text, TokenKind, core_start};
use jiff::Zoned;
use jiff::tz::TimeZone;

use super::{Calculation, CalculationKind, NoResult, places};
use crate::time::{self, Note, Policy, Value};

type CalculationResult = Option<Result<Calculation, NoResult>>;

/// Answers a question about time zones. Returns `None` if the text is not one.
pub(super) fn calculate(text: &Text<'_>, now: &Zoned, policy: &Policy) -> CalculationResult {
    let mut words: Vec<String> = text.tokens[core_start(text, 0).min(text.tokens.len())..]
        .iter()
        .filter(|t| {
            t.kind != TokenKind::Mark
                || t.word == ":"
                || t.word == "/"
                || t.word == "+"
                || t.word == "-"
        })
        .map(|t| t.word.clone())
        .collect();
    while words.last().is_some_and(|w| {
        matches!(
            w.as_str(),
            "please" | "now" | "currently" | "thanks" | "right" | "today"
        )
    }) {
        words.pop();
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let context = ZoneContext { now, policy };
    context
        .elsewhere(&words)
        .or_else(|| context.current(&words))
        .or_else(|| context.zone_of_place(&words))
        .or_else(|| context.apart(&words))
}

struct ZoneContext<'a> {
    now: &'a Zoned,
    policy: &'a Policy,
}

/// Phrases that ask for the current time.
const NOW: &[&[&str]] = &[
    &["what", "time", "is", "it"],
    &["what", "is", "the", "time"],
    &["what", "is", "the", "current", "time"],
    &["what", "is", "the", "local", "time"],
    &["what", "is", "current", "time"],
    &["tell", "me", "what", "time", "it", "is"],
    &["what", "time", "it", "is"],
    &["tell", "me", "the", "time"],
    &["tell", "me", "the", "current", "time"],
    &["give", "me", "the", "time"],
    &["the", "current", "time"],
    &["current", "time"],
    &["local", "time"],
    &["the", "time"],
    &["time"],
];

impl ZoneContext<'_> {
    fn current(&self, words: &[&str]) -> CalculationResult {
        let rest = NOW.iter().find_map(|lead| words.strip_prefix(*lead))?;
        let rest = rest.strip_prefix(&["right", "now"]).unwrap_or(rest);
        let Some(place) = rest
            .strip_prefix(&["in"])
            .or_else(|| rest.strip_prefix(&["at"]))
            .or_else(|| rest.strip_prefix(&["for"]))
        else {
            let alone = rest.is_empty() && words.len() > 1 && words[0] != "the";
            return alone.then(|| Ok(self.clock("now", self.now, None)));
        };
        Some(self.find_place(place).map(|zone| {
            let there = self.now.with_time_zone(zone.tz);
            self.clock(&format!("now in {}", zone.said), &there, Some(zone.name))
        }))
    }

    /// "3pm Tokyo in New York", "if it is 3pm in London what time is it in Tokyo".
    fn elsewhere(&self, words: &[&str]) -> CalculationResult {
        let mut rest = words;
        for lead in [
            &["convert"][..],
            &["change"],
            &["translate"],
            &["what", "is"],
            &["what", "time", "is"],
            &["what"],
            &["if", "it", "is"],
            &["when", "it", "is"],
            &["if"],
        ] {
            rest = rest.strip_prefix(lead).unwrap_or(rest);
        }
        if rest.len() < 3 {
            return None;
        }
        if let Some(found) = self.turned_around(rest) {
            return Some(found);
        }
        let joins = |at: &usize| matches!(rest[*at], "in" | "to" | "into");
        for at in (1..rest.len() - 1).rev().filter(joins) {
            let target = rest[at + 1..]
                .strip_suffix(&["time"])
                .unwrap_or(&rest[at + 1..]);
            let Ok(zone) = self.find_place(target) else {
                continue;
            };
            let mut source = &rest[..at];
            for tail in [
                &["what", "time", "is", "it"][..],
                &["what", "is", "the", "time"],
                &["what", "time", "would", "it", "be"],
                &["what", "time"],
                &["is", "what", "time"],
            ] {
                source = source.strip_suffix(tail).unwrap_or(source);
            }
            if let Some(moment) = self.moment(source) {
                let there = moment.with_time_zone(zone.tz);
                let expression = format!("{} in {}", source.join(" "), zone.said);
                return Some(Ok(self.clock(&expression, &there, Some(zone.name))));
            }
        }
        None
    }

    /// "… is it in Tokyo when it is 3pm in London".
    fn turned_around(&self, words: &[&str]) -> CalculationResult {
        let at = words.iter().position(|w| matches!(*w, "when" | "if"))?;
        let place = words[..at]
            .strip_prefix(&["time", "is", "it", "in"])
            .or_else(|| words[..at].strip_prefix(&["it", "in"]))?;
        let zone = self.find_place(place).ok()?;
        let mut source = &words[at + 1..];
        source = source.strip_prefix(&["it", "is"]).unwrap_or(source);
        let moment = self.moment(source)?;
        let there = moment.with_time_zone(zone.tz);
        Some(Ok(self.clock(
            &format!("{} in {}", source.join(" "), zone.said),
            &there,
            Some(zone.name),
        )))
    }

    /// Reads a clock time with a place or zone of its own, or else in the person's zone.
    fn moment(&self, words: &[&str]) -> Option<Zoned> {
        if let Some(moment) = self.moment_there(words) {
            return Some(moment);
        }
        // The time grammar reads "3pm Tokyo" as a time there, but takes "3pm in Tokyo" for a time here and a place.
        let plain = words.join(" ");
        let without_in = plain.replacen(" in ", " ", 1);
        [without_in, plain].into_iter().find_map(|phrase| {
            let phrase = phrase.replace(" here", "");
            let mut all = time::find(&phrase, self.now, self.policy);
            let found = (all.len() == 1).then(|| all.remove(0))?;
            let covers = found.cut().start == 0 && found.span.end == phrase.len();
            match found.value {
                Value::Instant(at) if covers => Some(at),
                _ => None,
            }
        })
    }

    /// Reads a clock time followed by a known place, with or without "in".
    fn moment_there(&self, words: &[&str]) -> Option<Zoned> {
        (1..words.len()).find_map(|at| {
            let mut place = &words[at..];
            place = place.strip_suffix(&["time"]).unwrap_or(place);
            let zone = places::zone(&place.join(" "))?;
            let clock = words[..at]
                .strip_suffix(&["in"])
                .unwrap_or(&words[..at])
                .join(" ");
            let there = self.now.with_time_zone(TimeZone::get(zone.name).ok()?);
            let mut all = time::find(&clock, &there, self.policy);
            let found = (all.len() == 1).then(|| all.remove(0))?;
            let covers = found.cut().start == 0 && found.span.end == clock.len();
            match found.value {
                Value::Instant(at) if covers => Some(at),
                _ => None,
            }
        })
    }

    fn zone_of_place(&self, words: &[&str]) -> CalculationResult {
        let rest = words.strip_prefix(&["what"]).unwrap_or(words);
        let rest = rest.strip_prefix(&["is", "the"]).unwrap_or(rest);
        let rest = rest
            .strip_prefix(&["time", "zone"])
            .or_else(|| rest.strip_prefix(&["timezone"]))?;
        let place = rest
            .strip_prefix(&["is"])
            .and_then(|rest| rest.strip_suffix(&["in"]))
            .or_else(|| rest.strip_prefix(&["of"]))
            .or_else(|| rest.strip_prefix(&["for"]))
            .or_else(|| rest.strip_prefix(&["in"]))
            .or_else(|| {
                rest.strip_prefix(&["does"])
                    .and_then(|rest| rest.strip_suffix(&["use"]))
            })?;
        Some(self.find_place(place).map(|zone| {
            let there = self.now.with_time_zone(zone.tz);
            Calculation {
                kind: CalculationKind::Zone,
                expression: format!("time zone of {}", zone.said),
                value: format!("{} (UTC{})", zone.name, there.strftime("%:z")),
                note: Some(format!(
                    "it is {} there",
                    self.policy.clock.show(there.time())
                )),
            }
        }))
    }

    /// "time difference between London and Tokyo", "how many hours ahead of us is Oslo".
    fn apart(&self, words: &[&str]) -> CalculationResult {
        let (first, second) = compared(words)?;
        let first = match self.find_place(first) {
            Ok(zone) => zone,
            Err(error) => return Some(Err(error)),
        };
        Some(self.find_place(second).map(|second| {
            let offset =
                |zone: &ZonedPlace| self.now.with_time_zone(zone.tz.clone()).offset().seconds();
            let minutes = (offset(&second) - offset(&first)) / 60;
            let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
            let length = if rest == 0 {
                format!("{hours} h")
            } else {
                format!("{hours} h {rest} min")
            };
            let note = match minutes {
                0 => "same time".to_owned(),
                m if m > 0 => format!("{} is ahead", second.said),
                _ => format!("{} is ahead", first.said),
            };
            Calculation {
                kind: CalculationKind::Zone,
                expression: format!("{} to {}", first.said, second.said),
                value: length,
                note: Some(note),
            }
        }))
    }

    /// Returns a place by its name, by the name of its zone, or by a word for here.
    fn find_place(&self, words: &[&str]) -> Result<ZonedPlace, NoResult> {
        let mut words = words.strip_prefix(&["the"]).unwrap_or(words);
        for tail in [
            &["right", "now"][..],
            &["time", "zone"],
            &["timezone"],
            &["time"],
            &["standard"],
        ] {
            words = words.strip_suffix(tail).unwrap_or(words);
        }
        let said = words.join(" ");
        let own = ["here", "my", "local", "this", "us", "me"];
        if own.contains(&said.as_str()) {
            let name = self.now.time_zone().iana_name().unwrap_or("UTC").to_owned();
            return Ok(ZonedPlace {
                tz: self.now.time_zone().clone(),
                name,
                said,
            });
        }
        let unknown = || NoResult::UnknownPlace {
            place: title(&said),
        };
        if words.is_empty() || words.len() > 4 {
            return Err(unknown());
        }
        let name = match places::zone(&said) {
            Some(zone) => zone.name.to_owned(),
            None => self.named_zone(&said).ok_or_else(unknown)?,
        };
        let tz = TimeZone::get(&name).map_err(|_| unknown())?;
        Ok(ZonedPlace {
            tz,
            name,
            said: title(&said),
        })
    }

    /// Returns a clock time with its day as a result.
    fn clock(&self, expression: &str, at: &Zoned, zone: Option<String>) -> Calculation {
        let time = self.policy.clock.show(at.time());
        let day = match self.policy.date_order() {
            DateOrder::DayFirst => at.strftime("%A %-d %B"),
            DateOrder::MonthFirst => at.strftime("%A, %B %-d"),
        };
        Calculation {
            kind: CalculationKind::Zone,
            expression: expression.to_owned(),
            value: format!("{time}, {day}"),
            note: zone,
        }
    }

    /// Returns the name of a zone that the time grammar knows: an abbreviation, an IANA name or an offset.
    fn named_zone(&self, said: &str) -> Option<String> {
        let phrase = format!("3pm {}", title(said));
        let found = time::find(&phrase, self.now, self.policy);
        found.iter().find_map(|found| {
            found.notes.iter().find_map(|note| match note {
                Note::Zone(name) if found.span.end == phrase.len() => Some(name.clone()),
                _ => None,
            })
        })
    }
}

/// Returns the words for the two places whose clocks are compared.
fn compared<'a>(words: &'a [&'a str]) -> Option<(&'a [&'a str], &'a [&'a str])> {
    const HERE: &[&str] = &["here"];
    let at = |word: &str| words.iter().position(|one| *one == word);
    let hours = words
        .iter()
        .any(|one| matches!(*one, "time" | "hour" | "hours" | "far"));
    if let Some(side) = at("ahead").or_else(|| at("behind")).filter(|_| hours) {
        let is = side
            + words[side..]
                .iter()
                .position(|one| matches!(*one, "is" | "are"))?;
        let here = words[side + 1..is]
            .strip_prefix(&["of"])
            .unwrap_or(&words[side + 1..is]);
        return Some((if here.is_empty() { HERE } else { here }, &words[is + 1..]));
    }
    let difference = at("difference").filter(|_| hours)?;
    match words.get(difference + 1) {
        Some(&("to" | "with")) => Some((HERE, &words[difference + 2..])),
        Some(&"between") => {
            let and = words.iter().rposition(|one| *one == "and")?;
            let first = words.get(difference + 2..and)?;
            Some((first, &words[and + 1..]))
        }
        _ => None,
    }
}

/// A place with its zone.
struct ZonedPlace {
    tz: TimeZone,
    name: String,
    said: String,
}

fn title(words: &str) -> String {
    words
        .split(' ')
        .map(|word| {
            let mut chars = word.chars();
            chars.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(chars).collect()
            })
        })
        .collect::<Vec<String>>()
        .join(" ")
}
