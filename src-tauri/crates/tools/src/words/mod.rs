//! The wording of dates, lengths, numbers and lists (DESIGN, "Words"): short, the fact first, a weekday with every
//! date.

mod when;

pub use adjutant_domain::outcome::LINES_MAX;
use adjutant_domain::outcome::lines_shown;
use adjutant_domain::plan::Choice;
use adjutant_domain::record::{Contact, Kind};
use serde_json::json;

pub use when::{
    clock, day, day_heading, duration, instant, moment, range, repeats, short_date, zoned,
};

/// Maximum characters of a title or subject inside a sentence.
pub const INLINE_CHARS_MAX: usize = 120;

/// Returns a count with its noun: `1 mail`, `3 mails`. Only for nouns with a regular plural.
#[must_use]
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {}", nouns(count, noun))
}

/// Returns the noun for `count` things, in the singular or plural.
#[must_use]
pub fn nouns(count: usize, noun: &str) -> String {
    if count == 1 {
        return noun.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

/// Joins parts: `A`, `A and B`, `A, B and C`.
#[must_use]
pub fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Like [`join`], but names at most `max` parts.
#[must_use]
pub fn join_some(parts: &[String], max: usize) -> String {
    if parts.len() <= max {
        return join(parts);
    }
    let rest = parts.len() - max;
    format!("{} and {rest} more", parts[..max].join(", "))
}

/// Returns Markdown bullets, at most [`LINES_MAX`], then how many more of `total` there are.
#[must_use]
pub fn bullets(lines: &[String], total: usize) -> String {
    let shown = lines.len().min(LINES_MAX);
    let mut out: Vec<String> = lines[..shown]
        .iter()
        .map(|line| format!("- {line}"))
        .collect();
    if total > shown {
        out.push(format!("\nand {} more", total - shown));
    }
    out.join("\n")
}

/// Returns what was done as a sentence, with the things it was done to if there are several.
#[must_use]
pub fn done(what: &str, lines: &[String]) -> String {
    match lines {
        [_] => format!("{what}."),
        many => format!("{what}.\n\n{}", bullets(many, many.len())),
    }
}

/// Returns the lines found as bullets: as many as the person asked for, else [`LINES_MAX`]; then where to see the rest.
/// `lines` are the rows that were read, of `total`; `asked` is the number asked for.
#[must_use]
pub fn found(lines: &[String], total: usize, asked: Option<usize>, kind: Kind) -> String {
    let shown = lines.len().min(lines_shown(asked));
    let mut out: Vec<String> = lines[..shown]
        .iter()
        .map(|line| format!("- {line}"))
        .collect();
    if total > shown && asked.is_none_or(|asked| asked > shown) {
        out.push(rest(total - shown, kind));
    }
    out.join("\n")
}

/// Returns how many more there are, and how to see them.
#[must_use]
pub fn rest(more: usize, kind: Kind) -> String {
    let place = match kind {
        Kind::Task => "in Tasks (`adjutant show tasks`)",
        Kind::Event => "in Calendar (`adjutant show events`)",
        Kind::Note => "in Notes (`adjutant show notes`)",
        Kind::Contact => "in the address book (`adjutant show contacts`)",
        Kind::Mail => "in Mail (`adjutant show mail`)",
        Kind::Outbox => "in the outbox (`adjutant show outbox`)",
        Kind::Memory => "in Memory (`adjutant show memories`)",
    };
    format!("\nand {more} more: say “more”, or look {place}")
}

/// Returns a title in quotation marks, on one line, without Markdown that could become a link or markup.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("“{}”", inline(text))
}

/// Adds a quoted text to a description, if there is one: ` called “Garden”`.
pub fn add_quoted(said: &mut String, word: &str, text: Option<&str>) {
    if let Some(text) = text {
        said.push_str(&format!(" {word} {}", quoted(text)));
    }
}

/// Returns text of a record on one line: line breaks become spaces, links and tags stay plain text, long text is cut.
#[must_use]
pub fn inline(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&escape_tags(&line.replace("](", "]\\(")), INLINE_CHARS_MAX)
}

/// Cuts a text at a number of characters and adds an ellipsis.
#[must_use]
pub fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// Cuts a line between its parts (` · ` or `, `), so that no address or time is cut in half. Cuts a first part that is
/// too long by itself.
#[must_use]
pub fn cut_between(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let end = [" · ", ", "]
        .iter()
        .flat_map(|mark| text.match_indices(mark))
        .map(|(at, _)| at)
        .filter(|at| text[..*at].chars().count() < chars_max)
        .max();
    match end {
        Some(end) => format!("{}…", &text[..end]),
        None => cut(text, chars_max),
    }
}

/// Returns a person as a choice: the name above the address, or the address alone.
#[must_use]
pub fn choice_of(name: &str, email: &str) -> Choice {
    if name.trim().is_empty() {
        Choice::new(email, json!(email))
    } else {
        Choice::new(inline(name), json!(email)).with_detail(email)
    }
}

