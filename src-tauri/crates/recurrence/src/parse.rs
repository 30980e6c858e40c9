//! Parses the text of a rule.

use jiff::civil::{Date, DateTime, Time, Weekday};

use crate::rule::{Bits, Frequency, InvalidRule, Rule, Until, value_of};

/// Maximum length of a rule, in bytes. No calendar writes a tenth of it.
const RULE_BYTES_MAX: usize = 2_000;
/// Codes of the weekdays, Monday first.
pub(crate) const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

impl Rule {
    /// Parses a rule, with or without a leading `RRULE:`.
    ///
    /// # Errors
    /// Returns [`InvalidRule`] if the text is not a rule, is too long, or picks positions (BYSETPOS) from too many
    /// times a day.
    pub fn parse(text: &str) -> Result<Self, InvalidRule> {
        rule(text)
    }
}

fn rule(text: &str) -> Result<Rule, InvalidRule> {
    if text.len() > RULE_BYTES_MAX {
        return Err(InvalidRule("it is too long".into()));
    }
    let upper = text.trim().to_ascii_uppercase();
    let mut rule = Rule {
        frequency: Frequency::Daily,
        interval: 1,
        count: None,
        until: None,
        week_start: Weekday::Monday,
        months: Bits::default(),
        month_days: Bits::default(),
        month_days_back: Bits::default(),
        year_days: Vec::new(),
        weeks: Vec::new(),
        weekdays: Bits::default(),
        nth_weekdays: Vec::new(),
        hours: Bits::default(),
        minutes: Bits::default(),
        seconds: Bits::default(),
        positions: Vec::new(),
    };
    let bare = upper.strip_prefix("RRULE:").unwrap_or(&upper);
    let frequency =
        value_of(bare, "FREQ").ok_or_else(|| InvalidRule("it does not say how often".into()))?;
    rule.frequency = read_frequency(frequency.trim())?;
    for part in bare
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| InvalidRule(format!("“{part}” has no value")))?;
        match name {
            "FREQ" => {}
            "INTERVAL" => rule.interval = number(name, value, 1..=u32::MAX)?,
            "COUNT" => rule.count = Some(number(name, value, 1..=u32::MAX)?),
            "UNTIL" => rule.until = Some(read_until(value)?),
            "WKST" => rule.week_start = weekday(value).ok_or_else(|| bad(name, value))?,
            "BYMONTH" => rule.months = bits(name, value, 1..=12)?,
            "BYHOUR" => rule.hours = bits(name, value, 0..=23)?,
            "BYMINUTE" => rule.minutes = bits(name, value, 0..=59)?,
            "BYSECOND" => rule.seconds = read_seconds(value)?,
            "BYMONTHDAY" => {
                for day in signed(name, value, 31)? {
                    let side = if day > 0 {
                        &mut rule.month_days
                    } else {
                        &mut rule.month_days_back
                    };
                    side.insert(i8::try_from(day.abs()).unwrap_or(0));
                }
            }
            "BYYEARDAY" => rule.year_days = signed(name, value, 366)?,
            "BYWEEKNO" => rule.weeks = signed(name, value, 53)?,
            "BYSETPOS" => rule.positions = signed(name, value, 366)?,
            "BYDAY" => read_days(value, &mut rule)?,
            "RSCALE" if value == "GREGORIAN" => {}
            name if name.starts_with("X-") => {}
            name => return Err(InvalidRule(format!("“{name}” is not known"))),
        }
    }
    if !matches!(rule.frequency, Frequency::Monthly | Frequency::Yearly) {
        // Only months and years number their weekdays. Files that number those of a week mean just the weekday.
        for (_, day) in std::mem::take(&mut rule.nth_weekdays) {
            rule.weekdays.insert(day.cast_signed());
        }
    }
    if !rule.positions.is_empty() && rule.is_once_a_day() {
        return Err(InvalidRule("it picks from too many times a day".into()));
    }
    Ok(rule)
}

fn bad(name: &str, value: &str) -> InvalidRule {
    let value: String = value.chars().take(40).collect();
    InvalidRule(format!("“{value}” is not a value of {name}"))
}

