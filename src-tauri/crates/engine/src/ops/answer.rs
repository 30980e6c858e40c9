//! Answers a question by button or field.

use std::sync::Arc;

use adjutant_domain::faults::{UserFault, sentence};
use adjutant_domain::focus::Focus;
use adjutant_domain::ids::{StepKey, TurnId};
use adjutant_domain::plan::{AnswerKind, Question, StepState};
use adjutant_domain::reading::Utterance;
use serde_json::Value;

use super::resume::{resume, waiting};
use crate::context::names;
use crate::core::Core;
use crate::op::{Answer, check_message};
use crate::panics;
use crate::turn::driver::Job;
use crate::turn::machine::Input;

pub(super) async fn answer_question(
    core: &Arc<Core>,
    job: &Job,
    id: &str,
    answer: &Answer,
) -> Result<(), UserFault> {
    let gone = || {
        UserFault::new(
            "not_found",
            "This question is no longer waiting.",
            "Ask again if you still want it done.",
        )
    };
    let (turn, step) = split_question(id).ok_or_else(gone)?;
    let owner = waiting(core, &turn).await?.ok_or_else(gone)?;
    let question = owner
        .plan
        .iter()
        .flat_map(|plan| &plan.steps)
        .find(|one| one.draft.key == step)
        .and_then(|one| match &one.state {
            StepState::NeedsAnswer { question } => Some(question.clone()),
            _ => None,
        })
        .ok_or_else(gone)?;
    let (value, words) = read_answer(core, &question, answer).await?;
    let input = Input::Answered { step, value, words };
    resume(core, job, owner, vec![input], None).await
}

/// Splits the id of a question into its turn and step. `None` if it has no such form.
pub(crate) fn split_question(id: &str) -> Option<(TurnId, StepKey)> {
    let (turn, step) = id.split_once(':')?;
    Some((turn.into(), step.into()))
}

async fn read_answer(
    core: &Arc<Core>,
    question: &Question,
    answer: &Answer,
) -> Result<(Value, Option<String>), UserFault> {
    let no_answer = || {
        UserFault::new(
            "no_answer",
            "That does not answer the question.",
            sentence(&question.text),
        )
    };
    match answer {
        Answer::Value(value) => {
            let offered = question.choices.iter().any(|choice| choice.value == *value);
            if question.answer == AnswerKind::Choice && !offered {
                return Err(no_answer());
            }
            Ok((value.clone(), None))
        }
        Answer::Text(text) => {
            check_message(text)?;
            let now = core.parts.clock.now();
            let (people, names) = tokio::join!(
                core.known_people(),
                names::mentioned(&*core.parts.records, text, now.timestamp())
            );
            let (settings, tools) = (core.settings(), core.tools());
            let said = Utterance {
                text,
                now: &now,
                settings: &settings,
                focus: &Focus::default(),
                history: &[],
                people: &people,
                roles: people.roles(),
                names: names.as_deref().unwrap_or_default(),
                tools: tools.catalog().specs(),
            };
            let value = panics::contained("answer", || {
                core.parts
                    .resumer
                    .answer(&said, question.answer, &question.choices)
            });
            let value = value.flatten().ok_or_else(no_answer)?;
            Ok((value, Some(text.clone())))
        }
    }
}
