//! Tests of mail as a page: what a person reads stays; anything that runs, loads or redirects is removed.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use adjutant_interchange::page::{Page, page};
use proptest::prelude::*;

fn mail(html: &str) -> String {
    format!(
        "From: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}"
    )
}

fn of(html: &str) -> Page {
    page(mail(html).as_bytes()).expect("a page")
}

#[test]
fn keeps_layout_words_and_colours() {
    let page = of(
        "<table width=600 bgcolor=\"#eee\"><tr><td style=\"padding:4px; color:red; position:fixed\">Hi <b>you</b> &amp; me</td></tr></table>",
    );
    assert_eq!(
        page.html,
        "<table width=\"600\" bgcolor=\"#eee\"><tbody><tr><td data-style=\"padding: 4px; color: red\">Hi <b>you</b> &amp; me</td></tr></tbody></table>"
    );
    assert!(page.coloured && !of("<p>plain</p>").coloured);
}

#[test]
fn numbers_remote_images_and_identifies_trackers() {
    let page = of(
        "<img src=\"https://a.example/1.png\" alt=\"one\" width=\"600\"><img src=\"http://t.example/p?u=1&amp;v=2\" width=\"1\" height=\"1\"><img src='https://t.example/h' style='display : none'><img src=\"/relative.png\"><img src=\"ftp://a.example/x.png\">",
    );
    assert_eq!(
        page.html,
        "<img data-image=\"0\" alt=\"one\" width=\"600\"><img data-image=\"1\" width=\"1\" height=\"1\"><img data-image=\"2\" data-style=\"display: none\"><img><img>"
    );
    let images: Vec<_> = page
        .images
        .iter()
        .map(|image| (image.url.as_str(), image.tracker))
        .collect();
    assert_eq!(
        images,
        [
            ("https://a.example/1.png", false),
            ("http://t.example/p?u=1&v=2", true),
            ("https://t.example/h", true)
        ]
    );
}

#[test]
fn shows_embedded_images_but_no_documents() {
    let source = "From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<img src=\"cid:logo@b\"><img src=\"cid:doc@b\"><img src=\"cid:none\"><img src=\"data:image/svg+xml;base64,PHN2Zz4=\"><img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\">\r\n--x\r\nContent-Type: image/png\r\nContent-ID: <logo@b>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--x\r\nContent-Type: image/svg+xml\r\nContent-ID: <doc@b>\r\n\r\n<svg/>\r\n--x--\r\n";
    let page = page(source.as_bytes()).expect("a page");
    assert_eq!(
        page.html.trim(),
        "<img src=\"data:image/png;base64,iVBORw0KGgo=\"><img><img><img><img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\">"
    );
    assert!(page.images.is_empty());
}

#[test]
fn links_lead_only_to_the_web_and_to_mail() {
    let page = of(
        "<a href=\"https://a.example/?a=1&amp;b=2\">a</a><a href=\"mailto:x@y.example\">m</a><a href=\" javascript:alert(1)\">j</a><a href=\"data:text/html,x\">d</a><a href=\"cid:x\">c</a><a href=\"//b.example\">b</a><a href=\"#x\">x</a>",
    );
    assert_eq!(
        page.html,
        "<a href=\"https://a.example/?a=1&amp;b=2\">a</a><a href=\"mailto:x@y.example\">m</a><a>j</a><a>d</a><a>c</a><a>b</a><a>x</a>"
    );
}

#[test]
fn plain_text_and_oversized_html_give_no_page() {
    let text = "From: a@b.example\r\nContent-Type: text/plain\r\n\r\n<b>not HTML</b>";
    assert_eq!(page(text.as_bytes()), None);
    let large = "<p>word</p>".repeat(200_000);
    assert_eq!(page(mail(&large).as_bytes()), None);
    assert_eq!(page(b""), None);
}

