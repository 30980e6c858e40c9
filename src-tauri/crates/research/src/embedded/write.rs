//! Writes documents and reports from sentences of the sources.

use super::answer::{self, Extracted};
use super::doubt::doubt;
use super::leads::trusted;
use super::orders::{has_orders, told};
use super::own;
use super::sentence::{in_a_row, is_whole, opens_with_a_pronoun, quotable};
use super::topic::{Topic, stem_set};
use super::{Sheet, View};
use crate::claims::{self, Snapshot};
use crate::document::{
    Answered, Claim, Confidence, Contradiction, DocumentSource, Question, QuestionDocument,
    Recommendation, Report, ReportSource, WrittenBy,
};
use crate::lexicon::name_key;
use crate::statement::states;

/// Maximum findings of a document.
const FINDINGS_MAX: usize = 14;
/// Maximum findings from one page.
const FINDINGS_A_PAGE_MAX: usize = 4;
/// Maximum claims of a summary.
const SUMMED_MAX: usize = 5;
/// Maximum sentences of a page that are read.
const SENTENCES_MAX: usize = 200;
/// Maximum bytes of a sentence that can be quoted.
const SENTENCE_BYTES_MAX: usize = 900;
/// Minimum coverage of a sentence for a question without names, relative to the sentence with the highest coverage. If
/// the question has names, a sentence of a page they led to may answer without any of its distinctive words.
const COVERED_MIN: f32 = 0.5;
/// Score of a line that is not a whole sentence; whole sentences score by position.
const FRAGMENT: f32 = -1.0;

/// The note in every report that no model took part.
const EXTRACTIVE: &str = "No model took part: this report puts together sentences from its sources, chosen by the words and names they share with the question.";

/// A sentence that may become a finding.
struct Candidate<'a> {
    sheet: &'a Sheet<'a>,
    sentence: &'a str,
    score: f32,
    /// Whether its page belongs to the question.
    trusted: bool,
    /// Whether it is a whole sentence.
    whole: bool,
    /// Share of the question's distinctive words that it covers, 0 to 1.
    covered: f32,
}

impl Candidate<'_> {
    /// Returns whether it can be quoted: it states something. Web pages have headings, menus and date lines beside their
    /// text, so only their whole sentences can; the person's notes and documents are often written in lines.
    fn is_citable(&self) -> bool {
        states(self.sentence) && (self.whole || (self.covered > 0.0 && !self.sheet.is_of_the_web()))
    }
}

/// Writes the document of a question.
pub fn document(view: &View<'_>) -> QuestionDocument {
    let answer = answer::extract(view);
    let grounds = answer
        .as_ref()
        .map_or(&[] as &[_], |answer| answer.grounds.as_slice());
    let findings = findings(view, grounds);
    let sources = findings
        .iter()
        .fold(Vec::new(), |mut sources: Vec<DocumentSource>, claim| {
            if sources.iter().all(|one| one.address != claim.source) {
                let title = view
                    .sheets()
                    .find(|sheet| sheet.page.address == claim.source);
                sources.push(DocumentSource {
                    address: claim.source.clone(),
                    title: title
                        .map(|sheet| sheet.page.title.clone())
                        .unwrap_or_default(),
                    contribution: claim.text.clone(),
                });
            }
            sources
        });
    let mut limitations = Vec::new();
    if view.sheets().next().is_none() {
        limitations.push("The searches led to no page that could be read.".to_owned());
    } else if findings.is_empty() {
        limitations.push("None of the pages that were read is about the question.".to_owned());
    }
    limitations.extend(orders(view));
    let independent = findings
        .iter()
        .map(|claim| claim.sources)
        .max()
        .unwrap_or(0);
    let doubt = match answer {
        Some(_) => None,
        None => doubt(view.question, std::slice::from_ref(view), &findings),
    };
    let confidence = match (findings.len(), independent) {
        (0, _) => Confidence::Low,
        _ if doubt.is_some() => Confidence::Low,
        (_, 2..) => Confidence::High,
        _ => Confidence::Medium,
    };
    limitations.extend(doubt);
    QuestionDocument {
        answer: in_a_row(
            answer
                .into_iter()
                .map(|answer| {
                    format!(
                        "{} ({}).",
                        answer.text,
                        answer.because.trim_end_matches('.')
                    )
                })
                .chain(findings.iter().take(3).map(|claim| claim.text.clone())),
        ),
        recommendation: if findings.is_empty() {
            Recommendation::DeadEnd
        } else {
            Recommendation::Promising
        },
        key_findings: findings,
        sources,
        limitations,
        confidence,
    }
}

