//! Cleans engine results: no markup, no control characters, limited lengths, no duplicate addresses.

use std::collections::BTreeSet;

use adjutant_domain::ports::web::FOUND_MAX;
use adjutant_domain::ports::{SearchResult, SourceAddress};
use adjutant_domain::source::Taint;
use dom_query::Document;
use serde_json::Value;
use url::Url;

/// Maximum number of characters in a title.
const TITLE_CHARS_MAX: usize = 300;
/// Maximum number of characters in a snippet.
const SNIPPET_CHARS_MAX: usize = 2_000;
/// Maximum number of characters in an address.
const URL_CHARS_MAX: usize = 2_048;
/// Maximum number of rows read from a reply.
const ROWS_MAX: usize = 200;
/// Maximum number of characters of markup parsed for one line.
const MARKUP_CHARS_MAX: usize = 20_000;

/// One result as the engine returned it.
pub(super) struct Row<'a> {
    pub(super) url: &'a str,
    pub(super) title: &'a str,
    pub(super) snippet: &'a str,
}

/// Converts rows to at most `limit` results, in order. Skips rows whose address cannot be opened.
pub(super) fn found<'a>(
    rows: impl IntoIterator<Item = Row<'a>>,
    limit: usize,
) -> Vec<SearchResult> {
    let mut seen = BTreeSet::new();
    let rows = rows.into_iter().take(ROWS_MAX);
    let results = rows.filter_map(|row| {
        let url = address(row.url)?;
        seen.insert(url.clone()).then(|| SearchResult {
            title: match plain(row.title, TITLE_CHARS_MAX) {
                title if title.is_empty() => url.clone(),
                title => title,
            },
            snippet: plain(row.snippet, SNIPPET_CHARS_MAX),
            at: SourceAddress::Page { url },
            taint: Taint::Tainted,
        })
    });
    results.take(limit.min(FOUND_MAX)).collect()
}

/// Reads the rows of a list with the given field names; `None` if there is no list.
pub(super) fn rows<'a>(
    list: Option<&'a Value>,
    [url, title, snippet]: [&'a str; 3],
) -> Option<impl Iterator<Item = Row<'a>>> {
    let text = |row: &'a Value, key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let rows = list?.as_array()?.iter();
    Some(rows.map(move |row| Row {
        url: text(row, url),
        title: text(row, title),
        snippet: text(row, snippet),
    }))
}

/// Returns a web address without its fragment; `None` if the text is anything else.
pub(super) fn address(text: &str) -> Option<String> {
    if text.chars().count() > URL_CHARS_MAX {
        return None;
    }
    let mut url = Url::parse(text.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    // Credentials in a foreign address are not the person's.
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_fragment(None);
    Some(url.to_string())
}

/// Returns text on one line without markup.
fn plain(text: &str, chars_max: usize) -> String {
    if !text.contains(['<', '&']) {
        return line(text, chars_max);
    }
    let markup: String = text.chars().take(MARKUP_CHARS_MAX).collect();
    line(&Document::fragment(markup).text(), chars_max)
}

/// Returns text on one line, without control characters and of limited length.
pub(super) fn line(text: &str, chars_max: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        let space = usize::from(!line.is_empty());
        let room = chars_max.saturating_sub(count + space);
        if room == 0 {
            break;
        }
        if space == 1 {
            line.push(' ');
        }
        line.extend(word.chars().take(room));
        count = count + space + word.chars().count().min(room);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_plain_bounded_and_no_place_comes_twice() {
        let row = |url, title, snippet| Row {
            url,
            title,
            snippet,
        };
        let long = "x".repeat(5_000);
        let found = found(
            [
                row(
                    "https://a.example/1#top",
                    "<b>One</b> &amp; two",
                    "a\u{0}b\r\nc",
                ),
                row("https://a.example/1", "Again", ""),
                row("javascript:alert(1)", "Script", ""),
                row("file:///etc/passwd", "File", ""),
                row("", "Nothing", ""),
                row("https://kim:secret@b.example/", "", &long),
            ],
            9,
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].title, "One & two");
        assert_eq!(found[0].snippet, "a b c");
        assert_eq!(found[1].at.to_string(), "https://b.example/");
        assert_eq!(found[1].title, "https://b.example/");
        assert_eq!(found[1].snippet.len(), SNIPPET_CHARS_MAX);
    }
}
