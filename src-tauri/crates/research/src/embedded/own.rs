//! The person's own documents. They are short and written in lines, and say things in other words than a question.

use std::collections::BTreeSet;

use adjutant_text::stem;

use super::sentence::quotable;
use super::topic::{Topic, stem_set};
use super::write::statements;
use super::{Sheet, View};
use crate::document::Claim;
use crate::lexicon::stems;

/// Maximum lines that are added for the success criteria.
const WANTED_MAX: usize = 6;
/// Maximum length of the ending of a file's name.
const ENDING_CHARS_MAX: usize = 5;

/// Words of a criterion that describe the report rather than its subject. Folded.
const FORM: &[&str] = &[
    "answer",
    "comparison",
    "detail",
    "good",
    "list",
    "long",
    "overview",
    "point",
    "report",
    "result",
    "sentence",
    "short",
    "source",
    "summary",
    "table",
];

/// Returns whether a document of the person has a title that consists of words of the question: "car-insurance.txt" for
/// a question about car insurance.
pub fn is_about(sheet: &Sheet<'_>, topic: &Topic) -> bool {
    let titled = titled(sheet);
    let asked = |stem: &String| topic.stems.iter().any(|(known, _)| known == stem);
    !sheet.is_of_the_web() && !titled.is_empty() && titled.iter().all(asked)
}

/// Returns the distinctive stems of a title, without numbers and without the ending of a file.
fn titled(sheet: &Sheet<'_>) -> BTreeSet<String> {
    let title = sheet.page.title.as_str();
    let name = match title.rsplit_once('.') {
        Some((name, ending)) if ending.len() <= ENDING_CHARS_MAX => name,
        _ => title,
    };
    let named = |stem: &String| stem.chars().any(char::is_alphabetic);
    stems(name).into_iter().filter(named).collect()
}

/// Returns the other lines of a document about the question, if the claims that quote it cover less than half of what
/// is asked beyond its title.
pub fn others<'a>(sheet: &Sheet<'a>, topic: &Topic, claims: &[Claim]) -> Vec<&'a str> {
    let titled = titled(sheet);
    let mut asked: BTreeSet<&str> = topic.stems.iter().map(|(stem, _)| stem.as_str()).collect();
    asked.retain(|stem| !titled.contains(*stem));
    let quoted = claims
        .iter()
        .filter(|claim| claim.source == sheet.page.address);
    let said: BTreeSet<String> = quoted.flat_map(|claim| stem_set(&claim.quote)).collect();
    let covered = asked.iter().filter(|stem| said.contains(**stem)).count();
    if !asked.is_empty() && covered * 2 >= asked.len() {
        return Vec::new();
    }
    statements(sheet).collect()
}

