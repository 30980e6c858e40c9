//! Translates the events of the machine to their wire names, which are contracts.

use adjutant_api::EventBody;
use adjutant_domain::ids::RunId;
use adjutant_research::Event;

use super::view::word;

/// Returns an event in its wire form.
pub(super) fn told(run: &RunId, event: &Event) -> EventBody {
    let id = run.0.clone();
    match event {
        Event::BrainInitialized {
            objective,
            success_criteria,
            version,
        } => EventBody::ResearchBrainInitialized {
            id,
            objective: objective.clone(),
            success_criteria: success_criteria.clone(),
            version: *version,
        },
        Event::BrainStrategy { strategy } => EventBody::ResearchBrainStrategy {
            id,
            strategy: strategy.clone(),
        },
        Event::QuestionStarted {
            question_id,
            name,
            goal,
        } => EventBody::ResearchQuestionStarted {
            id,
            question_id: question_id.0.clone(),
            name: name.clone(),
            goal: goal.clone(),
        },
        Event::QuestionSearchCompleted {
            question_id,
            queries,
            results,
        } => EventBody::ResearchQuestionSearchCompleted {
            id,
            question_id: question_id.0.clone(),
            queries: queries.clone(),
            results: *results,
        },
        Event::QuestionReflection {
            question_id,
            thought,
            delta,
        } => EventBody::ResearchQuestionReflection {
            id,
            question_id: question_id.0.clone(),
            thought: thought.clone(),
            delta: word(delta),
        },
        Event::QuestionCompleted {
            question_id,
            confidence,
            recommendation,
        } => EventBody::ResearchQuestionCompleted {
            id,
            question_id: question_id.0.clone(),
            confidence: word(confidence),
            recommendation: word(recommendation),
        },
        Event::SynthesizingStarted {} => EventBody::ResearchSynthesizingStarted { id },
        Event::ResearchComplete {
            total_research_questions,
            total_memory,
            confidence,
        } => EventBody::ResearchComplete {
            id,
            total_research_questions: *total_research_questions,
            total_memory: *total_memory,
            confidence: word(confidence),
        },
        Event::DocUpdated { version } => EventBody::ResearchDocUpdated {
            id,
            version: *version,
        },
    }
}
