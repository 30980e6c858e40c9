//! Describes values in plain English, to show what was understood.

use super::Value;
use adjutant_domain::settings::DateOrder;
use jiff::Zoned;

/// Describes a value, such as "Friday 16 January 2026, 15:00". Names the zone if it is not the zone of `now`.
pub fn describe(value: &Value, now: &Zoned) -> String {
    match value {
        Value::Instant(at) => instant(at, now),
        Value::Date(day) => format!("{}", day.strftime("%A %-d %B %Y")),
        Value::Interval { start, end } => interval(start, end, now),
        Value::Duration(length) => {
            let text = words(length.seconds, &length.span);
            if text.is_empty() {
                "no time".to_owned()
            } else {
                text
            }
        }
        Value::Set { rrule, first, .. } => {
            let text = adjutant_recurrence::in_words(rrule, DateOrder::DayFirst);
            match first {
                Some(at) => format!(
                    "{text}, first on {}",
                    if is_midnight(at) {
                        date(at)
                    } else {
                        instant(at, now)
                    }
                ),
                None => text,
            }
        }
    }
}

fn date(at: &Zoned) -> String {
    at.strftime("%A %-d %B %Y").to_string()
}

fn is_midnight(at: &Zoned) -> bool {
    at.hour() == 0 && at.minute() == 0 && at.second() == 0
}

fn clock(at: &Zoned) -> String {
    let format = if at.second() == 0 {
        "%H:%M"
    } else {
        "%H:%M:%S"
    };
    at.strftime(format).to_string()
}

fn instant(at: &Zoned, now: &Zoned) -> String {
    let zone = if at.time_zone() == now.time_zone() {
        String::new()
    } else {
        at.time_zone()
            .iana_name()
            .map(|name| format!(" ({name})"))
            .unwrap_or_default()
    };
    format!("{}, {}{zone}", date(at), clock(at))
}

fn interval(start: &Zoned, end: &Zoned, now: &Zoned) -> String {
    if is_midnight(start) && is_midnight(end) {
        let last = end.date().yesterday().unwrap_or(end.date());
        if last == start.date() {
            return date(start);
        }
        return format!("{} to {}", date(start), last.strftime("%A %-d %B %Y"));
    }
    if start.date() == end.date() {
        return format!("{} to {}", instant(start, now), clock(end));
    }
    format!("{} to {}", instant(start, now), instant(end, now))
}

fn words(seconds: f64, span: &jiff::Span) -> String {
    let parts = [
        (i64::from(span.get_years()), "year"),
        (i64::from(span.get_months()), "month"),
        (i64::from(span.get_weeks()), "week"),
        (i64::from(span.get_days()), "day"),
        (i64::from(span.get_hours()), "hour"),
        (span.get_minutes(), "minute"),
        (span.get_seconds(), "second"),
    ];
    let said: Vec<String> = parts
        .iter()
        .filter(|(n, _)| *n != 0)
        .map(|(n, unit)| format!("{n} {unit}{}", if n.abs() == 1 { "" } else { "s" }))
        .collect();
    match said.split_last() {
        None if seconds > 0.0 => format!("{seconds} seconds"),
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
