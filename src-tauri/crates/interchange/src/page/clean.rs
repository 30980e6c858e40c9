//! Chooses which elements, attributes and addresses of a mail are kept.

use std::collections::{HashMap, HashSet};

/// Elements that lay out text.
const TAGS: &[&str] = &[
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
];

/// Elements that are removed with their contents, because those are not text for people.
const DROPPED_WHOLE: &[&str] = &[
    "applet", "audio", "canvas", "embed", "frameset", "head", "iframe", "map", "math", "noembed",
    "noframes", "object", "script", "select", "style", "svg", "template", "textarea", "title",
    "video", "xmp",
];

/// Attributes allowed on any element.
const ANYWHERE: &[&str] = &[
    "align", "bgcolor", "dir", "height", "lang", "style", "valign", "width",
];

/// Attributes allowed on single elements.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("a", &["href"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("font", &["color", "face", "size"]),
    ("img", &["alt", "src"]),
    ("ol", &["start", "type"]),
    ("table", &["border", "cellpadding", "cellspacing"]),
    ("td", &["colspan", "nowrap", "rowspan"]),
    ("th", &["colspan", "nowrap", "rowspan", "scope"]),
];

/// Schemes allowed in links and images. [`super::rewrite`] restricts images further.
const SCHEMES: &[&str] = &["cid", "data", "http", "https", "mailto"];

/// Returns well-formed HTML with only what is listed above.
pub(super) fn clean(html: &str) -> String {
    let attributes: HashMap<&str, HashSet<&str>> = ATTRIBUTES
        .iter()
        .map(|(tag, names)| (*tag, names.iter().copied().collect()))
        .collect();
    ammonia::Builder::empty()
        .tags(TAGS.iter().copied().collect())
        .clean_content_tags(DROPPED_WHOLE.iter().copied().collect())
        .generic_attributes(ANYWHERE.iter().copied().collect())
        .tag_attributes(attributes)
        .url_schemes(SCHEMES.iter().copied().collect())
        .url_relative(ammonia::UrlRelative::Deny)
        .link_rel(None)
        .strip_comments(true)
        .clean(html)
        .to_string()
}
