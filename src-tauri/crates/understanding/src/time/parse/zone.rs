//! Time zones after a clock time: "EST", "UTC+2", "+02:00", "Tokyo time", "in New York", "(Europe/Berlin)".

use super::{ParseResult, Parser};
use crate::time::lexicon::zones::{ABBREVIATIONS, CITIES, REGIONS};
use crate::time::model::Zone;
use jiff::tz::{Offset, TimeZone};

/// Largest offset from UTC that exists, in hours.
const OFFSET_HOURS_MAX: u32 = 14;

impl Parser<'_> {
    /// Reads a zone at `i`.
    pub fn zone(&self, i: usize) -> ParseResult<Zone> {
        if self.is_sign(i, '(')
            && let Some((zone, end)) = self.zone(i + 1)
        {
            return self.is_sign(end, ')').then_some((zone, end + 1));
        }
        if self.is(i, "z") && self.glued(i) {
            return iana_zone("UTC").map(|z| (z, i + 1));
        }
        if let Some(offset) = self.offset(i) {
            let full = offset.1 > i + 2 || self.digits(i + 1).is_some_and(|d| d.1 == 4);
            if self.glued(i) && self.is_sign(i, '+') || full {
                return Some(offset);
            }
        }
        self.zone_word(i)
            .or_else(|| self.city(i))
            .or_else(|| self.iana(i))
    }

    fn zone_word(&self, i: usize) -> ParseResult<Zone> {
        let word = self.word(i);
        if word.is_empty() {
            return None;
        }
        if let Some((_, name)) = ABBREVIATIONS.iter().find(|(short, _)| *short == word) {
            if let Some(offset) = self.offset(i + 1).filter(|_| matches!(word, "utc" | "gmt")) {
                return Some(offset);
            }
            return iana_zone(name).map(|z| (z, self.past(i + 1, &["time"])));
        }
        let (end, name) = REGIONS
            .iter()
            .filter_map(|(said, name)| self.phrase(i, said).map(|end| (end, name)))
            .max_by_key(|r| r.0)?;
        let end = self.any_phrase(end, &["standard time", "daylight time", "time"])?;
        iana_zone(name).map(|z| (z, end))
    }

    /// "+2", "+02:00", "-0500".
    fn offset(&self, i: usize) -> ParseResult<Zone> {
        let sign = match self.sign(i)? {
            '+' => 1,
            '-' => -1,
            _ => return None,
        };
        let (value, digits) = self.digits(i + 1)?;
        if !self.glued(i + 1) {
            return None;
        }
        let (hours, minutes, end) = match digits {
            4 => (value / 100, value % 100, i + 2),
            1 | 2 => match self.digits(i + 3) {
                Some((minutes, 2)) if self.is_sign(i + 2, ':') && self.glued(i + 3) => {
                    (value, minutes, i + 4)
                }
                _ => (value, 0, i + 2),
            },
            _ => return None,
        };
        if hours > OFFSET_HOURS_MAX || minutes > 59 {
            return None;
        }
        let offset =
            Offset::from_seconds(sign * (hours as i32 * 3600 + minutes as i32 * 60)).ok()?;
        let name = format!(
            "UTC{}{hours:02}:{minutes:02}",
            if sign > 0 { '+' } else { '-' }
        );
        Some((
            Zone {
                zone: TimeZone::fixed(offset),
                name,
            },
            end,
        ))
    }

    /// "Tokyo", "Tokyo time", "in New York", "London local time".
    fn city(&self, i: usize) -> ParseResult<Zone> {
        let at = self.past(i, &["in"]);
        let (end, name) = CITIES
            .iter()
            .filter_map(|(city, name)| self.phrase(at, city).map(|end| (end, name)))
            .max_by_key(|c| c.0)?;
        let after = self.any_phrase(end, &["local time", "time"]);
        // "meet at 3pm in Paris" is a place; "3pm Paris" and "in Paris time" are zones.
        if at > i && after.is_none() {
            return None;
        }
        iana_zone(name).map(|z| (z, after.unwrap_or(end)))
    }

    /// "Europe/Berlin".
    fn iana(&self, i: usize) -> ParseResult<Zone> {
        let at = self.past(i, &["in"]);
        let first = self.token(at)?;
        if self.word(at).len() < 4
            || !self.is_sign(at + 1, '/')
            || !self.glued(at + 1)
            || !self.glued(at + 2)
        {
            return None;
        }
        let mut end = at + 3;
        while self.sign(end).is_some_and(|c| matches!(c, '/' | '_' | '-'))
            && self.glued(end)
            && self.glued(end + 1)
            && !self.word(end + 1).is_empty()
        {
            end += 2;
        }
        let last = self.token(end - 1)?;
        iana_zone(&self.lower[first.start..last.end]).map(|z| (z, end))
    }
}

/// Returns a zone of the IANA database; ignores the case of its name.
fn iana_zone(name: &str) -> Option<Zone> {
    let zone = TimeZone::get(name).ok()?;
    let name = zone.iana_name().unwrap_or(name).to_owned();
    Some(Zone { zone, name })
}
