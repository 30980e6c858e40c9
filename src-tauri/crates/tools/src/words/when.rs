//! The wording of dates, times and lengths.

use adjutant_domain::moment::Moment;
use adjutant_domain::ports::Cx;
use adjutant_recurrence::in_words;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned, civil};

/// Returns a day in the person's date order: `Thu 15 Jan` or `Thu Jan 15`, with the year if it is not the current one.
#[must_use]
pub fn day(date: civil::Date, cx: &Cx) -> String {
    cx.settings.date_order().show(date, cx.now.year())
}

/// Returns a day as the heading of its part of an agenda: `Today, Thu 15 Jan`.
#[must_use]
pub fn day_heading(date: civil::Date, cx: &Cx) -> String {
    let named = day(date, cx);
    match relative(date, cx) {
        Some(word) => format!("{word}, {named}"),
        None => named,
    }
}

fn relative(date: civil::Date, cx: &Cx) -> Option<&'static str> {
    let today = cx.now.date();
    let days = today.until(date).ok()?.get_days();
    match days {
        0 => Some("Today"),
        1 => Some("Tomorrow"),
        -1 => Some("Yesterday"),
        _ => None,
    }
}

/// Returns a day without its weekday, for narrow places: `15 Jan`.
#[must_use]
pub fn short_date(date: civil::Date, cx: &Cx) -> String {
    cx.settings.date_order().short(date, cx.now.year())
}

/// Returns an instant in the person's zone: `Thu 15 Jan, 11:00`.
#[must_use]
pub fn instant(at: Timestamp, cx: &Cx) -> String {
    let local = at.to_zoned(cx.zone());
    format!("{}, {}", day(local.date(), cx), clock(local.time(), cx))
}

/// Returns a moment: a day, or an instant in the person's zone, followed by its own zone if the clocks differ.
#[must_use]
pub fn moment(at: &Moment, cx: &Cx) -> String {
    match at {
        Moment::Day(date) => day(*date, cx),
        Moment::At(at) => zoned(at, cx),
    }
}

/// Returns `Thu 15 Jan, 16:00`, or `Thu 15 Jan, 16:00 (21:00 in London)` if the clock there differs.
#[must_use]
pub fn zoned(at: &Zoned, cx: &Cx) -> String {
    let here = at.with_time_zone(cx.zone());
    let mut text = format!("{}, {}", day(here.date(), cx), clock(here.time(), cx));
    if let Some(there) = elsewhere(at, &here, cx) {
        text.push_str(&there);
    }
    text
}

/// Returns a range: `Thu 15 Jan, 11:00–12:00`, `Thu 15 Jan, all day`, `Thu 15 Jan to Sat 17 Jan`.
#[must_use]
pub fn range(start: &Moment, end: &Moment, cx: &Cx) -> String {
    match (start, end) {
        (Moment::Day(first), Moment::Day(after)) => {
            let last = after.yesterday().unwrap_or(*after).max(*first);
            if last == *first {
                format!("{}, all day", day(*first, cx))
            } else {
                format!("{} to {}", day(*first, cx), day(last, cx))
            }
        }
        (Moment::At(from), Moment::At(to)) => {
            let (from_here, to_here) =
                (from.with_time_zone(cx.zone()), to.with_time_zone(cx.zone()));
            let mut text = format!(
                "{}, {}",
                day(from_here.date(), cx),
                clock(from_here.time(), cx)
            );
            if to_here.date() == from_here.date() {
                if to_here > from_here {
                    text.push_str(&format!("–{}", clock(to_here.time(), cx)));
                }
            } else {
                text.push_str(&format!(
                    " to {}, {}",
                    day(to_here.date(), cx),
                    clock(to_here.time(), cx)
                ));
            }
            if let Some(there) = elsewhere(from, &from_here, cx) {
                text.push_str(&there);
            }
            text
        }
        _ => format!("{} to {}", moment(start, cx), moment(end, cx)),
    }
}

/// Returns ` (21:00 in London)` if the moment belongs to a place whose clock differs. A moment stored in UTC or with a
/// bare offset belongs to no place.
fn elsewhere(at: &Zoned, here: &Zoned, cx: &Cx) -> Option<String> {
    if at.offset() == here.offset() {
        return None;
    }
    let place = place(at.time_zone())?;
    let date = if at.date() == here.date() {
        String::new()
    } else {
        format!("{}, ", day(at.date(), cx))
    };
    Some(format!(" ({date}{} in {place})", clock(at.time(), cx)))
}

/// Returns the city of a zone.
fn place(zone: &TimeZone) -> Option<String> {
    let (area, city) = zone.iana_name()?.rsplit_once('/')?;
    (area != "Etc").then(|| city.replace('_', " "))
}

/// Returns a time of day: `09:05`, or `9:05 am` if the person wants twelve hours.
pub fn clock(time: civil::Time, cx: &Cx) -> String {
    cx.settings.clock.show(time)
}

/// Returns a recurrence rule in words: `every week on Mon, until Fri 13 Mar 2026`.
#[must_use]
pub fn repeats(rule: &str, cx: &Cx) -> String {
    in_words(rule, cx.settings.date_order())
}

/// Returns a length in words: `45 min`, `1 h 30 min`, `2 days`.
#[must_use]
pub fn duration(minutes: i64) -> String {
    let (sign, minutes) = if minutes < 0 {
        ("-", -minutes)
    } else {
        ("", minutes)
    };
    let (days, hours, rest) = (minutes / 1_440, minutes % 1_440 / 60, minutes % 60);
    let mut parts = Vec::new();
    if days > 0 {
        parts.push(format!("{days} {}", if days == 1 { "day" } else { "days" }));
    }
    if hours > 0 {
        parts.push(format!("{hours} h"));
    }
    if rest > 0 || parts.is_empty() {
        parts.push(format!("{rest} min"));
    }
    format!("{sign}{}", parts.join(" "))
}

#[cfg(test)]
mod tests {
    use adjutant_testkit::World;

    use super::zoned;

    #[test]
    fn a_second_clock_is_shown_only_for_a_place_that_has_another() {
        let cx = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]").cx;
        for (at, text) in [
            (
                "2026-01-15T16:00:00+01:00[Europe/Berlin]",
                "Thu 15 Jan, 16:00",
            ),
            // Another place with the same clock.
            (
                "2026-01-15T16:00:00+01:00[Europe/Paris]",
                "Thu 15 Jan, 16:00",
            ),
            (
                "2026-01-15T15:00:00+00:00[Europe/London]",
                "Thu 15 Jan, 16:00 (15:00 in London)",
            ),
            (
                "2026-01-16T00:00:00+09:00[Asia/Tokyo]",
                "Thu 15 Jan, 16:00 (Fri 16 Jan, 00:00 in Tokyo)",
            ),
            // How it is stored is nobody's place.
            ("2026-01-15T15:00:00+00:00[UTC]", "Thu 15 Jan, 16:00"),
            ("2026-01-15T15:00:00+00:00[Etc/UTC]", "Thu 15 Jan, 16:00"),
            ("2026-01-15T20:30:00+05:30[+05:30]", "Thu 15 Jan, 16:00"),
        ] {
            assert_eq!(zoned(&at.parse().expect("a time"), &cx), text);
        }
    }
}
