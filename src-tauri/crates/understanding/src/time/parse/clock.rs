//! Times of day: "3pm", "15:00", "half past five", "noon", "five thirty", "16h30".

use super::{Parser, Read};
use crate::time::Grain;
use crate::time::lexicon::Unit;
use crate::time::model::{Clock, Half};
use crate::time::token::Kind;

/// Hours written as "4h30" up to which a length is meant when nothing says otherwise.
const LENGTH_HOURS_MAX: u32 = 5;

impl Clock {
    fn at(hour: u32, minute: u32) -> Clock {
        Clock {
            hour: hour as u8,
            minute: minute as u8,
            second: 0,
            half: None,
            full: hour == 0 || hour > 12,
            weak: false,
            midnight: false,
            grain: Grain::Minute,
        }
    }

    /// The same, moved by minutes within the 12 hours (for "quarter to six").
    fn moved(mut self, minutes: i32) -> Clock {
        let day = if self.full || self.half.is_some() {
            24 * 60
        } else {
            12 * 60
        };
        let hour = match self.half {
            Some(Half::Am) => i32::from(self.hour) % 12,
            Some(Half::Pm) => i32::from(self.hour) % 12 + 12,
            None => i32::from(self.hour),
        };
        let mut total = (hour * 60 + i32::from(self.minute) + minutes).rem_euclid(day);
        if self.half.is_some() {
            (self.full, self.half) = (true, None);
        } else if !self.full && total < 60 {
            total += 12 * 60;
        }
        self.hour = (total / 60) as u8;
        self.minute = (total % 60) as u8;
        self.grain = Grain::Minute;
        self.weak = false;
        self
    }
}

