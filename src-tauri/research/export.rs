//! Exports a report as a file: Markdown, one HTML page, JSON, or its sources for reference managers.

mod references;

use std::fmt::Write as _;

use adjutant_api::research::{
    ClaimView, Compared, ReportView, ResearchAnswer, ResearchFormat, SinceBefore, SourceRow,
};
use adjutant_research::{Report, Run};
use jiff::tz::TimeZone;

use self::references::{bibtex, csl};
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
        let whole = format!("**{}** {}", plain(&answer.text), plain(&answer.because));
        let _ = writeln!(out, "{}\n", whole.trim_end());
    }
    for paragraph in paragraphs(&view.summary) {
        let _ = writeln!(out, "{}\n", plain(paragraph));
    }
    let _ = writeln!(out, "Confidence: {}. {}\n", view.confidence, written(view));
    if let Some((title, lines)) = changes(since) {
        heading(&mut out, &title);
        for line in lines {
            let _ = writeln!(out, "- {}", plain(&line));
        }
    }
    if !view.claims.is_empty() {
        heading(&mut out, "Claims");
    }
    for claim in &view.claims {
        let mark = format!("{}. ", claim.number);
        // What belongs to an item is indented as far as the item's own text.
        let indent = " ".repeat(mark.len());
        let _ = writeln!(
            out,
            "{mark}{} [{}]",
            plain(&said(claim)),
            number_of(view, claim)
        );
        if let Some(doubt) = &claim.doubt {
            let _ = writeln!(out, "{indent}*In doubt: {}*", plain(doubt));
        }
        if !is_quote(claim) {
            let _ = writeln!(out, "{indent}> {}", plain(&claim.quote));
        }
        out.push('\n');
    }
    if !view.contradictions.is_empty() {
        heading(&mut out, "Contradictions");
    }
    for one in &view.contradictions {
        let about = plain(&one.about);
        let _ = writeln!(out, "- Claims {} and {}: {about}", one.one, one.other);
    }
    if !view.limitations.is_empty() {
        heading(&mut out, "Limitations");
    }
    for one in &view.limitations {
        let _ = writeln!(out, "- {}", plain(one));
    }
    if !view.sources.is_empty() {
        heading(&mut out, "Sources");
    }
    for source in &view.sources {
        let title = plain(&source.title);
        let _ = writeln!(
            out,
            "{}. {title}. <{}> (read {})",
            source.number,
            address(&source.address),
            read_at(source)
        );
    }
    out
}

/// Begins a part of the Markdown file, one empty line below what is above it.
fn heading(out: &mut String, title: &str) {
    out.truncate(out.trim_end().len());
    let _ = writeln!(out, "\n\n## {title}\n");
}

fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").filter(|one| !one.trim().is_empty())
}

/// Returns whether a claim is nothing but its quote.
fn is_quote(claim: &ClaimView) -> bool {
    claim.text == claim.quote
}

/// Returns the text of a claim, in quotation marks if it is nothing but its quote.
fn said(claim: &ClaimView) -> String {
    match is_quote(claim) {
        true => format!("“{}”", claim.text),
        false => claim.text.clone(),
    }
}

/// Returns the day and the minute at which a source was read, in the person's time.
fn read_at(source: &SourceRow) -> String {
    let at = source.at.get(..16).unwrap_or(&source.at);
    at.replace('T', " ")
}

