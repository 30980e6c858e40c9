//! Formats RFC 3339 times of rows for people, such as `Tue 13 Jan 17:00`, in the person's zone.

use adjutant::session::{Options, Session};
use adjutant_api::{Fault, Reply, Request};
use adjutant_domain::moment::Moment;
use adjutant_domain::settings::{ClockFace, DateOrder};
use jiff::civil::{Date, Time};
use jiff::{Timestamp, Zoned, tz::TimeZone};

use crate::{reply, unexpected};

/// How to show times: the person's zone and the year that can be left out.
#[derive(Clone, Debug)]
pub(crate) struct When {
    zone: TimeZone,
    year: i16,
    face: ClockFace,
    order: DateOrder,
}

impl When {
    /// Reads the zone, the formats and the current time from the profile.
    pub(crate) async fn of(session: &Session, options: &Options) -> Result<Self, Fault> {
        let zone = options.zone(&setting(session, "time_zone").await?);
        let face = match setting(session, "clock").await?.as_str() {
            "12h" => ClockFace::Hours12,
            _ => ClockFace::Hours24,
        };
        let order = DateOrder::of(setting(session, "day_first").await? == "true");
        Ok(Self::at(&options.time(&zone), face, order))
    }

    fn at(now: &Zoned, face: ClockFace, order: DateOrder) -> Self {
        Self {
            face,
            order,
            zone: now.time_zone().clone(),
            year: now.year(),
        }
    }

    /// Formats an RFC 3339 date or instant; returns other text unchanged.
    pub(crate) fn moment(&self, text: &str) -> String {
        match self.read(text) {
            Some((date, Some(time))) => format!("{} {}", self.date(date), self.face.show(time)),
            Some((date, None)) => self.date(date),
            None => text.to_owned(),
        }
    }

    /// Formats a range. The end is exclusive for whole days.
    pub(super) fn range(&self, start: &str, end: &str) -> String {
        let (Some((first, from)), Some((last, to))) = (self.read(start), self.read(end)) else {
            return format!("{start} – {end}");
        };
        match (from, to) {
            (None, None) => {
                let last = last.yesterday().unwrap_or(last);
                if last <= first {
                    self.date(first)
                } else {
                    format!("{} – {}", self.date(first), self.date(last))
                }
            }
            (Some(from), Some(to)) if first == last && from == to => {
                format!("{} {}", self.date(first), self.face.show(from))
            }
            // A range that ends in the same night needs no second date.
            (Some(from), Some(to))
                if first == last || (first.tomorrow().ok() == Some(last) && to < from) =>
            {
                format!(
                    "{} {}–{}",
                    self.date(first),
                    self.face.show(from),
                    self.face.show(to)
                )
            }
            _ => format!("{} – {}", self.moment(start), self.moment(end)),
        }
    }

    fn read(&self, text: &str) -> Option<(Date, Option<Time>)> {
        if let Ok(instant) = text.parse::<Timestamp>() {
            let here = instant.to_zoned(self.zone.clone());
            return Some((here.date(), Some(here.time())));
        }
        match text.parse::<Moment>().ok()? {
            Moment::Day(date) => Some((date, None)),
            Moment::At(at) => {
                let here = at.with_time_zone(self.zone.clone());
                Some((here.date(), Some(here.time())))
            }
        }
    }

    fn date(&self, date: Date) -> String {
        self.order.show(date, self.year)
    }
}

async fn setting(session: &Session, key: &str) -> Result<String, Fault> {
    let request = Request::ConfigGet { key: key.into() };
    match reply(session, request).await? {
        Reply::Config { settings } => Ok(settings
            .into_iter()
            .next()
            .map_or_else(String::new, |one| one.value)),
        _ => Err(unexpected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_persons_zone() {
        let now = "2026-01-12T09:00:00+01:00[Europe/Paris]".parse();
        let when = When::at(
            &now.expect("a time"),
            ClockFace::Hours24,
            DateOrder::DayFirst,
        );
        for (text, shown) in [
            ("2026-01-13T17:00:00+01:00", "Tue 13 Jan 17:00"),
            ("2026-01-13T09:00:00-05:00", "Tue 13 Jan 15:00"),
            ("2025-12-31T23:30:00Z", "Thu 1 Jan 00:30"),
            ("2025-12-30", "Tue 30 Dec 2025"),
            ("whenever", "whenever"),
        ] {
            assert_eq!(when.moment(text), shown);
        }
        let twelve = When {
            face: ClockFace::Hours12,
            ..when.clone()
        };
        assert_eq!(
            twelve.moment("2026-01-13T17:00:00+01:00"),
            "Tue 13 Jan 5:00 pm"
        );
        let month_first = When {
            order: DateOrder::MonthFirst,
            ..when.clone()
        };
        assert_eq!(
            month_first.range("2026-01-13", "2026-01-16"),
            "Tue Jan 13 – Thu Jan 15"
        );
        for (start, end, shown) in [
            (
                "2026-01-13T17:00:00+01:00",
                "2026-01-13T18:30:00+01:00",
                "Tue 13 Jan 17:00–18:30",
            ),
            (
                "2026-01-13T17:00:00+01:00",
                "2026-01-13T17:00:00+01:00",
                "Tue 13 Jan 17:00",
            ),
            (
                "2026-01-13T23:00:00+01:00",
                "2026-01-14T01:00:00+01:00",
                "Tue 13 Jan 23:00–01:00",
            ),
            ("2026-01-13", "2026-01-14", "Tue 13 Jan"),
            ("2026-01-13", "2026-01-16", "Tue 13 Jan – Thu 15 Jan"),
        ] {
            assert_eq!(when.range(start, end), shown);
        }
    }
}
