//! Reads the reason and the success criteria out of the person's first words, before any question is asked.

use adjutant_domain::model::Stage;
use adjutant_engine::Engine;
use adjutant_prompts::schema_of;
use adjutant_research::{Intake, IntakeReply, StageContext};
use adjutant_tools::research::ResearchBrief;

/// Fills in what a brief lacks from the words of the wish itself: "… because we move in May; it should name prices". A
/// connected model reads along; what it returns counts only if it stands in those words. Returns whether anything was
/// filled in; the person then confirms it.
pub(crate) async fn read(engine: &Engine, brief: &mut ResearchBrief) -> bool {
    if brief.ask().is_none() || brief.objective.is_empty() || brief.deeper.is_some() {
        return false;
    }
    let mut intake = Intake::begin(&brief.objective);
    if engine.has_models() {
        let said = vec![intake.message().to_owned()];
        let context = serde_json::to_string(&StageContext::Intake { said }).unwrap_or_default();
        let schema = schema_of::<IntakeReply>();
        match engine.ask_research(Stage::Intake, &context, schema).await {
            Ok(reply) => {
                if let Ok(reply) = serde_json::from_value::<IntakeReply>(reply) {
                    intake.read(&reply);
                }
            }
            Err(why) => tracing::info!(%why, "no model read the request for research"),
        }
    }
    fill(brief, &intake)
}

/// Fills the parts the person has not given with what the words say. The objective loses only the parts that moved
/// elsewhere.
fn fill(brief: &mut ResearchBrief, intake: &Intake) -> bool {
    let draft = intake.draft();
    let mut filled = false;
    if brief.why.is_empty() && !draft.why().is_empty() {
        draft.why().clone_into(&mut brief.why);
        filled = true;
    }
    if brief.success.is_empty() && !draft.criteria().is_empty() {
        brief.success = draft.criteria().to_vec();
        filled = true;
    }
    if filled && !draft.objective().is_empty() {
        draft.objective().clone_into(&mut brief.objective);
    }
    brief.proposed = intake.proposed().cloned();
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(objective: &str) -> ResearchBrief {
        ResearchBrief {
            objective: objective.to_owned(),
            ..ResearchBrief::default()
        }
    }

    #[test]
    fn a_wish_is_read_for_its_reason_and_its_result() {
        let said =
            "Research heat pumps for old houses because we move in May; it should name prices";
        let mut full = brief(said);
        assert!(fill(&mut full, &Intake::begin(said)));
        assert_eq!(full.objective, "heat pumps for old houses");
        assert_eq!(full.why, "because we move in May");
        assert_eq!(full.success, ["it should name prices"]);
        let plain = "heat pumps for old houses";
        let mut bare = brief(plain);
        assert!(!fill(&mut bare, &Intake::begin(plain)));
        assert_eq!(bare, brief(plain));
    }

    #[test]
    fn what_a_model_invents_is_not_taken() {
        let said = "heat pumps for old houses";
        let mut intake = Intake::begin(said);
        intake.read(&IntakeReply {
            why: "to sell them in Berlin".to_owned(),
            criteria: vec!["at least 50 prices".to_owned()],
            ..IntakeReply::default()
        });
        let mut bare = brief(said);
        assert!(!fill(&mut bare, &intake));
    }
}
