//! Asks which day is meant if the message says a date and a weekday that do not fit: "Thursday the 20th of March".

use adjutant_domain::plan::{AnswerKind, Choice, PlanDraft, Question};
use adjutant_domain::reading::{Reading, Utterance};
use jiff::civil::Date;

use crate::time::{self, Contradiction, Policy};

/// Returns the reading of a message, with the question which day is meant before the change that depends on it. `read`
/// reads the message with either of the days in place of what was said.
pub(crate) fn ask_which_day(
    said: &Utterance<'_>,
    reading: Reading,
    read: impl Fn(&Utterance<'_>) -> Reading,
) -> Reading {
    let Reading::Plan { plan, trace } = &reading else {
        return reading;
    };
    if plan.steps.iter().all(|step| said.only_reads(&step.tool)) {
        return reading;
    }
    let policy = Policy::of(said.settings);
    let Some(clash) = time::contradiction(said.text, said.now, &policy) else {
        return reading;
    };
    let texts = [clash.date, clash.on_weekday].map(|day| with_day(said.text, &clash, day));
    let readings = texts.each_ref().map(|text| {
        let text = text.as_str();
        read(&Utterance { text, ..*said })
    });
    let [
        Reading::Plan { plan: by_date, .. },
        Reading::Plan {
            plan: by_weekday, ..
        },
    ] = readings
    else {
        return unclear(&clash, texts);
    };
    if let Some(plan) = with_question(&by_date, &by_weekday, &clash) {
        let trace = trace.clone();
        return Reading::Plan { plan, trace };
    }
    if by_date.steps == by_weekday.steps || is_quoted(&by_date, &clash) {
        // The day decides nothing, or it is only part of a text.
        return reading;
    }
    unclear(&clash, texts)
}

/// Returns the plan with the question before its only step that depends on the day. Returns `None` if there is no such
/// step or more than one, or if the plans differ in anything else.
fn with_question(
    by_date: &PlanDraft,
    by_weekday: &PlanDraft,
    clash: &Contradiction,
) -> Option<PlanDraft> {
    if by_date.steps.len() != by_weekday.steps.len() || is_quoted(by_date, clash) {
        return None;
    }
    let pairs = by_date.steps.iter().zip(&by_weekday.steps).enumerate();
    let mut depending = pairs.filter(|(_, (one, other))| one.args != other.args);
    let (at, (one, other)) = depending.next()?;
    if depending.next().is_some() || one.tool != other.tool || one.question.is_some() {
        return None;
    }
    let mut plan = by_date.clone();
    plan.steps[at].question = Some(Question {
        text: question(clash),
        choices: vec![
            Choice::new(short(clash.date), one.args.clone()),
            Choice::new(short(clash.on_weekday), other.args.clone()),
        ],
        slot: String::new(),
        answer: AnswerKind::Choice,
    });
    Some(plan)
}

/// Returns whether the day that was put into the message became part of a text instead of a time.
fn is_quoted(plan: &PlanDraft, clash: &Contradiction) -> bool {
    let written = clash.date.strftime("%B %-d, %Y").to_string();
    plan.steps
        .iter()
        .any(|step| step.args.to_string().contains(&written))
}

/// Returns the answer if one question cannot settle it: both requests, written in full.
fn unclear(clash: &Contradiction, texts: [String; 2]) -> Reading {
    Reading::NotUnderstood {
        text: format!(
            "{} I have done nothing; please say it again with the right day.",
            question(clash)
        ),
        near: texts.into(),
        trace: Vec::new(),
    }
}

fn question(clash: &Contradiction) -> String {
    format!(
        "{} is a {}. {} or {}?",
        clash.date.strftime("%-d %B"),
        clash.date.strftime("%A"),
        short(clash.date),
        short(clash.on_weekday)
    )
}

fn short(day: Date) -> String {
    day.strftime("%A %-d %B").to_string()
}

/// Returns the message with an unambiguous date in place of the contradiction.
fn with_day(text: &str, clash: &Contradiction, day: Date) -> String {
    let written = day.strftime("%A, %B %-d, %Y").to_string();
    let (before, after) = (&text[..clash.span.start], &text[clash.span.end..]);
    format!("{before}{written}{after}")
}

#[cfg(test)]
mod tests {
    use adjutant_domain::plan::PlanDraft;
    use adjutant_domain::reading::{Planner as _, Reading, Router as _, Utterance};

    use crate::Embedded;
    use crate::fixture::MessageContext;
    use crate::resume::answer;

    /// Reads a message on Wednesday, 11 March 2026.
    fn read(text: &str) -> Reading {
        let around = MessageContext::new();
        let said: Utterance<'_> = around.utterance(text);
        Embedded.plan(&said, &Embedded.route(&said))
    }

    fn plan(text: &str) -> PlanDraft {
        match read(text) {
            Reading::Plan { plan, .. } => plan,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_weekday_that_does_not_fit_its_date_is_asked_about() {
        for (text, asks, replies) in [
            (
                "Add an event piano tuner on Thursday the 20th of March at 5pm",
                "20 March is a Friday. Friday 20 March or Thursday 19 March?",
                [
                    ("the Thursday", "2026-03-19"),
                    ("the 20th", "2026-03-20"),
                    ("1", "2026-03-20"),
                ],
            ),
            (
                "Remind me on Monday, April 14 to call the tax office",
                "14 April is a Tuesday. Tuesday 14 April or Monday 13 April?",
                [
                    ("Monday the 13th", "2026-04-13"),
                    ("14 April", "2026-04-14"),
                    ("the 13th", "2026-04-13"),
                ],
            ),
            // The next Saturday that is a 15th is in August.
            (
                "Add an event flea market on Saturday the 15th at 10am",
                "15 March is a Sunday. Sunday 15 March or Saturday 14 March?",
                [
                    ("Saturday", "2026-03-14"),
                    ("the 15th", "2026-03-15"),
                    ("the second", "2026-03-14"),
                ],
            ),
        ] {
            let plan = plan(text);
            let [step] = plan.steps.as_slice() else {
                panic!("{text}: {plan:?}");
            };
            let question = step.question.as_ref().expect("a question");
            assert_eq!(question.text, asks);
            for (reply, day) in replies {
                let around = MessageContext::new();
                let said = around.utterance(reply);
                let args = answer(&said, question.answer, &question.choices);
                let args = args.unwrap_or_else(|| panic!("{text}: {reply}"));
                assert!(args.to_string().contains(day), "{text}: {reply}: {args}");
            }
        }
    }

    #[test]
    fn a_day_that_fits_or_that_is_only_text_is_not_asked_about() {
        for text in [
            "Add an event piano tuner on Friday the 20th of March at 5pm",
            "Add an event piano tuner on Friday the 13th at 5pm",
            "Write to ana@example.org that the tuner comes on Thursday the 20th of March",
        ] {
            let plan = plan(text);
            let asked = plan.steps.iter().filter_map(|step| step.question.as_ref());
            let asked: Vec<&str> = asked.map(|question| question.text.as_str()).collect();
            assert!(
                !asked.iter().any(|text| text.contains(" is a ")),
                "{text}: {asked:?}"
            );
        }
        // Nothing is changed, and the answer shows the date with its weekday.
        let looked = plan("What is on Thursday the 20th of March?");
        assert!(looked.steps.iter().all(|step| step.question.is_none()));
    }
}
