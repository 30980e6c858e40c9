//! Times of day: "3pm", "15:00", "half past five", "noon", "five thirty", "16h30".

use super::{ParseResult, Parser};
use crate::time::Grain;
use crate::time::model::{Clock, Meridiem};

/// Up to this many hours, "4h30" means a length unless something says otherwise.
const LENGTH_HOURS_MAX: u32 = 5;

impl Clock {
    pub fn at(hour: u32, minute: u32) -> Clock {
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

    /// Moves the time by minutes, within 12 hours if it is not known which half of the day it is in (for "quarter to
    /// six").
    pub fn moved(mut self, minutes: i32) -> Clock {
        let day = if self.full || self.half.is_some() {
            24 * 60
        } else {
            12 * 60
        };
        let hour = match self.half {
            Some(Meridiem::Am) => i32::from(self.hour) % 12,
            Some(Meridiem::Pm) => i32::from(self.hour) % 12 + 12,
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
    /// Reads a time of day; `weak` allows a bare number ("5").
    pub fn clock(&self, i: usize, weak: bool) -> ParseResult<Clock> {
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

    pub fn clock_digits(&self, i: usize, weak: bool) -> ParseResult<Clock> {
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
        // "at 8 30", as people dictate it.
        let bound = i > 0 && (self.is(i - 1, "at") || self.is_sign(i - 1, '@'));
        if let Some((minute @ 0..60, 2)) = self.digits(i + 1)
            && bound
            && digits <= 2
            && first < 24
            && !self.glued(i + 1)
            && !self.measure_follows(i + 2)
        {
            let clock = Clock {
                full: first == 0 || first > 12,
                weak: true,
                ..Clock::at(first, minute)
            };
            return self.finish(clock, i + 2, weak);
        }
        if digits <= 2 && first < 25 && self.glued(i + 1) && self.is(i + 1, "h") {
            return self.with_h(i, first, weak);
        }
        if digits <= 2 && first <= 24 {
            let full = first == 0 || first > 12;
            let clock = Clock {
                grain: Grain::Hour,
                full,
                ..Clock::at(first, 0)
            };
            if let Some(end) = self.oclock(i + 1) {
                return self.finish(clock, end, true);
            }
            // Only a 24-hour clock is written with a leading zero, as in "09".
            let full = full || digits == 2 && first < 10;
            return self.finish(
                Clock {
                    weak: true,
                    full,
                    ..clock
                },
                i + 1,
                weak,
            );
        }
        self.without_sign(i, first, digits, weak)
    }

    /// "16h", "16h30", "1h30".
    fn with_h(&self, i: usize, hour: u32, weak: bool) -> ParseResult<Clock> {
        let clock = Clock {
            full: true,
            ..Clock::at(hour, 0)
        };
        let Some((minute @ 0..60, 2)) = self.digits(i + 2).filter(|_| self.glued(i + 2)) else {
            let clock = Clock {
                weak: true,
                grain: Grain::Hour,
                ..clock
            };
            return weak.then_some((clock, i + 2));
        };
        // "1h30" alone and "16h30m" are lengths, "16h30" a time of day.
        let unit = self.glued(i + 3) && self.one_of(i + 3, &["m", "min"]);
        let short = hour <= LENGTH_HOURS_MAX;
        let clock = Clock {
            minute: minute as u8,
            weak: short,
            ..clock
        };
        (!unit && (weak || !short)).then_some((clock, i + 3))
    }

    /// "330", "1530", "0900 hours".
    fn without_sign(&self, i: usize, value: u32, digits: usize, weak: bool) -> ParseResult<Clock> {
        let (hour, minute) = (value / 100, value % 100);
        if !(3..=4).contains(&digits) || hour >= 24 || minute >= 60 {
            return None;
        }
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
        self.finish(
            clock,
            i + 1 + usize::from(hours),
            weak && (!like_year || bound),
        )
    }

    fn with_colon(&self, i: usize, hour: u32, digits: usize) -> ParseResult<Clock> {
        let (minute, 2) = self.digits(i + 2)? else {
            // "1:1" is a meeting of two people.
            if (hour, self.digits(i + 2)) != (1, Some((1, 1))) {
                self.mark_broken(i + 3);
            }
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
        // Only a 24-hour clock is written with a leading zero, as in "09:30".
        clock.full |= digits == 2 && hour < 10;
        let end = self.oclock(end).unwrap_or(end);
        let end = if self.glued(end) && self.is(end, "h") {
            end + 1
        } else {
            end
        };
        self.finish(clock, end, true)
    }

    /// Reads am or pm and checks the hour. Without am or pm, accepts a weak time only if `weak` is set.
    pub fn finish(&self, mut clock: Clock, end: usize, weak: bool) -> ParseResult<Clock> {
        if let Some((half, end)) = self.half_day(end) {
            if clock.hour > 12 && clock.hour < 24 && half == Meridiem::Pm {
                // People do not write "14PM", but they do write "14:30 pm".
                if clock.grain == Grain::Hour {
                    self.mark_broken(end);
                    return None;
                }
                clock.weak = false;
                return Some((clock, end));
            }
            if clock.hour == 0 && half == Meridiem::Am {
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
}
