//! Answers to "which of two" and "are both the same".

use super::dates::{Day, dates, life};
use super::nations::{alike, nations};
use super::{Extracted, Sheet, View, follow, ground, page_of};
use crate::embedded::topic::Topic;

/// Bytes at the beginning of a page that are searched for its country and year.
const BEGINNING_BYTES_MAX: usize = 700;

/// The property that two things are compared by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Birth,
    Death,
    Lifespan,
    Year,
}

/// Answers which of two options comes first or last.
pub fn which(view: &View<'_>, topic: &Topic) -> Option<Extracted> {
    let (one, other) = options(view.question)?;
    let (by, least) = comparison(view.question)?;
    let (first, second) = (
        valued(view, topic, one, by)?,
        valued(view, topic, other, by)?,
    );
    // Unless both have a month, only the years are compared; equal years decide nothing.
    let precise = if first.day.when.1 == 0 || second.day.when.1 == 0 {
        1
    } else {
        3
    };
    let cut = |(year, month, day): (u32, u32, u32)| {
        if precise == 1 {
            (year, 0, 0)
        } else {
            (year, month, day)
        }
    };
    let (a, b) = (cut(first.day.when), cut(second.day.when));
    if a == b {
        return None;
    }
    let (name, _) = if (a < b) == least {
        (one, other)
    } else {
        (other, one)
    };
    Some(Extracted {
        text: name.to_owned(),
        because: format!("{one}: {}; {other}: {}.", first.day.text, second.day.text),
        grounds: [first.grounds, second.grounds].concat(),
    })
}

/// The date of an option, with the sentences it was read from.
struct Valued {
    day: Day,
    grounds: Vec<(String, String)>,
}

fn valued(view: &View<'_>, topic: &Topic, option: &str, by: By) -> Option<Valued> {
    let page = page_of(view, option)?;
    let target = follow(view, page, topic)?;
    let day = value(target, by)?;
    let mut grounds = vec![ground(target, &day.text)];
    if target.page.address != page.page.address {
        grounds.insert(0, ground(page, &target.page.title));
    }
    Some(Valued { day, grounds })
}

fn value(sheet: &Sheet<'_>, by: By) -> Option<Day> {
    let (born, died) = life(sheet.text);
    match by {
        By::Birth => born.or_else(|| first_year(sheet)),
        By::Death => died,
        By::Lifespan => {
            let (born, died) = (born?, died?);
            let days = |(year, month, day): (u32, u32, u32)| year * 372 + month * 31 + day;
            let lived = days(died.when).checked_sub(days(born.when))?;
            Some(Day {
                when: (lived, 1, 1),
                text: format!("{} to {}", born.text, died.text),
            })
        }
        By::Year => first_year(sheet),
    }
}

/// Returns the year of a work: the first date at the beginning of its page, else the first one in its title.
fn first_year(sheet: &Sheet<'_>) -> Option<Day> {
    let beginning = adjutant_text::cut(sheet.text, BEGINNING_BYTES_MAX);
    let first = |text: &str| dates(text).into_iter().next().map(|(_, day)| day);
    first(beginning).or_else(|| first(&sheet.page.title))
}

/// Returns the two options of "…, A or B?" and "… out of A and B?".
fn options(question: &str) -> Option<(&str, &str)> {
    let question = question.trim().trim_end_matches('?').trim();
    let (before, other) = question.rsplit_once(" or ").or_else(|| {
        let (_, pair) = question
            .rsplit_once(" out of ")
            .or_else(|| question.rsplit_once(" between "))?;
        pair.split_once(" and ")
    })?;
    let cut = before
        .rfind(", ")
        .map(|at| at + 2)
        .or_else(|| before.rfind(" out of ").map(|at| at + 8));
    let one = before[cut.unwrap_or(0)..].trim();
    let one = one.strip_prefix("out of ").unwrap_or(one);
    let other = other.trim().trim_end_matches([',', '?']);
    let other = other
        .split_once(',')
        .filter(|(_, rest)| rest.split(' ').count() > 4)
        .map_or(other, |(name, _)| name);
    (!one.is_empty() && !other.is_empty()).then_some((one, other))
}

/// Returns the property to compare by, and whether the smallest value is wanted.
fn comparison(question: &str) -> Option<(By, bool)> {
    let words = adjutant_text::words(question);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let by = if has(&["died", "death", "die"]) {
        By::Death
    } else if has(&["longer", "lived"]) && has(&["lived", "live", "life"]) {
        By::Lifespan
    } else if has(&["born", "birth", "older", "younger", "oldest", "youngest"]) {
        By::Birth
    } else {
        By::Year
    };
    if by == By::Lifespan {
        return Some((by, false));
    }
    if has(&["first", "earlier", "earliest", "older", "oldest", "before"]) {
        Some((by, true))
    } else if has(&[
        "later", "latest", "younger", "youngest", "recent", "recently", "last", "newer",
    ]) {
        Some((by, false))
    } else {
        None
    }
}

/// Answers whether two things are of the same country.
pub fn yes_or_no(view: &View<'_>, topic: &Topic) -> Option<Extracted> {
    let words = adjutant_text::words(view.question);
    let opens = super::wants_yes_or_no(&words);
    let same = words
        .iter()
        .any(|word| ["same", "both", "share"].contains(&word.as_str()));
    let country = words
        .iter()
        .any(|word| ["country", "nationality", "nation", "countries"].contains(&word.as_str()));
    if !(opens && same && country) {
        return None;
    }
    let mut found = Vec::new();
    for name in &topic.names {
        let Some(page) = page_of(view, name) else {
            continue;
        };
        let target = follow(view, page, topic)?;
        let beginning = adjutant_text::cut(target.text, BEGINNING_BYTES_MAX);
        let nations = nations(beginning);
        found.push((name, page, target, nations));
    }
    let [
        (one, page, target, first),
        (other, second_page, second_target, second),
    ] = found.as_slice()
    else {
        return None;
    };
    let (a, b) = (first.first()?, second.first()?);
    let alike = alike(a.country, b.country)?;
    let mut grounds = vec![ground(target, &a.word), ground(second_target, &b.word)];
    if target.page.address != page.page.address {
        grounds.push(ground(page, &target.page.title));
        grounds.push(ground(second_page, &second_target.page.title));
    }
    Some(Extracted {
        text: if alike { "Yes" } else { "No" }.to_owned(),
        because: format!("{one}: {}; {other}: {}.", a.word, b.word),
        grounds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        assert_eq!(
            options("Which film came out first, Harlem Nights or The Wall?"),
            Some(("Harlem Nights", "The Wall"))
        );
        assert_eq!(
            options("Who was born first out of Heng Pov and Rajesh Bhola?"),
            Some(("Heng Pov", "Rajesh Bhola"))
        );
        assert_eq!(options("Who wrote it?"), None);
    }
}