/// Returns a note for each opened page that contains orders.
pub fn orders(view: &View<'_>) -> Vec<String> {
    let note = |sheet: &Sheet<'_>| {
        let title = &sheet.page.title;
        format!(
            "The page “{title}” has text meant as orders to assistants; that text was left out."
        )
    };
    let sheets = view.sheets().filter(|sheet| has_orders(sheet.text));
    sheets.map(note).collect()
}

/// Returns what the documents of the questions could not find, and what went wrong with them.
fn shortcomings(questions: &[Question]) -> impl Iterator<Item = String> {
    let documents = questions.iter().filter_map(|one| one.document.as_ref());
    documents.flat_map(|document| document.limitations.iter().cloned())
}

/// Completes a model's report with what its words may leave out: notes on orders in pages, and the shortcomings of the
/// documents.
pub fn complete_notes(limitations: &mut Vec<String>, views: &[View<'_>], questions: &[Question]) {
    let orders = views.iter().flat_map(orders);
    for note in orders.chain(shortcomings(questions)) {
        if !limitations.contains(&note) {
            limitations.push(note);
        }
    }
}

/// Returns the first claims as one paragraph.
pub fn summary(claims: &[Claim]) -> String {
    in_a_row(
        claims
            .iter()
            .take(SUMMED_MAX)
            .map(|claim| claim.text.clone()),
    )
}

/// Returns the sentences that match the question best, each checked as a claim; those that the short answer rests on
/// come first.
fn findings(view: &View<'_>, grounds: &[(String, String)]) -> Vec<Claim> {
    let topic = Topic::seen(view);
    let pages = trusted(view, &topic);
    let mut candidates: Vec<Candidate<'_>> = pages
        .iter()
        .flat_map(|(sheet, trust)| rated(sheet, &topic, *trust))
        .collect();
    candidates.retain(Candidate::is_citable);
    // Without names no page can be tied to the question, so its sentences are weighed instead.
    let nameless = topic.names.is_empty();
    if nameless {
        let best = candidates.iter().map(|one| one.covered);
        let least = best.fold(0.0, f32::max) * COVERED_MIN;
        candidates.retain(|one| one.covered > 0.0 && one.covered >= least);
    }
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    let mut claims: Vec<Claim> = Vec::new();
    for (address, sentence) in grounds {
        if let Some(sheet) = view.sheets().find(|sheet| sheet.page.address == *address)
            && (is_whole(sentence) || !sheet.is_of_the_web())
        {
            keep(&mut claims, sheet, sentence);
        }
    }
    for candidate in &candidates {
        let address = &candidate.sheet.page.address;
        let of_page = claims
            .iter()
            .filter(|claim| claim.source == *address)
            .count();
        let allowed = if candidate.trusted || nameless {
            FINDINGS_A_PAGE_MAX
        } else {
            1
        };
        if claims.len() < FINDINGS_MAX && of_page < allowed {
            keep(&mut claims, candidate.sheet, candidate.sentence);
        }
    }
    for sheet in view.sheets().filter(|sheet| own::is_about(sheet, &topic)) {
        for line in own::others(sheet, &topic, &claims) {
            let of_page = claims.iter().filter(|one| one.source == sheet.page.address);
            if claims.len() < FINDINGS_MAX && of_page.count() < FINDINGS_A_PAGE_MAX {
                keep(&mut claims, sheet, line);
            }
        }
    }
    for at in 0..claims.len() {
        claims[at].sources = claims::independent(&claims, at);
    }
    claims
}

/// Adds a sentence as a claim if its check succeeds.
fn keep(claims: &mut Vec<Claim>, sheet: &Sheet<'_>, sentence: &str) {
    let (page, quote) = (sheet.page, quotable(sentence));
    if claims
        .iter()
        .any(|claim| claim.quote == quote && claim.source == page.address)
    {
        return;
    }
    let text = if opens_with_a_pronoun(&quote) {
        format!("{}: {quote}", page.title)
    } else {
        quote.clone()
    };
    let snapshot = Snapshot {
        title: &page.title,
        text: sheet.text,
    };
    let verdict = match sheet.is_of_the_web() {
        true => claims::check(&text, &quote, snapshot),
        false => claims::check_line(&text, &quote, snapshot),
    };
    if let Some(verdict) = verdict {
        claims.push(Claim {
            text,
            quote,
            source: page.address.clone(),
            sha256: page.sha256.clone(),
            verdict,
            sources: 1,
        });
    }
}

/// Returns the sentences of a page with their scores: how far the page belongs to the question, what the sentence
/// shares with it, what it answers, and whether it contains the kind of thing that is asked for.
fn rated<'a>(sheet: &'a Sheet<'a>, topic: &Topic, trust: f32) -> Vec<Candidate<'a>> {
    let mut before = 0_u16;
    lines(sheet)
        .map(|sentence| {
            let stems = stem_set(sentence);
            let answered = topic
                .asked
                .iter()
                .filter(|one| stems.iter().any(|stem| one.is_met_by(stem)))
                .count();
            let whole = is_whole(sentence);
            let place = if whole {
                before = before.saturating_add(1);
                1.5 / f32::from(before)
            } else {
                FRAGMENT
            };
            let covered = topic.coverage(&stems);
            #[expect(clippy::cast_precision_loss, reason = "a few words")]
            let score = trust * 2.0 + covered * 2.0 + answered as f32 * 0.8 + place;
            Candidate {
                sheet,
                sentence,
                score,
                trusted: trust > 0.3,
                whole,
                covered,
            }
        })
        .collect()
}

/// Returns the sentences and lines of a page that can be quoted, in their order, without its title.
fn lines<'a>(sheet: &Sheet<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let title = name_key(&sheet.page.title);
    let sentences = told(sheet.text).take(SENTENCES_MAX);
    sentences.filter(move |one| one.len() <= SENTENCE_BYTES_MAX && name_key(one) != title)
}

