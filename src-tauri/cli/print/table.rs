//! Prints rows as aligned columns that fit the terminal.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::one_line;

/// Width used if the terminal's is unknown, for example in a pipe.
const WIDTH_DEFAULT: usize = 80;
/// Width above which a column shrinks first.
const WIDE: usize = 48;
/// Minimum width of a column that shrinks.
const NARROW: usize = 8;
/// Space between two columns.
const GAP: &str = "  ";

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) fit: Fit,
}

/// How a column adapts to a narrow terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Stays whole: ids, times, and words to be typed again.
    Whole,
    /// Cut with an ellipsis, after all [`Fit::Spare`] columns.
    Cut,
    /// Cut first, and left out if there is no room.
    Spare,
}

/// Returns a table with a header and one line per row. Leaves out columns that are empty in every row.
pub(crate) fn table(columns: &[Column], rows: &[Vec<String>]) -> String {
    lay_out(columns, rows, width())
}

fn lay_out(columns: &[Column], rows: &[Vec<String>], width: usize) -> String {
    let mut lines = vec![
        columns
            .iter()
            .map(|column| column.name.to_owned())
            .collect(),
    ];
    lines.extend(
        rows.iter()
            .map(|row| row.iter().map(|cell| one_line(cell)).collect()),
    );
    let lines: Vec<Vec<String>> = lines;
    let wanted: Vec<usize> = (0..columns.len())
        .map(
            |at| match lines[1..].iter().map(|line| line[at].width()).max() {
                None | Some(0) => 0,
                Some(widest) => widest.max(columns[at].name.width()),
            },
        )
        .collect();
    let widths = fit(columns, &wanted, width);
    let laid = lines.iter().map(|line| {
        let cells = line.iter().zip(&widths).filter(|(_, width)| **width > 0);
        let cells: Vec<String> = cells.map(|(text, &width)| cell(text, width)).collect();
        cells.join(GAP).trim_end().to_owned()
    });
    laid.collect::<Vec<_>>().join("\n")
}

/// Returns the widths of the columns, which fill at most `width` including gaps; 0 leaves a column out.
fn fit(columns: &[Column], wanted: &[usize], width: usize) -> Vec<usize> {
    let over = |widths: &[usize]| {
        let shown = widths.iter().filter(|&&width| width > 0).count();
        let gaps = GAP.len() * shown.saturating_sub(1);
        (widths.iter().sum::<usize>() + gaps).saturating_sub(width)
    };
    let mut widths: Vec<usize> = wanted.iter().map(|&wanted| wanted.min(width)).collect();
    let mut least: Vec<usize> = widths
        .iter()
        .zip(columns)
        .map(|(&width, column)| match column.fit {
            Fit::Whole => width,
            Fit::Cut | Fit::Spare => width.min(NARROW),
        })
        .collect();
    for at in (0..columns.len()).rev() {
        if columns[at].fit == Fit::Spare && over(&least) > 0 {
            (widths[at], least[at]) = (0, 0);
        }
    }
    // First shrink wide columns, then the spare ones, then the others.
    for (kind, down_to) in [
        (None, WIDE),
        (Some(Fit::Spare), NARROW),
        (Some(Fit::Cut), NARROW),
    ] {
        while over(&widths) > 0 {
            let widest = (0..columns.len())
                .filter(|&at| kind.is_none_or(|kind| columns[at].fit == kind))
                .filter(|&at| widths[at] > least[at].max(down_to))
                .max_by_key(|&at| widths[at]);
            let Some(widest) = widest else { break };
            widths[widest] -= 1;
        }
    }
    widths
}

/// Returns a text padded or cut with an ellipsis to a width.
fn cell(text: &str, width: usize) -> String {
    if text.width() <= width {
        return format!("{text}{}", " ".repeat(width - text.width()));
    }
    let (mut out, mut used) = (String::new(), 0);
    for char in text.chars() {
        used += char.width().unwrap_or(0);
        if used >= width {
            break;
        }
        out.push(char);
    }
    out.push('…');
    format!("{out}{}", " ".repeat(width.saturating_sub(out.width())))
}

/// Returns the width of the terminal on standard output, otherwise that of `COLUMNS`, otherwise 80.
#[expect(
    clippy::disallowed_methods,
    reason = "COLUMNS is of the terminal, not a setting of ours"
)]
fn width() -> usize {
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal_size::terminal_size_of(std::io::stdout())
        .map(|(terminal_size::Width(columns), _)| usize::from(columns))
        .or_else(asked)
        .filter(|&columns| columns > 0)
        .unwrap_or(WIDTH_DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 4] = [
        Column {
            name: "id",
            fit: Fit::Whole,
        },
        Column {
            name: "tags",
            fit: Fit::Cut,
        },
        Column {
            name: "title",
            fit: Fit::Cut,
        },
        Column {
            name: "place",
            fit: Fit::Spare,
        },
    ];

    fn row(id: &str, title: &str, place: &str) -> Vec<String> {
        [id, " ", title, place].map(str::to_owned).to_vec()
    }

    #[test]
    fn what_is_worth_most_stays_longest() {
        let rows = [
            row("note_0123456789ab", &"Long ".repeat(60), "Somewhere"),
            row("note_x", "你好\nthere\x1b[2J", ""),
        ];
        for (width, head, first) in [
            (
                40,
                "id                 title        place",
                "note_0123456789ab  Long Long …  Somewhe…",
            ),
            (
                30,
                "id                 title",
                "note_0123456789ab  Long Long …",
            ),
        ] {
            let shown = lay_out(&COLUMNS, &rows, width);
            let lines: Vec<&str> = shown.lines().collect();
            assert_eq!((lines.len(), lines[0], lines[1]), (3, head, first));
            assert!(lines.iter().all(|line| line.width() <= width), "{shown}");
        }
        let whole = lay_out(&COLUMNS, &rows, 400);
        assert!(
            whole.contains("你好 there⟨U+001B⟩[2J") && !whole.contains('…'),
            "{whole}"
        );
        assert!(!whole.contains("tags"), "nobody has any: {whole}");
    }

    #[test]
    fn wide_letters_count_twice() {
        assert_eq!(cell("你好吗", 5), "你好…");
        assert_eq!(cell("你好吗", 4), "你… ");
        assert_eq!(cell("abc", 5), "abc  ");
    }
}
