//! Times in words, as the restated request says them.

use super::when::Window;
use adjutant_domain::moment::Moment;
use jiff::Zoned;
use jiff::civil::Date;

pub(super) fn words(window: &mut Window, now: &Zoned) {
    let zone = now.time_zone();
    let text = match (&window.from, &window.to) {
        (Some(Moment::Day(from)), Some(Moment::Day(to))) if from.tomorrow().ok() == Some(*to) => {
            format!("on {}", day_words(*from))
        }
        (Some(Moment::At(from)), Some(Moment::At(to)))
            if window.starts && to.timestamp().as_second() - from.timestamp().as_second() == 60 =>
        {
            format!("at {}", instant_words(from))
        }
        (Some(from), Some(to)) => {
            format!("from {} to {}", moment_words(from), last_words(to, zone))
        }
        (Some(from), None) => format!("from {} on", moment_words(from)),
        (None, Some(to)) => format!("before {}", moment_words(to)),
        (None, None) => return,
    };
    window.words.insert(0, text);
}

/// An exclusive end, in words: the last day for days.
pub(super) fn last_words(to: &Moment, _zone: &jiff::tz::TimeZone) -> String {
    match to {
        Moment::Day(day) => day.yesterday().map_or_else(|_| day_words(*day), day_words),
        Moment::At(at) => instant_words(at),
    }
}

/// "Thu 30 Nov 2023, 16:00" or "Thu 30 Nov 2023".
pub(in super::super) fn moment_words(moment: &Moment) -> String {
    match moment {
        Moment::Day(day) => day_words(*day),
        Moment::At(at) => instant_words(at),
    }
}

/// "Thu 30 Nov 2023".
pub(in super::super) fn day_words(day: Date) -> String {
    day.strftime("%a %-d %b %Y").to_string()
}

/// "Thu 30 Nov 2023, 16:00".
pub(in super::super) fn instant_words(at: &Zoned) -> String {
    at.strftime("%a %-d %b %Y, %H:%M").to_string()
}

/// The weekdays of a weekly rule.
pub(super) fn weekdays(rrule: &str) -> Vec<&'static str> {
    const DAYS: [(&str, &str); 7] = [
        ("MO", "monday"),
        ("TU", "tuesday"),
        ("WE", "wednesday"),
        ("TH", "thursday"),
        ("FR", "friday"),
        ("SA", "saturday"),
        ("SU", "sunday"),
    ];
    let Some(list) = rrule
        .split(';')
        .find_map(|part| part.strip_prefix("BYDAY="))
    else {
        return Vec::new();
    };
    list.split(',')
        .filter_map(|code| {
            DAYS.iter()
                .find(|(short, _)| code.ends_with(short))
                .map(|(_, day)| *day)
        })
        .collect()
}

pub(super) fn capital(word: &str) -> String {
    super::super::speech::capitalised(word)
}
