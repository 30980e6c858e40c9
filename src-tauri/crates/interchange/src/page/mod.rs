//! Makes the HTML of a mail harmless: words, layout and colours stay; whatever runs, loads, asks or navigates on its
//! own is removed. The window also shows it in a frame that runs and loads nothing, so that either measure alone is
//! enough.

mod clean;
mod rewrite;
mod style;

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mail_parser::{Message, MessageParser, MimeHeaders as _, PartType};

/// Largest HTML, in bytes, that is shown; of a longer mail the text is shown instead.
const HTML_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Total size, in bytes, of the embedded images of a mail that are shown.
const INLINE_BYTES_MAX: usize = 12 * 1024 * 1024;
/// Highest number of remote images of a page; more are left out.
const IMAGES_MAX: usize = 300;

/// Highest depth of nested boxes. Designers use a few dozen; thousands only serve to keep programs busy.
const DEPTH_MAX: usize = 1000;

/// Media types of images that are shown. SVG is not one of them, because it is a document.
pub const IMAGE_TYPES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A mail as a harmless page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// HTML without scripts, forms, frames, active styles or addresses that load. Styles are moved to `data-style`;
    /// remote images are replaced by their number in `data-image`.
    pub html: String,
    /// Remote images, by number.
    pub images: Vec<Remote>,
    /// Whether the mail sets colours, so that it must not be shown on the window's own background.
    pub coloured: bool,
}

/// An image on another computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// Its address, `http` or `https`.
    pub url: String,
    /// Whether the image is hidden or too small to be seen, so that it only tells its sender who read the mail and
    /// when.
    pub tracker: bool,
}

/// Returns the page of a mail, or `None` if it has no HTML, or too much or too deeply nested HTML.
#[must_use]
pub fn page(source: &[u8]) -> Option<Page> {
    let message = MessageParser::default().parse(source)?;
    let mut html = String::new();
    let mut designed = false;
    for id in &message.html_body {
        match &message.parts.get(*id as usize)?.body {
            PartType::Html(piece) => {
                designed = true;
                html.push_str(piece);
            }
            PartType::Text(piece) => {
                html.push_str("<pre>");
                html.push_str(&escaped(piece));
                html.push_str("</pre>");
            }
            _ => {}
        }
        if html.len() > HTML_BYTES_MAX {
            return None;
        }
    }
    if depth(&html) > DEPTH_MAX {
        return None;
    }
    designed.then(|| rewrite::rewrite(&clean::clean(&html), &Inline::of(&message)))?
}

/// Returns how deeply boxes are nested at most, counted by their opening and closing tags.
fn depth(html: &str) -> usize {
    const BOXES: &[&str] = &[
        "div",
        "table",
        "span",
        "font",
        "center",
        "blockquote",
        "ul",
        "ol",
        "b",
        "i",
        "u",
        "em",
        "strong",
        "small",
        "big",
        "section",
        "article",
        "dl",
        "figure",
        "a",
    ];
    let (mut now, mut most) = (0_usize, 0);
    for tag in html.split('<').skip(1) {
        let closes = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric());
        let name = &name[..end.unwrap_or(name.len())];
        if !BOXES.iter().any(|one| name.eq_ignore_ascii_case(one)) {
            continue;
        }
        now = if closes {
            now.saturating_sub(1)
        } else {
            now + 1
        };
        most = most.max(now);
    }
    most
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// Embedded images of a mail, by Content-ID, as `data:` addresses.
#[derive(Default)]
struct Inline(HashMap<String, String>);

impl Inline {
    fn of(message: &Message<'_>) -> Self {
        let mut left = INLINE_BYTES_MAX;
        let mut all = HashMap::new();
        for part in &message.parts {
            let Some(id) = part.content_id() else {
                continue;
            };
            let kind = part.content_type().map(|kind| {
                let subtype = kind.subtype().unwrap_or_default();
                format!("{}/{subtype}", kind.ctype()).to_ascii_lowercase()
            });
            let Some(kind) = kind.filter(|kind| IMAGE_TYPES.contains(&kind.as_str())) else {
                continue;
            };
            let bytes = part.contents();
            let Some(rest) = left.checked_sub(bytes.len()) else {
                continue;
            };
            left = rest;
            let id = id.trim_matches(['<', '>']).to_owned();
            all.insert(id, data_address(&kind, bytes));
        }
        Self(all)
    }
}

/// Returns an image as a `data:` address, which loads without a connection.
#[must_use]
pub fn data_address(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", STANDARD.encode(bytes))
}
