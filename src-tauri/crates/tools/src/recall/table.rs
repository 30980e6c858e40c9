//! Adds up the amounts of a table: "what did I spend on travel in February?".

use adjutant_text::{says_nothing, stem, words};
use jiff::civil::Date;

/// Names of columns with amounts.
const AMOUNTS: &[&str] = &["amount", "total", "price", "cost", "sum", "paid", "value"];
/// Words of a question that name the whole table or ask for the sum.
const WHOLE: &str = "expense expenses spend spent spending cost costs total sum altogether pay paid amount amounts overall sheet \
    spreadsheet table list";

/// The rows of a table that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Added {
    /// The sum, with two decimals.
    pub(super) sum: String,
    /// The rows, as they are written.
    pub(super) rows: Vec<String>,
}

/// Adds up the rows of a comma-separated table that contain the words and lie in the range; words that `title` contains
/// name the table. Returns `None` if the text is no table with amounts, or if no row fits.
pub(super) fn added(
    text: &str,
    title: &str,
    asked: &str,
    range: (Option<Date>, Option<Date>),
) -> Option<Added> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let header = cells(lines.next()?);
    let is_amount = |name: &&str| AMOUNTS.contains(&name.to_lowercase().as_str());
    let amount = header.iter().rposition(|name| is_amount(&name.as_str()))?;
    let date = header
        .iter()
        .position(|name| name.eq_ignore_ascii_case("date"));
    if range != (None, None) && date.is_none() {
        return None;
    }
    let titled: Vec<String> = words(title).iter().map(|word| stem(word)).collect();
    let wanted: Vec<String> = words(asked)
        .iter()
        .filter(|word| {
            !says_nothing(word) && !WHOLE.split_whitespace().any(|one| one == word.as_str())
        })
        .map(|word| stem(word))
        .filter(|word| !titled.contains(word))
        .collect();
    let mut cents = 0_i64;
    let mut rows = Vec::new();
    for line in lines {
        let cells = cells(line);
        let value = hundredths(cells.get(amount)?)?;
        let day = date.and_then(|at| cells.get(at)?.parse::<Date>().ok());
        let (from, to) = range;
        let within = from.is_none_or(|from| day.is_some_and(|day| day >= from))
            && to.is_none_or(|to| day.is_some_and(|day| day < to));
        let held: Vec<String> = words(line).iter().map(|word| stem(word)).collect();
        if within && wanted.iter().all(|word| held.contains(word)) {
            cents = cents.checked_add(value)?;
            rows.push(cells.join(", "));
        }
    }
    let sign = if cents < 0 { "-" } else { "" };
    let (whole, rest) = (cents.abs() / 100, cents.abs() % 100);
    (!rows.is_empty()).then(|| Added {
        sum: format!("{sign}{whole}.{rest:02}"),
        rows,
    })
}

/// Returns the cells of a line; a quoted cell may contain commas.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(letter);
                }
            }
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Returns an amount in hundredths: `1,204.5`, `$38.00`.
fn hundredths(cell: &str) -> Option<i64> {
    let plain: String = cell
        .chars()
        .filter(|letter| letter.is_ascii_digit() || matches!(letter, '.' | '-'))
        .collect();
    let (sign, plain) = match plain.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, plain.as_str()),
    };
    let (whole, rest) = plain.split_once('.').unwrap_or((plain, ""));
    if rest.len() > 2 || whole.is_empty() {
        return None;
    }
    let rest: i64 = format!("{rest:0<2}").parse().ok()?;
    let whole: i64 = whole.parse().ok()?;
    whole.checked_mul(100)?.checked_add(rest)?.checked_mul(sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const TABLE: &str = "date,category,description,amount\n2026-01-04,travel,Bus,4.50\n2026-02-01,travel,\"Ferry, return\",60\n\
        2026-02-09,office,Paper,9.25\n";

    fn sum(asked: &str, range: (Option<Date>, Option<Date>)) -> Option<String> {
        added(TABLE, "expenses.csv", asked, range).map(|added| added.sum)
    }

    #[test]
    fn rows_are_added_up_by_words_and_days() {
        let february = (Some(date(2026, 2, 1)), Some(date(2026, 3, 1)));
        assert_eq!(
            sum("expenses total", (None, None)).as_deref(),
            Some("73.75")
        );
        assert_eq!(sum("expenses", february).as_deref(), Some("69.25"));
        assert_eq!(sum("spent travel", (None, None)).as_deref(), Some("64.50"));
        assert_eq!(sum("travel expenses", february).as_deref(), Some("60.00"));
        assert_eq!(sum("boats", february), None);
        assert_eq!(
            added("Just a text, with amount", "x", "x", (None, None)),
            None
        );
    }
}