fn is_of_the_web(source: &SourceRow) -> bool {
    source.address.starts_with("https://") || source.address.starts_with("http://")
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
    for paragraph in paragraphs(&view.summary) {
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
    if !view.claims.is_empty() {
        out.push_str("<h2>Claims</h2>\n<ol>\n");
    }
    for claim in &view.claims {
        let number = number_of(view, claim);
        let _ = write!(
            out,
            "<li>{} <a href=\"#source-{number}\">[{number}]</a>",
            escaped(&said(claim))
        );
        if let Some(doubt) = &claim.doubt {
            let _ = write!(
                out,
                " <span class=\"doubt\">In doubt: {}</span>",
                escaped(doubt)
            );
        }
        if !is_quote(claim) {
            let _ = write!(out, "<blockquote>{}</blockquote>", escaped(&claim.quote));
        }
        out.push_str("</li>\n");
    }
    if !view.claims.is_empty() {
        out.push_str("</ol>\n");
    }
    list(
        &mut out,
        "Contradictions",
        view.contradictions
            .iter()
            .map(|one| format!("Claims {} and {}: {}", one.one, one.other, one.about)),
    );
    list(&mut out, "Limitations", view.limitations.iter().cloned());
    if !view.sources.is_empty() {
        out.push_str("<h2>Sources</h2>\n<ol>\n");
        for source in &view.sources {
            let _ = writeln!(out, "{}", html_source(source));
        }
        out.push_str("</ol>\n");
    }
    out.push_str("</body></html>\n");
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
    let place = match is_of_the_web(source) {
        true => format!("<a rel=\"noreferrer noopener\" href=\"{shown}\">{shown}</a>"),
        false => shown,
    };
    format!(
        "<li id=\"source-{}\">{}. {place} <small>read {}</small></li>",
        source.number,
        escaped(&source.title),
        escaped(&read_at(source))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn source(number: u32, address: &str, title: &str) -> SourceRow {
        SourceRow {
            number,
            address: address.into(),
            title: title.into(),
            sha256: String::new(),
            at: "2026-01-14T10:00:00+01:00".into(),
            contribution: String::new(),
            changed: None,
        }
    }

    fn claim(number: u32, text: &str, quote: &str) -> ClaimView {
        ClaimView {
            number,
            text: text.into(),
            quote: quote.into(),
            source: "https://a.example/1".into(),
            sha256: String::new(),
            doubt: None,
            sources: 1,
        }
    }

    pub(super) fn report() -> ReportView {
        ReportView {
            answer: None,
            summary: "It was built in 1931.".into(),
            claims: vec![
                claim(1, "It was built in 1931.", "It was built in 1931."),
                claim(10, "It is old.", "It was built in 1931."),
            ],
            sources: vec![
                source(1, "https://a.example/1", "Lamps & co"),
                source(2, "file:/home/ana/lamp_1.md", "lamp_1.md"),
            ],
            contradictions: Vec::new(),
            limitations: vec!["A page was not read.".into()],
            confidence: "medium".into(),
            written_by: "model".into(),
            cut: None,
            dropped: 0,
        }
    }

    fn run() -> Run {
        let brief = adjutant_research::Brief::draft("Which lamp?", "to know", &["a year".into()]);
        let brief = brief.clear().expect("whole");
        let limits = adjutant_research::Limits::default();
        Run::new(&brief, limits, adjutant_research::WrittenBy::Embedded)
    }

    #[test]
    fn a_report_reads_well_as_markdown() {
        assert_eq!(
            markdown(&run(), &report(), None),
            "# Which lamp?\n\nIt was built in 1931.\n\n\
            Confidence: medium. Written by a language model. Adjutant checked every quote against the stored page.\n\n\
            ## Claims\n\n\
            1. “It was built in 1931.” [1]\n\n\
            10. It is old. [1]\n    > It was built in 1931.\n\n\
            ## Limitations\n\n- A page was not read.\n\n\
            ## Sources\n\n\
            1. Lamps \\& co. <https://a.example/1> (read 2026-01-14 10:00)\n\
            2. lamp\\_1.md. <file:/home/ana/lamp_1.md> (read 2026-01-14 10:00)\n"
        );
    }

    #[test]
    fn a_report_without_claims_has_no_empty_parts() {
        let mut report = report();
        report.summary.clear();
        report.claims.clear();
        report.sources.clear();
        let (text, page) = (markdown(&run(), &report, None), html(&run(), &report, None));
        assert!(
            !text.contains("## Claims") && !text.contains("## Sources"),
            "{text}"
        );
        assert!(!text.contains("\n\n\n"), "{text:?}");
        assert!(
            !page.contains("<ol>") && !page.contains("<p></p>"),
            "{page}"
        );
    }

    #[test]
    fn text_of_others_means_only_itself() {
        assert_eq!(
            plain("a *b*\n# [c](d) <e>"),
            "a \\*b\\* \\# \\[c\\](d) \\<e\\>"
        );
        assert_eq!(escaped("<script>'\"&"), "&lt;script&gt;&#39;&quot;&amp;");
        assert_eq!(
            address("https://a.example/> <b"),
            "https://a.example/%3E%3Cb"
        );
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_name("…"), "research");
        let source = source(1, "javascript:alert(1)", "<img src=x onerror=alert(1)>");
        let line = html_source(&source);
        assert!(!line.contains("href") && !line.contains("<img"), "{line}");
    }
}
