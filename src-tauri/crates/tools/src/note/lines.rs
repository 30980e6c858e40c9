//! Edits the lines of a list: finds an entry by its words, ticks it off, removes it.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::outcome::Stop;
use adjutant_text::{all_words, same};

use crate::words;

/// Marks that begin the entries of a list.
const MARKS: &[&str] = &["- [ ] ", "- [x] ", "- [X] ", "- ", "* ", "• "];

/// An edit of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Removes it.
    Remove,
    /// Marks it as done.
    Check,
    /// Marks it as open.
    Uncheck,
}

/// Returns the text with each of the entries edited.
///
/// # Errors
/// Returns a fault if an entry is missing, or if it could be one of several lines.
pub(super) fn edited(
    body: &str,
    title: &str,
    entries: &[String],
    edit: Edit,
) -> Result<String, Stop> {
    entries.iter().try_fold(body.to_owned(), |body, entry| {
        one(&body, title, entry.trim(), edit)
    })
}

fn one(body: &str, title: &str, entry: &str, edit: Edit) -> Result<String, Stop> {
    let lines: Vec<&str> = body.lines().collect();
    let at = found(&lines, title, entry)?;
    if let (Edit::Remove, Some(shorter)) = (edit, out_of_a_row(lines[at], entry)) {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines[at] = shorter;
        return Ok(lines.join("\n"));
    }
    let (space, mark, text) = parts(lines[at]);
    let changed = match edit {
        Edit::Remove => None,
        _ if mark.is_empty() => {
            return Err(ToolFault::BadArguments {
                reason: format!(
                    "{} is not a list, so there is nothing to tick off.",
                    words::quoted(title)
                ),
            }
            .into());
        }
        Edit::Check => Some(format!("{space}- [x] {text}")),
        Edit::Uncheck => Some(format!("{space}- [ ] {text}")),
    };
    let kept = lines.iter().enumerate().filter_map(|(number, line)| {
        if number == at {
            changed.clone()
        } else {
            Some((*line).to_owned())
        }
    });
    Ok(kept.collect::<Vec<_>>().join("\n"))
}

/// Returns the line of an entry: the one with exactly that text, else the only one that contains its words.
fn found(lines: &[&str], title: &str, entry: &str) -> Result<usize, Stop> {
    let fitting = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let lines = lines.iter().enumerate();
        lines
            .filter(|(_, line)| fits(parts(line).2))
            .map(|(at, _)| at)
            .collect()
    };
    let whole = fitting(&|text| same(text, entry));
    let held = match whole.is_empty() {
        true => fitting(&|text| all_words(entry, text)),
        false => whole,
    };
    match held.as_slice() {
        [] => Err(ToolFault::NotFound {
            what: format!(
                "There is no {} in the note {}.",
                words::quoted(entry),
                words::quoted(title)
            ),
        }
        .into()),
        [first, rest @ ..] if rest.iter().all(|at| lines[*at] == lines[*first]) => Ok(*first),
        several => {
            let several = several.iter().map(|at| words::quoted(parts(lines[*at]).2));
            Err(ToolFault::BadArguments {
                reason: format!(
                    "{} may be {}. Say which one.",
                    words::quoted(entry),
                    several.collect::<Vec<_>>().join(" or ")
                ),
            }
            .into())
        }
    }
}

/// Splits a line into the space before it, its mark and its text.
fn parts(line: &str) -> (&str, &str, &str) {
    let bare = line.trim_start();
    let space = &line[..line.len() - bare.len()];
    let mark = MARKS.iter().find(|mark| bare.starts_with(**mark));
    let mark = &bare[..mark.map_or(0, |mark| mark.len())];
    (space, mark, bare[mark.len()..].trim())
}

/// Returns a line whose entries are separated by commas without one of them; `None` if it is not such a line.
fn out_of_a_row(line: &str, entry: &str) -> Option<String> {
    let (space, mark, text) = parts(line);
    let (row, stop) = match text.strip_suffix('.') {
        Some(row) => (row, "."),
        None => (text, ""),
    };
    let entries: Vec<&str> = row.split(", ").collect();
    let gone: Vec<usize> = (0..entries.len())
        .filter(|at| same(entries[*at], entry))
        .collect();
    let [gone] = gone.as_slice() else { return None };
    if entries.len() < 2 {
        return None;
    }
    let kept = entries.iter().enumerate().filter(|(at, _)| at != gone);
    let kept: Vec<&str> = kept.map(|(_, entry)| *entry).collect();
    Some(format!("{space}{mark}{}{stop}", kept.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(body: &str, entry: &str, edit: Edit) -> Option<String> {
        edited(body, "List", &[entry.to_owned()], edit).ok()
    }

    #[test]
    fn an_entry_is_found_by_its_words_and_only_where_it_is_clear_which() {
        let list = "# Food\n- milk\n- [ ] oat milk\n- tomatoes\n";
        assert_eq!(
            after(list, "Tomato", Edit::Remove).as_deref(),
            Some("# Food\n- milk\n- [ ] oat milk")
        );
        assert_eq!(
            after(list, "milk", Edit::Remove).as_deref(),
            Some("# Food\n- [ ] oat milk\n- tomatoes")
        );
        assert_eq!(after("- oat milk\n- rice milk", "milk", Edit::Remove), None);
        assert_eq!(after(list, "bread", Edit::Remove), None);
        assert_eq!(after("", "bread", Edit::Check), None);
    }

    #[test]
    fn an_entry_is_ticked_off_and_on() {
        assert_eq!(
            after("- milk\n- tea", "tea", Edit::Check).as_deref(),
            Some("- milk\n- [x] tea")
        );
        assert_eq!(
            after("  - [x] tea", "tea", Edit::Uncheck).as_deref(),
            Some("  - [ ] tea")
        );
        assert_eq!(after("tea", "tea", Edit::Check), None, "that is no list");
    }

    #[test]
    fn a_row_of_entries_loses_one() {
        let row = "Emma, Dune, Ulysses.";
        assert_eq!(
            after(row, "dune", Edit::Remove).as_deref(),
            Some("Emma, Ulysses.")
        );
        assert_eq!(
            after("Emma, Dune or Emma", "emma", Edit::Remove).as_deref(),
            Some("Dune or Emma")
        );
    }
}
