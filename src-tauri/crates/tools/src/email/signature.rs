//! Adds the signature to a mail.

/// Line between a text and its signature (RFC 3676).
const SIGNATURE_MARK: &str = "-- ";
/// First line of a forwarded mail, below the note.
pub(super) const FORWARDED: &str = "---------- Forwarded message ----------";

/// Returns a text with the signature after the person's words and before quoted or forwarded text. A text with a
/// signature stays as it is.
pub(super) fn signed(body: &str, signature: &str) -> String {
    let lines: Vec<&str> = body.lines().collect();
    let (own, others) = lines.split_at(others_from(&lines));
    if own
        .iter()
        .any(|line| line.trim_end() == SIGNATURE_MARK.trim_end())
    {
        return body.to_owned();
    }
    let own = own.join("\n");
    let mut text = format!("{}\n\n{SIGNATURE_MARK}\n{signature}", own.trim_end());
    if !others.is_empty() {
        text.push_str("\n\n");
        text.push_str(&others.join("\n"));
    }
    text
}

/// Returns the line where foreign text begins: a forwarded mail, or a quotation that extends to the end, with the line
/// that introduces it.
fn others_from(lines: &[&str]) -> usize {
    if let Some(at) = lines.iter().position(|line| *line == FORWARDED) {
        return at;
    }
    let is_own = |line: &&str| !line.starts_with('>') && !line.trim().is_empty();
    let last_own = lines.iter().rposition(is_own);
    let quoted = last_own.map_or(0, |at| at + 1);
    if lines[quoted..].iter().all(|line| line.trim().is_empty()) {
        return lines.len();
    }
    match last_own {
        Some(at) if lines[at].trim_end().ends_with(':') => at,
        _ => quoted,
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn a_signature_stands_below_what_was_written_and_above_the_words_of_others() {
        for (body, expected) in [
            ("Yes.\n", "Yes.\n\n-- \nKim\nHome Ltd"),
            (
                "Yes.\n\nOn Monday, Bob wrote:\n> Lunch?\n>\n> Bob\n",
                "Yes.\n\n-- \nKim\nHome Ltd\n\nOn Monday, Bob wrote:\n> Lunch?\n>\n> Bob",
            ),
            // What stands below a quotation was written by the person.
            ("> Lunch?\nYes.", "> Lunch?\nYes.\n\n-- \nKim\nHome Ltd"),
            (
                "See below.\n\n---------- Forwarded message ----------\nFrom: Bob\n\nLunch?",
                "See below.\n\n-- \nKim\nHome Ltd\n\n---------- Forwarded message ----------\nFrom: Bob\n\nLunch?",
            ),
            // It has one, also where a mail mechanism took the space away.
            ("Yes.\n\n--\nMe", "Yes.\n\n--\nMe"),
            ("Yes.\n\n-- \nMe\n\n> Lunch?", "Yes.\n\n-- \nMe\n\n> Lunch?"),
        ] {
            assert_eq!(signed(body, "Kim\nHome Ltd"), expected);
        }
    }
}
