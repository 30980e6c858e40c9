//! What callers of the time grammar rely on: spans, relations, notes, bounds, and that no text can break it.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where its ground is missing"
)]

use adjutant_understanding::time::eval::predict;
use adjutant_understanding::time::{
    Direction, Note, Policy, Relation, TEXT_BYTES_MAX, TimeExpression, Value, describe, find,
    find_main,
};
use jiff::Zoned;
use jiff::civil::Weekday;
use proptest::prelude::*;

fn now() -> Zoned {
    "2026-01-14T10:20:00[America/New_York]"
        .parse()
        .expect("a valid instant")
}

fn main_of(text: &str) -> TimeExpression {
    find_main(text, &now(), &Policy::default())
        .unwrap_or_else(|| panic!("nothing found in {text:?}"))
}

fn shown(text: &str) -> String {
    describe(&main_of(text).value, &now())
}

#[test]
fn time_cuts_leave_a_clean_request() {
    let text = "remind me to call mom on Friday at 5pm about the trip";
    let found = main_of(text);
    assert_eq!(&text[found.span.clone()], "Friday at 5pm");
    assert_eq!(&text[found.cut()], "on Friday at 5pm");
}

#[test]
fn time_relations_follow_the_words_before() {
    for (text, relation) in [
        ("by Friday", Relation::By),
        ("after 6pm", Relation::After),
        ("since Monday", Relation::Since),
        ("for two hours", Relation::For),
        ("from the last 3 days", Relation::From),
        ("move it to 5pm", Relation::To),
    ] {
        assert_eq!(main_of(text).relation, relation, "{text}");
    }
}

#[test]
fn time_bounds_are_half_open() {
    let now = now();
    let of = |text: &str| {
        let (from, to) = main_of(text).bounds(&now);
        let at = |z: Option<Zoned>| z.map(|z| z.strftime("%Y-%m-%d %H:%M").to_string());
        (at(from), at(to))
    };
    let some = |s: &str| Some(s.to_owned());
    assert_eq!(of("since Monday"), (some("2026-01-12 00:00"), None));
    assert_eq!(of("before Friday"), (None, some("2026-01-16 00:00")));
    assert_eq!(of("by Friday"), (None, some("2026-01-17 00:00")));
    assert_eq!(
        of("on Friday"),
        (some("2026-01-16 00:00"), some("2026-01-17 00:00"))
    );
    assert_eq!(of("for 2 hours"), (None, None));
}

#[test]
fn time_notes_say_what_was_assumed() {
    let has = |text: &str, wanted: fn(&Note) -> bool| main_of(text).notes.iter().any(wanted);
    assert!(has("at 5pm", |n| *n == Note::DayAssumed));
    assert!(has(
        "tomorrow at 5",
        |n| matches!(n, Note::HourAssumed(z) if z.hour() == 5)
    ));
    assert!(!has("tomorrow at 5pm", |n| matches!(
        n,
        Note::HourAssumed(_)
    )));
    assert!(has(
        "March 8 at 2:30am",
        |n| matches!(n, Note::Gap(at) if at.hour() == 2)
    ));
    assert!(has(
        "November 1 at 1:30am",
        |n| matches!(n, Note::Overlap(z) if z.offset().seconds() == -5 * 3600)
    ));
    assert!(has(
        "3pm Tokyo",
        |n| matches!(n, Note::Zone(z) if z == "Asia/Tokyo")
    ));
    assert!(has("Thursday January 16", |n| matches!(
        n,
        Note::WeekdayMismatch(..)
    )));
    assert!(has("on wendesday", |n| *n == Note::Repaired));
    assert!(has("in a few days", |n| *n == Note::Vague(3)));
    assert!(has("twice a week", |n| *n == Note::TimesPerPeriod(2)));
    assert!(has("on Halloween", |n| *n == Note::Holiday("Halloween")));
}

