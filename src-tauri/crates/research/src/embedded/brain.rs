//! Kickoff and evaluation without a model.

use adjutant_text::words;

use super::View;
use super::query::query_key;
use super::topic::{Topic, same_name};
use crate::document::{NextStep, Question};
use crate::lexicon::name_key;
use crate::stage::{EvaluateReply, KickoffReply, PlannedQuestion};

/// Questions of the first round at most.
const QUESTIONS_MAX: usize = 3;
/// Characters of a question's short name at most.
const NAME_CHARS_MAX: usize = 60;

/// The first questions: each sentence that asks something is one; an objective of one sentence is one question.
pub fn kickoff(objective: &str) -> KickoffReply {
    let asking: Vec<&str> = crate::lexicon::sentences(objective)
        .into_iter()
        .filter(|one| one.ends_with('?') && crate::lexicon::stems(one).len() > 1)
        .collect();
    let questions = if (2..=QUESTIONS_MAX).contains(&asking.len()) {
        asking.into_iter().map(|one| planned(one, one)).collect()
    } else {
        vec![planned(objective, objective)]
    };
    KickoffReply {
        strategy: "Search what the objective names, then the names met on the way, until every word of it is covered. No model takes part.".to_owned(),
        questions,
    }
}

fn planned(question: &str, name: &str) -> PlannedQuestion {
    PlannedQuestion {
        name: name.chars().take(NAME_CHARS_MAX).collect(),
        question: question.to_owned(),
        goal: "Passages that answer the question.".to_owned(),
    }
}

/// Rounds that the embedded researcher begins at most: what two of them did not find, a third one does not.
const ROUNDS_MAX: u32 = 2;

/// Whether more is needed: something the objective names is uncovered where no page of that name was opened and no
/// finding speaks of it. Each such name becomes a question of its own, with pages and searches of its own.
pub fn evaluate(
    objective: &str,
    questions: &[Question],
    views: &[View<'_>],
    round: u32,
) -> EvaluateReply {
    let found = questions
        .iter()
        .filter(|one| one.pages().next().is_some())
        .count();
    let of = questions.len();
    let covered = if of == 1 {
        format!("{found} of {of} question has sources")
    } else {
        format!("{found} of {of} questions have sources")
    };
    let uncovered = if round < ROUNDS_MAX && found > 0 {
        uncovered(objective, questions, views)
    } else {
        Vec::new()
    };
    if uncovered.is_empty() {
        return EvaluateReply {
            action: NextStep::Synthesize,
            reasoning: format!("{covered}; every lead worth following was followed."),
            questions: Vec::new(),
        };
    }
    let names: Vec<&str> = uncovered.iter().map(|one| one.name.as_str()).collect();
    EvaluateReply {
        action: NextStep::SpawnNew,
        reasoning: format!("{covered}; still uncovered: {}.", names.join(", ")),
        questions: uncovered,
    }
}

/// A question for each name of the objective that nothing found speaks of.
fn uncovered(objective: &str, questions: &[Question], views: &[View<'_>]) -> Vec<PlannedQuestion> {
    let topic = Topic::of(objective);
    let titles: Vec<String> = views
        .iter()
        .flat_map(View::sheets)
        .map(|sheet| name_key(&sheet.page.title))
        .collect();
    let documents = questions.iter().filter_map(|one| one.document.as_ref());
    let said: String = documents
        .flat_map(|document| &document.key_findings)
        .map(|claim| format!(" {} {} ", claim.text, claim.quote))
        .collect();
    let said = format!(" {} ", words(&said).join(" "));
    let asked: Vec<&str> = topic.asked.iter().map(|one| one.word.as_str()).collect();
    let names = topic.names.iter().zip(&topic.keys);
    let open = names.filter(|(_, key)| {
        !said.contains(&format!(" {key} ")) && !titles.iter().any(|title| same_name(title, key))
    });
    let question = |name: &str| match asked.is_empty() {
        true => format!("What is known of {name}?"),
        false => format!("What is known of {name}: {}?", asked.join(", ")),
    };
    open.map(|(name, _)| planned(&question(name), name))
        .filter(|one| {
            let key = query_key(&one.question);
            questions.iter().all(|old| query_key(&old.question) != key)
        })
        .take(QUESTIONS_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::document::{Entry, PageRef, Phase, QuestionId, QuestionState};
    use crate::embedded::{Search, Sheet};

    #[test]
    fn what_no_page_speaks_of_becomes_a_question() {
        let objective = "Compare the range of Harbour Lamp and Northern Star.";
        let page = PageRef {
            address: "https://a.example/1".to_owned(),
            title: "Harbour Lamp".to_owned(),
            sha256: String::new(),
            fetched_at: jiff::Timestamp::UNIX_EPOCH,
        };
        let question = Question {
            id: QuestionId("q1".to_owned()),
            round: 1,
            name: objective.to_owned(),
            question: objective.to_owned(),
            goal: String::new(),
            state: QuestionState::Done,
            phase: Phase::Done,
            memory: vec![Entry::Page { page: page.clone() }],
            document: None,
        };
        let taken = BTreeSet::new();
        let sheet = Sheet {
            page: &page,
            text: "Its light is seen from far.",
        };
        let view = View {
            objective,
            question: objective,
            goal: "",
            searches: vec![Search {
                query: "lamp",
                hits: &[],
                sheets: vec![sheet],
                fault: None,
                reflection: None,
            }],
            closed: Vec::new(),
            taken: &taken,
            pages_max: 10,
            searches_min: 4,
        };
        let views = std::slice::from_ref(&view);
        let more = evaluate(objective, std::slice::from_ref(&question), views, 1);
        assert_eq!(more.action, NextStep::SpawnNew);
        let asked: Vec<&str> = more.questions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(asked, ["Northern Star"]);
        let last = evaluate(objective, std::slice::from_ref(&question), views, 2);
        assert_eq!(last.action, NextStep::Synthesize);
    }
}
