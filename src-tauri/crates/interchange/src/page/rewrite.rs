//! Moves images and styles of cleaned HTML into attributes that neither load nor apply; the window applies them.

use super::{IMAGE_TYPES, IMAGES_MAX, Inline, Page, Remote, style};

/// Largest width and height, in pixels, of an image that is fetched only to track the reader.
const TRACKER_PX_MAX: u32 = 2;

/// One attribute of a tag: its name and its unescaped value.
type Attribute<'a> = (&'a str, String);

/// Rewrites the output of the cleaning, which is well formed: `<` starts a tag, and attribute values are in double
/// quotes. Returns `None` if that does not hold.
pub(super) fn rewrite(html: &str, inline: &Inline) -> Option<Page> {
    let mut page = Page {
        html: String::with_capacity(html.len()),
        images: Vec::new(),
        coloured: false,
    };
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        page.html.push_str(&rest[..at]);
        let (name, attributes, after) = tag(&rest[at + 1..])?;
        page.html.push('<');
        page.html.push_str(name);
        for (name, value) in kept(name, attributes, inline, &mut page) {
            page.html.push(' ');
            page.html.push_str(name);
            page.html.push_str("=\"");
            page.html.push_str(&quoted(&value));
            page.html.push('"');
        }
        page.html.push('>');
        rest = after;
    }
    page.html.push_str(rest);
    Some(page)
}

/// Parses a tag from after its `<`; returns its name, its attributes and the text that follows it.
fn tag(text: &str) -> Option<(&str, Vec<Attribute<'_>>, &str)> {
    let end = text.find([' ', '>'])?;
    let (name, mut rest) = text.split_at(end);
    let mut attributes = Vec::new();
    while let Some(more) = rest.strip_prefix(' ') {
        let (name, value) = more.split_once("=\"")?;
        if name.contains(['>', '<', ' ', '"']) {
            return None;
        }
        let (value, after) = value.split_once('"')?;
        attributes.push((name, unquoted(value)));
        rest = after;
    }
    Some((name, attributes, rest.strip_prefix('>')?))
}

/// Returns the attributes that a tag keeps.
fn kept<'a>(
    tag: &str,
    attributes: Vec<Attribute<'a>>,
    inline: &Inline,
    page: &mut Page,
) -> Vec<(&'a str, String)> {
    let tracker = tag == "img" && is_tracker(&attributes);
    let mut kept = Vec::with_capacity(attributes.len());
    for (name, value) in attributes {
        let one = match (tag, name) {
            (_, "style") => {
                let (style, coloured) = style::safe(&value);
                page.coloured |= coloured;
                (!style.is_empty()).then_some(("data-style", style))
            }
            ("img", "src") => image(value, tracker, inline, &mut page.images),
            ("a", "href") => leads_out(&value).then_some((name, value)),
            _ => {
                page.coloured |= matches!(name, "bgcolor" | "color");
                Some((name, value))
            }
        };
        kept.extend(one);
    }
    kept
}

fn leads_out(href: &str) -> bool {
    ["http:", "https:", "mailto:"]
        .iter()
        .any(|scheme| begins(href, scheme))
}

fn begins(text: &str, with: &str) -> bool {
    let head = text.trim_start().get(..with.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(with))
}

/// Returns the attribute for an image: an embedded one as its data, a remote one by its number.
fn image(
    src: String,
    tracker: bool,
    inline: &Inline,
    images: &mut Vec<Remote>,
) -> Option<(&'static str, String)> {
    if begins(&src, "cid:") {
        let id = src.trim_start()["cid:".len()..].trim_matches(['<', '>']);
        return inline.0.get(id).map(|data| ("src", data.clone()));
    }
    if begins(&src, "data:") {
        return is_image_data(&src).then_some(("src", src));
    }
    let remote = begins(&src, "http:") || begins(&src, "https:");
    if !remote || images.len() >= IMAGES_MAX {
        return None;
    }
    let number = images.len().to_string();
    images.push(Remote { url: src, tracker });
    Some(("data-image", number))
}

fn is_image_data(src: &str) -> bool {
    let Some((kind, data)) = src
        .strip_prefix("data:")
        .and_then(|src| src.split_once(";base64,"))
    else {
        return false;
    };
    let is_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    IMAGE_TYPES.contains(&kind) && data.bytes().all(is_base64)
}

/// Whether an image is hidden or too small to be seen.
fn is_tracker(attributes: &[Attribute<'_>]) -> bool {
    let says = |wanted| attributes.iter().find(|(name, _)| *name == wanted);
    let small = |name| {
        let px = says(name).and_then(|(_, value)| value.trim().trim_end_matches("px").parse().ok());
        px.is_some_and(|px: u32| px <= TRACKER_PX_MAX)
    };
    let hidden = says("style").is_some_and(|(_, style)| style::hides(style));
    hidden || (small("width") && small("height"))
}

fn unquoted(value: &str) -> String {
    let value = value.replace("&quot;", "\"").replace("&nbsp;", "\u{a0}");
    let value = value.replace("&lt;", "<").replace("&gt;", ">");
    value.replace("&amp;", "&")
}

fn quoted(value: &str) -> String {
    let value = value.replace('&', "&amp;").replace('"', "&quot;");
    value.replace('<', "&lt;").replace('>', "&gt;")
}
