//! What is wrong with a PDF that would take its reader down with it: streams that unpack without end, and parts that
//! refer to themselves in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use flate2::read::ZlibDecoder;
use pdf_extract::{Dictionary, Document, Object, ObjectId};

use super::NoText;

/// Bytes that all streams of a PDF may have when they are unpacked.
const UNPACKED_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// How deep parts of a page may lie in each other.
const DEPTH_MAX: usize = 24;
/// Entries that are followed.
const ENTRIES_MAX: usize = 200_000;

/// Unpacks every stream once, into nothing, to see how large it becomes.
///
/// # Errors
/// When that is too much, or is packed in a way whose size shows only in the end.
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
        // Only what is packed so begins so; the rest stays as large as it is.
        if body.first().is_some_and(|first| first & 0x0f == 8) {
            let mut unpacked = ZlibDecoder::new(body).take(left + 1);
            // A stream that is damaged is as long as it is up to there.
            let size = std::io::copy(&mut unpacked, &mut std::io::sink());
            let size = size.unwrap_or(0);
            left = left.checked_sub(size).ok_or(NoText::Bomb)?;
        }
    }
    Ok(())
}

/// Whether a stream is packed by more than one way that makes it smaller, or by one that is not looked into here.
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

/// Looks for parts that lie in themselves: pages in their own pages, forms in their own forms.
///
/// # Errors
/// When there are any, or they lie too deep.
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
                // It draws what the page has, which may be itself.
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

/// Whether no path through these is longer than [`DEPTH_MAX`]. Peels off what refers to nothing, layer by layer.
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