/// Returns a line for each word of the success criteria that no claim mentions, from the person's documents that the
/// claims quote.
pub fn wanted<'v, 'a>(
    criteria: &[String],
    views: &'v [View<'a>],
    claims: &[Claim],
) -> Vec<(&'v Sheet<'a>, &'a str)> {
    let mut said: BTreeSet<String> = claims
        .iter()
        .flat_map(|claim| stem_set(&claim.quote))
        .collect();
    let cited = |sheet: &&Sheet<'a>| {
        !sheet.is_of_the_web()
            && claims
                .iter()
                .any(|claim| claim.source == sheet.page.address)
    };
    let sheets: Vec<&Sheet<'a>> = views.iter().flat_map(View::sheets).filter(cited).collect();
    said.extend(FORM.iter().map(|word| stem(word)));
    let mut found = Vec::new();
    for asked in stems(&criteria.join("\n")) {
        if said.contains(&asked) || found.len() == WANTED_MAX {
            continue;
        }
        let line = sheets.iter().find_map(|sheet| {
            let line = statements(sheet).find(|line| stem_set(line).contains(&asked))?;
            Some((*sheet, line))
        });
        if let Some((sheet, line)) = line {
            said.extend(stem_set(&quotable(line)));
            found.push((sheet, line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Confidence, PageRef, Report};
    use crate::embedded::Search;
    use crate::embedded::write::{document, report};

    const INSURANCE: &str =
        "Eastern Mutual, policy number 77-4410-B\nPremium: 612 dollars a year. Renewal in March.";

    /// Returns the quotes of the report on a question that leads to one document.
    fn quotes(question: &str, criterion: &str, title: &str, text: &str) -> Vec<String> {
        let claims = report_on(question, criterion, title, text).claims;
        claims.into_iter().map(|one| one.quote).collect()
    }

    /// Returns the report on a question that leads to one document.
    fn report_on(question: &str, criterion: &str, title: &str, text: &str) -> Report {
        let page = PageRef {
            address: format!("file:/home/ana/{title}"),
            title: title.to_owned(),
            sha256: String::new(),
            fetched_at: jiff::Timestamp::UNIX_EPOCH,
        };
        let taken = BTreeSet::new();
        let view = View {
            objective: question,
            question,
            goal: "",
            searches: vec![Search {
                query: question,
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
        let question = crate::document::Question {
            id: crate::document::QuestionId("q1".to_owned()),
            round: 1,
            name: String::new(),
            question: question.to_owned(),
            goal: String::new(),
            state: crate::document::QuestionState::Done,
            phase: crate::document::Phase::Done,
            memory: Vec::new(),
            document: Some(document(&view)),
        };
        let criteria = [criterion.to_owned()];
        report(
            view.objective,
            &criteria,
            std::slice::from_ref(&view),
            std::slice::from_ref(&question),
        )
    }

    #[test]
    fn a_report_on_something_else_has_low_confidence_and_says_so() {
        let question = "When does the warranty of the boiler end and who serviced the roof?";
        let text = "The car was serviced in March. The roof rack is in the garage.";
        let report = report_on(question, "", "car.md", text);
        assert!(!report.claims.is_empty(), "unrelated sentences are quoted");
        assert_eq!(report.confidence, Confidence::Low);
        let note = &report.limitations[0];
        assert!(
            note.contains("“warranty”") && note.contains("“boiler”"),
            "{note}"
        );
        let question = "When does my car insurance renew?";
        let about = report_on(question, "the day", "car-insurance.txt", INSURANCE);
        assert_eq!(about.confidence, Confidence::Medium, "{about:?}");
    }

    #[test]
    fn a_document_about_the_question_is_quoted_in_its_own_words() {
        let title = "car-insurance.txt";
        assert_eq!(
            quotes("car insurance", "an overview", title, INSURANCE),
            [
                "Eastern Mutual, policy number 77-4410-B",
                "Premium: 612 dollars a year.",
                "Renewal in March."
            ]
        );
        assert_eq!(
            quotes(
                "When does my car insurance renew?",
                "the day",
                title,
                INSURANCE
            ),
            ["Renewal in March."]
        );
        let other = quotes("boat insurance", "an overview", "lasagne.md", INSURANCE);
        assert_eq!(other, Vec::<String>::new());
    }

    #[test]
    fn a_list_is_quoted_whole_if_it_answers_in_other_words() {
        let text = "# Falcon\n\n- Scope: import, search\n- Budget: $40,000\n- Risk: two more weeks";
        assert_eq!(
            quotes(
                "what the Falcon project costs and risks",
                "",
                "Falcon.md",
                text
            ),
            [
                "Risk: two more weeks",
                "Scope: import, search",
                "Budget: $40,000"
            ]
        );
    }

    #[test]
    fn what_the_criteria_name_is_quoted_too() {
        assert_eq!(
            quotes(
                "When does my car insurance renew?",
                "the premium and the policy",
                "car-insurance.txt",
                INSURANCE
            ),
            [
                "Renewal in March.",
                "Premium: 612 dollars a year.",
                "Eastern Mutual, policy number 77-4410-B"
            ]
        );
    }

    #[test]
    fn a_mail_is_quoted_for_what_it_states() {
        let text = "From Ana Costa <ana@costa.example> on 5 May 2026\n\nHi Ben,\n\n\
            Thank you for the photos of the barn roof. Could you see the barn roof from the street? \
            The roof of the barn comes to 900 dollars.\n\nBest regards, Ana";
        assert_eq!(
            quotes(
                "What do we know about the barn roof?",
                "",
                "Barn roof",
                text
            ),
            ["The roof of the barn comes to 900 dollars."]
        );
    }
}
