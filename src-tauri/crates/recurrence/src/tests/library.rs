//! Compares instances with the `rrule` library, for every rule that it can safely expand.

use adjutant_domain::settings::DateOrder;
use jiff::civil::{DateTime, date};
use proptest::prelude::*;

use crate::{Rule, Work};

/// Returns the library's instances of a rule up to a date; `None` if it refuses the rule.
fn library(text: &str, start: DateTime, to: DateTime) -> Option<Vec<DateTime>> {
    let utc = |at: DateTime| format!("{}", at.strftime("%Y%m%dT%H%M%SZ"));
    let set: rrule::RRuleSet = format!("DTSTART:{}\nRRULE:{text}", utc(start))
        .parse()
        .ok()?;
    let mut found = Vec::new();
    for at in &set.limit() {
        let at: DateTime = at.format("%Y-%m-%dT%H:%M:%S").to_string().parse().ok()?;
        if at >= to {
            break;
        }
        found.push(at);
    }
    Some(found)
}

fn list<T: std::fmt::Display + std::fmt::Debug + Clone>(
    name: &'static str,
    values: impl Strategy<Value = T>,
) -> impl Strategy<Value = String> {
    proptest::option::of(proptest::collection::vec(values, 1..4)).prop_map(move |values| {
        values.map_or_else(String::new, |values| {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!(";{name}={}", values.join(","))
        })
    })
}

/// Generates week numbers that the library finds. The first week of a year may begin in the year before; the library
/// then finds it only as number 1, not as -52 or -53 (see `a_first_week_is_the_same_week_counted_from_the_end`).
fn weeks() -> impl Strategy<Value = i16> + Clone {
    prop_oneof![1..=53_i16, -51..=-1_i16]
}

fn signed(most: i16) -> impl Strategy<Value = i16> + Clone {
    (1..=most, any::<bool>()).prop_map(|(number, back)| if back { -number } else { number })
}

fn weekday() -> impl Strategy<Value = &'static str> + Clone {
    proptest::sample::select(crate::parse::WEEKDAYS.to_vec())
}

fn rules() -> impl Strategy<Value = String> {
    let frequency =
        proptest::sample::select(vec!["HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]);
    // Weekdays are all numbered or none, because the library drops plain ones next to numbered ones.
    let days = prop_oneof![
        list("BYDAY", weekday()),
        list(
            "BYDAY",
            (signed(5), weekday()).prop_map(|(nth, day)| format!("{nth}{day}"))
        ),
    ];
    let ends = prop_oneof![
        Just(String::new()),
        (1..80_u32).prop_map(|count| format!(";COUNT={count}")),
        (2020..2026_i16).prop_map(|year| format!(";UNTIL={year}0701T120000Z")),
    ];
    (
        frequency,
        1..5_u32,
        list("BYMONTH", 1..=12_i8),
        (
            list("BYMONTHDAY", signed(31)),
            list("BYYEARDAY", signed(366)),
            list("BYWEEKNO", weeks()),
        ),
        days,
        (list("BYHOUR", 0..24_i8), list("BYMINUTE", 0..60_i8)),
        list("BYSETPOS", signed(10)),
        proptest::option::of(weekday()),
        ends,
    )
        .prop_filter_map(
            "one way of naming days",
            |(
                frequency,
                interval,
                months,
                (dates, year_days, weeks),
                days,
                (hours, minutes),
                positions,
                week,
                ends,
            )| {
                let mut rule =
                    format!("FREQ={frequency};INTERVAL={interval}{months}{hours}{minutes}{ends}");
                let numbered = days.bytes().any(|byte| byte.is_ascii_digit());
                let long = ["MONTHLY", "YEARLY"].contains(&frequency);
                if !numbered || long && weeks.is_empty() {
                    rule.push_str(&days);
                }
                if frequency != "WEEKLY" {
                    rule.push_str(&dates);
                    // The library counts the positions of a first week from its first instance.
                    if !positions.is_empty() && rule.contains("BY") {
                        rule.push_str(&positions);
                    }
                }
                if frequency == "YEARLY" {
                    rule.push_str(&year_days);
                    rule.push_str(&weeks);
                }
                if let Some(week) = week {
                    rule.push_str(&format!(";WKST={week}"));
                }
                Some(rule)
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn instances_match_the_library(
        rule in rules(),
        days in 0..800_i32,
        hour in 0..24_i8,
        skipped in 0..2_000_i32,
    ) {
        let start = date(2020, 1, 1).at(hour, 30, 0, 0);
        let start = start.checked_add(jiff::Span::new().days(days)).expect("a date");
        let to = date(2027, 1, 1).at(0, 0, 0, 0);
        let Some(expected) = library(&rule, start, to) else { return Ok(()) };
        let own = Rule::parse(&rule).expect("the library reads it");
        let from = start.checked_add(jiff::Span::new().days(skipped)).expect("a date");
        let found = own.expand(start, Some(&jiff::tz::TimeZone::UTC), from..to, &mut Work::default());
        let expected: Vec<DateTime> = expected.into_iter().filter(|at| *at >= from).collect();
        if found.cut {
            prop_assert!(expected.starts_with(&found.starts), "{rule}");
        } else {
            prop_assert_eq!(found.starts, expected, "{} from {}", rule, start);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_and_costs_a_bounded_time(text in "[A-Z0-9=;,+Z-]{0,120}", rule in rules(), cut in 0..200_usize) {
        let mixed: String = rule.chars().take(cut).chain(text.chars()).collect();
        if let Ok(rule) = Rule::parse(&mixed) {
            let start = date(1970, 1, 1).at(0, 0, 0, 0);
            let range = date(2026, 1, 1).at(0, 0, 0, 0)..date(2027, 1, 1).at(0, 0, 0, 0);
            let found = rule.expand(start, None, range.clone(), &mut Work::default());
            prop_assert!(found.starts.iter().all(|at| range.contains(at)));
            prop_assert!(found.starts.is_sorted());
            let _ = crate::in_words(&mixed, DateOrder::DayFirst);
        }
    }
}