#[test]
fn time_policy_decides_what_words_leave_open() {
    let now = now();
    let of = |text: &str, policy: &Policy| {
        describe(
            &find_main(text, &now, policy).expect("an expression").value,
            &now,
        )
    };
    let past = Policy {
        prefer: Direction::Past,
        ..Policy::default()
    };
    assert_eq!(of("on Friday", &past), "Friday 9 January 2026");
    assert_eq!(
        of("in June", &past),
        "Sunday 1 June 2025 to Monday 30 June 2025"
    );
    assert_eq!(of("at 11pm", &past), "Tuesday 13 January 2026, 23:00");
    let day_first = Policy {
        day_first: true,
        ..Policy::default()
    };
    assert_eq!(of("on 3/4/2026", &day_first), "Friday 3 April 2026");
    assert_eq!(of("on 3/14/2026", &day_first), "Saturday 14 March 2026");
    let sunday = Policy {
        week_starts_on: Weekday::Sunday,
        ..Policy::default()
    };
    assert_eq!(
        of("next week", &sunday),
        "Sunday 18 January 2026 to Saturday 24 January 2026"
    );
}

#[test]
fn time_hours_are_counted_on_the_real_clock() {
    let now: Zoned = "2026-03-08T00:30:00[America/New_York]"
        .parse()
        .expect("a valid instant");
    let of = |text: &str| {
        describe(
            &find_main(text, &now, &Policy::default())
                .expect("an expression")
                .value,
            &now,
        )
    };
    assert_eq!(of("in 2 hours"), "Sunday 8 March 2026, 03:30");
    assert_eq!(of("in 1 day"), "Monday 9 March 2026");
    let second: Zoned = "2026-11-01T01:30:00-05:00[America/New_York]"
        .parse()
        .expect("a valid instant");
    let found = find_main("in 15 minutes", &second, &Policy::default()).expect("an expression");
    assert_eq!(
        found
            .value
            .stretch(&second)
            .map(|s| s.0.timestamp() - second.timestamp())
            .map(|s| s.get_seconds()),
        Some(900)
    );
}

#[test]
fn time_values_are_told_in_words() {
    for (text, words) in [
        ("Friday at 3pm", "Friday 16 January 2026, 15:00"),
        (
            "next week",
            "Monday 19 January 2026 to Sunday 25 January 2026",
        ),
        (
            "tomorrow from 3 to 5pm",
            "Thursday 15 January 2026, 15:00 to 17:00",
        ),
        ("for an hour and a half", "1 hour and 30 minutes"),
        (
            "every other Friday at 9",
            "every 2 weeks on Fri at 09:00, first on Friday 16 January 2026, 09:00",
        ),
        (
            "every weekday",
            "every weekday, first on Wednesday 14 January 2026",
        ),
        (
            "the last friday of each month",
            "every month on the last Fri, first on Friday 30 January 2026",
        ),
        (
            "every day at 9:30 and 17:00",
            "every day at 09:30 and 17:00, first on Wednesday 14 January 2026, 17:00",
        ),
    ] {
        assert_eq!(shown(text), words, "{text}");
    }
}

#[test]
fn time_repetitions_know_how_long_each_occurrence_lasts() {
    for (text, minutes) in [
        ("Wednesdays 7-8:30pm", 90),
        ("every Wednesday from 7pm to 8:30pm starting April 1", 90),
        ("every weekday from 9 to 5", 480),
    ] {
        let Value::Set { lasts, .. } = main_of(text).value else {
            panic!("{text} is no repetition")
        };
        assert_eq!(
            lasts,
            Some(jiff::SignedDuration::from_mins(minutes)),
            "{text}"
        );
    }
}

#[test]
fn time_repetitions_know_their_first_occurrence_and_start() {
    let Value::Set {
        rrule,
        first,
        start,
        lasts,
    } = main_of("every Monday at 9 starting February 2").value
    else {
        panic!("not a repetition")
    };
    assert_eq!(lasts, None);
    assert_eq!(rrule, "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0");
    let at = |z: Option<Zoned>| z.map(|z| z.strftime("%Y-%m-%d %H:%M").to_string());
    assert_eq!(at(first), Some("2026-02-02 09:00".to_owned()));
    assert_eq!(at(start), Some("2026-02-02 09:00".to_owned()));
}