/// Returns the sentences and lines of a page that can be quoted and state something, in their order.
pub(super) fn statements<'a>(sheet: &Sheet<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    lines(sheet).filter(|line| states(line))
}

/// Returns the passages of a page that are relevant to the question, in their order, at most `bytes_max` bytes in all.
pub fn passages(view: &View<'_>, sheet: &Sheet<'_>, bytes_max: usize) -> String {
    let topic = Topic::seen(view);
    let mut rated = rated(sheet, &topic, 0.0);
    rated.sort_by(|one, other| other.score.total_cmp(&one.score));
    let mut bytes = 0;
    rated.retain(|one| {
        bytes += one.sentence.len() + 1;
        bytes <= bytes_max
    });
    rated.sort_by_key(|one| one.sentence.as_ptr() as usize);
    rated
        .iter()
        .map(|one| one.sentence)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Writes the report of a run. What the criteria ask for and no finding mentions is looked for once more in the
/// documents of the person that the report cites.
pub fn report(
    objective: &str,
    criteria: &[String],
    views: &[View<'_>],
    questions: &[Question],
) -> Report {
    let documents = questions.iter().filter_map(|one| one.document.as_ref());
    let mut claims: Vec<Claim> = Vec::new();
    for document in documents {
        for claim in &document.key_findings {
            if claims
                .iter()
                .all(|one| one.quote != claim.quote || one.source != claim.source)
            {
                claims.push(claim.clone());
            }
        }
    }
    let mut limitations: Vec<String> = shortcomings(questions).collect();
    limitations.push(EXTRACTIVE.to_owned());
    for (sheet, line) in own::wanted(criteria, views, &claims) {
        keep(&mut claims, sheet, line);
    }
    let answer = views.iter().find_map(|view| answered(view, &claims));
    let mut report = Report {
        objective: objective.to_owned(),
        answer,
        summary: summary(&claims),
        claims,
        sources: Vec::new(),
        contradictions: Vec::new(),
        limitations,
        confidence: Confidence::Low,
        written_by: WrittenBy::Embedded,
        cut: None,
        dropped: 0,
    };
    complete(&mut report, views);
    if report.answer.is_none()
        && let Some(doubt) = doubt(objective, views, &report.claims)
    {
        report.confidence = Confidence::Low;
        report.limitations.insert(0, doubt);
    }
    report
}

/// Returns the short answer of a question, if one can be extracted and the claims support it.
fn answered(view: &View<'_>, claims: &[Claim]) -> Option<Answered> {
    let Extracted {
        text,
        because,
        grounds,
    } = answer::extract(view)?;
    let rests = |(address, sentence): &(String, String)| {
        let quote = quotable(sentence);
        claims
            .iter()
            .position(|claim| claim.source == *address && claim.quote == quote)
    };
    let claims: Vec<usize> = grounds.iter().filter_map(rests).collect();
    (!claims.is_empty()).then_some(Answered {
        text,
        because,
        claims,
    })
}

/// Fills in what follows from the claims of a report: sources, contradictions and confidence.
pub fn complete(report: &mut Report, views: &[View<'_>]) {
    for at in 0..report.claims.len() {
        report.claims[at].sources = claims::independent(&report.claims, at);
    }
    report.sources.clear();
    for claim in &report.claims {
        let sheet = views
            .iter()
            .flat_map(View::sheets)
            .find(|sheet| sheet.page.address == claim.source);
        if let Some(sheet) = sheet
            && report.sources.iter().all(|one| one.address != claim.source)
        {
            report.sources.push(ReportSource {
                address: claim.source.clone(),
                title: sheet.page.title.clone(),
                sha256: sheet.page.sha256.clone(),
                fetched_at: sheet.page.fetched_at,
                contribution: claim.text.clone(),
            });
        }
    }
    report.contradictions.clear();
    for one in 0..report.claims.len() {
        for other in one + 1..report.claims.len() {
            if let Some(about) = claims::contradiction(&report.claims[one], &report.claims[other]) {
                report
                    .contradictions
                    .push(Contradiction { one, other, about });
            }
        }
    }
    let supported = report
        .claims
        .iter()
        .filter(|claim| claim.supported())
        .count();
    let independent = report
        .claims
        .iter()
        .map(|claim| claim.sources)
        .max()
        .unwrap_or(0);
    report.confidence = match (supported, independent, report.contradictions.is_empty()) {
        (0, _, _) => Confidence::Low,
        (_, 2.., true) => Confidence::High,
        (_, _, true) => Confidence::Medium,
        _ => Confidence::Low,
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::Timestamp;

    use super::*;
    use crate::document::PageRef;
    use crate::embedded::Search;

    fn findings_of(question: &str, text: &str) -> Vec<String> {
        let page = PageRef {
            address: "file:///notes/roof.md".to_owned(),
            title: "roof.md".to_owned(),
            sha256: String::new(),
            fetched_at: Timestamp::UNIX_EPOCH,
        };
        let taken = BTreeSet::new();
        let view = View {
            objective: question,
            question,
            goal: "",
            searches: vec![Search {
                query: "roof",
                hits: &[],
                sheets: vec![Sheet { page: &page, text }],
                fault: None,
                reflection: None,
            }],
            closed: Vec::new(),
            taken: &taken,
            pages_max: 3,
            searches_min: 1,
        };
        let found = document(&view).key_findings;
        found.into_iter().map(|claim| claim.quote).collect()
    }

    #[test]
    fn sentences_that_share_little_with_a_question_without_names_are_no_findings() {
        let text = "The roof must be repaired before the winter, says the mason. \
            The garden has two old trees. The repaired fence cost a little. \
            A mason repaired the roof of the house next door last winter.";
        assert_eq!(
            findings_of("must the roof be repaired before winter by a mason?", text),
            [
                "The roof must be repaired before the winter, says the mason.",
                "A mason repaired the roof of the house next door last winter."
            ]
        );
    }
}
