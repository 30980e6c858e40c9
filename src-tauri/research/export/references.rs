//! The sources of a report for reference managers.

use std::fmt::Write as _;

use adjutant_api::research::{ReportView, SourceRow};
use serde_json::{Value, json};

use super::{address, is_of_the_web};

/// Returns the sources of a report as BibTeX.
pub(super) fn bibtex(view: &ReportView) -> String {
    let mut out = String::new();
    for source in &view.sources {
        let day = source.at.get(..10).unwrap_or_default();
        let place = match is_of_the_web(source) {
            true => {
                let url = address(&source.address).replace(['{', '}', '\\'], "");
                format!("howpublished = {{\\url{{{url}}}}}")
            }
            // A file or a record of this computer has no address that others can open.
            false => format!("note = {{{}}}", tex(&source.address)),
        };
        let _ = writeln!(
            out,
            "@misc{{source{},\n  title = {{{}}},\n  {place},\n  urldate = {{{day}}}\n}}\n",
            source.number,
            tex(&source.title),
        );
    }
    out
}

/// Returns text with the special characters of TeX escaped.
fn tex(text: &str) -> String {
    let mut out = String::new();
    for letter in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        match letter {
            '{' | '}' | '%' | '&' | '$' | '#' | '_' => {
                out.push('\\');
                out.push(letter);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            other => out.push(other),
        }
    }
    out
}

/// Returns the sources of a report as CSL-JSON.
pub(super) fn csl(view: &ReportView) -> Value {
    let source = |source: &SourceRow| {
        let parts: Vec<i64> = source
            .at
            .get(..10)
            .unwrap_or_default()
            .split('-')
            .filter_map(|part| part.parse().ok())
            .collect();
        let mut item = json!({
            "id": format!("source{}", source.number),
            "type": "webpage",
            "title": source.title,
            "accessed": { "date-parts": [parts] },
        });
        if is_of_the_web(source) {
            item["URL"] = json!(address(&source.address));
        } else {
            item["type"] = json!("document");
            item["note"] = json!(source.address);
        }
        item
    };
    view.sources.iter().map(source).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn documents_of_the_person_are_no_web_pages() {
        let report = report();
        let bib = bibtex(&report);
        assert!(
            bib.contains("howpublished = {\\url{https://a.example/1}}"),
            "{bib}"
        );
        assert!(bib.contains("note = {file:/home/ana/lamp\\_1.md}"), "{bib}");
        let csl = csl(&report);
        assert_eq!(
            (&csl[0]["type"], &csl[0]["URL"]),
            (&json!("webpage"), &json!("https://a.example/1"))
        );
        assert_eq!(
            (&csl[1]["type"], &csl[1]["URL"]),
            (&json!("document"), &Value::Null)
        );
        assert_eq!(csl[1]["note"], "file:/home/ana/lamp_1.md");
    }

    #[test]
    fn special_characters_mean_themselves() {
        assert_eq!(
            tex("50% of {x} \\ _"),
            "50\\% of \\{x\\} \\textbackslash{} \\_"
        );
    }
}
