//! Rules to offer the person for an event or task that starts at a given moment.

use adjutant_domain::moment::Moment;
use adjutant_domain::settings::DateOrder;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;

use crate::edit::check;
use crate::in_words;

/// A rule ready to be stored, with its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// RFC 5545 rule, without `RRULE:`.
    pub rule: String,
    /// Description for the person.
    pub words: String,
}

/// Returns the rules to offer for an event or task that starts at `start`: the usual ones and its present one, `now`.
///
/// If `last` is given, all of them end on that day; otherwise the usual ones are endless and the present one keeps its
/// end. The list is empty if `last` is before `start`. `order` is the order of dates in the descriptions.
#[must_use]
pub fn usual(
    start: &Moment,
    now: Option<&str>,
    last: Option<Date>,
    order: DateOrder,
) -> Vec<Offered> {
    let day = match start {
        Moment::Day(day) => *day,
        Moment::At(at) => at.date(),
    };
    let mut rules = for_day(day);
    if let Some(now) = now.and_then(|now| check(now, start).ok()) {
        match rules.iter_mut().find(|rule| **rule == endless(&now)) {
            Some(same) => *same = now,
            None => rules.insert(0, now),
        }
    }
    rules
        .iter()
        .map(|rule| last.map_or_else(|| rule.clone(), |last| ending(rule, start, last)))
        .filter_map(|rule| check(&rule, start).ok())
        .map(|rule| Offered {
            words: in_words(&rule, order),
            rule,
        })
        .collect()
}

fn for_day(day: Date) -> Vec<String> {
    let name = two_letters(day.weekday());
    let mut rules = vec!["FREQ=DAILY".to_owned()];
    if day.weekday().to_monday_zero_offset() < 5 {
        rules.push("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR".to_owned());
    }
    rules.push(format!("FREQ=WEEKLY;BYDAY={name}"));
    rules.push(format!("FREQ=WEEKLY;INTERVAL=2;BYDAY={name}"));
    rules.push(format!("FREQ=MONTHLY;BYMONTHDAY={}", day.day()));
    // Not every month has a fifth such weekday. It is also the month's last, which every month has.
    let place = (day.day() - 1) / 7 + 1;
    if place < 5 {
        rules.push(format!("FREQ=MONTHLY;BYDAY={place}{name}"));
    }
    if day.days_in_month() - day.day() < 7 {
        rules.push(format!("FREQ=MONTHLY;BYDAY=-1{name}"));
    }
    rules.push("FREQ=YEARLY".to_owned());
    rules
}

/// Returns the rule without COUNT and UNTIL.
fn endless(rule: &str) -> String {
    let parts: Vec<&str> = rule
        .split(';')
        .filter(|part| !part.starts_with("COUNT=") && !part.starts_with("UNTIL="))
        .collect();
    parts.join(";")
}

/// Returns the rule with `last` as its last day, replacing any other end.
fn ending(rule: &str, start: &Moment, last: Date) -> String {
    let until = match start {
        Moment::Day(_) => last.strftime("%Y%m%d").to_string(),
        Moment::At(at) => {
            let end = last.to_datetime(Time::constant(23, 59, 59, 0));
            match end.to_zoned(at.time_zone().clone()) {
                Ok(end) => end
                    .with_time_zone(TimeZone::UTC)
                    .strftime("%Y%m%dT%H%M%SZ")
                    .to_string(),
                Err(_) => last.strftime("%Y%m%dT235959Z").to_string(),
            }
        }
    };
    format!("{};UNTIL={until}", endless(rule))
}

fn two_letters(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "MO",
        Weekday::Tuesday => "TU",
        Weekday::Wednesday => "WE",
        Weekday::Thursday => "TH",
        Weekday::Friday => "FR",
        Weekday::Saturday => "SA",
        Weekday::Sunday => "SU",
    }
}
