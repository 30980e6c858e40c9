//! Holidays: their names, spellings and dates.

use super::calendar::{add_days, make, on_or_after, on_or_before};
use jiff::civil::Date;

/// How to find the date of a holiday in a year.
#[derive(Debug, Clone, Copy)]
pub(super) enum HolidayRule {
    /// Month and day.
    Fixed(u8, u8),
    /// Month, weekday (Monday 1) and which one; -1 is the last.
    Nth(u8, u8, i8),
    /// Month, weekday, which one, and the days after it.
    AfterNth(u8, u8, i8, i8),
    /// Days after Easter Sunday; negative before it.
    Easter(i16),
}

/// A holiday: its name, its spellings (lower case, without possessive marks) and its rule.
pub(super) struct Holiday {
    pub name: &'static str,
    pub said: &'static [&'static str],
    pub rule: HolidayRule,
}

const fn holiday(name: &'static str, said: &'static [&'static str], rule: HolidayRule) -> Holiday {
    Holiday { name, said, rule }
}

/// All known holidays. If one spelling begins another, the longest match wins.
pub(super) static HOLIDAYS: &[Holiday] = &[
    holiday(
        "New Year's Eve",
        &["new year eve", "new years eve", "nye", "silvester"],
        HolidayRule::Fixed(12, 31),
    ),
    holiday(
        "New Year's Day",
        &[
            "new year day",
            "new years day",
            "new year",
            "new years",
            "newyear",
        ],
        HolidayRule::Fixed(1, 1),
    ),
    holiday(
        "Martin Luther King Day",
        &[
            "martin luther king day",
            "martin luther king jr day",
            "mlk day",
            "civil rights day",
        ],
        HolidayRule::Nth(1, 1, 3),
    ),
    holiday(
        "Groundhog Day",
        &["groundhog day", "groundhogs day"],
        HolidayRule::Fixed(2, 2),
    ),
    holiday(
        "Valentine's Day",
        &[
            "valentine day",
            "valentines day",
            "valentine",
            "valentines",
            "vday",
        ],
        HolidayRule::Fixed(2, 14),
    ),
    holiday(
        "Presidents' Day",
        &["president day", "presidents day", "washington birthday"],
        HolidayRule::Nth(2, 1, 3),
    ),
    holiday(
        "International Women's Day",
        &["women day", "womens day", "international women day"],
        HolidayRule::Fixed(3, 8),
    ),
    holiday("Pi Day", &["pi day"], HolidayRule::Fixed(3, 14)),
    holiday(
        "St. Patrick's Day",
        &[
            "st patrick day",
            "st patricks day",
            "saint patrick day",
            "saint patricks day",
            "st paddy day",
            "st patty day",
            "patrick day",
        ],
        HolidayRule::Fixed(3, 17),
    ),
    holiday(
        "April Fools' Day",
        &["april fool day", "april fools day", "april fools"],
        HolidayRule::Fixed(4, 1),
    ),
    holiday("Earth Day", &["earth day"], HolidayRule::Fixed(4, 22)),
    holiday("May Day", &["may day"], HolidayRule::Fixed(5, 1)),
    holiday(
        "Star Wars Day",
        &["star wars day"],
        HolidayRule::Fixed(5, 4),
    ),
    holiday(
        "Cinco de Mayo",
        &["cinco de mayo"],
        HolidayRule::Fixed(5, 5),
    ),
    holiday(
        "Mother's Day",
        &["mother day", "mothers day"],
        HolidayRule::Nth(5, 7, 2),
    ),
    holiday(
        "Memorial Day",
        &["memorial day", "decoration day"],
        HolidayRule::Nth(5, 1, -1),
    ),
    holiday("Flag Day", &["flag day"], HolidayRule::Fixed(6, 14)),
    holiday(
        "Juneteenth",
        &["juneteenth", "freedom day", "jubilee day"],
        HolidayRule::Fixed(6, 19),
    ),
    holiday(
        "Father's Day",
        &["father day", "fathers day"],
        HolidayRule::Nth(6, 7, 3),
    ),
    holiday("Canada Day", &["canada day"], HolidayRule::Fixed(7, 1)),
    holiday(
        "Independence Day",
        &["independence day", "us independence day"],
        HolidayRule::Fixed(7, 4),
    ),
    holiday("Bastille Day", &["bastille day"], HolidayRule::Fixed(7, 14)),
    holiday(
        "Labor Day",
        &["labor day", "labour day"],
        HolidayRule::Nth(9, 1, 1),
    ),
    holiday(
        "Columbus Day",
        &[
            "columbus day",
            "indigenous peoples day",
            "indigenous people day",
        ],
        HolidayRule::Nth(10, 1, 2),
    ),
    holiday(
        "Boss's Day",
        &["boss day", "bosses day"],
        HolidayRule::Fixed(10, 16),
    ),
    holiday(
        "Halloween",
        &[
            "halloween",
            "halloween day",
            "hallowe'en",
            "all hallows eve",
        ],
        HolidayRule::Fixed(10, 31),
    ),
    holiday(
        "All Saints' Day",
        &["all saint day", "all saints day"],
        HolidayRule::Fixed(11, 1),
    ),
    holiday(
        "All Souls' Day",
        &["all soul day", "all souls day"],
        HolidayRule::Fixed(11, 2),
    ),
    holiday(
        "Guy Fawkes Night",
        &["guy fawkes day", "guy fawkes night", "bonfire night"],
        HolidayRule::Fixed(11, 5),
    ),
    holiday(
        "Veterans Day",
        &[
            "veteran day",
            "veterans day",
            "armistice day",
            "remembrance day",
        ],
        HolidayRule::Fixed(11, 11),
    ),
    holiday(
        "Thanksgiving",
        &[
            "thanksgiving day",
            "thanksgiving",
            "thanks giving",
            "turkey day",
        ],
        HolidayRule::Nth(11, 4, 4),
    ),
    holiday(
        "Black Friday",
        &["black friday"],
        HolidayRule::AfterNth(11, 4, 4, 1),
    ),
    holiday(
        "Cyber Monday",
        &["cyber monday"],
        HolidayRule::AfterNth(11, 4, 4, 4),
    ),
    holiday(
        "Giving Tuesday",
        &["giving tuesday"],
        HolidayRule::AfterNth(11, 4, 4, 5),
    ),
    holiday(
        "Christmas Eve",
        &["christmas eve", "xmas eve"],
        HolidayRule::Fixed(12, 24),
    ),
    holiday(
        "Christmas",
        &["christmas day", "christmas", "xmas day", "xmas"],
        HolidayRule::Fixed(12, 25),
    ),
    holiday(
        "Boxing Day",
        &["boxing day", "st stephen day"],
        HolidayRule::Fixed(12, 26),
    ),
    holiday("Kwanzaa", &["kwanzaa"], HolidayRule::Fixed(12, 26)),
    holiday(
        "Epiphany",
        &["epiphany", "three kings day"],
        HolidayRule::Fixed(1, 6),
    ),
    holiday(
        "Shrove Tuesday",
        &[
            "shrove tuesday",
            "mardi gras",
            "pancake day",
            "pancake tuesday",
            "fat tuesday",
        ],
        HolidayRule::Easter(-47),
    ),
    holiday(
        "Ash Wednesday",
        &["ash wednesday"],
        HolidayRule::Easter(-46),
    ),
    holiday("Palm Sunday", &["palm sunday"], HolidayRule::Easter(-7)),
    holiday(
        "Maundy Thursday",
        &["maundy thursday", "holy thursday"],
        HolidayRule::Easter(-3),
    ),
    holiday("Good Friday", &["good friday"], HolidayRule::Easter(-2)),
    holiday(
        "Easter Saturday",
        &["easter saturday", "holy saturday"],
        HolidayRule::Easter(-1),
    ),
    holiday(
        "Easter",
        &["easter sunday", "easter day", "easter"],
        HolidayRule::Easter(0),
    ),
    holiday("Easter Monday", &["easter monday"], HolidayRule::Easter(1)),
    holiday("Ascension Day", &["ascension day"], HolidayRule::Easter(39)),
    holiday(
        "Pentecost",
        &["pentecost", "whit sunday"],
        HolidayRule::Easter(49),
    ),
    holiday("Whit Monday", &["whit monday"], HolidayRule::Easter(50)),
    holiday(
        "Trinity Sunday",
        &["trinity sunday"],
        HolidayRule::Easter(56),
    ),
    holiday(
        "Corpus Christi",
        &["corpus christi"],
        HolidayRule::Easter(60),
    ),
];

/// Returns the date of a holiday in `year`.
pub(super) fn date_in(rule: HolidayRule, year: i16) -> Option<Date> {
    match rule {
        HolidayRule::Fixed(month, day) => make(year, month, day),
        HolidayRule::Nth(month, weekday, n) => nth_weekday(year, month, weekday, n),
        HolidayRule::AfterNth(month, weekday, n, days) => {
            add_days(nth_weekday(year, month, weekday, n)?, i64::from(days))
        }
        HolidayRule::Easter(days) => add_days(easter(year)?, i64::from(days)),
    }
}

fn nth_weekday(year: i16, month: u8, weekday: u8, n: i8) -> Option<Date> {
    if n < 0 {
        let last = make(year, month, 1)?.last_of_month();
        return add_days(on_or_before(last, weekday)?, 7 * (i64::from(n) + 1));
    }
    add_days(
        on_or_after(make(year, month, 1)?, weekday)?,
        7 * (i64::from(n) - 1),
    )
}

/// Returns Easter Sunday of the Gregorian calendar (the computation of Meeus, Jones and Butcher).
pub(super) fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let (d, e) = (b / 4, b % 4);
    let f = (b + 8) / 25;
    let g = (b - f + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let month = (h + l - 7 * m + 114) / 31;
    let day = (h + l - 7 * m + 114) % 31 + 1;
    make(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn easter_and_moving_days() {
        assert_eq!(easter(2024), Some(date(2024, 3, 31)));
        assert_eq!(easter(2025), Some(date(2025, 4, 20)));
        assert_eq!(easter(2026), Some(date(2026, 4, 5)));
        assert_eq!(
            date_in(HolidayRule::Nth(11, 4, 4), 2026),
            Some(date(2026, 11, 26))
        );
        assert_eq!(
            date_in(HolidayRule::Nth(5, 1, -1), 2026),
            Some(date(2026, 5, 25))
        );
        assert_eq!(
            date_in(HolidayRule::AfterNth(11, 4, 4, 1), 2026),
            Some(date(2026, 11, 27))
        );
    }
}
