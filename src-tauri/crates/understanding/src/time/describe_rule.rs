//! An RRULE that this module wrote, in plain English.

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [(&str, &str); 7] = [
    ("MO", "Monday"),
    ("TU", "Tuesday"),
    ("WE", "Wednesday"),
    ("TH", "Thursday"),
    ("FR", "Friday"),
    ("SA", "Saturday"),
    ("SU", "Sunday"),
];

/// "every 2 weeks on Monday and Friday at 09:00".
pub(super) fn sentence(rrule: &str) -> String {
    let part = |name: &str| {
        rrule
            .split(';')
            .find_map(|p| p.strip_prefix(name)?.strip_prefix('='))
    };
    let list = |name: &str| {
        part(name)
            .map(|v| v.split(',').collect::<Vec<_>>())
            .unwrap_or_default()
    };
    let unit = match part("FREQ") {
        Some("SECONDLY") => "second",
        Some("MINUTELY") => "minute",
        Some("HOURLY") => "hour",
        Some("WEEKLY") => "week",
        Some("MONTHLY") => "month",
        Some("YEARLY") => "year",
        _ => "day",
    };
    let mut text = match part("INTERVAL") {
        Some(n) => format!("every {n} {unit}s"),
        None => format!("every {unit}"),
    };
    let positions = list("BYSETPOS");
    let days = list("BYDAY");
    if days == ["MO", "TU", "WE", "TH", "FR"] {
        text += match positions.first() {
            Some(&"1") => " on the first working day",
            Some(&"-1") => " on the last working day",
            _ => " on weekdays",
        };
    } else if !days.is_empty() {
        text += &format!(
            " on {}",
            join(&days.iter().map(|d| weekday(d)).collect::<Vec<_>>())
        );
    }
    let numbers: Vec<String> = list("BYMONTHDAY")
        .iter()
        .chain(&list("BYYEARDAY"))
        .map(|n| position(n))
        .collect();
    if !numbers.is_empty() {
        let what = if part("BYYEARDAY").is_some() {
            " day of the year"
        } else {
            ""
        };
        text += &format!(" on the {}{what}", join(&numbers));
    }
    let months: Vec<String> = list("BYMONTH")
        .iter()
        .filter_map(|m| MONTHS.get(m.parse::<usize>().ok()?.checked_sub(1)?))
        .map(|m| (*m).to_owned())
        .collect();
    if !months.is_empty() {
        text += &format!(" in {}", join(&months));
    }
    text += &clocks(&list("BYHOUR"), &list("BYMINUTE"), &positions);
    if let Some(n) = part("COUNT") {
        text += &format!(", {n} times");
    }
    if let Some(until) = part("UNTIL").filter(|u| u.len() >= 8) {
        let (year, month, day) = (&until[..4], &until[4..6], &until[6..8]);
        let name = month
            .parse::<usize>()
            .ok()
            .and_then(|m| MONTHS.get(m.checked_sub(1)?))
            .copied()
            .unwrap_or(month);
        text += &format!(", until {} {name} {year}", day.trim_start_matches('0'));
    }
    text
}

fn clocks(hours: &[&str], minutes: &[&str], positions: &[&str]) -> String {
    let mut all = Vec::new();
    for hour in hours {
        for minute in minutes {
            all.push(format!("{hour:0>2}:{minute:0>2}"));
        }
    }
    // BYSETPOS picks within one day first; the first round of positions names them.
    if !positions.is_empty() && minutes.len() > 1 {
        let picked: Vec<usize> = positions.iter().filter_map(|p| p.parse().ok()).collect();
        let mut n = 0;
        all.retain(|_| {
            n += 1;
            picked.contains(&n)
        });
    }
    if all.is_empty() {
        String::new()
    } else {
        format!(" at {}", join(&all))
    }
}

fn weekday(code: &str) -> String {
    let (n, name) = code.split_at(code.len().saturating_sub(2));
    let name = DAYS.iter().find(|d| d.0 == name).map_or(name, |d| d.1);
    if n.is_empty() {
        name.to_owned()
    } else {
        format!("the {} {name}", position(n))
    }
}

fn position(n: &str) -> String {
    match n {
        "-1" => return "last".to_owned(),
        "-2" => return "second to last".to_owned(),
        _ => {}
    }
    let digits = n.trim_start_matches('-');
    let suffix = match (
        digits.ends_with("11") || digits.ends_with("12") || digits.ends_with("13"),
        digits.chars().last(),
    ) {
        (false, Some('1')) => "st",
        (false, Some('2')) => "nd",
        (false, Some('3')) => "rd",
        _ => "th",
    };
    if n.starts_with('-') {
        format!("{digits}{suffix} from the end")
    } else {
        format!("{digits}{suffix}")
    }
}

fn join(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
