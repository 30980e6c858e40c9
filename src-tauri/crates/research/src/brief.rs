//! The brief: what shall be found out, why, and what success looks like.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bytes of one line of a brief at most.
pub const LINE_BYTES_MAX: usize = 2_000;
/// Success criteria of a brief at most.
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

/// A brief in which something may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft;

/// A brief in which nothing is missing.
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
    /// A brief of what is known so far. Lines are cut at [`LINE_BYTES_MAX`] bytes, empty ones are left out.
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

    /// What is missing, in the order in which it is asked for.
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

    /// The brief a run can be started with.
    ///
    /// # Errors
    /// What is missing, where something is.
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
    /// What shall be found out.
    #[must_use]
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// What it is for.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }

    /// What a good result has.
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
