//! A card as text: the same facts in the same order as in the window, complete.

use adjutant_api::event::CardView;

use super::one_line;

/// The card, one fact a line; only the body has lines of its own, each behind a bar.
pub(crate) fn card(card: &CardView) -> String {
    let mut out = format!("  {}\n", one_line(&card.title));
    for note in &card.notes {
        out.push_str(&format!("  ! {}\n", one_line(&note.text)));
    }
    for fact in &card.facts {
        let value = match &fact.before {
            Some(before) => format!("{} → {}", one_line(before), one_line(&fact.value)),
            None => one_line(&fact.value),
        };
        out.push_str(&format!("  {:<10} {value}\n", one_line(&fact.label)));
    }
    for item in &card.items {
        let detail = item.detail.as_deref().map(one_line);
        let detail = detail.map(|detail| format!(" ({detail})"));
        out.push_str(&format!(
            "  - {}{}\n",
            one_line(&item.label),
            detail.unwrap_or_default()
        ));
    }
    for file in &card.attachments {
        let short: String = file.sha256.chars().take(12).collect();
        out.push_str(&format!(
            "  + {} ({} bytes, {short})\n",
            one_line(&file.name),
            file.size
        ));
    }
    for text in card.body.iter().flat_map(|body| body.lines()) {
        out.push_str(&format!("  | {text}\n"));
    }
    out.push_str(&format!("  {}\n", card.undo));
    out
}
