//! Extracts text from word processor documents: ZIP archives with XML inside (ECMA-376).

use std::io::{Cursor, Read as _};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::layout::Paragraphs;
use super::{Extracted, NoText};

/// Maximum uncompressed size of a part in bytes.
const PART_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Maximum number of entries in an archive.
const ENTRIES_MAX: usize = 10_000;

/// Returns the text and title of a document.
///
/// # Errors
/// Returns a fault if the document is damaged or its uncompressed size exceeds the limits.
pub(super) fn read(bytes: &[u8]) -> Result<Extracted, NoText> {
    let archive = ZipArchive::new(Cursor::new(bytes));
    let mut archive = archive.map_err(|_| NoText::Unreadable("it is damaged"))?;
    if archive.len() > ENTRIES_MAX {
        return Err(NoText::Bomb);
    }
    let main = part(&mut archive, "word/document.xml")?;
    let main = main.ok_or(NoText::Unreadable("it is not a document"))?;
    let about = part(&mut archive, "docProps/core.xml")?.unwrap_or_default();
    Ok(Extracted {
        title: title(&about),
        text: text(&main)?,
        cut: false,
    })
}

fn part(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str) -> Result<Option<Vec<u8>>, NoText> {
    let Ok(file) = archive.by_name(name) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let read = file.take(PART_BYTES_MAX + 1).read_to_end(&mut bytes);
    match read {
        Ok(_) if bytes.len() as u64 > PART_BYTES_MAX => Err(NoText::Bomb),
        Ok(_) => Ok(Some(bytes)),
        Err(_) => Err(NoText::Unreadable("it is damaged")),
    }
}

/// Reads paragraphs (`w:p`) of runs (`w:t`), with tabs and line breaks. Skips deleted text (`w:delText`).
fn text(xml: &[u8]) -> Result<String, NoText> {
    let mut reader = Reader::from_reader(xml);
    let mut out = Paragraphs::default();
    let (mut in_text, mut buffer) = (false, Vec::new());
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|_| NoText::Unreadable("it is damaged"))? {
            Event::Start(start) => match start.local_name().as_ref() {
                "t" => in_text = true,
                "p" => out.paragraph(),
                "tc" => out.words(" "),
                _ => {}
            },
            Event::End(end) => match end.local_name().as_ref() {
                "t" => in_text = false,
                "p" => out.paragraph(),
                _ => {}
            },
            Event::Empty(empty) => match empty.local_name().as_ref() {
                "tab" => out.words(" "),
                "br" | "cr" => out.line(),
                _ => {}
            },
            Event::Text(text) if in_text => {
                out.words(&text);
            }
            Event::CData(text) if in_text => out.words(&text),
            Event::GeneralRef(entity) if in_text => {
                if let Some(c) = character(&entity) {
                    out.words(c.encode_utf8(&mut [0; 4]));
                }
            }
            Event::Eof => return Ok(out.finish()),
            _ => {}
        }
    }
}

/// Resolves a character reference; `None` for entities that the document would have to declare.
fn character(entity: &quick_xml::events::BytesRef<'_>) -> Option<char> {
    if let Ok(Some(c)) = entity.resolve_char_ref() {
        return Some(c);
    }
    match entity.as_ref() {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}

fn title(xml: &[u8]) -> String {
    let mut reader = Reader::from_reader(xml);
    let (mut inside, mut title, mut buffer) = (false, String::new(), Vec::new());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(start)) => inside = start.local_name().as_ref() == "title",
            Ok(Event::End(_)) => inside = false,
            Ok(Event::Text(text)) if inside => title.push_str(&text),
            Ok(Event::GeneralRef(entity)) if inside => title.extend(character(&entity)),
            Ok(Event::Eof) | Err(_) => return title,
            Ok(_) => {}
        }
    }
}
