//! Series of events as programs write them: rules of every frequency, with added, removed and changed instances.

use std::fmt::Write as _;

use adjutant_recurrence::{Rule, Work};
use jiff::civil::{Date, DateTime, date};
use jiff::{Span, ToSpan as _};

/// Zones on both hemispheres, with clocks that change by an hour, by half an hour, in other weeks, at midnight, and not
/// at all.
pub const ZONES: [&str; 12] = [
    "Europe/Paris",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "America/St_Johns",
    "America/Santiago",
    "Africa/Cairo",
    "Asia/Beirut",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Australia/Sydney",
    "Pacific/Auckland",
];

const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// Numbers that are the same in every run (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0, below `end`.
    fn below(&mut self, end: i64) -> i64 {
        i64::try_from(self.roll() % end.unsigned_abs()).unwrap()
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[usize::try_from(self.below(all.len().try_into().unwrap())).unwrap()]
    }

    /// Whether it happens, `part` times in a hundred.
    fn once_in(&mut self, part: i64) -> bool {
        self.below(100) < part
    }

    fn weekdays(&mut self) -> String {
        let mut days: Vec<&str> = Vec::new();
        for day in WEEKDAYS {
            if self.once_in(35) {
                days.push(day);
            }
        }
        if days.is_empty() {
            days.push(self.of(&WEEKDAYS));
        }
        days.join(",")
    }
}

/// A calendar of one series.
pub struct Series {
    pub rule: String,
    pub zone: &'static str,
    pub calendar: String,
}

/// The series of this number: zones take turns.
pub fn series(number: usize, dice: &mut Dice) -> Series {
    let zone = ZONES[number % ZONES.len()];
    let days_only = dice.once_in(12);
    let day = date(2024, 6, 1)
        .checked_add(dice.below(500).days())
        .unwrap();
    let start = day.at(
        i8::try_from(dice.below(24)).unwrap(),
        [0, 15, 30, 45][usize::try_from(dice.below(4)).unwrap()],
        0,
        0,
    );
    let rule = rule(dice, start, days_only);
    // RFC 5545 leaves open what a series is that begins at none of its rule's instances: here it begins at one.
    let start = first(&rule, start);
    let form = |at: DateTime| match days_only {
        true => format!(";VALUE=DATE:{}", at.strftime("%Y%m%d")),
        false => format!(";TZID={zone}:{}", at.strftime("%Y%m%dT%H%M%S")),
    };
    let length: Span = match days_only {
        true => (1 + dice.below(3)).days(),
        false => (15 * (1 + dice.below(16))).minutes(),
    };
    let end = match days_only || dice.once_in(70) {
        true => format!("DTEND{}", form(start.checked_add(length).unwrap())),
        false => format!("DURATION:PT{}M", length.get_minutes()),
    };
    let mut event = format!(
        "UID:s{number}@x\r\nDTSTAMP:20240101T000000Z\r\nDTSTART{}\r\n{end}\r\nRRULE:{rule}\r\nSUMMARY:Series\r\n",
        form(start),
    );
    // A day of the series may be none of its instances: what is removed or changed then is not there.
    let some_day = |dice: &mut Dice| {
        start
            .checked_add((7 * (1 + dice.below(60))).days())
            .unwrap()
    };
    for _ in 0..dice.below(3) {
        write!(event, "EXDATE{}\r\n", form(some_day(dice))).unwrap();
    }
    if dice.once_in(15) {
        let added = some_day(dice).checked_add(1.day()).unwrap();
        write!(event, "RDATE{}\r\n", form(added)).unwrap();
    }
    Series {
        calendar: format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\n{event}END:VEVENT\r\nEND:VCALENDAR\r\n"
        ),
        rule,
        zone,
    }
}

/// The first instance of a rule that is not earlier.
fn first(rule: &str, start: DateTime) -> DateTime {
    let (endless, _) = rule
        .split_once(";COUNT")
        .or_else(|| rule.split_once(";UNTIL"))
        .unwrap_or((rule, ""));
    let range = start..start.checked_add(5.years()).unwrap();
    let found = Rule::parse(endless)
        .unwrap()
        .expand(start, None, range, &mut Work::default());
    found.starts.first().copied().unwrap_or(start)
}

fn rule(dice: &mut Dice, start: DateTime, days_only: bool) -> String {
    let frequency = dice.of(&["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"]);
    let mut rule = format!("FREQ={frequency}");
    if dice.once_in(40) {
        write!(rule, ";INTERVAL={}", 1 + dice.below(4)).unwrap();
    }
    match frequency {
        "DAILY" if dice.once_in(25) => {
            write!(rule, ";BYMONTH={}", 1 + dice.below(12)).unwrap();
        }
        "DAILY" if dice.once_in(25) => write!(rule, ";BYDAY={}", dice.weekdays()).unwrap(),
        "WEEKLY" if dice.once_in(70) => write!(rule, ";BYDAY={}", dice.weekdays()).unwrap(),
        "MONTHLY" => monthly(dice, &mut rule),
        "YEARLY" => yearly(dice, &mut rule, start.date()),
        _ => {}
    }
    if dice.once_in(15) && !days_only && frequency != "YEARLY" {
        write!(rule, ";BYHOUR={},{}", dice.below(12), 12 + dice.below(12)).unwrap();
    }
    if dice.once_in(20) {
        write!(rule, ";WKST={}", dice.of(&["MO", "SU"])).unwrap();
    }
    match dice.below(3) {
        0 => write!(rule, ";COUNT={}", 1 + dice.below(120)).unwrap(),
        1 => {
            let until = start.checked_add((30 + dice.below(700)).days()).unwrap();
            let form = if days_only {
                "%Y%m%d"
            } else {
                "%Y%m%dT%H%M%SZ"
            };
            write!(rule, ";UNTIL={}", until.strftime(form)).unwrap();
        }
        _ => {}
    }
    rule
}

fn monthly(dice: &mut Dice, rule: &mut String) {
    let nth = [1, 2, 3, 4, 5, -1, -2];
    match dice.below(5) {
        0 => write!(rule, ";BYMONTHDAY={}", 1 + dice.below(31)).unwrap(),
        1 => write!(rule, ";BYMONTHDAY=-{}", 1 + dice.below(10)).unwrap(),
        2 => {
            let nth = nth[usize::try_from(dice.below(7)).unwrap()];
            write!(rule, ";BYDAY={nth}{}", dice.of(&WEEKDAYS)).unwrap();
        }
        3 => {
            let place = ["1", "-1", "2", "1,-1"];
            write!(
                rule,
                ";BYDAY={};BYSETPOS={}",
                dice.weekdays(),
                dice.of(&place)
            )
            .unwrap();
        }
        _ => {}
    }
}

fn yearly(dice: &mut Dice, rule: &mut String, start: Date) {
    match dice.below(4) {
        0 => write!(
            rule,
            ";BYMONTH={};BYMONTHDAY={}",
            1 + dice.below(12),
            start.day()
        )
        .unwrap(),
        1 => write!(
            rule,
            ";BYMONTH={};BYDAY={}{}",
            1 + dice.below(12),
            dice.of(&["1", "2", "-1"]),
            dice.of(&WEEKDAYS)
        )
        .unwrap(),
        2 => write!(rule, ";BYYEARDAY={}", 1 + dice.below(366)).unwrap(),
        _ => {}
    }
}
