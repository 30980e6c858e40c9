use super::*;
use proptest::prelude::*;

fn now() -> Zoned {
    "2026-01-12T09:00:00-05:00[America/New_York]"
        .parse()
        .expect("a fixed time")
}

fn ask(text: &str) -> String {
    let policy = Policy {
        day_first: true,
        ..Policy::default()
    };
    match calculate(text, &now(), &policy) {
        Ok(done) => match done.note {
            Some(note) => format!("{} ({note})", done.value),
            None => done.value,
        },
        Err(NoResult::NotACalculation) => "-".to_owned(),
        Err(NoResult::MissingRate { from, to }) => format!("rate {from} {to}?"),
        Err(NoResult::TooLarge) => "too large".to_owned(),
        Err(NoResult::DivisionByZero) => "division by zero".to_owned(),
        Err(NoResult::UnknownPlace { place }) => format!("where is {place}?"),
        Err(NoResult::Impossible { .. }) => "impossible".to_owned(),
    }
}

#[test]
fn dates_and_times_are_written_as_the_person_reads_them() {
    let policy = Policy {
        day_first: false,
        clock: adjutant_domain::settings::ClockFace::Hours12,
        ..Policy::default()
    };
    let value = |text: &str| calculate(text, &now(), &policy).map(|done| done.value);
    assert_eq!(
        value("what date is in 3 days"),
        Ok("Thursday, January 15, 2026".into())
    );
    assert_eq!(
        value("what time is it in London"),
        Ok("2:00 pm, Monday, January 12".into())
    );
}

fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let got = ask(text);
            (got != *expected).then(|| format!("{text:?}: got {got:?}, expected {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sums_in_signs_and_words() {
    check(&[
        ("2+2", "4"),
        ("What is 17 * 23?", "391"),
        ("12 squared", "144"),
        ("square root of 2", "1.4142135624 (rounded)"),
        ("what's the square root of 144", "12"),
        ("twenty five times four", "100"),
        ("two hundred and five plus 3", "208"),
        ("7 x 8", "56"),
        ("(3 + 4) × 2", "14"),
        ("10 divided by 4", "2.5"),
        ("2 to the power of 10", "1024"),
        ("2^10", "1024"),
        ("5!", "120"),
        ("17 mod 5", "2"),
        ("half of 90", "45"),
        ("how much is 3 nights at 129", "387"),
        (
            "if I work 37.5 hours at 21.40 an hour what do I get before tax",
            "802.5",
        ),
        ("how much more is 340 than 290", "50"),
        ("what's left of 500 after 120 and 80", "300"),
        ("split 126 four ways", "31.5"),
        ("126 split between 4 people", "31.5"),
        ("take 15% off 80", "68"),
        ("add 20% to 80", "96"),
        ("what's a third of 240", "80"),
        ("double 17.5", "35"),
        ("two thirds of 90", "60"),
        ("2 and a half times 4", "10"),
        ("add 5 and 7", "12"),
        ("14.5 hours at 165 an hour", "2392.5"),
        ("3 pizzas at 14.75 each plus 18 percent tip", "52.215"),
        ("subtract 5 from 20", "15"),
        ("multiply 6 by 7 please", "42"),
        ("could you split 96 by 4", "24"),
        ("average of 2, 4 and 9", "5"),
        ("sum of 1, 2, 3", "6"),
        ("how many times does 12 go into 600", "50"),
        ("1,200 + 300", "1500"),
        ("3 million / 4", "750000"),
        ("255 in hex", "ff"),
        ("what is 5 minus 8", "-3"),
        ("calculate 3.5 * 2", "7"),
    ]);
}

#[test]
fn percentages() {
    check(&[
        ("15% of 240", "36"),
        ("what's 20 percent off 80", "64 (saved: 16)"),
        ("tip 18% on 54.20", "9.756 (total: 63.956)"),
        ("20% tip on $80", "$16 (total: $96)"),
        ("increase 80 by 20%", "96"),
        ("80 plus 20%", "96"),
        ("80 minus 25%", "60"),
        ("20 is what percent of 80", "25%"),
        ("what percent of 80 is 20", "25%"),
        ("split $96 by 4", "$24"),
        ("$20 + $30.50", "$50.50"),
        ("15% of €240", "€36"),
    ]);
}

#[test]
fn units_convert_within_their_dimension() {
    check(&[
        ("5 km in miles", "3.1068559612 miles (rounded)"),
        ("how many ounces in 2 pounds", "32 ounces"),
        ("how many ounces in a gallon", "128 fluid ounces"),
        ("convert 100 celsius to fahrenheit", "212 °F"),
        ("72 f to c", "22.2222222222 °C (rounded)"),
        ("how many feet are there in a mile", "5280 feet"),
        ("how many minutes in 3 hours", "180 minutes"),
        ("convert 3 feet to cm", "91.44 cm"),
        ("what is 2 cups in ml", "473.176473 ml"),
        ("5 kg to meters", "impossible"),
        ("how many seconds are in a day", "86400 seconds"),
        (
            "how many yards in a kilometer?",
            "1093.6132983377 yards (rounded)",
        ),
    ]);
}

#[test]
fn a_rate_is_given_or_missing() {
    check(&[
        ("100 usd in eur", "rate USD EUR?"),
        ("how many euros is 50 dollars", "rate USD EUR?"),
        ("100 usd in eur at 0.92", "€92 (at 0.92 EUR for 1 USD)"),
        ("100 usd at 1.08", "108 (at the rate 1.08 that you gave)"),
        (
            "convert 200 pounds to yen at a rate of 190.5",
            "¥38100 (at 190.5 JPY for 1 GBP)",
        ),
        ("$50 to pounds", "rate USD GBP?"),
        (
            "what's the exchange rate between usd and euros",
            "rate USD EUR?",
        ),
        (
            "tell me the current exchange rate from pounds to yen",
            "rate GBP JPY?",
        ),
        ("how many euros can I exchange for 200 yen", "rate JPY EUR?"),
        ("what is 20 pounds in kg", "9.0718474 kg"),
    ]);
}

#[test]
fn limits_have_reasons() {
    check(&[
        ("5 / 0", "division by zero"),
        ("9^999", "too large"),
        ("9^9^9^9", "-"),
        ("200!", "too large"),
    ]);
}

#[test]
fn dates() {
    check(&[
        ("how many days until June 3", "142 days"),
        ("days between May 1 and May 11", "10 days"),
        ("how many weeks until Christmas", "49 weeks and 4 days"),
        ("what day is July 4", "Saturday, 4 July 2026 (in 173 days)"),
        (
            "on which weekday does June 15 fall this year?",
            "Monday, 15 June 2026 (in 154 days)",
        ),
        ("90 days from now", "Sunday, 12 April 2026 (in 90 days)"),
        ("what day is it today?", "Monday, 12 January 2026"),
        ("how many days until my trip to Rome", "-"),
        ("how long until the meeting", "-"),
    ]);
}

#[test]
fn zones() {
    check(&[
        (
            "what time is it in Tokyo",
            "23:00, Monday 12 January (Asia/Tokyo)",
        ),
        (
            "3pm Tokyo in New York",
            "01:00, Tuesday 13 January (America/New_York)",
        ),
        (
            "if it's 3pm in London what time is it in Tokyo",
            "00:00, Tuesday 13 January (Asia/Tokyo)",
        ),
        (
            "what time is it in Tokyo when it is noon in London",
            "21:00, Tuesday 13 January (Asia/Tokyo)",
        ),
        ("what time is it?", "09:00, Monday 12 January"),
        (
            "what timezone is London in",
            "Europe/London (UTC+00:00) (it is 14:00 there)",
        ),
        (
            "time difference between London and Tokyo",
            "9 h (Tokyo is ahead)",
        ),
        (
            "tell me the time in California",
            "06:00, Monday 12 January (America/Los_Angeles)",
        ),
        (
            "what time is it in Portland, Maine?",
            "09:00, Monday 12 January (America/New_York)",
        ),
        (
            "what time is it in Dallas TX",
            "08:00, Monday 12 January (America/Chicago)",
        ),
        (
            "what's the time in the eastern time zone",
            "09:00, Monday 12 January (America/New_York)",
        ),
        (
            "9am in Japan in Brazil",
            "21:00, Monday 12 January (America/Sao_Paulo)",
        ),
        ("what time is it in Xyzzyville", "where is Xyzzyville?"),
    ]);
}

#[test]
fn every_place_has_a_zone() {
    let unknown: Vec<&str> = include_str!("../../data/calc/places.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(zone, _)| zone.trim())
        .filter(|zone| jiff::tz::TimeZone::get(zone).is_err())
        .collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

#[test]
fn what_is_no_calculation_stays_none() {
    for text in [
        "",
        "5",
        "hello",
        "meeting at 5",
        "what is love",
        "remind me in 5 minutes",
        "add 5 eggs to my list",
        "email 3 people",
        "schedule a call for 2 hours",
        "how many emails do I have",
        "I am 30",
        "5 km",
        "$20",
        "my number is 555-1234",
        "what time is my meeting",
        "how many days of vacation do I have",
        "divide the work between Ana and Bob",
        "split the team in two",
        "June 3",
        "tomorrow",
        "2 meetings and 3 calls",
        "the 2 of us",
        "between 3 and 5",
        "10-4",
        "call 911",
    ] {
        let got = ask(text);
        assert!(got == "-" || text == "10-4", "{text:?}: {got:?}");
    }
}

#[test]
fn every_unit_is_known_to_the_engine() {
    let unknown: Vec<&str> = units::all_units()
        .into_iter()
        .filter(|unit| engine::evaluate(&format!("2 {}", unit.name)).is_err())
        .map(|unit| unit.name)
        .collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

proptest! {
    #[test]
    fn any_text_ends(text in "\\PC{0,120}") {
        let _ = calculate(&text, &now(), &Policy::default());
    }

    #[test]
    fn sums_of_any_shape_end(text in "[0-9+*/^!%.() -]{0,60}|((half|two|dozen|of|squared|percent|km|to|miles|in|-|3) ){0,14}") {
        let _ = calculate(&text, &now(), &Policy::default());
    }
}
