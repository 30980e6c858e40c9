//! Generates series of events as programs write them: rules of every frequency, with added, removed and changed
//! instances.

use std::fmt::Write as _;

use adjutant_domain::moment::Moment;
use adjutant_recurrence::{Rule, Work, rest_from, until_before};
use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan as _};

/// Zones in both hemispheres, with clock changes of an hour, of half an hour, in different weeks, at midnight, and
/// none.
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

/// Numbers that are identical in every run (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to below `end`.
    fn below(&mut self, end: i64) -> i64 {
        i64::try_from(self.roll() % end.unsigned_abs()).unwrap()
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[usize::try_from(self.below(all.len().try_into().unwrap())).unwrap()]
    }

    /// Returns `true` in `part` of a hundred cases.
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

/// A calendar with one series.
pub struct Series {
    pub rule: String,
    pub zone: &'static str,
    pub calendar: String,
    /// Number of rows for moved or cancelled instances.
    pub changed: usize,
}

/// Returns the series with this number. The zones take turns.
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
    // RFC 5545 does not define a series that does not begin with an instance of its rule, so this one does.
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
    // A day of the series need not have an instance. Removing or changing one there has no effect.
    let some_day = |dice: &mut Dice| {
        start
            .checked_add((7 * (1 + dice.below(60))).days())
            .unwrap()
    };
    let removed: Vec<DateTime> = (0..dice.below(3)).map(|_| some_day(dice)).collect();
    for day in &removed {
        write!(event, "EXDATE{}\r\n", form(*day)).unwrap();
    }
    if dice.once_in(15) {
        let added = some_day(dice).checked_add(1.day()).unwrap();
        write!(event, "RDATE{}\r\n", form(added)).unwrap();
    }
    let changes = Changes {
        number,
        zone: (!days_only).then(|| TimeZone::get(zone).unwrap()),
        form: &form,
    };
    let mut rows = vec![event];
    // The other library ignores zones when it compares instance names. With several instances a day it would pick a
    // wrong one.
    if !rule.contains("BYHOUR") && dice.once_in(50) {
        // RFC 5545 does not define an instance that was both removed and changed either.
        let mut of_rule = instances(&rule, start);
        of_rule.retain(|one| !removed.contains(one));
        rows.extend(changes.of(&of_rule, dice));
    }
    let changed = rows.len() - 1;
    let rows = rows
        .iter()
        .map(|row| format!("BEGIN:VEVENT\r\n{row}END:VEVENT\r\n"));
    let rows: String = rows.collect();
    Series {
        calendar: format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\n{rows}END:VCALENDAR\r\n"
        ),
        rule,
        zone,
        changed,
    }
}

/// Returns a calendar with a series, and one with the same series cut in two, as Adjutant does to change it from one
/// instance on. Returns `None` if the series has no second instance or the clocks change there.
pub fn cut(number: usize, dice: &mut Dice) -> Option<(String, [String; 2])> {
    let zone = ZONES[number % ZONES.len()];
    let tz = TimeZone::get(zone).unwrap();
    let start = date(2024, 6, 1)
        .checked_add(dice.below(500).days())
        .unwrap()
        .at(i8::try_from(dice.below(24)).unwrap(), 30, 0, 0);
    let days_only = dice.once_in(20);
    let rule = rule(dice, start, days_only);
    let start = first(&rule, start);
    let all = instances(&rule, start);
    let place = 1 + dice.below(i64::try_from(all.len()).ok().filter(|len| *len > 1)? - 1);
    let at = all[usize::try_from(place).unwrap()];
    if [start, at]
        .iter()
        .any(|one| tz.to_ambiguous_zoned(*one).is_ambiguous())
    {
        return None;
    }
    let moment = |at: DateTime| match days_only {
        true => Moment::Day(at.date()),
        false => Moment::At(tz.to_zoned(at).unwrap()),
    };
    let event = |uid: &str, start: DateTime, rule: &str| {
        let start = match days_only {
            true => format!("DTSTART;VALUE=DATE:{}", start.strftime("%Y%m%d")),
            false => format!(
                "DTSTART;TZID={zone}:{}\r\nDURATION:PT30M",
                start.strftime("%Y%m%dT%H%M%S")
            ),
        };
        format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20240101T000000Z\r\n{start}\r\nRRULE:{rule}\r\nSUMMARY:Series\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        )
    };
    let (begin, cut) = (moment(start), moment(at));
    let before = event("before", start, &until_before(&rule, &cut));
    let rest = event("rest", at, &rest_from(&rule, &begin, &cut, &TimeZone::UTC));
    Some((event("whole", start, &rule), [before, rest]))
}

