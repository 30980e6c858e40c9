//! Renders a card as text: complete, with the same facts in the same order as in the window.

use adjutant_api::event::{AttachmentView, CardView, FactView, NoteView, SourceView};

use super::one_line;

/// Renders the card with one fact per line. Only a body has several lines, each after a bar. Facts of a batch item are
/// indented below it.
pub(crate) fn card(card: &CardView) -> String {
    let mut out = format!("  {}\n", one_line(&card.title));
    notes(&mut out, "  ", &card.notes);
    facts(&mut out, "  ", &card.facts);
    for item in &card.items {
        let detail = item.detail.as_deref().map(one_line);
        let detail = detail.map(|detail| format!(" ({detail})"));
        out.push_str(&format!(
            "  - {}{}\n",
            one_line(&item.label),
            detail.unwrap_or_default()
        ));
        notes(&mut out, "    ", &item.notes);
        facts(&mut out, "    ", &item.facts);
        files(&mut out, "    ", &item.attachments);
        body(&mut out, "    ", item.body.as_deref());
    }
    files(&mut out, "  ", &card.attachments);
    body(&mut out, "  ", card.body.as_deref());
    out.push_str(&format!("  {}\n", card.undo));
    out
}

fn notes(out: &mut String, indent: &str, notes: &[NoteView]) {
    for note in notes {
        out.push_str(&format!("{indent}! {}\n", one_line(&note.text)));
    }
}

fn facts(out: &mut String, indent: &str, facts: &[FactView]) {
    for fact in facts {
        let value = match &fact.before {
            Some(before) => format!("{} → {}", one_line(before), one_line(&fact.value)),
            None => one_line(&fact.value),
        };
        let found = found(fact.source.as_ref());
        out.push_str(&format!(
            "{indent}{:<10} {value}{found}\n",
            one_line(&fact.label)
        ));
    }
}

/// Says where a value comes from that others may have written; empty for other sources.
fn found(source: Option<&SourceView>) -> String {
    match source.filter(|source| source.kind == "found") {
        Some(source) => match &source.detail {
            Some(detail) => format!(" (from: {})", one_line(detail)),
            None => " (found)".to_owned(),
        },
        None => String::new(),
    }
}

fn files(out: &mut String, indent: &str, files: &[AttachmentView]) {
    for file in files {
        let short: String = file.sha256.chars().take(12).collect();
        out.push_str(&format!(
            "{indent}+ {} ({} bytes, {short})\n",
            one_line(&file.name),
            file.size
        ));
    }
}

fn body(out: &mut String, indent: &str, text: Option<&str>) {
    for text in text.into_iter().flat_map(str::lines) {
        out.push_str(&format!("{indent}| {text}\n"));
    }
}
