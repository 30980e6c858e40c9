//! Zones that a calendar describes itself (VTIMEZONE) under a name of its own, as Outlook and Notes do.

use calcard::common::PartialDateTime;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarFrequency, ICalendarProperty, ICalendarRecurrenceRule,
    ICalendarValue, ICalendarWeekday,
};
use jiff::civil::{self, Weekday};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// How far a described change may be from the real one. Notes and Outlook write changes at other hours of the same day.
const APART_MAX: SignedDuration = SignedDuration::from_hours(12);
/// Years from the given one in which a zone must change as described.
const YEARS: i16 = 2;
/// Highest number of changes that a zone may have in these years.
const CHANGES_MAX: usize = 16;

/// Zones tried before all others, so that a rule shared by many gets a well-known name.
const LIKELY: [&str; 14] = [
    "Europe/Berlin",
    "Europe/London",
    "Europe/Athens",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Anchorage",
    "America/Halifax",
    "America/St_Johns",
    "America/Santiago",
    "Australia/Sydney",
    "Australia/Adelaide",
    "Pacific/Auckland",
];

/// Returns the zone that `calendar` describes under `name`, for times from `year` on: a fixed offset if it never
/// changes, otherwise the zone of the IANA database that changes on the same days to the same offsets, `home` first.
/// Returns `None` if nothing is described, or no zone fits.
pub(super) fn described(
    calendar: &ICalendar,
    name: &str,
    year: i16,
    home: &TimeZone,
) -> Option<TimeZone> {
    let zone = calendar
        .timezones()
        .find(|zone| text(zone, &ICalendarProperty::Tzid).unwrap_or_default() == name)?;
    let parts = zone.component_ids.iter().map(|id| {
        let part = calendar.components.get(usize::try_from(*id).ok()?)?;
        Observance::of(part)
    });
    let parts: Vec<Observance<'_>> = parts.collect::<Option<_>>()?;
    let first = parts.first()?;
    if parts.iter().all(|part| part.to == first.to) {
        return Some(fixed(first.to));
    }
    let from = Offset::UTC
        .to_timestamp(civil::date(year, 1, 1).into())
        .ok()?;
    let until = civil::Date::new(year.checked_add(YEARS)?, 1, 1).ok()?;
    let until = Offset::UTC.to_timestamp(until.into()).ok()?;
    let mut all = Vec::new();
    for part in &parts {
        part.changes(year, &mut all)?;
    }
    all.sort_unstable();
    let before = all.iter().rev().find(|(at, _)| *at < from);
    let changes: Vec<Change> = all
        .iter()
        .copied()
        .filter(|(at, _)| (from..until).contains(at))
        .collect();
    if changes.is_empty() {
        return before.map(|(_, to)| fixed(*to));
    }
    let fits = |zone: &TimeZone| fits(zone, &changes, from, until);
    if fits(home) {
        return Some(home.clone());
    }
    let likely = LIKELY.iter().filter_map(|name| TimeZone::get(name).ok());
    let names = jiff::tz::db().available();
    let others = names
        .filter(|name| name.as_str().contains('/'))
        .filter_map(|name| TimeZone::get(name.as_str()).ok());
    likely.chain(others).find(fits)
}

/// When an offset begins, and which.
type Change = (Timestamp, Offset);

/// Whether a zone changes from `from` until `until` as described.
fn fits(zone: &TimeZone, changes: &[Change], from: Timestamp, until: Timestamp) -> bool {
    let real: Vec<Change> = zone
        .following(from)
        .map(|change| (change.timestamp(), change.offset()))
        .take_while(|(at, _)| *at < until)
        .take(CHANGES_MAX)
        .collect();
    real.len() == changes.len()
        && real
            .iter()
            .zip(changes)
            .all(|((at, to), (described, wanted))| {
                to == wanted && at.duration_since(*described).abs() <= APART_MAX
            })
}

/// A STANDARD or DAYLIGHT part: when its offset begins, once or every year.
struct Observance<'a> {
    start: civil::DateTime,
    from: Offset,
    to: Offset,
    rule: Option<&'a ICalendarRecurrenceRule>,
    dates: Vec<civil::DateTime>,
}

impl<'a> Observance<'a> {
    fn of(part: &'a ICalendarComponent) -> Option<Self> {
        let rule = part.property(&ICalendarProperty::Rrule);
        let rule = match rule.map(|entry| entry.values.first()) {
            None => None,
            Some(Some(ICalendarValue::RecurrenceRule(rule))) => Some(&**rule),
            Some(_) => return None,
        };
        Some(Self {
            start: local(date_of(part, &ICalendarProperty::Dtstart)?)?,
            from: offset(date_of(part, &ICalendarProperty::Tzoffsetfrom)?)?,
            to: offset(date_of(part, &ICalendarProperty::Tzoffsetto)?)?,
            rule,
            dates: part
                .properties(&ICalendarProperty::Rdate)
                .flat_map(|entry| &entry.values)
                .filter_map(|value| local(date(value)?))
                .collect(),
        })
    }

