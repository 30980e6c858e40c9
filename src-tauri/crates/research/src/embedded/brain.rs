//! Kickoff and evaluation without a model.

use crate::document::{NextStep, Question};
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
        asking.into_iter().map(planned).collect()
    } else {
        vec![planned(objective)]
    };
    KickoffReply {
        strategy: "Search what the objective names, then the names met on the way, until every word of it is covered. No model takes part.".to_owned(),
        questions,
    }
}

fn planned(question: &str) -> PlannedQuestion {
    PlannedQuestion {
        name: question.chars().take(NAME_CHARS_MAX).collect(),
        question: question.to_owned(),
        goal: "Passages that answer the question.".to_owned(),
    }
}

/// Whether more is needed: the embedded researcher has followed every lead within its question, so it writes.
pub fn evaluate(_objective: &str, questions: &[Question]) -> EvaluateReply {
    let found = questions
        .iter()
        .filter(|one| one.pages().next().is_some())
        .count();
    EvaluateReply {
        action: NextStep::Synthesize,
        reasoning: format!(
            "{found} of {} questions have sources; every lead worth it was followed.",
            questions.len()
        ),
        questions: Vec::new(),
    }
}
