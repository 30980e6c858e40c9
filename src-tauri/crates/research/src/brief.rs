//! The brief: what to find out, why, and what success looks like.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum bytes of one line of a brief.
pub const LINE_BYTES_MAX: usize = 2_000;
/// Maximum success criteria of a brief.
pub const CRITERIA_MAX: usize = 12;

/// What a brief still lacks.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// What exactly shall be found out.
    What,
    /// What it is for: the decision or the action it serves.
    Why,
    /// What a good result looks like.
    Success,
}

/// State of a brief that may lack something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft;

/// State of a brief that lacks nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clear;

/// What shall be researched. `Brief<Clear>` is the only way to start a run; it is made by [`Brief::clear`] alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(bound = "")]
pub struct Brief<S> {
    objective: String,
    #[serde(default)]
    why: String,
    #[serde(default)]
    criteria: Vec<String>,
    #[serde(skip)]
    #[schemars(skip)]
    state: PhantomData<S>,
}

impl Brief<Draft> {
    /// Makes a brief from what is known. Cuts each line at [`LINE_BYTES_MAX`] bytes and drops empty criteria and those
    /// beyond [`CRITERIA_MAX`].
    #[must_use]
    pub fn draft(objective: &str, why: &str, criteria: &[String]) -> Self {
        Self {
            objective: line(objective),
            why: line(why),
            criteria: criteria
                .iter()
                .map(|one| line(one))
                .filter(|one| !one.is_empty())
                .take(CRITERIA_MAX)
                .collect(),
            state: PhantomData,
        }
    }

    /// Returns the missing parts, in the order in which the person is asked for them.
    #[must_use]
    pub fn missing(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        if adjutant_text::words(&self.objective).len() < 2 {
            missing.push(Missing::What);
        }
        if self.why.is_empty() {
            missing.push(Missing::Why);
        }
        if self.criteria.is_empty() {
            missing.push(Missing::Success);
        }
        missing
    }

    /// Returns a brief that can start a run.
    ///
    /// # Errors
    ///
    /// Returns the missing parts if there are any.
    pub fn clear(self) -> Result<Brief<Clear>, Vec<Missing>> {
        let missing = self.missing();
        if missing.is_empty() {
            Ok(Brief {
                objective: self.objective,
                why: self.why,
                criteria: self.criteria,
                state: PhantomData,
            })
        } else {
            Err(missing)
        }
    }
}

impl<S> Brief<S> {
    /// Returns what the research is to find out.
    #[must_use]
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// Returns the purpose of the research: the decision or action it serves.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Returns the success criteria.
    #[must_use]
    pub fn criteria(&self) -> &[String] {
        &self.criteria
    }
}

fn line(text: &str) -> String {
    let one = text.split_whitespace().collect::<Vec<_>>().join(" ");
    adjutant_text::cut(&one, LINE_BYTES_MAX).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_brief_is_clear() {
        let draft = Brief::draft("heat pumps", "", &[]);
        assert_eq!(draft.missing(), [Missing::Why, Missing::Success]);
        assert!(draft.clear().is_err());
        let one_word = Brief::draft("pumps", "buying one", &["a price".to_owned()]);
        assert_eq!(one_word.clear(), Err(vec![Missing::What]));
        let whole = Brief::draft(
            "heat  pumps",
            "buying one",
            &[" ".to_owned(), "a price".to_owned()],
        );
        assert_eq!(
            whole.clear().map(|brief| brief.criteria().to_vec()),
            Ok(vec!["a price".to_owned()])
        );
    }
}
