//! The words that the grammar knows, each with its possible meanings. The tables are in the files beside this one; to
//! add a word, add it there.

mod calendar;
mod numbers;
mod typos;
pub(super) mod zones;

use super::holidays::{HOLIDAYS, Holiday};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A unit of time, smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    /// A day that is not on the weekend.
    WorkDay,
    Weekend,
    Week,
    Fortnight,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
}

/// A named part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DayPart {
    Morning,
    Lunch,
    Afternoon,
    Evening,
    Night,
}

/// A day (or moment) named by its distance from now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelativeDay {
    Now,
    Today,
    Tonight,
    Tomorrow,
    Yesterday,
}

/// Which one of several: the word before a weekday, a month or a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelativePosition {
    This,
    Next,
    Last,
}

/// The possible meanings of a word. One word can mean several things ("second", "may", "sun"); the grammar picks one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LexicalEntry {
    /// 1 to 12, or 0 if it is no month.
    pub month: u8,
    /// Monday 1 to Sunday 7, or 0 if it is no weekday.
    pub weekday: u8,
    /// A weekday or unit in the plural ("Mondays").
    pub plural: bool,
    pub unit: Option<Unit>,
    /// The value of a number word below a hundred.
    pub number: Option<u8>,
    /// Factor of "hundred", "thousand" or "million", otherwise 0.
    pub scale: u32,
    /// Value of an ordinal word, otherwise 0.
    pub ordinal: u8,
    pub part: Option<DayPart>,
    pub near: Option<RelativeDay>,
    pub which: Option<RelativePosition>,
    /// Also an ordinary word or a name, so it is a time only together with other parts.
    pub shy: bool,
    /// Whether an expression can begin with it.
    pub starts: bool,
    /// Whether the word was corrected from a likely typing error.
    pub repaired: bool,
}

/// Words that an expression may begin with although they name no time by themselves.
const STARTERS: &[&str] = &[
    "the",
    "a",
    "an",
    "in",
    "at",
    "from",
    "between",
    "half",
    "end",
    "start",
    "beginning",
    "begin",
    "middle",
    "mid",
    "early",
    "late",
    "later",
    "earlier",
    "rest",
    "remainder",
    "couple",
    "few",
    "several",
    "some",
    "eod",
    "eow",
    "eom",
    "eoy",
    "cob",
    "right",
    "just",
    "noon",
    "noontime",
    "noonish",
    "midday",
    "midnight",
    "all",
    "every",
    "each",
    "daily",
    "nightly",
    "weekly",
    "biweekly",
    "fortnightly",
    "monthly",
    "bimonthly",
    "quarterly",
    "yearly",
    "annually",
    "annual",
    "hourly",
    "once",
    "twice",
    "thrice",
    "starting",
    "beginning",
    "until",
    "within",
    "during",
    "about",
    "around",
    "exactly",
    "approximately",
    "roughly",
    "penultimate",
    "final",
    "q",
    "business",
    "working",
    "sometime",
    "any",
    "everyday",
    "ytd",
    "mtd",
    "on",
    "for",
    "whole",
    "another",
    "semiannually",
    "biannually",
    "biennially",
    "nineties",
    "eighties",
    "seventies",
    "sixties",
    "fifties",
    "fortnight",
    "bi",
    "over",
    "less",
    "more",
    "evenings",
    "close",
    "alternate",
    "alternating",
    "semi",
    "as",
    "since",
    "by",
    "only",
    "high",
    "nextweek",
    "thisweek",
    "lastweek",
    "nextmonth",
    "lastmonth",
    "my",
    "after",
    "closest",
    "nearest",
    "full",
    "entire",
];

/// Seasons of the northern hemisphere, with the month and day on which they begin.
pub(super) const SEASONS: &[(&str, u8, u8)] = &[
    ("spring", 3, 20),
    ("summer", 6, 21),
    ("fall", 9, 23),
    ("autumn", 9, 23),
    ("winter", 12, 21),
];

static WORDS: LazyLock<HashMap<&'static str, LexicalEntry>> = LazyLock::new(|| {
    let mut words = HashMap::with_capacity(512);
    calendar::fill(&mut words);
    numbers::fill(&mut words);
    for lex in words.values_mut() {
        lex.starts = true;
    }
    let seasons = SEASONS.iter().map(|s| s.0);
    for word in STARTERS
        .iter()
        .copied()
        .chain(seasons)
        .chain(HOLIDAY_WORDS.keys().copied())
    {
        entry(&mut words, word).starts = true;
    }
    words
});

/// Returns what is known of `word` (lower case), corrected if it is a likely typing error. Returns an empty entry for
/// any other word.
pub(super) fn look_up(word: &str) -> LexicalEntry {
    if let Some(known) = WORDS.get(word) {
        return *known;
    }
    match typos::repair(word).and_then(|right| WORDS.get(right)) {
        Some(known) => LexicalEntry {
            repaired: true,
            ..*known
        },
        None => LexicalEntry::default(),
    }
}

/// Returns the table entry of a word, to fill in.
fn entry<'m>(
    words: &'m mut HashMap<&'static str, LexicalEntry>,
    word: &'static str,
) -> &'m mut LexicalEntry {
    words.entry(word).or_default()
}

/// Returns the spellings of holidays whose first word is `first`.
pub(super) fn holiday_at(first: &str) -> &'static [(&'static str, &'static Holiday)] {
    HOLIDAY_WORDS.get(first).map_or(&[], Vec::as_slice)
}

type Spellings = HashMap<&'static str, Vec<(&'static str, &'static Holiday)>>;

static HOLIDAY_WORDS: LazyLock<Spellings> = LazyLock::new(|| {
    let mut words = Spellings::new();
    for holiday in HOLIDAYS {
        for said in holiday.said {
            let first = said.split(' ').next().unwrap_or(said);
            words.entry(first).or_default().push((said, holiday));
        }
    }
    words
});