#[test]
fn reads_a_megabyte_newsletter_and_deeply_nested_tables() {
    let row = "<tr><td style=\"color:#333; padding:1px\" bgcolor=\"#fff\"><a href=\"https://n.example/x\">Offer</a><img src=\"https://n.example/i.png\"></td></tr>";
    let table = format!("<table>{}</table>", row.repeat(1_000_000 / row.len()));
    let large = of(&table);
    assert!(large.html.len() > 500_000 && !large.images.is_empty());
    let tower = format!("{}deep", "<div><table><tr><td>".repeat(20_000));
    assert_eq!(page(mail(&tower).as_bytes()), None, "its text is shown");
    let designed = format!("{}deep", "<div><table><tr><td>".repeat(100));
    assert!(of(&designed).html.contains("deep"));
}

/// Checks that a page can do nothing on its own.
fn is_inert(html: &str) -> Result<(), String> {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').ok_or("a tag without an end")?;
        let tag = &rest[at..=at + end];
        is_inert_tag(tag).map_err(|why| format!("{why} in {tag}"))?;
        rest = &rest[at + end + 1..];
    }
    Ok(())
}

/// Elements that run, load or ask for something, or change what surrounds them.
const LIVE: &[&str] = &[
    "script", "style", "iframe", "frame", "object", "embed", "applet", "form", "input", "button",
    "select", "textarea", "svg", "math", "meta", "base", "link", "template", "video", "audio",
];

/// Checks one tag. Words in `alt` or `title` are text, whatever they say; only URLs are dangerous.
fn is_inert_tag(tag: &str) -> Result<(), String> {
    let inside = tag.trim_matches(['<', '>', '/']).to_lowercase();
    let name = inside.split_whitespace().next().unwrap_or_default();
    if LIVE.contains(&name) {
        return Err(name.to_owned());
    }
    let mut rest = &inside[name.len()..];
    while let Some((attribute, after)) = rest.split_once("=\"") {
        let attribute = attribute.trim();
        let (value, later) = after.split_once('"').ok_or("a value without an end")?;
        let leads = |to: &[&str]| to.iter().any(|scheme| value.starts_with(scheme));
        let harmless = match attribute {
            "src" => leads(&["data:image/"]),
            "href" => leads(&["https://", "http://", "mailto:"]),
            "style" | "srcset" | "background" | "action" | "formaction" | "ping" | "poster" => {
                false
            }
            other => !other.starts_with("on") && !other.contains(char::is_whitespace),
        };
        if !harmless {
            return Err(format!("{attribute}={value}"));
        }
        rest = later;
    }
    match rest.trim() {
        "" => Ok(()),
        rubbish => Err(rubbish.to_owned()),
    }
}

/// The checks above detect a page that is not inert.
#[test]
fn the_check_detects_pages_that_are_not_inert() {
    for html in [
        "<script>x</script>",
        "<img src=\"https://a.example/x\">",
        "<img alt=\"x\" onerror=\"y\">",
        "<p style=\"color:red\">",
        "<svg>",
        "<a href=\"javascript:x\">",
    ] {
        assert!(is_inert(html).is_err(), "{html}");
    }
}

#[test]
fn the_attacks_of_the_shared_data_are_inert() {
    let path = "../../../../shared/data/safety/render/markdown_html.jsonl";
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: no ../shared/data");
        return;
    };
    let mut read = 0;
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row");
        let html = row["input"].as_str().expect("an input");
        if let Some(page) = page(mail(html).as_bytes()) {
            read += 1;
            is_inert(&page.html).unwrap_or_else(|why| panic!("{}: {why}", row["id"]));
        }
    }
    assert!(read > 150, "only {read} were read");
}

proptest! {
    #[test]
    fn rubbish_is_inert(pieces in prop::collection::vec(prop_oneof![
        Just("<img src=\"https://a.example/\">"), Just("<svg"), Just("<style>"), Just("</style>"), Just("<math>"),
        Just("<p style=\"background:url(x)\">"), Just("onerror=alert(1)"), Just("\""), Just("'"), Just(">"), Just("<"),
        Just("<!--"), Just("-->"), Just("&lt;"), Just("<table>"), Just("<a href='javascript:x'>"), Just("</a>"), Just("x"),
    ], 0..40)) {
        let html = pieces.concat();
        if let Some(page) = page(mail(&html).as_bytes()) {
            prop_assert!(is_inert(&page.html).is_ok(), "{html} became {}", page.html);
        }
    }
}
