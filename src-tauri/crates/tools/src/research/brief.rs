//! The brief of a research as stored with its job, and the questions for its missing parts.

use adjutant_research::{Brief, Clear, Draft, Missing, ProposedQuestion};
use serde::{Deserialize, Serialize};

use super::wishes::{Conflict, conflict, settled, split};

/// What the person wants researched, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResearchBrief {
    /// What to find out.
    pub objective: String,
    /// What it is for.
    #[serde(default)]
    pub why: String,
    /// What success looks like.
    #[serde(default)]
    pub success: Vec<String>,
    /// Where to look; `None` for the web if a search engine is chosen, else this computer.
    #[serde(default)]
    pub sources: Option<Sources>,
    /// The finding of another run that this research examines further.
    #[serde(default)]
    pub deeper: Option<Deeper>,
    /// Whether it is repeated every week.
    #[serde(default)]
    pub weekly: bool,
    /// A model's words for the question about the first missing part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<ProposedQuestion>,
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sources {
    /// With the search engine that the person chose.
    Web,
    /// In documents, notes, mail and memory of this computer.
    Own,
    /// In both.
    Both,
}

/// A finding of another run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deeper {
    /// Id of the run.
    pub id: String,
    /// Number of the claim in its report, from 1.
    pub claim: u32,
}

/// A question about a missing part of a brief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The missing part: `what`, `why`, `success` or `confirm`.
    pub missing: &'static str,
    /// Text of the question.
    pub text: String,
    /// Two to four choices, or none.
    pub choices: Vec<String>,
}

impl ResearchBrief {
    fn draft(&self) -> Brief<Draft> {
        Brief::draft(&self.objective, &self.why, &self.success)
    }

    /// Returns the question for the first part that is missing or contradicts itself; `None` if the brief is complete.
    #[must_use]
    pub fn ask(&self) -> Option<Ask> {
        match self.draft().missing().first() {
            Some(missing) => Some(self.ask_for(*missing)),
            None => conflict(&self.success).map(|conflict| Ask {
                missing: "success",
                text: match &conflict {
                    Conflict::Denied([one, other]) => {
                        format!("“{one}” and “{other}” do not go together. Which one counts?")
                    }
                    Conflict::Length => format!(
                        "“{}” asks for two things that do not go together. Which one counts?",
                        self.success.join("; ")
                    ),
                },
                choices: conflict.choices().to_vec(),
            }),
        }
    }

    fn ask_for(&self, missing: Missing) -> Ask {
        let (name, text, choices): (_, _, &[&str]) = match missing {
            Missing::What => (
                "what",
                "What exactly do you want to find out? One word is not enough to search for.",
                &[],
            ),
            Missing::Why => (
                "why",
                "What is it for: which decision or work will it help with?",
                &[
                    "To decide something",
                    "To write about it",
                    "To understand it",
                ],
            ),
            Missing::Success => (
                "success",
                "What would a good result look like?",
                &[
                    "A short answer with its sources",
                    "An overview with sources",
                    "A comparison with the points for and against",
                ],
            ),
        };
        let proposed = self.proposed.as_ref().filter(|one| one.missing == missing);
        let (text, choices) = proposed.map_or_else(
            || {
                let choices = choices.iter().map(|one| (*one).to_owned()).collect();
                (text.to_owned(), choices)
            },
            |one| (one.text.clone(), one.choices.clone()),
        );
        Ask {
            missing: name,
            text,
            choices,
        }
    }

    /// Takes the answer to [`Self::ask`].
    pub fn answer(&mut self, text: &str) {
        self.proposed = None;
        let text = text.trim();
        match self.draft().missing().first() {
            Some(Missing::What) => self.objective = topic(&self.objective, text),
            Some(Missing::Why) => text.clone_into(&mut self.why),
            Some(Missing::Success) => self.success = split(text),
            None => {
                if let Some(conflict) = conflict(&self.success) {
                    self.success = settled(&self.success, &conflict, text);
                }
            }
        }
    }

    /// Returns the brief that can start a run; `None` while something is missing.
    #[must_use]
    pub fn clear(&self) -> Option<Brief<Clear>> {
        if self.ask().is_some() {
            return None;
        }
        self.draft().clear().ok()
    }
}

/// Returns the objective after the person said more about it: both together, unless the answer repeats the first word.
fn topic(first: &str, answer: &str) -> String {
    let mut known = adjutant_text::words(first).into_iter();
    let repeats = first.is_empty() || known.any(|word| adjutant_text::all_words(&word, answer));
    if repeats || answer.is_empty() {
        answer.to_owned()
    } else {
        format!("{first}: {answer}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_asks_for_what_is_missing_and_for_nothing_else() {
        let mut brief = ResearchBrief {
            objective: "pumps".into(),
            ..ResearchBrief::default()
        };
        let mut asked = Vec::new();
        for answer in [
            "heat pumps for old houses",
            "To decide something",
            "a price",
        ] {
            asked.push(brief.ask().expect("something is missing").missing);
            assert!(brief.clear().is_none());
            brief.answer(answer);
        }
        assert_eq!(asked, ["what", "why", "success"]);
        assert_eq!(brief.ask(), None);
        assert!(brief.clear().is_some());
    }

    #[test]
    fn an_answer_about_the_topic_adds_to_it() {
        for (answer, whole) in [
            ("noise at night", "pumps: noise at night"),
            ("heat pumps for old houses", "heat pumps for old houses"),
        ] {
            let mut brief = ResearchBrief {
                objective: "pumps".into(),
                ..ResearchBrief::default()
            };
            brief.answer(answer);
            assert_eq!(brief.objective, whole);
        }
    }

    #[test]
    fn wishes_that_do_not_go_together_are_asked_about() {
        let mut brief = ResearchBrief {
            objective: "heat pumps for old houses".into(),
            why: "to buy one".into(),
            success: split("a short report; with prices; exhaustive"),
            ..ResearchBrief::default()
        };
        assert!(brief.clear().is_none());
        brief.answer("A detailed answer");
        assert_eq!(brief.success, ["A detailed answer", "with prices"]);
        assert_eq!(brief.ask(), None);
    }

    #[test]
    fn a_models_question_is_asked_once() {
        let mut brief = ResearchBrief {
            objective: "heat pumps for old houses".into(),
            proposed: Some(ProposedQuestion {
                missing: Missing::Why,
                text: "Do you want to buy one?".into(),
                choices: vec!["Yes".into(), "No".into()],
            }),
            ..ResearchBrief::default()
        };
        let ask = brief.ask().expect("a question");
        assert_eq!(
            (ask.missing, ask.text.as_str()),
            ("why", "Do you want to buy one?")
        );
        brief.answer("To buy one");
        assert_eq!(brief.why, "To buy one");
        let next = brief.ask().expect("another question");
        assert_eq!(next.text, "What would a good result look like?");
    }
}
