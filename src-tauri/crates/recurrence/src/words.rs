//! Describes rules in words.

use adjutant_domain::settings::DateOrder;

use crate::rule::{Bits, Frequency, Rule};

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// Maximum number of times of day to list individually.
const TIMES_NAMED_MAX: usize = 6;

/// Describes a rule in words: `every week on Mon and Wed`, `every month on the last Fri, 5 times`. Returns the text
/// unchanged if it is not a valid rule. `order` is the order of an end date.
#[must_use]
pub fn in_words(text: &str, order: DateOrder) -> String {
    match Rule::parse(text) {
        Ok(rule) => words(&rule, order),
        Err(_) => text.to_owned(),
    }
}

fn words(rule: &Rule, order: DateOrder) -> String {
    let working_days = (0..5).all(|day| rule.weekdays.contains(day))
        && rule.weekdays.len() == 5
        && rule.nth_weekdays.is_empty();
    let mut said = every(rule);
    let mut positions = rule.positions.as_slice();
    if !rule.months.is_empty() {
        said.push_str(&format!(" in {}", join(rule.months.iter().map(month))));
    }
    if !rule.weeks.is_empty() {
        let weeks = rule.weeks.iter().map(ToString::to_string);
        said.push_str(&format!(" in week {}", join(weeks)));
    }
    if working_days && !positions.is_empty() {
        said.push_str(&format!(
            " on {} working day",
            join(positions.iter().map(the))
        ));
        positions = &[];
    } else if working_days && rule.frequency <= Frequency::Weekly && rule.interval == 1 {
        said = said.replacen(&every(rule), "every weekday", 1);
    } else if working_days {
        said.push_str(" on weekdays");
    } else if let ([_, ..], 1, []) = (positions, rule.weekdays.len(), rule.nth_weekdays.as_slice())
    {
        let days = rule.weekdays.iter().map(weekday);
        said.push_str(&format!(
            " on {} {}",
            join(positions.iter().map(the)),
            join(days)
        ));
        positions = &[];
    } else if !rule.weekdays.is_empty() || !rule.nth_weekdays.is_empty() {
        let nth = rule
            .nth_weekdays
            .iter()
            .map(|(number, day)| format!("{} {}", the(number), weekday(day.cast_signed())));
        said.push_str(&format!(
            " on {}",
            join(rule.weekdays.iter().map(weekday).chain(nth))
        ));
    }
    let back = rule.month_days_back.iter().map(|day| match day {
        1 => "the last day".to_owned(),
        day => format!("{} day", the(&-i16::from(day))),
    });
    let days: Vec<String> = rule
        .month_days
        .iter()
        .map(|day| the(&i16::from(day)))
        .chain(back)
        .collect();
    if !days.is_empty() {
        said.push_str(&format!(" on {}", join(days)));
    }
    if !rule.year_days.is_empty() {
        let days = rule.year_days.iter().map(the);
        said.push_str(&format!(" on {} day of the year", join(days)));
    }
    let (times, picks) = times(rule);
    said.push_str(&times);
    if picks {
        positions = &[];
    }
    if !positions.is_empty() {
        said.push_str(&format!(
            " (only {} of them)",
            join(positions.iter().map(the))
        ));
    }
    if let Some(count) = rule.count {
        said.push_str(&format!(", {count} times"));
    }
    if let Some(until) = rule.until(None) {
        said.push_str(&format!(", until {}", order.show_with_year(until.date())));
    }
    said
}

fn every(rule: &Rule) -> String {
    let unit = match rule.frequency {
        Frequency::Secondly => "second",
        Frequency::Minutely => "minute",
        Frequency::Hourly => "hour",
        Frequency::Daily => "day",
        Frequency::Weekly => "week",
        Frequency::Monthly => "month",
        Frequency::Yearly => "year",
    };
    match rule.interval {
        1 => format!("every {unit}"),
        number => format!("every {number} {unit}s"),
    }
}

/// Describes the times of day that the rule names, and returns whether that covers its positions.
///
/// "At 9:30 and at 17:00" may be two picked from the four times that two hours and two minutes give. Parts that the
/// rule takes from the start are left out, because they are shown with the start.
fn times(rule: &Rule) -> (String, bool) {
    if rule.hours.is_empty() {
        let minutes = join(rule.minutes.iter().map(|minute| minute.to_string()));
        let said = if minutes.is_empty() {
            minutes
        } else {
            format!(" at minute {minutes}")
        };
        return (said, false);
    }
    let minutes = if rule.minutes.is_empty() {
        Bits::one(0)
    } else {
        rule.minutes
    };
    let picks = minutes.len() > 1
        && !rule.positions.is_empty()
        && rule.frequency >= Frequency::Daily
        && rule.frequency <= Frequency::Weekly;
    let picked =
        |index: &usize| i16::try_from(index + 1).is_ok_and(|place| rule.positions.contains(&place));
    let clocks: Vec<String> = rule
        .hours
        .iter()
        .flat_map(|hour| {
            minutes
                .iter()
                .map(move |minute| format!("{hour:02}:{minute:02}"))
        })
        .enumerate()
        .filter(|(index, _)| !picks || picked(index))
        .map(|(_, clock)| clock)
        .collect();
    if clocks.len() > TIMES_NAMED_MAX {
        return (" at many times of the day".to_owned(), picks);
    }
    (format!(" at {}", join(clocks)), picks)
}

fn weekday(day: i8) -> String {
    name(&WEEKDAYS, day)
}

fn month(month: i8) -> String {
    name(&MONTHS, month - 1)
}

fn name(names: &[&str], index: i8) -> String {
    let name = usize::try_from(index)
        .ok()
        .and_then(|index| names.get(index));
    name.copied().unwrap_or_default().to_owned()
}

/// Formats an ordinal: `the 1st`, `the last`, `the 3rd from the end`.
fn the(number: &i16) -> String {
    match *number {
        -1 => return "the last".into(),
        -2 => return "the second to last".into(),
        _ => {}
    }
    let distance = number.unsigned_abs();
    let ending = match (distance % 10, distance % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    let from = if *number < 0 { " from the end" } else { "" };
    format!("the {distance}{ending}{from}")
}

fn join(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