#[test]
fn time_years_out_of_range_are_nothing() {
    for text in [
        "in 5000 years",
        "99999999 centuries ago",
        "in 999999999 days",
        "June 5, 9999",
        "in 10000000000000 hours",
    ] {
        let found = find(text, &now(), &Policy::default());
        assert!(
            found
                .iter()
                .all(|f| !matches!(&f.value, Value::Date(d) if d.year() > 2999)),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn time_eval_answers_in_local_time() {
    let answer = predict(
        "call me tomorrow at 5pm",
        "2026-01-14T10:20:00",
        "Europe/Berlin",
    );
    assert_eq!(
        (answer.kind, answer.start.as_deref()),
        ("instant", Some("2026-01-15T17:00:00"))
    );
    assert_eq!(answer.span, Some(8..23));
    assert_eq!(
        predict("no time here", "2026-01-14T10:20:00", "Europe/Berlin").kind,
        "none"
    );
    assert_eq!(
        predict("tomorrow", "not a time", "Europe/Berlin").kind,
        "none"
    );
}

#[test]
fn time_long_texts_are_read_to_the_limit() {
    let long = "tomorrow at 5pm or the first Monday after Christmas, from 3 to 5; ".repeat(1200);
    assert!(long.len() > TEXT_BYTES_MAX);
    let found = find(&long, &now(), &Policy::default());
    assert!(found.len() > 1000 && found.iter().all(|f| f.span.end <= TEXT_BYTES_MAX));
    // Texts made to try every rule at every place.
    for text in [
        "the first ",
        "3 days before ",
        "from 3 to ",
        "every other ",
        "1/",
        "a week after the ",
        "5 ",
    ] {
        find(
            &text.repeat(TEXT_BYTES_MAX / 8 / text.len()),
            &now(),
            &Policy::default(),
        );
    }
}

/// Pieces that the grammar knows, so that random texts go deep into it.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec![
            "the",
            "first",
            "last",
            "next",
            "every",
            "other",
            "Monday",
            "fri",
            "march",
            "may",
            "5",
            "17",
            "2026",
            "31",
            "29",
            "february",
            "at",
            "on",
            "in",
            "from",
            "to",
            "between",
            "and",
            "until",
            "3pm",
            "12",
            ":",
            "30",
            "/",
            "-",
            ".",
            ",",
            "half",
            "past",
            "quarter",
            "an",
            "a",
            "hour",
            "days",
            "weeks",
            "ago",
            "after",
            "before",
            "tomorrow",
            "tonight",
            "morning",
            "noon",
            "midnight",
            "weekday",
            "month",
            "of",
            "end",
            "christmas",
            "EST",
            "Tokyo",
            "+02:00",
            "T",
            "Z",
            "½",
            "'",
            "\"",
            "99999999999",
            "0",
            "daily",
            "twice",
            "for",
            "times",
            "except",
            "week",
            "(",
            ")",
            "\n",
            "second",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn time_any_text_is_read_without_panic(text in "\\PC{0,200}") {
        check(&text)?;
    }

    #[test]
    fn time_any_mix_of_known_words_is_read(words in proptest::collection::vec((word(), any::<bool>()), 0..24)) {
        let text: String = words.iter().map(|(w, space)| if *space { format!(" {w}") } else { w.clone() }).collect();
        check(&text)?;
    }
}

#[test]
fn time_a_stretch_of_nothing_never_ends_before_it_starts() {
    for text in [
        "next 0 second",
        "next0second",
        "the next 0 days",
        "last 0 hours",
    ] {
        assert!(check(text).is_ok(), "{text}");
    }
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let now = now();
    let mut end = 0;
    for found in find(text, &now, &Policy::default()) {
        prop_assert!(found.cut().start >= end && found.span.end > found.span.start);
        prop_assert!(
            text.is_char_boundary(found.span.start) && text.is_char_boundary(found.span.end)
        );
        end = found.span.end;
        if let Value::Interval { start, end } = &found.value {
            prop_assert!(start <= end, "{text:?} {found:?}");
        }
        prop_assert!(!describe(&found.value, &now).is_empty());
        found.bounds(&now);
    }
    Ok(())
}
