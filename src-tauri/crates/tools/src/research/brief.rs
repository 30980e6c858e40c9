//! The brief of a research as stored with its job, and the questions for its missing parts.

use std::collections::BTreeSet;

use adjutant_research::{Brief, Clear, Draft, Missing, opposed, settled};
use serde::{Deserialize, Serialize};

/// Words that turn a criterion into its opposite.
const NEGATIONS: &[&str] = &["no", "not", "without", "never", "none", "don't", "avoid"];

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
        let choices = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        match self.draft().missing().first() {
            Some(Missing::What) => Some(Ask {
                missing: "what",
                text: "What exactly do you want to find out? One word is not enough to search for."
                    .into(),
                choices: Vec::new(),
            }),
            Some(Missing::Why) => Some(Ask {
                missing: "why",
                text: "What is it for: which decision or work will it help with?".into(),
                choices: choices(&[
                    "To decide something",
                    "To write about it",
                    "To understand it",
                ]),
            }),
            Some(Missing::Success) => Some(Ask {
                missing: "success",
                text: "What would a good result look like?".into(),
                choices: choices(&[
                    "A short answer with its sources",
                    "An overview with sources",
                    "A comparison with the points for and against",
                ]),
            }),
            None => {
                let denied = self.contradiction().map(|(one, other)| Ask {
                    missing: "success",
                    text: format!("“{one}” and “{other}” do not go together. Which one counts?"),
                    choices: vec![one.to_owned(), other.to_owned()],
                });
                denied.or_else(|| {
                    opposed(&self.success).map(|(one, other)| Ask {
                        missing: "success",
                        text: format!(
                            "“{}” asks for two things that do not go together. Which one counts?",
                            self.success.join("; ")
                        ),
                        choices: choices(&[one, other]),
                    })
                })
            }
        }
    }

    /// Returns two criteria that differ only in a negation.
    fn contradiction(&self) -> Option<(&str, &str)> {
        let read = |text: &str| {
            let words = adjutant_text::words(text);
            let (no, rest): (BTreeSet<String>, BTreeSet<String>) = words
                .into_iter()
                .map(|word| word.to_string())
                .partition(|word| NEGATIONS.contains(&word.as_str()));
            (!no.is_empty(), rest)
        };
        let all: Vec<_> = self.success.iter().map(|one| (one, read(one))).collect();
        all.iter().enumerate().find_map(|(at, (one, (no, words)))| {
            let against = |(_, (other_no, other)): &&(&String, (bool, BTreeSet<String>))| {
                other_no != no && other == words && !words.is_empty()
            };
            let (other, _) = all.iter().skip(at + 1).find(against)?;
            Some((one.as_str(), other.as_str()))
        })
    }

    /// Takes the answer to [`Self::ask`].
    pub fn answer(&mut self, text: &str) {
        let Some(ask) = self.ask() else {
            return;
        };
        match ask.missing {
            "what" => self.objective = text.trim().to_owned(),
            "why" => self.why = text.trim().to_owned(),
            _ if self.contradiction().is_none() && opposed(&self.success).is_some() => {
                self.success = if ask.choices.iter().any(|choice| choice == text.trim()) {
                    settled(&self.success, text)
                } else {
                    criteria(text)
                };
            }
            _ if ask.choices.len() == 2 && self.success.len() > 1 => {
                // Drop the criterion that was not chosen.
                let kept = text.trim();
                let lost = ask.choices.iter().find(|choice| *choice != kept);
                if ask.choices.iter().any(|choice| choice == kept) {
                    self.success.retain(|one| Some(one) != lost);
                } else {
                    self.success = criteria(text);
                }
            }
            _ => self.success = criteria(text),
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

/// Splits a text into criteria, at line breaks and semicolons.
pub(super) fn criteria(text: &str) -> Vec<String> {
    text.split(['\n', ';'])
        .map(|one| one.trim().trim_start_matches(['-', '*', '•']).trim())
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
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
    fn a_report_cannot_be_short_and_exhaustive() {
        let mut brief = ResearchBrief {
            objective: "heat pumps for old houses".into(),
            why: "to buy one".into(),
            success: criteria("a short report; with prices; exhaustive"),
            ..ResearchBrief::default()
        };
        let ask = brief.ask().expect("a contradiction");
        assert_eq!(ask.choices, ["A short answer", "A detailed answer"]);
        assert!(brief.clear().is_none());
        brief.answer("A detailed answer");
        assert_eq!(brief.success, ["A detailed answer", "with prices"]);
        assert_eq!(brief.ask(), None);
    }

    #[test]
    fn criteria_that_contradict_each_other_are_asked_about() {
        let mut brief = ResearchBrief {
            objective: "heat pumps for old houses".into(),
            why: "to buy one".into(),
            success: criteria("prices in euro; with pictures; no prices in euro"),
            ..ResearchBrief::default()
        };
        let ask = brief.ask().expect("a contradiction");
        assert_eq!(ask.choices, ["prices in euro", "no prices in euro"]);
        brief.answer("prices in euro");
        assert_eq!(brief.success, ["prices in euro", "with pictures"]);
        assert_eq!(brief.ask(), None);
    }
}
