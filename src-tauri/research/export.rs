//! Exports a report as a file: Markdown, one HTML page, JSON, or its sources for reference managers.

use std::fmt::Write as _;

use adjutant_api::research::{
    ClaimView, Compared, ReportView, ResearchAnswer, ResearchFormat, SinceBefore, SourceRow,
};
use adjutant_research::{Report, Run};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::view::report_view;

/// Maximum characters of a file name.
const NAME_MAX: usize = 60;
/// Style sheet of the HTML page. It loads nothing from elsewhere and follows the reader's theme.
const STYLE: &str = "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.55 system-ui,sans-serif;color-scheme:light dark}blockquote{margin:.3rem 0 1rem;padding-left:1rem;border-left:3px solid #8888}small{opacity:.8}.doubt{font-style:italic}@media print{body{margin:0;max-width:none}li{break-inside:avoid}}";

/// Returns the report of a run in the given format.
pub(crate) fn exported(
    run: &Run,
    report: &Report,
    since: Option<&SinceBefore>,
    format: ResearchFormat,
    zone: &TimeZone,
) -> ResearchAnswer {
    let view = report_view(report, zone);
    let (ending, media, text) = match format {
        ResearchFormat::Md => ("md", "text/markdown", markdown(run, &view, since)),
        ResearchFormat::Html => ("html", "text/html", html(run, &view, since)),
        ResearchFormat::Bib => ("bib", "application/x-bibtex", bibtex(&view)),
        ResearchFormat::Csl => (
            "json",
            "application/vnd.citationstyles.csl+json",
            csl(&view).to_string(),
        ),
        ResearchFormat::Json => (
            "json",
            "application/json",
            run.to_json().unwrap_or_default(),
        ),
    };
    ResearchAnswer::File {
        name: format!("{}.{ending}", file_name(run.objective())),
        media: media.to_owned(),
        text,
    }
}

fn file_name(objective: &str) -> String {
    let words = adjutant_text::words(objective).join("-");
    let name: String = words.chars().take(NAME_MAX).collect();
    match name.trim_matches('-') {
        "" => "research".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns one sentence that says how the report came about.
fn written(view: &ReportView) -> &'static str {
    match view.written_by.as_str() {
        "model" => {
            "Written by a language model. Adjutant checked every quote against the stored page."
        }
        _ => "Made of sentences from the sources, without a language model.",
    }
}

fn number_of(view: &ReportView, claim: &ClaimView) -> u32 {
    let found = view.sources.iter().find(|one| one.address == claim.source);
    found.map_or(0, |source| source.number)
}

/// Returns a heading and one line for each change since the previous run; `None` without a previous run.
fn changes(since: Option<&SinceBefore>) -> Option<(String, Vec<String>)> {
    let SinceBefore {
        started, compared, ..
    } = since?;
    let day = started.get(..10).unwrap_or_default();
    let Compared {
        new, gone, changed, ..
    } = compared;
    let mut lines: Vec<String> = changed
        .iter()
        .map(|one| format!("Changed: {} (before: {})", one.after.text, one.before.text))
        .collect();
    lines.extend(new.iter().map(|one| format!("New: {}", one.text)));
    lines.extend(
        gone.iter()
            .map(|one| format!("No longer there: {}", one.text)),
    );
    if lines.is_empty() {
        lines.push(match compared.same {
            1 => "Nothing: the claim is the same.".to_owned(),
            same => format!("Nothing: all {same} claims are the same."),
        });
    }
    Some((format!("What changed since {day}"), lines))
}

fn markdown(run: &Run, view: &ReportView, since: Option<&SinceBefore>) -> String {
    let mut out = format!("# {}\n\n", plain(run.objective()));
    if let Some(answer) = &view.answer {
        let _ = writeln!(
            out,
            "**{}** {}\n",
            plain(&answer.text),
            plain(&answer.because)
        );
    }
    for paragraph in view.summary.split("\n\n") {
        let _ = writeln!(out, "{}\n", plain(paragraph));
    }
    let _ = writeln!(out, "Confidence: {}. {}\n", view.confidence, written(view));
    if let Some((title, lines)) = changes(since) {
        let _ = writeln!(out, "## {title}\n");
        for line in lines {
            let _ = writeln!(out, "- {}", plain(&line));
        }
        out.push('\n');
    }
    if !view.claims.is_empty() {
        out.push_str("## Claims\n\n");
    }
    for claim in &view.claims {
        let number = number_of(view, claim);
        let _ = writeln!(out, "{}. {} [{number}]", claim.number, plain(&claim.text));
        if let Some(doubt) = &claim.doubt {
            let _ = writeln!(out, "   *In doubt: {}*", plain(doubt));
        }
        let _ = writeln!(out, "   > {}\n", plain(&claim.quote));
    }
    if !view.contradictions.is_empty() {
        out.push_str("## Contradictions\n\n");
    }
    for one in &view.contradictions {
        let about = plain(&one.about);
        let _ = writeln!(out, "- Claims {} and {}: {about}", one.one, one.other);
    }
    if !view.limitations.is_empty() {
        out.push_str("\n## Limitations\n\n");
    }
    for one in &view.limitations {
        let _ = writeln!(out, "- {}", plain(one));
    }
    out.push_str("\n## Sources\n\n");
    for source in &view.sources {
        let title = plain(&source.title);
        let _ = writeln!(
            out,
            "{}. {title}. <{}> (read {})",
            source.number,
            address(&source.address),
            source.at
        );
    }
    out
}

/// Returns foreign text as one line of Markdown, with all markup escaped.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!' | '&' | '~'
        ) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Returns an address without characters that could end the markup around it.
