//! Rows as aligned columns that fit the terminal.

use comfy_table::{ColumnConstraint, ContentArrangement, Row, Table, Width, presets};

use super::one_line;

/// Columns of a terminal nobody knows the width of: of a pipe, for example.
const WIDTH_DEFAULT: u16 = 80;
/// The narrowest a column becomes that gives way to the others.
const NARROW: u16 = 8;

/// One column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) fit: Fit,
}

/// What becomes of a column where the terminal is too narrow for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It stays whole: identifiers, times, words that are typed again.
    Whole,
    /// It is cut, with an ellipsis.
    Cut,
}

/// Rows under the names of their columns, a line each. Columns in which no row says anything are left out.
pub(crate) fn table(columns: &[Column], rows: &[Vec<String>]) -> String {
    let said: Vec<usize> = (0..columns.len())
        .filter(|&column| rows.iter().any(|row| !row[column].trim().is_empty()))
        .collect();
    let line = |cells: Vec<String>| {
        let mut line = Row::from(cells);
        line.max_height(1);
        line
    };
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_truncation_indicator("…")
        .set_width(width().saturating_add(2));
    table.set_header(line(
        said.iter().map(|&at| columns[at].name.to_owned()).collect(),
    ));
    for row in rows {
        table.add_row(line(said.iter().map(|&at| one_line(&row[at])).collect()));
    }
    for (&at, column) in said.iter().zip(table.column_iter_mut()) {
        column.set_padding((0, 2));
        column.set_constraint(match columns[at].fit {
            Fit::Whole => ColumnConstraint::ContentWidth,
            Fit::Cut => ColumnConstraint::LowerBoundary(Width::Fixed(NARROW)),
        });
    }
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// Columns of the terminal that standard output goes to; else of `COLUMNS`, else 80.
#[expect(
    clippy::disallowed_methods,
    reason = "COLUMNS is of the terminal, not a setting of ours"
)]
fn width() -> u16 {
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal_size::terminal_size_of(std::io::stdout())
        .map(|(terminal_size::Width(columns), _)| columns)
        .or_else(asked)
        .filter(|&columns| columns > 0)
        .unwrap_or(WIDTH_DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> [Column; 3] {
        let column = |name, fit| Column { name, fit };
        [
            column("id", Fit::Whole),
            column("tags", Fit::Cut),
            column("title", Fit::Cut),
        ]
    }

    #[test]
    fn identifiers_stay_whole_and_long_text_is_cut() {
        let rows = [
            vec![
                "note_0123456789ab".into(),
                String::new(),
                "Long ".repeat(60),
            ],
            vec!["note_x".into(), " ".into(), "你好\nthere\x1b[2J".into()],
        ];
        let shown = table(&columns(), &rows);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 3, "{shown}");
        assert_eq!(lines[0], "id                 title");
        assert!(lines[1].starts_with("note_0123456789ab  Long"), "{shown}");
        assert!(
            lines[1].ends_with('…') && lines[1].chars().count() <= 80,
            "{shown}"
        );
        assert_eq!(lines[2], "note_x             你好 there⟨U+001B⟩[2J");
    }
}
