//! Tests of the rules offered to the person.

use adjutant_domain::settings::DateOrder;
use jiff::tz::TimeZone;

use super::moment as at;
use crate::{next, usual};

fn words(start: &str, now: Option<&str>, last: Option<&str>) -> Vec<String> {
    let last = last.map(|day| day.parse().expect("a day"));
    let offered = usual(&at(start), now, last, DateOrder::DayFirst);
    offered.into_iter().map(|one| one.words).collect()
}

#[test]
fn the_usual_rules_depend_on_the_first_day() {
    // The second Tuesday of its month.
    let tuesday = words("2026-01-13T10:00:00-05:00[America/New_York]", None, None);
    assert_eq!(
        tuesday,
        [
            "every day",
            "every weekday",
            "every week on Tue",
            "every 2 weeks on Tue",
            "every month on the 13th",
            "every month on the 2nd Tue",
            "every year",
        ]
    );
    let last_saturday = words("2026-01-31", None, None);
    assert!(!last_saturday.contains(&"every weekday".to_owned()));
    assert!(last_saturday.contains(&"every month on the last Sat".to_owned()));
    assert!(
        !last_saturday.iter().any(|one| one.contains("5th")),
        "{last_saturday:?}"
    );
}

#[test]
fn offers_the_present_rule_unchanged() {
    let start = "2026-01-13T10:00:00-05:00[America/New_York]";
    let known = words(start, Some("RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=5"), None);
    assert!(known.contains(&"every week on Tue, 5 times".to_owned()));
    assert!(!known.contains(&"every week on Tue".to_owned()));
    let own = words(start, Some("FREQ=WEEKLY;BYDAY=MO,TH"), None);
    assert_eq!(own[0], "every week on Mon and Thu");
    assert_eq!(words(start, Some("nonsense"), None).len(), 7);
}

#[test]
fn an_end_date_includes_its_day() {
    for start in ["2026-01-13T22:00:00-05:00[America/New_York]", "2026-01-13"] {
        let start = at(start);
        let last = "2026-01-27".parse().expect("a day");
        let weekly = usual(
            &start,
            Some("FREQ=WEEKLY;BYDAY=TU;COUNT=2"),
            Some(last),
            DateOrder::DayFirst,
        )
        .into_iter()
        .find(|one| one.words.starts_with("every week on Tue"))
        .expect("weekly");
        let zone = TimeZone::get("America/New_York").expect("a zone");
        let mut days = vec![start.date(&zone)];
        while let Some((found, _)) = next(
            &weekly.rule,
            &start,
            days[days.len() - 1]
                .to_zoned(zone.clone())
                .expect("a day")
                .timestamp()
                + jiff::SignedDuration::from_hours(23),
            &zone,
        ) {
            days.push(found.date(&zone));
        }
        assert_eq!(days.len(), 3, "{weekly:?}");
        assert_eq!(days[2], last, "{weekly:?}");
    }
    assert!(words("2026-01-13", None, Some("2026-01-01")).is_empty());
}