/// Writes rows for moved or cancelled instances.
struct Changes<'a> {
    number: usize,
    /// `None` for a series of whole days.
    zone: Option<TimeZone>,
    form: &'a dyn Fn(DateTime) -> String,
}

impl Changes<'_> {
    /// Returns rows for a few of these instances.
    fn of(&self, instances: &[DateTime], dice: &mut Dice) -> Vec<String> {
        let mut picked: Vec<DateTime> = Vec::new();
        for _ in 0..=dice.below(4) {
            let Some(last) = i64::try_from(instances.len()).ok().filter(|len| *len > 0) else {
                break;
            };
            let instance = instances[usize::try_from(dice.below(last)).unwrap()];
            // RFC 5545 does not define how to name a time that occurs twice or never because of a clock change.
            let is_clear = |zone: &TimeZone| !zone.to_ambiguous_zoned(instance).is_ambiguous();
            if self.zone.as_ref().is_none_or(is_clear) && !picked.contains(&instance) {
                picked.push(instance);
            }
        }
        // RFC 5545 does not define how later instances move from a time that the clocks skip, always before four.
        let is_clear = |one: &DateTime| self.zone.is_none() || one.hour() >= 4;
        let range = (self.number % 5 < 2).then(|| picked.iter().position(is_clear));
        let range = range.flatten();
        let picked = picked.into_iter().enumerate();
        picked
            .map(|(at, one)| self.row(one, range == Some(at), dice))
            .collect()
    }

    fn row(&self, instance: DateTime, is_range: bool, dice: &mut Dice) -> String {
        let is_cancelled = dice.once_in(30);
        let moved = match (&self.zone, is_cancelled) {
            (_, true) => instance,
            (None, false) => instance.checked_add((dice.below(21) - 10).days()).unwrap(),
            (Some(_), false) => instance
                .checked_add((15 * (dice.below(400) - 200)).minutes())
                .unwrap(),
        };
        let end = match self.zone {
            None => moved.checked_add(1.day()).unwrap(),
            Some(_) => moved.checked_add(45.minutes()).unwrap(),
        };
        // Programs name an instance in its own zone or in UTC. For a range in UTC, the other library moves later
        // instances by exact hours, also across a clock change.
        let name = match &self.zone {
            Some(zone) if dice.once_in(30) && !is_range => {
                let utc = zone
                    .to_zoned(instance)
                    .unwrap()
                    .with_time_zone(TimeZone::UTC);
                format!(":{}", utc.strftime("%Y%m%dT%H%M%SZ"))
            }
            _ => (self.form)(instance),
        };
        let range = match is_range {
            true => ";RANGE=THISANDFUTURE",
            false => "",
        };
        let status = if is_cancelled {
            "STATUS:CANCELLED\r\n"
        } else {
            ""
        };
        format!(
            "UID:s{}@x\r\nDTSTAMP:20240101T000000Z\r\nRECURRENCE-ID{range}{name}\r\nDTSTART{}\r\nDTEND{}\r\n{status}SUMMARY:Changed\r\n",
            self.number,
            (self.form)(moved),
            (self.form)(end),
        )
    }
}

/// Returns the instances of a rule in its first years.
fn instances(rule: &str, start: DateTime) -> Vec<DateTime> {
    let range = start..start.checked_add(2.years()).unwrap();
    let found = Rule::parse(rule)
        .unwrap()
        .expand(start, None, range, &mut Work::default());
    found.starts
}

/// Returns the first instance of a rule at or after `start`.
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