fn address(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace() && !letter.is_control())
        .map(|letter| match letter {
            '<' => "%3C".to_owned(),
            '>' => "%3E".to_owned(),
            other => other.to_string(),
        })
        .collect()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

fn html(run: &Run, view: &ReportView, since: Option<&SinceBefore>) -> String {
    let title = escaped(run.objective());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"><meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    if let Some(answer) = &view.answer {
        let (text, because) = (escaped(&answer.text), escaped(&answer.because));
        let _ = writeln!(out, "<p><strong>{text}</strong> {because}</p>");
    }
    for paragraph in view.summary.split("\n\n") {
        let _ = writeln!(out, "<p>{}</p>", escaped(paragraph));
    }
    let confidence = escaped(&view.confidence);
    let _ = writeln!(
        out,
        "<p><small>Confidence: {confidence}. {}</small></p>",
        written(view)
    );
    if let Some((title, lines)) = changes(since) {
        list(&mut out, &title, lines.into_iter());
    }
    out.push_str("<h2>Claims</h2>\n<ol>\n");
    for claim in &view.claims {
        let number = number_of(view, claim);
        let _ = write!(
            out,
            "<li>{} <a href=\"#source-{number}\">[{number}]</a>",
            escaped(&claim.text)
        );
        if let Some(doubt) = &claim.doubt {
            let _ = write!(
                out,
                " <span class=\"doubt\">In doubt: {}</span>",
                escaped(doubt)
            );
        }
        let _ = writeln!(
            out,
            "<blockquote>{}</blockquote></li>",
            escaped(&claim.quote)
        );
    }
    out.push_str("</ol>\n");
    list(
        &mut out,
        "Contradictions",
        view.contradictions
            .iter()
            .map(|one| format!("Claims {} and {}: {}", one.one, one.other, one.about)),
    );
    list(&mut out, "Limitations", view.limitations.iter().cloned());
    out.push_str("<h2>Sources</h2>\n<ol>\n");
    for source in &view.sources {
        let _ = writeln!(out, "{}", html_source(source));
    }
    out.push_str("</ol>\n</body></html>\n");
    out
}

fn list(out: &mut String, title: &str, lines: impl ExactSizeIterator<Item = String>) {
    if lines.len() == 0 {
        return;
    }
    let _ = writeln!(out, "<h2>{title}</h2>\n<ul>");
    for line in lines {
        let _ = writeln!(out, "<li>{}</li>", escaped(&line));
    }
    out.push_str("</ul>\n");
}

fn html_source(source: &SourceRow) -> String {
    let shown = escaped(&address(&source.address));
    let is_web = source.address.starts_with("https://") || source.address.starts_with("http://");
    let place = match is_web {
        true => format!("<a rel=\"noreferrer noopener\" href=\"{shown}\">{shown}</a>"),
        false => shown,
    };
    format!(
        "<li id=\"source-{}\">{}. {place} <small>read {}</small></li>",
        source.number,
        escaped(&source.title),
        escaped(&source.at)
    )
}

fn bibtex(view: &ReportView) -> String {
    let mut out = String::new();
    for source in &view.sources {
        let day = source.at.get(..10).unwrap_or_default();
        let _ = writeln!(
            out,
            "@misc{{source{},\n  title = {{{}}},\n  howpublished = {{\\url{{{}}}}},\n  urldate = {{{day}}}\n}}\n",
            source.number,
            tex(&source.title),
            address(&source.address).replace(['{', '}', '\\'], ""),
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

fn csl(view: &ReportView) -> Value {
    let source = |source: &SourceRow| {
        let parts: Vec<i64> = source
            .at
            .get(..10)
            .unwrap_or_default()
            .split('-')
            .filter_map(|part| part.parse().ok())
            .collect();
        json!({
            "id": format!("source{}", source.number),
            "type": "webpage",
            "title": source.title,
            "URL": address(&source.address),
            "accessed": { "date-parts": [parts] },
        })
    };
    view.sources.iter().map(source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_means_only_itself() {
        assert_eq!(
            plain("a *b*\n# [c](d) <e>"),
            "a \\*b\\* \\# \\[c\\](d) \\<e\\>"
        );
        assert_eq!(escaped("<script>'\"&"), "&lt;script&gt;&#39;&quot;&amp;");
        assert_eq!(
            tex("50% of {x} \\ _"),
            "50\\% of \\{x\\} \\textbackslash{} \\_"
        );
        assert_eq!(
            address("https://a.example/> <b"),
            "https://a.example/%3E%3Cb"
        );
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_name("…"), "research");
        let source = SourceRow {
            number: 1,
            address: "javascript:alert(1)".into(),
            title: "<img src=x onerror=alert(1)>".into(),
            sha256: String::new(),
            at: "2026-01-14T10:00:00Z".into(),
            contribution: String::new(),
            changed: None,
        };
        let line = html_source(&source);
        assert!(!line.contains("href") && !line.contains("<img"), "{line}");
    }
}
