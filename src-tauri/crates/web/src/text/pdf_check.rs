//! Rejects PDFs that would crash or exhaust the reader: streams that decompress without end, and parts that contain
//! themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use flate2::read::ZlibDecoder;
use pdf_extract::{Dictionary, Document, Object, ObjectId};

use super::NoText;

/// Maximum total uncompressed size of all streams in bytes.
const UNPACKED_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Maximum nesting depth of the parts of a page.
const DEPTH_MAX: usize = 24;
/// Maximum number of entries followed.
const ENTRIES_MAX: usize = 200_000;

/// Decompresses every stream once, without keeping the output, to measure its size.
///
/// # Errors
/// Returns a fault if the total is too large or a stream uses a filter whose output size cannot be measured here.
pub(super) fn unpacks(bytes: &[u8]) -> Result<(), NoText> {
    let mut left = UNPACKED_BYTES_MAX;
    let mut at = 0;
    while let Some(found) = find(&bytes[at..], b"stream") {
        let start = at + found + b"stream".len();
        at = start;
        if bytes[..start].ends_with(b"endstream") {
            continue;
        }
        let before = &bytes[start.saturating_sub(1_024)..start];
        let dictionary = find_last(before, b"obj").map_or(before, |at| &before[at..]);
        if packed_twice(dictionary) {
            return Err(NoText::Bomb);
        }
        let body = &bytes[start..];
        let skipped = body
            .iter()
            .take_while(|byte| b"\r\n".contains(byte))
            .count();
        let body = &body[skipped..];
        // Only zlib streams begin like this; others do not grow.
        if body.first().is_some_and(|first| first & 0x0f == 8) {
            let mut unpacked = ZlibDecoder::new(body).take(left + 1);
            // A damaged stream counts up to the damage.
            let size = std::io::copy(&mut unpacked, &mut std::io::sink());
            let size = size.unwrap_or(0);
            left = left.checked_sub(size).ok_or(NoText::Bomb)?;
        }
    }
    Ok(())
}

/// Tells whether a stream uses more than one compression filter, or one that is not checked here.
fn packed_twice(dictionary: &[u8]) -> bool {
    let count = |name: &[u8]| {
        let mut rest = dictionary;
        let mut count = 0;
        while let Some(at) = find(rest, name) {
            count += 1;
            rest = &rest[at + name.len()..];
        }
        count
    };
    count(b"LZW") > 0 || count(b"/FlateDecode") + count(b"/Fl ") + count(b"/Fl]") > 1
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn find_last(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).rposition(|window| window == what)
}

/// Checks that no page or form contains itself.
///
/// # Errors
/// Returns a fault if one does, or if they nest too deeply.
pub(super) fn ends(doc: &Document) -> Result<(), NoText> {
    const CIRCLE: NoText = NoText::Unreadable("its parts refer to each other in a circle");
    let mut edges: BTreeMap<ObjectId, BTreeSet<ObjectId>> = BTreeMap::new();
    let mut entries = 0;
    for (id, object) in &doc.objects {
        let dictionary = match object {
            Object::Stream(stream) => &stream.dict,
            Object::Dictionary(dictionary) => dictionary,
            _ => continue,
        };
        let of = edges.entry(*id).or_default();
        if let Ok(Object::Reference(parent)) = dictionary.get(b"Parent") {
            of.insert(*parent);
        }
        if let Object::Stream(stream) = object {
            let is_form = dictionary
                .get(b"Subtype")
                .and_then(Object::as_name)
                .is_ok_and(|name| name == b"Form");
            if is_form && resources(doc, &stream.dict).is_none() && draws_others(stream) {
                // A form that inherits the page's resources may draw itself.
                return Err(CIRCLE);
            }
            let forms = resources(doc, &stream.dict)
                .and_then(|all| dictionary_at(doc, all, b"XObject"))
                .into_iter()
                .flat_map(|all| all.iter());
            for (_, form) in forms {
                entries += 1;
                if let Object::Reference(form) = form {
                    of.insert(*form);
                }
            }
        }
        if entries > ENTRIES_MAX {
            return Err(CIRCLE);
        }
    }
    match is_bounded(&edges) {
        true => Ok(()),
        false => Err(CIRCLE),
    }
}

fn draws_others(stream: &pdf_extract::Stream) -> bool {
    let content = stream.decompressed_content();
    let content = content.as_deref().unwrap_or(&stream.content);
    content
        .split(u8::is_ascii_whitespace)
        .any(|word| word == b"Do")
}

fn resources<'a>(doc: &'a Document, dictionary: &'a Dictionary) -> Option<&'a Dictionary> {
    dictionary_at(doc, dictionary, b"Resources")
}

fn dictionary_at<'a>(doc: &'a Document, of: &'a Dictionary, key: &[u8]) -> Option<&'a Dictionary> {
    let value = of.get(key).ok()?;
    let (_, value) = doc.dereference(value).ok()?;
    value.as_dict().ok()
}

/// Tells whether no path is longer than [`DEPTH_MAX`], by removing leaves layer by layer.
fn is_bounded(edges: &BTreeMap<ObjectId, BTreeSet<ObjectId>>) -> bool {
    let mut left: BTreeMap<ObjectId, BTreeSet<ObjectId>> = edges.clone();
    for _ in 0..DEPTH_MAX {
        let done: BTreeSet<ObjectId> = left
            .iter()
            .filter(|(_, to)| !to.iter().any(|to| left.contains_key(to)))
            .map(|(id, _)| *id)
            .collect();
        if done.is_empty() {
            break;
        }
        left.retain(|id, _| !done.contains(id));
    }
    left.is_empty()
}