/// Returns a contact as a choice: the name above the address, the organisation and role, and the relation, by any of which
/// the person may pick it.
#[must_use]
pub fn choice_of_contact(contact: &Contact) -> Choice {
    let email = contact.emails.first().map_or("", String::as_str);
    let about = [&contact.organisation, &contact.relation];
    let about = about.into_iter().filter(|text| !text.trim().is_empty());
    let detail = std::iter::once(email.to_owned()).chain(about.map(|text| inline(text)));
    let choice = choice_of(&contact.name, email);
    match contact.name.trim().is_empty() {
        true => choice,
        false => choice.with_detail(detail.collect::<Vec<_>>().join(" · ")),
    }
}

/// Escapes tags: `<b>` becomes `\<b>`. `<a@b.example>` stays, since it is an address.
fn escape_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c == '<' {
            let inside: &str = text[at + 1..].split('>').next().unwrap_or_default();
            let address = inside.contains('@') && !inside.contains([' ', '"', '\'', '=']);
            if !address
                && inside
                    .starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
            {
                out.push('\\');
            }
        }
        out.push(c);
    }
    out
}

/// Returns a person where the address must be visible: `Name (address)`, or the address alone.
#[must_use]
pub fn person(name: &str, email: &str) -> String {
    if name.trim().is_empty() {
        email.to_owned()
    } else {
        format!("{} ({email})", inline(name))
    }
}

/// Returns a person for use in a sentence: the name, or the address without one. A name that looks like an address
/// gives the address, because it may be meant to pass for somebody else's.
#[must_use]
pub fn who(name: &str, email: &str) -> String {
    let unnamed = name.trim().is_empty() || name.contains('@');
    inline(if unnamed { email } else { name })
}

/// Returns a typed name, capitalised if it has no capitals: `ana` becomes `Ana`, `my sister` stays.
#[must_use]
pub fn name(typed: &str) -> String {
    let typed = inline(typed);
    if typed.chars().any(char::is_uppercase) || typed.starts_with("my ") {
        return typed;
    }
    typed
        .split(' ')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect())
                .unwrap_or_default()
        })
        .collect::<Vec<String>>()
        .join(" ")
}

/// Returns a size in words: `640 bytes`, `12 kB`, `3.4 MB`.
#[must_use]
pub fn bytes(size: u64) -> String {
    match size {
        0..1_000 => format!("{size} bytes"),
        1_000..1_000_000 => format!("{} kB", size / 1_000),
        1_000_000..1_000_000_000 => {
            format!("{}.{} MB", size / 1_000_000, size % 1_000_000 / 100_000)
        }
        _ => format!(
            "{}.{} GB",
            size / 1_000_000_000,
            size % 1_000_000_000 / 100_000_000
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_between_its_parts() {
        let line = "Mon 9 Mar, 10:00 · with Ana (ana@work.example), Raj (raj@work.example)";
        assert_eq!(cut_between(line, 200), line);
        assert_eq!(
            cut_between(line, 60),
            "Mon 9 Mar, 10:00 · with Ana (ana@work.example)…"
        );
        assert_eq!(cut_between(line, 30), "Mon 9 Mar, 10:00…");
        assert_eq!(cut_between("one-long-word", 8), "one-lon…");
    }

    #[test]
    fn lists_and_numbers() {
        let parts: Vec<String> = ["A", "B", "C"].map(str::to_owned).to_vec();
        assert_eq!(join(&parts), "A, B and C");
        assert_eq!(join(&parts[..2]), "A and B");
        assert_eq!(join_some(&parts, 2), "A, B and 1 more");
        assert_eq!(plural(1, "memory"), "1 memory");
        assert_eq!(plural(2, "memory"), "2 memories");
        assert_eq!(plural(0, "day"), "0 days");
        let many: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        assert!(bullets(&many, 35).ends_with("\n\nand 23 more"));
        let lines = |text: &str| text.lines().filter(|line| line.starts_with('-')).count();
        let all = found(&many, 35, None, Kind::Task);
        assert_eq!(lines(&all), LINES_MAX);
        assert!(
            all.ends_with("and 23 more: say “more”, or look in Tasks (`adjutant show tasks`)"),
            "{all}"
        );
        // Who asks for eighteen sees eighteen, and nothing of a rest that was not asked for.
        let asked = found(&many[..18], 35, Some(18), Kind::Task);
        assert_eq!(lines(&asked), 18);
        assert!(!asked.contains("more"), "{asked}");
    }

    #[test]
    fn text_of_records_stays_text() {
        for (text, expect) in [
            ("two\nlines", "two lines"),
            ("[pay](http://x)", "[pay]\\(http://x)"),
            ("a <b>bold</b>", "a \\<b>bold\\</b>"),
            ("Ana <ana@x.example>", "Ana <ana@x.example>"),
            ("1 < 2", "1 < 2"),
            ("<a href='@x'>", "\\<a href='@x'>"),
        ] {
            assert_eq!(inline(text), expect);
        }
        assert_eq!(cut("abcdef", 4), "abc…");
    }
}
