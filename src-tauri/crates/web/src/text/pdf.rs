//! The text of a PDF. Whoever made the file may have made it to break its readers: what unpacks too far, or refers to
//! itself in a circle, is refused before the reader sees it ([`super::pdf_check`]), and a reader that fails fails alone.

use std::panic::{AssertUnwindSafe, catch_unwind};

use adjutant_domain::ports::web::SNAPSHOT_BYTES_MAX;
use pdf_extract::{Document, PlainTextOutput, output_doc_page};

use super::layout::{line, tidy};
use super::{Extracted, NoText, pdf_check};

/// Pages that are read.
const PAGES_MAX: usize = 500;

/// The text of a PDF, its pages apart by an empty line.
///
/// # Errors
/// When it cannot be read, needs a password, or unpacks too far.
pub(super) fn read(bytes: &[u8]) -> Result<Extracted, NoText> {
    pdf_check::unpacks(bytes)?;
    let loaded = catch_unwind(AssertUnwindSafe(|| Document::load_mem(bytes)));
    let doc = loaded
        .ok()
        .and_then(Result::ok)
        .ok_or(NoText::Unreadable("it is damaged"))?;
    if doc.is_encrypted() {
        return Err(NoText::Unreadable("it is locked with a password"));
    }
    pdf_check::ends(&doc)?;
    let (mut text, mut cut) = (String::new(), false);
    for (at, number) in doc.get_pages().into_keys().enumerate() {
        if at == PAGES_MAX || text.len() > SNAPSHOT_BYTES_MAX {
            cut = true;
            break;
        }
        // A page the reader stumbles over is left out; the others stand.
        let page = catch_unwind(AssertUnwindSafe(|| page(&doc, number)));
        if let Ok(Some(page)) = page {
            text.push_str(page.trim());
            text.push_str("\n\n");
        }
    }
    Ok(Extracted {
        title: title(&doc),
        text: unfolded(&tidy(&text)),
        cut,
    })
}

fn page(doc: &Document, number: u32) -> Option<String> {
    let mut text = String::new();
    let mut output = PlainTextOutput::new(&mut text);
    output_doc_page(doc, &mut output, number).ok()?;
    Some(text)
}

fn title(doc: &Document) -> String {
    let info = doc
        .trailer
        .get(b"Info")
        .and_then(|info| info.as_reference());
    let info = info.and_then(|id| doc.get_dictionary(id));
    let title = info.and_then(|info| info.get(b"Title")).ok();
    let title = title.and_then(|title| pdf_extract::decode_text_string(title).ok());
    line(&title.unwrap_or_default(), 300)
}

/// Lines of a paragraph as one line: a PDF knows lines on paper only. A line that ends a sentence early, or is followed by
/// an empty one, ends its paragraph.
fn unfolded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            out.push_str("\n\n");
            continue;
        }
        if !out.is_empty() && !out.ends_with('\n') {
            if out.ends_with('-') && line.starts_with(char::is_lowercase) {
                // A word divided at the end of a line.
                out.pop();
            } else {
                out.push(' ');
            }
        }
        out.push_str(line);
    }
    tidy(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_on_paper_become_paragraphs() {
        let text = "The light-\nhouse was built\nin 1874.\n\nIt stands.";
        assert_eq!(
            unfolded(text),
            "The lighthouse was built in 1874.\n\nIt stands."
        );
    }
}
