//! New things in people's own words: lengths, series, several tasks at once, times beside what the request itself names.

use super::made;

/// Checks what comes of each request, a step a part.
fn check(table: &[(&str, &[&str])]) {
    made::check(
        &["person Ana Ruiz", "person Ben Ode", "person Kim Soto"],
        table,
    );
}

#[test]
fn time_needed_at_an_hour_is_an_event() {
    check(&[
        (
            "I need 40 minutes for the tax papers next Tuesday at 10",
            &[
                "calendar.create {\"duration_minutes\":40,\"start\":\"2026-03-17T10:00:00\",\"summary\":\"Tax papers\"}",
            ],
        ),
        (
            "I need a quiet slot on Friday at 11 to read the contract",
            &["\"summary\":\"Read the contract\""],
        ),
        // Without an hour, it is a search for free time.
        (
            "I need 40 minutes for the tax papers next Tuesday",
            &["calendar.free"],
        ),
        (
            "I need 40 minutes for the tax papers on Tuesday between 10 and 2",
            &["calendar.free"],
        ),
    ]);
}

#[test]
fn a_series_is_told_in_any_order() {
    check(&[
        (
            "Starting next week I want to go swimming Mondays and Wednesdays, 6:30 to 7:15 in the morning",
            &[
                "\"rrule\":\"FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=6;BYMINUTE=30\",\"start\":\"2026-03-16T06:30:00\"",
            ],
        ),
        (
            "Choir starts next week, every Tuesday 7 to 8:30pm at the town hall, goes until the end of May, can you put it in",
            &["\"location\":\"the town hall\""],
        ),
        (
            "Make \"Water the ferns\" a weekly task, first one this coming Saturday",
            &[
                "task.create {\"due\":\"2026-03-14\",\"rrule\":\"FREQ=WEEKLY;BYDAY=SA\",\"title\":\"Water the ferns\"}",
            ],
        ),
        // One evening is no series.
        ("I want to go swimming", &["!"]),
    ]);
}

#[test]
fn several_tasks_have_their_own_days() {
    check(&[(
        "Two things for my list: order the tiles by Friday, and ring the plumber on Monday morning",
        &["\"due\":\"2026-03-13\"", "\"title\":\"Ring the plumber\""],
    )]);
}

#[test]
fn a_day_is_counted_from_one_that_the_request_names() {
    check(&[(
        "I have to fetch a cake for the party on the 20th, put it on my list for the day before",
        &["\"due\":\"2026-03-19\""],
    )]);
}

#[test]
fn a_dictated_request_puts_itself_right() {
    check(&[(
        "um okay so put dinner with Ana no sorry with Kim on Friday the twentieth at uh seven thirty in the evening",
        &["\"people\":[\"Kim\"],\"start\":\"2026-03-20T19:30:00\",\"summary\":\"Dinner with Kim\""],
    )]);
}
