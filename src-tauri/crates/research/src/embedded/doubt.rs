//! Doubts claims that mention little of what was asked.

use std::collections::BTreeSet;

use adjutant_text::stem;

use super::View;
use super::relations::QueryWord;
use super::topic::{Topic, stem_set};
use crate::document::Claim;

/// Minimum share of a question's weight that the claims and the titles of their sources have to mention.
const MENTIONED_MIN: f32 = 0.5;
/// Maximum words that a doubt names.
const NAMED_MAX: usize = 4;

/// Returns a note if the claims mention so little of the question that they may be about something else.
pub fn doubt(question: &str, views: &[View<'_>], claims: &[Claim]) -> Option<String> {
    if claims.is_empty() {
        return None;
    }
    let topic = Topic::of(question);
    let said: BTreeSet<String> = claims
        .iter()
        .flat_map(|claim| {
            let sheets = views.iter().flat_map(View::sheets);
            let source = sheets.filter(|sheet| sheet.page.address == claim.source);
            let title = source.map(|sheet| sheet.page.title.as_str()).next();
            let titled = stem_set(title.unwrap_or_default());
            stem_set(&claim.quote).into_iter().chain(titled)
        })
        .collect();
    let is_met = |one: &&QueryWord| said.iter().any(|stem| one.is_met_by(stem));
    let met = topic.asked.iter().filter(is_met).map(|one| stem(&one.word));
    let mentioned: BTreeSet<String> = met.chain(said.iter().cloned()).collect();
    if topic.coverage(&mentioned) >= MENTIONED_MIN {
        return None;
    }
    let missing: Vec<String> = topic
        .asked
        .iter()
        .filter(|one| !mentioned.contains(&stem(&one.word)))
        .map(|one| format!("“{}”", one.word))
        .take(NAMED_MAX)
        .collect();
    Some(match missing.is_empty() {
        true => "The claims mention little of the question, so they may be about something else."
            .to_owned(),
        false => format!(
            "The claims mention little of the question, so they may be about something else. None of them mentions {}.",
            missing.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Verdict;

    fn claim(quote: &str) -> Claim {
        Claim {
            text: quote.to_owned(),
            quote: quote.to_owned(),
            source: "file:/home/ana/notes.md".to_owned(),
            sha256: String::new(),
            verdict: Verdict::Supported,
            sources: 1,
        }
    }

    #[test]
    fn claims_about_something_else_are_doubted() {
        let question = "when does the boiler warranty end, and what did the roof repair cost?";
        let other = [claim("The last service of the car cost a little.")];
        let note = doubt(question, &[], &other).expect("a doubt");
        assert!(note.contains("“boiler”, “warranty”"), "{note}");
        let about = [
            claim("The warranty of the boiler ends in May."),
            claim("The roof was repaired for 900 dollars."),
        ];
        assert_eq!(doubt(question, &[], &about), None);
        assert_eq!(
            doubt(question, &[], &[]),
            None,
            "the note on empty findings says it"
        );
    }
}
