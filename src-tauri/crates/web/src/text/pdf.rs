//! Extracts the text of a PDF. A file may be crafted to break its reader. Files that decompress too far or contain
//! reference cycles are rejected first ([`super::pdf_check`]), and panics of the reader are caught.

use std::panic::{AssertUnwindSafe, catch_unwind};

use adjutant_domain::ports::web::SNAPSHOT_BYTES_MAX;
use pdf_extract::{Document, PlainTextOutput, output_doc_page};

use super::layout::{line, tidy};
use super::{Extracted, NoText, pdf_check};

/// Maximum number of pages read.
const PAGES_MAX: usize = 500;

/// Returns the text of a PDF, with pages separated by an empty line.
///
/// # Errors
/// Returns a fault if the file is damaged, needs a password, or decompresses too far.
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
        // Skip a page on which the reader panics and keep the others.
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

/// Joins the lines of a paragraph, since a PDF only has printed lines. A paragraph ends at an empty line or at a line
/// that ends a sentence early.
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
                // Rejoin a word hyphenated at the end of a line.
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
