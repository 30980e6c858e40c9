//! Handles pages that nest too deeply. Building and walking a tree recurses as deep as the page does, which would
//! overflow the stack, so such pages are read without a tree.

use adjutant_domain::ports::web::SNAPSHOT_BYTES_MAX;

use super::layout::Paragraphs;

/// Maximum nesting depth; real pages stay below a hundred.
const DEPTH_MAX: usize = 300;

/// Elements that are empty or are closed implicitly.
const ENDS_BY_ITSELF: &[&str] = &[
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta",
    "option", "p", "param", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// Elements whose content is not text of the page.
const NO_TEXT: &[&str] = &["script", "style", "noscript", "template"];

/// A piece of a page's source.
enum Piece<'a> {
    Text(&'a str),
    Open(&'a str),
    Close(&'a str),
}

/// Tells whether elements nest deeper than is safe, estimated from the source.
pub(super) fn is_deep(html: &str) -> bool {
    let mut depth = 0_usize;
    for piece in pieces(html) {
        let is_counted = |name: &str| {
            !ENDS_BY_ITSELF
                .iter()
                .any(|one| one.eq_ignore_ascii_case(name))
        };
        match piece {
            Piece::Open(name) if is_counted(name) => depth += 1,
            Piece::Close(name) if is_counted(name) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX {
            return true;
        }
    }
    false
}

/// Returns the text between the tags, with each tag ending a paragraph.
pub(super) fn between_tags(html: &str) -> String {
    let mut out = Paragraphs::default();
    let mut inside: Option<&str> = None;
    for piece in pieces(html) {
        match piece {
            Piece::Text(text) if inside.is_none() => out.words(text),
            Piece::Open(name) => {
                out.paragraph();
                let mut hidden = NO_TEXT.iter().copied();
                inside = inside.or_else(|| hidden.find(|one| one.eq_ignore_ascii_case(name)));
            }
            Piece::Close(name) => {
                out.paragraph();
                if inside.is_some_and(|one| one.eq_ignore_ascii_case(name)) {
                    inside = None;
                }
            }
            Piece::Text(_) => {}
        }
        if out.len() > SNAPSHOT_BYTES_MAX {
            break;
        }
    }
    out.finish()
}

/// Splits the source into text and tag names. Skips comments and declarations.
fn pieces(html: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let Some(inner) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                rest = after;
                return Some(Piece::Text(text));
            };
            let is_comment = inner.starts_with("!--");
            let end = if is_comment { "-->" } else { ">" };
            let tag = inner.split_once(end);
            let (tag, after) = tag.unwrap_or((inner, ""));
            rest = after;
            let (name, closes) = match tag.strip_prefix('/') {
                Some(name) => (name, true),
                None => (tag, false),
            };
            let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            let name = &name[..end.unwrap_or(name.len())];
            match name.is_empty() {
                true => {}
                false if closes => return Some(Piece::Close(name)),
                false => return Some(Piece::Open(name)),
            }
        }
    })
}
