//! Markdown: one note per file. `tags:` in the front matter become labels.

use std::path::Path;

use adjutant_domain::record::{Kind, Note, Record};

use super::{Incoming, Items, Refused, Seed, line};

pub(super) fn read(text: &str, path: &Path, seed: &Seed) -> Items {
    let (tags, body) = front_matter(text);
    let body = body.trim().replace("\r\n", "\n").replace('\0', "");
    let stem = path
        .file_stem()
        .map(|stem| line(&stem.to_string_lossy(), 200))
        .unwrap_or_default();
    let heading = body
        .lines()
        .next()
        .and_then(|first| first.strip_prefix("# "))
        .map(|title| line(title, 200));
    let (title, body) = match heading {
        Some(title) if !title.is_empty() => {
            let rest = body
                .split_once('\n')
                .map_or("", |(_, rest)| rest)
                .trim()
                .to_owned();
            (title, rest)
        }
        _ => (stem, body),
    };
    if title.is_empty() && body.is_empty() {
        let refused = Refused {
            file: path.display().to_string(),
            item: "note".into(),
            reason: "is empty".into(),
        };
        return Box::new(std::iter::once(Err(refused)));
    }
    let note = Note {
        id: seed.id(Kind::Note),
        title,
        body,
        tags,
        created: seed.at(),
        updated: seed.at(),
        version: 0,
    };
    Box::new(std::iter::once(Ok(Incoming {
        record: Record::Note(note),
        raw: None,
        provenance: None,
    })))
}

/// Splits off the front matter (`---` … `---`) and reads its tags: `tags: [a, b]` or `tags: a, b`.
fn front_matter(text: &str) -> (Vec<String>, &str) {
    let Some(rest) = text
        .strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))
    else {
        return (Vec::new(), text);
    };
    let Some((head, body)) = rest.split_once("\n---") else {
        return (Vec::new(), text);
    };
    let tags = head
        .lines()
        .filter_map(|entry| entry.strip_prefix("tags:"))
        .flat_map(|list| list.trim().trim_matches(['[', ']']).split(','))
        .map(|tag| line(tag.trim().trim_matches(['"', '\'']), 60))
        .filter(|tag| !tag.is_empty())
        .take(50)
        .collect();
    (tags, body.trim_start_matches('-'))
}