    /// Adds the changes of the year before `year`, of the years that must fit, and those without a rule. Returns `None`
    /// if the rule is of another kind.
    fn changes(&self, year: i16, all: &mut Vec<Change>) -> Option<()> {
        let mut locals = self.dates.clone();
        locals.push(self.start);
        if let Some(rule) = self.rule {
            for year in year - 1..year + YEARS {
                let local = yearly(rule, year)?.to_datetime(self.start.time());
                let ended = rule.until.as_ref().and_then(day);
                if local > self.start && ended.is_none_or(|ended| local.date() <= ended) {
                    locals.push(local);
                }
            }
        }
        if self.from != self.to {
            let instants = locals.iter();
            all.extend(
                instants.filter_map(|at| Some((self.from.to_timestamp(*at).ok()?, self.to))),
            );
        }
        Some(())
    }
}

/// Returns the day in a year on which a yearly rule falls: the n-th weekday of a month, or the weekday among some days
/// of it.
fn yearly(rule: &ICalendarRecurrenceRule, year: i16) -> Option<civil::Date> {
    let plain = rule.freq == ICalendarFrequency::Yearly
        && rule.interval.unwrap_or(1) == 1
        && rule.count.is_none()
        && rule.byyearday.is_empty()
        && rule.byweekno.is_empty()
        && rule.bysetpos.is_empty();
    let ([month], [byday], true) = (&rule.bymonth[..], &rule.byday[..], plain) else {
        return None;
    };
    let first = civil::Date::new(year, i8::try_from(month.month()).ok()?, 1).ok()?;
    let weekday = weekday(byday.weekday);
    match byday.ordwk {
        Some(nth) => {
            let nth = i8::try_from(nth).ok()?;
            first.nth_weekday_of_month(nth, weekday).ok()
        }
        None => rule.bymonthday.iter().find_map(|day| {
            let day = first.with().day(*day).build().ok()?;
            (day.weekday() == weekday).then_some(day)
        }),
    }
}

fn weekday(day: ICalendarWeekday) -> Weekday {
    match day {
        ICalendarWeekday::Sunday => Weekday::Sunday,
        ICalendarWeekday::Monday => Weekday::Monday,
        ICalendarWeekday::Tuesday => Weekday::Tuesday,
        ICalendarWeekday::Wednesday => Weekday::Wednesday,
        ICalendarWeekday::Thursday => Weekday::Thursday,
        ICalendarWeekday::Friday => Weekday::Friday,
        ICalendarWeekday::Saturday => Weekday::Saturday,
    }
}

fn text<'a>(component: &'a ICalendarComponent, property: &ICalendarProperty) -> Option<&'a str> {
    component.property(property)?.values.first()?.as_text()
}

fn date_of<'a>(
    component: &'a ICalendarComponent,
    property: &ICalendarProperty,
) -> Option<&'a PartialDateTime> {
    date(component.property(property)?.values.first()?)
}

fn date(value: &ICalendarValue) -> Option<&PartialDateTime> {
    match value {
        ICalendarValue::PartialDateTime(date) => Some(date),
        _ => None,
    }
}

fn day(date: &PartialDateTime) -> Option<civil::Date> {
    civil::Date::new(
        i16::try_from(date.year?).ok()?,
        i8::try_from(date.month?).ok()?,
        i8::try_from(date.day?).ok()?,
    )
    .ok()
}

fn local(date: &PartialDateTime) -> Option<civil::DateTime> {
    let time = civil::Time::new(
        i8::try_from(date.hour.unwrap_or(0)).ok()?,
        i8::try_from(date.minute.unwrap_or(0)).ok()?,
        i8::try_from(date.second.unwrap_or(0)).ok()?,
        0,
    );
    Some(day(date)?.to_datetime(time.ok()?))
}

fn offset(value: &PartialDateTime) -> Option<Offset> {
    let seconds = i32::from(value.tz_hour?) * 3600 + i32::from(value.tz_minute.unwrap_or(0)) * 60;
    let signed = if value.tz_minus { -seconds } else { seconds };
    Offset::from_seconds(signed).ok()
}

fn fixed(offset: Offset) -> TimeZone {
    if offset == Offset::UTC {
        TimeZone::UTC
    } else {
        TimeZone::fixed(offset)
    }
}
