//! Finds birthdays in the address book, else in the calendar or in what is remembered.

use adjutant_domain::filter::{self, Time, Window};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Contact;
use adjutant_text::all_words;
use jiff::ToSpan;
use jiff::civil::Date;

use super::find::{ContactFilter, ContactQuestion};
use crate::effect::failed;
use crate::select::{Filter, Pick, answer};
use crate::words;

/// Maximum birthdays in an answer if nobody is named.
const SAID_MAX: usize = 5;

/// A day of the year, with the year if known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Birthday {
    year: Option<i16>,
    month: i8,
    day: i8,
}

impl Birthday {
    /// Returns the birthday in the address book if it is a valid date.
    pub(super) fn of(who: &Contact) -> Option<Self> {
        let written = who.birthday.trim();
        let (year, rest) = match written.strip_prefix("--") {
            Some(rest) => (None, rest),
            None => {
                let (year, rest) = written.split_once('-')?;
                (Some(year.parse().ok()?), rest)
            }
        };
        let (month, day) = rest.split_once('-')?;
        let (month, day) = (month.parse().ok()?, day.parse().ok()?);
        // 2000 had a 29 February, so that day counts as valid.
        Date::new(year.unwrap_or(2000), month, day).ok()?;
        Some(Self { year, month, day })
    }

    /// Returns the next birthday, today included. A birthday on 29 February falls on the 28th in other years.
    pub(super) fn next(self, today: Date) -> Date {
        let this = self.in_year(today.year());
        if this < today {
            self.in_year(today.year().saturating_add(1))
        } else {
            this
        }
    }

    fn in_year(self, year: i16) -> Date {
        Date::new(year, self.month, self.day)
            .or_else(|_| Date::new(year, 2, 28))
            .unwrap_or(Date::MAX)
    }

    /// Returns the age in years on a day; `None` if the year of birth is unknown.
    fn age(self, on: Date) -> Option<i16> {
        let born = self.year?;
        let had = self.in_year(on.year()) <= on;
        let age = on.year().checked_sub(born)?;
        Some(if had { age } else { age - 1 })
    }

    /// Returns `14 Mar 1990`, or `14 Mar` without the year.
    pub(super) fn date(self, cx: &Cx) -> String {
        let day = self.in_year(self.year.unwrap_or(cx.now.year()));
        words::short_date(day, cx)
    }

    /// Returns `Sat 14 Mar, turning 36`, or the day alone if the age is unknown.
    fn words(self, cx: &Cx) -> String {
        let next = self.next(cx.now.date());
        let day = words::day_heading(next, cx);
        match self.age(next) {
            Some(age) if age > 0 => format!("{day}, turning {age}"),
            _ => day,
        }
    }
}

/// Answers a question about birthdays or ages.
///
/// # Errors
/// Returns the fault of storage.
pub(super) async fn said(filter: &ContactFilter, cx: &Cx) -> Result<Answer, Stop> {
    let everyone = ContactFilter {
        pick: None,
        limit: None,
        ..filter.clone()
    };
    let rows = everyone.find(false, None, cx).await?.rows;
    match &filter.name {
        Some(name) => named(filter, name, rows, cx).await,
        None => Ok(coming(filter, rows, cx)),
    }
}

/// Answers a question about somebody who is named.
async fn named(
    filter: &ContactFilter,
    name: &str,
    rows: Vec<Contact>,
    cx: &Cx,
) -> Result<Answer, Stop> {
    let known: Vec<(Contact, Birthday)> = with_birthday(&rows).collect();
    if known.is_empty() {
        let say = match elsewhere(name, cx).await? {
            Some(found) => found,
            None if rows.is_empty() => format!(
                "I found no birthday for {}: nobody in the address book has that name, and neither the calendar nor your memories mention it.",
                words::quoted(name)
            ),
            None => format!("No birthday is noted for {}.", words::inline(&rows[0].name)),
        };
        return Ok(answer(&rows, rows.len(), say, cx));
    }
    let age = filter.ask == Some(ContactQuestion::Age);
    let lines: Vec<String> = known
        .iter()
        .map(|(who, birthday)| match birthday.age(cx.now.date()) {
            Some(age_now) if age => format!(
                "{} is {age_now}, born {}",
                words::inline(&who.name),
                birthday.date(cx)
            ),
            _ => line(who, *birthday, cx),
        })
        .collect();
    let people: Vec<Contact> = known.into_iter().map(|(who, _)| who).collect();
    let say = match lines.as_slice() {
        [one] => format!("{one}."),
        many => words::bullets(many, many.len()),
    };
    Ok(answer(&people, people.len(), say, cx))
}