impl Parser<'_> {
    /// A time of day; `weak` allows a bare number ("5").
    pub fn clock(&self, i: usize, weak: bool) -> Read<Clock> {
        let i = self.past(i, &["exactly", "approximately", "roughly"]);
        let read = self
            .clock_word(i)
            .or_else(|| self.clock_past(i))
            .or_else(|| self.clock_digits(i, weak))
            .or_else(|| self.clock_words(i, weak));
        read.map(|(clock, end)| {
            (
                clock,
                self.past(end, &["sharp", "exactly", "prompt", "ish"]),
            )
        })
    }

    /// noon, midday, midnight.
    fn clock_word(&self, i: usize) -> Read<Clock> {
        let start = if self.digits(i).is_some_and(|d| d.0 == 12) || self.is(i, "twelve") {
            i + 1
        } else {
            i
        };
        let start = self.past(start, &["the"]);
        let noon = || {
            self.any_phrase(
                start,
                &["noon", "noontime", "midday", "high noon", "noonish"],
            )
        };
        let midnight = || self.any_phrase(start, &["midnight", "mid night"]);
        let mut clock = Clock::at(12, 0);
        clock.full = true;
        clock.grain = Grain::Hour;
        if let Some(end) = noon() {
            return Some((clock, end));
        }
        clock.hour = 0;
        clock.midnight = true;
        midnight().map(|end| (clock, end))
    }

    /// "quarter past five", "ten to six", "20 minutes after 3pm", "half past noon".
    fn clock_past(&self, i: usize) -> Read<Clock> {
        let at = self.past(i, &["a"]);
        let (minutes, sure, at) = if self.is(at, "half") {
            (30, true, at + 1)
        } else if self.is(at, "quarter") {
            (15, true, at + 1)
        } else {
            let (value, end) = self.whole(i)?;
            let said = self.one_of(end, &["minutes", "minute", "mins", "min"]);
            let sure = said || self.digits(i).is_none();
            (value, sure, end + usize::from(said))
        };
        if !(1..60).contains(&minutes) {
            return None;
        }
        let sign = match self.word(at) {
            "past" | "after" => 1,
            "to" | "til" | "till" | "before" | "of" if sure => -1,
            // "half five" is half past five.
            _ if minutes == 30 && self.is(at.wrapping_sub(1), "half") => {
                let (clock, end) = self.clock_hour(at)?;
                let whole = clock.grain == Grain::Hour && self.unit(end).is_none();
                return whole.then(|| (clock.moved(30), end));
            }
            _ => return None,
        };
        // "half to six" is not said; "five of six" only with a word.
        let (clock, end) = self.clock_hour(at + 1)?;
        let whole_hour = clock.grain == Grain::Hour && self.unit(end).is_none();
        let clear = sign > 0 || !clock.weak || minutes % 5 == 0;
        (whole_hour && clear).then(|| (clock.moved(sign * minutes as i32), end))
    }

    /// An hour after "past" or "to".
    fn clock_hour(&self, i: usize) -> Read<Clock> {
        self.clock_word(i)
            .or_else(|| self.clock_digits(i, true))
            .or_else(|| self.clock_words(i, true))
    }

    fn clock_digits(&self, i: usize, weak: bool) -> Read<Clock> {
        let (first, digits) = self.digits(i)?;
        if self.is_sign(i + 1, ':') && self.glued(i + 1) && self.glued(i + 2) {
            return self.with_colon(i, first, digits);
        }
        if let Some((minute, 2)) = self.digits(i + 2)
            && self.is_sign(i + 1, '.')
            && self.glued(i + 1)
            && self.glued(i + 2)
            && digits <= 2
            && first < 24
            && minute < 60
        {
            let clock = Clock {
                full: first == 0 || first > 12,
                weak: true,
                ..Clock::at(first, minute)
            };
            return self.finish(clock, i + 3, weak);
        }
        if digits <= 2 && first < 25 && self.glued(i + 1) && self.is(i + 1, "h") {
            let clock = Clock {
                full: true,
                ..Clock::at(first, 0)
            };
            return match self.digits(i + 2) {
                Some((minute @ 0..60, 2)) if self.glued(i + 2) => {
                    let end = if self.glued(i + 3) && self.one_of(i + 3, &["m", "min"]) {
                        i + 4
                    } else {
                        i + 3
                    };
                    // "1h30" alone is a length, "16h30" a time of day.
                    let length = first <= LENGTH_HOURS_MAX && !weak || end > i + 3;
                    let clock = Clock {
                        minute: minute as u8,
                        weak: first <= LENGTH_HOURS_MAX,
                        ..clock
                    };
                    (!length).then_some((clock, end))
                }
                _ => Some((
                    Clock {
                        weak: true,
                        grain: Grain::Hour,
                        ..clock
                    },
                    i + 2,
                ))
                .filter(|_| weak),
            };
        }
        if digits <= 2 && first <= 24 {
            if let Some(end) = self.oclock(i + 1) {
                return self.finish(
                    Clock {
                        grain: Grain::Hour,
                        full: first == 0 || first > 12,
                        ..Clock::at(first, 0)
                    },
                    end,
                    true,
                );
            }
            let clock = Clock {
                weak: true,
                grain: Grain::Hour,
                full: first == 0 || first > 12 || digits == 2 && first < 10,
                ..Clock::at(first, 0)
            };
            return self.finish(clock, i + 1, weak);
        }
        let (hour, minute) = (first / 100, first % 100);
        if (3..=4).contains(&digits) && hour < 24 && minute < 60 {
            let hours =
                self.one_of(i + 1, &["hours", "hrs"]) || self.glued(i + 1) && self.is(i + 1, "h");
            let full = hour == 0 || hour > 12 || digits == 4 && (hour < 10 || hours);
            let clock = Clock {
                weak: !(hours && digits == 4),
                full,
                ..Clock::at(hour, minute)
            };
            // A number such as 2015 after a date is a year, not a clock time.
            let like_year = digits == 4 && (19..=20).contains(&hour) && !hours;
            let bound = i > 0 && (self.is(i - 1, "at") || self.is_sign(i - 1, '@'));
            return self.finish(
                clock,
                i + 1 + usize::from(hours),
                weak && (!like_year || bound),
            );
        }
        None
    }

    fn with_colon(&self, i: usize, hour: u32, digits: usize) -> Read<Clock> {
        let (minute, 2) = self.digits(i + 2)? else {
            self.mark_broken(i + 3);
            return None;
        };
        let mut clock = Clock::at(hour.min(99), minute.min(99));
        let mut end = i + 3;
        if self.is_sign(end, ':')
            && self.glued(end)
            && self.glued(end + 1)
            && let Some((second, 2)) = self.digits(end + 1)
        {
            clock.second = second.min(99) as u8;
            clock.grain = Grain::Second;
            end += 2;
            let fraction = self.is_sign(end, '.') || self.is_sign(end, ',');
            if fraction && self.glued(end) && self.glued(end + 1) && self.digits(end + 1).is_some()
            {
                end += 2;
            }
        }
        if clock.grain == Grain::Minute
            && self.is_sign(end, '.')
            && self.glued(end)
            && self.glued(end + 1)
            && let Some((second @ 0..60, 2)) = self.digits(end + 1)
        {
            (clock.second, clock.grain) = (second as u8, Grain::Second);
            end += 2;
        }
        if digits > 2 || hour > 24 || minute > 59 || clock.second > 60 || hour == 24 && minute > 0 {
            self.mark_broken(end);
            return None;
        }
        clock.second = clock.second.min(59);
        // "09:30" is written on a 24-hour clock.
        clock.full |= digits == 2 && hour < 10;
        let end = self.oclock(end).unwrap_or(end);
        self.finish(clock, end, true)
    }

    /// A number word as the hour, with minutes in words.
    fn clock_words(&self, i: usize, weak: bool) -> Read<Clock> {
        let hour = u32::from(self.token(i)?.lex.number?);
        if !(1..=12).contains(&hour) || self.is(i, "dozen") {
            return None;
        }
        if let Some(end) = self.oclock(i + 1) {
            return self.finish(
                Clock {
                    grain: Grain::Hour,
                    ..Clock::at(hour, 0)
                },
                end,
                true,
            );
        }
        let at = self.past_sign(i + 1, '-');
        if let Some((minute, end)) = self.minute_words(at)
            && self.unit(end).is_none()
        {
            return self.finish(
                Clock {
                    weak: true,
                    ..Clock::at(hour, minute)
                },
                end,
                weak,
            );
        }
        let clock = Clock {
            weak: true,
            grain: Grain::Hour,
            ..Clock::at(hour, 0)
        };
        self.finish(clock, i + 1, weak)
    }

    /// "thirty", "oh five", "forty-five".
    fn minute_words(&self, i: usize) -> Read<u32> {
        if self.one_of(i, &["oh", "o", "zero"]) {
            let minute = u32::from(self.token(i + 1)?.lex.number?);
            return (1..10).contains(&minute).then_some((minute, i + 2));
        }
        let (minute, end) = self.number_words(i)?;
        (10..60).contains(&minute).then_some((minute, end))
    }

    /// Reads am or pm and checks the hour. Without am or pm a weak time counts only when `weak`.
    fn finish(&self, mut clock: Clock, end: usize, weak: bool) -> Read<Clock> {
        if let Some((half, end)) = self.half_day(end) {
            if clock.hour > 12 && clock.hour < 24 && half == Half::Pm {
                // "14PM" is not written by people; "14:30 pm" is.
                if clock.grain == Grain::Hour {
                    self.mark_broken(end);
                    return None;
                }
                clock.weak = false;
                return Some((clock, end));
            }
            if clock.hour == 0 && half == Half::Am {
                clock.weak = false;
                return Some((clock, end));
            }
            if clock.hour == 0 || clock.hour > 12 {
                self.mark_broken(end);
                return None;
            }
            clock.half = Some(half);
            clock.full = false;
            clock.weak = false;
            return Some((clock, end));
        }
        (weak || !clock.weak).then_some((clock, end))
    }

    /// "am", "p.m.", "p m", a glued "p".
    pub fn half_day(&self, i: usize) -> Read<Half> {
        let half = |c: &str| {
            if c.starts_with('a') {
                Half::Am
            } else {
                Half::Pm
            }
        };
        let word = self.word(i);
        if matches!(word, "am" | "pm") {
            // "I am": the word follows a number here, so it is a half day.
            let end = if self.is_sign(i + 1, '.')
                && self.glued(i + 1)
                && self
                    .token(i + 2)
                    .is_some_and(|t| t.kind != Kind::Number && self.starts_lower(i + 2))
            {
                i + 2
            } else {
                i + 1
            };
            return Some((half(word), end));
        }
        if !matches!(word, "a" | "p") {
            return None;
        }
        let dotted = self.is_sign(i + 1, '.');
        let at = if dotted { i + 2 } else { i + 1 };
        if self.is(at, "m") {
            let end = if dotted && self.is_sign(at + 1, '.') {
                at + 2
            } else {
                at + 1
            };
            return Some((half(word), end));
        }
        let alone = self.glued(i)
            && !(self.glued(i + 1)
                && self
                    .token(i + 1)
                    .is_some_and(|t| t.kind != Kind::Sign(',') && t.kind != Kind::Sign('.')));
        alone.then_some((half(word), i + 1))
    }

    fn starts_lower(&self, i: usize) -> bool {
        self.one_of(
            i,
            &[
                "on", "to", "and", "in", "tomorrow", "today", "at", "until", "for", "till", "with",
            ],
        )
    }

    fn oclock(&self, i: usize) -> Option<usize> {
        if self.is(i, "oclock") {
            return Some(i + 1);
        }
        if !self.is(i, "o") {
            return None;
        }
        let at = self.past_sign(i + 1, '\'');
        self.one_of(at, &["clock"]).then_some(at + 1)
    }

    /// Whether what follows makes a bare number a measure of something else ("at 6.45 percent", "5 to 10 people").
    pub fn measure_follows(&self, i: usize) -> bool {
        if self
            .sign(i)
            .is_some_and(|c| matches!(c, '%' | '$' | '€' | '£' | '°' | '/' | '#' | '=' | '×' | '*'))
        {
            return true;
        }
        let word = self.word(i);
        if word.is_empty() {
            return self.digits(i).is_some();
        }
        if self
            .token(i)
            .is_some_and(|t| t.lex.unit.is_some_and(|u| u < Unit::Day))
            || self.token(i).is_some_and(|t| t.lex.scale > 0)
        {
            return true;
        }
        const MEASURES: &[&str] = &[
            "percent",
            "per",
            "dollars",
            "dollar",
            "euros",
            "euro",
            "pounds",
            "usd",
            "eur",
            "bucks",
            "people",
            "men",
            "women",
            "children",
            "kilometers",
            "km",
            "kg",
            "kilograms",
            "kilogram",
            "miles",
            "mph",
            "kmh",
            "feet",
            "ft",
            "degrees",
            "celsius",
            "fahrenheit",
            "grams",
            "gb",
            "mb",
            "tb",
            "street",
            "st",
            "avenue",
            "ave",
            "road",
            "rd",
            "times",
            "x",
            "nd",
            "th",
            "k",
            "m",
            "cm",
            "mm",
            "out",
            "of",
            "stars",
            "star",
            "or",
            "more",
            "different",
        ];
        let plural = word.len() > 4
            && word.ends_with('s')
            && !word.ends_with("ss")
            && self.token(i).is_some_and(|t| {
                t.lex.weekday == 0 && t.lex.part.is_none() && t.lex.unit.is_none()
            });
        MEASURES.contains(&word)
            || plural
                && !self.one_of(
                    i,
                    &[
                        "sharp", "always", "across", "perhaps", "plus", "towards", "besides",
                        "besides", "thanks", "please", "unless", "whereas", "its", "yes",
                    ],
                )
    }
}
