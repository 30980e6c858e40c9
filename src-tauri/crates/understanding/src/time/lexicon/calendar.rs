//! Months, weekdays, units, parts of the day and near days.

use super::{DayPart, LexicalEntry, RelativeDay, RelativePosition, Unit, entry};
use std::collections::HashMap;

const MONTHS: &[(u8, &[&str])] = &[
    (1, &["january", "jan"]),
    (2, &["february", "feb", "febr"]),
    (3, &["march", "mar"]),
    (4, &["april", "apr"]),
    (5, &["may"]),
    (6, &["june", "jun"]),
    (7, &["july", "jul"]),
    (8, &["august", "aug"]),
    (9, &["september", "sept", "sep"]),
    (10, &["october", "oct"]),
    (11, &["november", "nov"]),
    (12, &["december", "dec"]),
];

/// Weekdays with their plurals; only full names have a plural.
const WEEKDAYS: &[(u8, &[&str], &[&str])] = &[
    (1, &["monday", "mon"], &["mondays"]),
    (2, &["tuesday", "tues", "tue"], &["tuesdays"]),
    (3, &["wednesday", "wed", "weds", "wednes"], &["wednesdays"]),
    (4, &["thursday", "thurs", "thur", "thu"], &["thursdays"]),
    (5, &["friday", "fri"], &["fridays"]),
    (6, &["saturday", "sat"], &["saturdays"]),
    (7, &["sunday", "sun"], &["sundays"]),
];

const UNITS: &[(Unit, &[&str], &[&str])] = &[
    (Unit::Second, &["second", "sec", "s"], &["seconds", "secs"]),
    (
        Unit::Minute,
        &["minute", "min", "mn", "minuet"],
        &["minutes", "mins"],
    ),
    (Unit::Hour, &["hour", "hr", "h"], &["hours", "hrs"]),
    (Unit::Day, &["day", "d"], &["days", "nights"]),
    (
        Unit::WorkDay,
        &["weekday", "workday"],
        &["weekdays", "workdays"],
    ),
    (Unit::Weekend, &["weekend", "wkend"], &["weekends"]),
    (
        Unit::Week,
        &["week", "wk", "w", "workweek"],
        &["weeks", "wks"],
    ),
    (Unit::Fortnight, &["fortnight"], &["fortnights"]),
    (
        Unit::Month,
        &["month", "mo", "mth"],
        &["months", "mos", "mths"],
    ),
    (Unit::Quarter, &["quarter", "qtr"], &["quarters", "qtrs"]),
    (Unit::Year, &["year", "yr", "y"], &["years", "yrs"]),
    (Unit::Decade, &["decade"], &["decades"]),
    (Unit::Century, &["century"], &["centuries"]),
];

const PARTS: &[(DayPart, &[&str])] = &[
    (
        DayPart::Morning,
        &["morning", "mornings", "morn", "forenoon"],
    ),
    (DayPart::Lunch, &["lunch", "lunchtime"]),
    (DayPart::Afternoon, &["afternoon", "afternoons", "arvo"]),
    (DayPart::Evening, &["evening", "evenings", "eve"]),
    (DayPart::Night, &["night", "nights", "nite", "overnight"]),
];

const NEAR: &[(RelativeDay, &[&str])] = &[
    (RelativeDay::Now, &["now"]),
    (RelativeDay::Today, &["today", "tday", "tody"]),
    (RelativeDay::Tonight, &["tonight", "tonite"]),
    (
        RelativeDay::Tomorrow,
        &[
            "tomorrow",
            "tmrw",
            "tmr",
            "tmw",
            "tmrrw",
            "tomorow",
            "tommorow",
            "tommorrow",
            "tomrow",
            "tomorrw",
        ],
    ),
    (RelativeDay::Yesterday, &["yesterday", "yday"]),
];

const WHICH: &[(RelativePosition, &[&str])] = &[
    (RelativePosition::This, &["this", "current", "present"]),
    (
        RelativePosition::Next,
        &["next", "coming", "upcoming", "following", "nxt"],
    ),
    (
        RelativePosition::Last,
        &["last", "past", "previous", "prev", "preceding"],
    ),
];

/// Words that are also ordinary words or names of people.
const SHY: &[&str] = &[
    "may", "march", "mar", "april", "june", "august", "jan", "sun", "sat", "mon", "wed", "weds",
    "fri", "thu", "tue", "dec", "eve", "lunch", "nov", "jun", "jul", "apr", "aug", "sep", "oct",
];

/// Adds the tables of this file to `words`.
pub(super) fn fill(words: &mut HashMap<&'static str, LexicalEntry>) {
    for (month, names) in MONTHS {
        for name in *names {
            entry(words, name).month = *month;
        }
    }
    for (weekday, singular, plural) in WEEKDAYS {
        for name in *singular {
            entry(words, name).weekday = *weekday;
        }
        for name in *plural {
            let lex = entry(words, name);
            (lex.weekday, lex.plural) = (*weekday, true);
        }
    }
    for (unit, singular, plural) in UNITS {
        for name in *singular {
            entry(words, name).unit = Some(*unit);
        }
        for name in *plural {
            let lex = entry(words, name);
            (lex.unit, lex.plural) = (Some(*unit), true);
        }
    }
    for (part, names) in PARTS {
        for name in *names {
            entry(words, name).part = Some(*part);
        }
    }
    for (near, names) in NEAR {
        for name in *names {
            entry(words, name).near = Some(*near);
        }
    }
    for (which, names) in WHICH {
        for name in *names {
            entry(words, name).which = Some(*which);
        }
    }
    for name in SHY {
        entry(words, name).shy = true;
    }
}