/// Answers whose birthday comes next, or falls in the range asked for.
fn coming(filter: &ContactFilter, rows: Vec<Contact>, cx: &Cx) -> Answer {
    let today = cx.now.date();
    let date = |at: &Moment| at.date(&cx.zone());
    let (from, to) = (
        filter.birthday_from.as_ref().map(date),
        filter.birthday_to.as_ref().map(date),
    );
    // A range is searched from its beginning: "this month" includes its past days.
    let begin = from.unwrap_or(today);
    let mut known: Vec<(Contact, Birthday)> = with_birthday(&rows)
        .filter(|(_, birthday)| to.is_none_or(|to| birthday.next(begin) < to))
        .collect();
    known.sort_by_key(|(_, birthday)| birthday.next(begin));
    let total = known.len();
    let most = match filter.pick {
        Some(Pick::First | Pick::One) => 1,
        _ => filter.limit.unwrap_or(SAID_MAX),
    };
    known.truncate(if to.is_some() { words::LINES_MAX } else { most });
    let lines: Vec<String> = known
        .iter()
        .map(|(who, birthday)| {
            format!(
                "{}: {}",
                words::inline(&who.name),
                match to {
                    Some(_) => words::day(birthday.next(begin), cx),
                    None => birthday.words(cx),
                }
            )
        })
        .collect();
    let people: Vec<Contact> = known.into_iter().map(|(who, _)| who).collect();
    let say = match (lines.as_slice(), to) {
        ([], Some(_)) => "Nobody in the address book has a birthday then.".to_owned(),
        ([], None) => "No birthdays are noted in the address book.".to_owned(),
        ([one], _) => format!("{one}."),
        (many, _) => words::bullets(many, many.len()),
    };
    answer(&people, total, say, cx)
}

fn with_birthday(rows: &[Contact]) -> impl Iterator<Item = (Contact, Birthday)> {
    rows.iter()
        .filter_map(|who| Some((who.clone(), Birthday::of(who)?)))
}

fn line(who: &Contact, birthday: Birthday, cx: &Cx) -> String {
    format!("{}: {}", words::inline(&who.name), birthday.words(cx))
}

/// Looks for a birthday in memories and in the calendar of the coming year.
async fn elsewhere(name: &str, cx: &Cx) -> Result<Option<String>, Stop> {
    let sought = format!("{name} birthday");
    let year = Window {
        from: cx.now.start_of_day().ok().map(|day| day.timestamp()),
        to: cx.now.checked_add(1.year()).ok().map(|at| at.timestamp()),
    };
    let remembered = cx
        .records
        .memories(&filter::Filter::used_memories().best(&sought))
        .await
        .map_err(failed)?;
    let fits = |key: &str, value: &str| all_words(&sought, &format!("{key} {value}"));
    if let Some(memory) = remembered
        .iter()
        .find(|memory| fits(&memory.key, &memory.value))
    {
        return Ok(Some(format!(
            "You told me: {}.",
            words::inline(memory.statement().trim_end_matches('.'))
        )));
    }
    let events = filter::Filter::all()
        .words(Some(&sought))
        .within(Time::Happens, year)
        .at_most(Some(1));
    let events = cx.records.occurrences(&events).await.map_err(failed)?;
    Ok(events.first().map(|one| {
        format!(
            "In the calendar: {}, {}.",
            words::quoted(&one.event.summary),
            words::range(&one.start, &one.end, cx)
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_testkit::make;
    use jiff::civil::date;

    fn born(written: &str) -> Option<Birthday> {
        let mut who = make::contact("who_1", "Ana", &[]);
        who.birthday = written.to_owned();
        Birthday::of(&who)
    }

    #[test]
    fn only_whole_days_are_birthdays() {
        for written in [
            "",
            "1984",
            "1984-04",
            "--04",
            "in spring",
            "1984-02-31",
            "--13-01",
        ] {
            assert_eq!(born(written), None, "{written}");
        }
        assert!(born("--02-29").is_some());
    }

    #[test]
    fn the_next_one_is_today_or_later_and_age_counts_it() {
        let birthday = born("1984-04-15").expect("a day");
        assert_eq!(birthday.next(date(2026, 4, 15)), date(2026, 4, 15));
        assert_eq!(birthday.next(date(2026, 4, 16)), date(2027, 4, 15));
        assert_eq!(birthday.age(date(2026, 4, 14)), Some(41));
        assert_eq!(birthday.age(date(2026, 4, 15)), Some(42));
        let leap = born("--02-29").expect("a day");
        assert_eq!(leap.next(date(2026, 1, 1)), date(2026, 2, 28));
        assert_eq!(leap.age(date(2026, 1, 1)), None);
    }
}
