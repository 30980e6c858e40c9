//! Repetitions in words.

use jiff::civil;

use super::part;
use crate::words;

/// A rule as people say it: `every week on Mon and Wed`, `every month on the last Fri, 5 times`.
#[must_use]
pub fn in_words(rule: &str) -> String {
    let every = part(rule, "INTERVAL")
        .and_then(|number| number.parse::<usize>().ok())
        .unwrap_or(1);
    let days: Vec<&str> = part(rule, "BYDAY")
        .map(|days| days.split(',').collect())
        .unwrap_or_default();
    let unit = match part(rule, "FREQ") {
        Some("HOURLY") => "hour",
        Some("DAILY") => "day",
        Some("WEEKLY") => "week",
        Some("MONTHLY") => "month",
        Some("YEARLY") => "year",
        _ => return rule.to_owned(),
    };
    let weekdays = ["MO", "TU", "WE", "TH", "FR"];
    let mut said = if every == 1
        && days.len() == weekdays.len()
        && weekdays.iter().all(|day| days.contains(day))
    {
        "every weekday".to_owned()
    } else {
        let mut said = if every == 1 {
            format!("every {unit}")
        } else {
            format!("every {every} {unit}s")
        };
        if let Some(months) = part(rule, "BYMONTH") {
            let names: Vec<String> = months.split(',').map(month).collect();
            said.push_str(&format!(" in {}", words::join(&names)));
        }
        if !days.is_empty() {
            let place = part(rule, "BYSETPOS");
            let names: Vec<String> = days.iter().map(|day| weekday(day, place)).collect();
            said.push_str(&format!(" on {}", words::join(&names)));
        }
        if let Some(dates) = part(rule, "BYMONTHDAY") {
            let names: Vec<String> = dates.split(',').map(month_day).collect();
            said.push_str(&format!(" on {}", words::join(&names)));
        }
        said
    };
    if let Some(count) = part(rule, "COUNT") {
        said.push_str(&format!(", {count} times"));
    }
    if let Some(until) = part(rule, "UNTIL")
        && let Some(day) = until
            .get(..8)
            .and_then(|day| civil::Date::strptime("%Y%m%d", day).ok())
    {
        said.push_str(&format!(", until {}", day.strftime("%a %-d %b %Y")));
    }
    said
}

fn weekday(day: &str, place: Option<&str>) -> String {
    let cut = day.len().saturating_sub(2);
    let (number, name) = day.split_at_checked(cut).unwrap_or(("", day));
    let name = match name {
        "MO" => "Mon",
        "TU" => "Tue",
        "WE" => "Wed",
        "TH" => "Thu",
        "FR" => "Fri",
        "SA" => "Sat",
        "SU" => "Sun",
        other => other,
    };
    match (number, place) {
        ("", None) => name.to_owned(),
        ("", Some(place)) => format!("the {} {name}", ordinal(place)),
        (number, _) => format!("the {} {name}", ordinal(number)),
    }
}

fn month_day(date: &str) -> String {
    match date {
        "-1" => "the last day".into(),
        date => format!("the {}", ordinal(date)),
    }
}

fn month(number: &str) -> String {
    const NAMES: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    number
        .parse::<usize>()
        .ok()
        .and_then(|number| NAMES.get(number.checked_sub(1)?))
        .map_or_else(|| number.to_owned(), |name| (*name).to_owned())
}

fn ordinal(number: &str) -> String {
    match number.trim_start_matches('+') {
        "-1" => "last".into(),
        "-2" => "second to last".into(),
        "1" | "21" | "31" => format!("{number}st"),
        "2" | "22" => format!("{number}nd"),
        "3" | "23" => format!("{number}rd"),
        number => format!("{number}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_in_words() {
        for (rule, said) in [
            ("FREQ=DAILY", "every day"),
            ("FREQ=WEEKLY;BYDAY=MO,WE", "every week on Mon and Wed"),
            ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
            ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Fri"),
            ("FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
            (
                "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1;COUNT=5",
                "every year in Mar on the 1st, 5 times",
            ),
            (
                "FREQ=DAILY;UNTIL=20260301",
                "every day, until Sun 1 Mar 2026",
            ),
        ] {
            assert_eq!(in_words(rule), said, "{rule}");
        }
    }
}