fn read_frequency(value: &str) -> Result<Frequency, InvalidRule> {
    Ok(match value {
        "SECONDLY" => Frequency::Secondly,
        "MINUTELY" => Frequency::Minutely,
        "HOURLY" => Frequency::Hourly,
        "DAILY" => Frequency::Daily,
        "WEEKLY" => Frequency::Weekly,
        "MONTHLY" => Frequency::Monthly,
        "YEARLY" => Frequency::Yearly,
        _ => return Err(bad("FREQ", value)),
    })
}

fn number<T: std::str::FromStr + PartialOrd>(
    name: &str,
    value: &str,
    allowed: std::ops::RangeInclusive<T>,
) -> Result<T, InvalidRule> {
    value
        .trim()
        .parse()
        .ok()
        .filter(|number| allowed.contains(number))
        .ok_or_else(|| bad(name, value))
}

fn bits(
    name: &str,
    value: &str,
    allowed: std::ops::RangeInclusive<i8>,
) -> Result<Bits, InvalidRule> {
    let mut bits = Bits::default();
    for one in value.split(',') {
        bits.insert(number(name, one, allowed.clone())?);
    }
    Ok(bits)
}

/// Parses BYSECOND. A leap second counts as the second before it, because clocks here have none.
fn read_seconds(value: &str) -> Result<Bits, InvalidRule> {
    let mut bits = Bits::default();
    for one in value.split(',') {
        bits.insert(number::<i8>("BYSECOND", one, 0..=60)?.min(59));
    }
    Ok(bits)
}

/// Parses numbers from 1 to `most` and from -1 to -`most`, and returns them sorted.
fn signed(name: &str, value: &str, most: i16) -> Result<Vec<i16>, InvalidRule> {
    let mut found = Vec::new();
    for one in value.split(',') {
        let number = number(name, one, -most..=most)?;
        if number == 0 {
            return Err(bad(name, one));
        }
        found.push(number);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn weekday(code: &str) -> Option<Weekday> {
    let offset = WEEKDAYS.iter().position(|day| *day == code)?;
    Weekday::from_monday_zero_offset(i8::try_from(offset).ok()?).ok()
}

fn read_days(value: &str, rule: &mut Rule) -> Result<(), InvalidRule> {
    for one in value.split(',').map(str::trim) {
        let cut = one.len().saturating_sub(2);
        let (nth, code) = one.split_at_checked(cut).ok_or_else(|| bad("BYDAY", one))?;
        let day = weekday(code)
            .ok_or_else(|| bad("BYDAY", one))?
            .to_monday_zero_offset();
        if nth.is_empty() {
            rule.weekdays.insert(day);
        } else {
            let nth = number("BYDAY", nth, -53..=53)?;
            if nth == 0 {
                return Err(bad("BYDAY", one));
            }
            rule.nth_weekdays.push((nth, day.unsigned_abs()));
        }
    }
    rule.nth_weekdays.sort_unstable();
    rule.nth_weekdays.dedup();
    Ok(())
}

fn read_until(text: &str) -> Result<Until, InvalidRule> {
    let broken = || InvalidRule("it does not end at a time".into());
    let (bare, utc) = match text.strip_suffix('Z') {
        Some(bare) => (bare, true),
        None => (text, false),
    };
    let digits = |from: usize, to: usize| -> Option<i16> {
        let digits = bare.get(from..to)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse().ok())?
    };
    let small = |from: usize, to: usize| digits(from, to).and_then(|n| i8::try_from(n).ok());
    let date = || Date::new(digits(0, 4)?, small(4, 6)?, small(6, 8)?).ok();
    let date = date().ok_or_else(broken)?;
    let time = match bare.len() {
        // A date includes the whole day.
        8 => {
            return Ok(Until::Local(
                date.to_datetime(Time::constant(23, 59, 59, 0)),
            ));
        }
        15 if bare.as_bytes()[8] == b'T' => {
            let time = || Time::new(small(9, 11)?, small(11, 13)?, small(13, 15)?.min(59), 0).ok();
            time().ok_or_else(broken)?
        }
        _ => return Err(broken()),
    };
    let at: DateTime = date.to_datetime(time);
    Ok(if utc {
        Until::Utc(at)
    } else {
        Until::Local(at)
    })
}
