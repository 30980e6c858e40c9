//! Questions of fact that do not say where to look.

use serde_json::json;

use super::super::binding::Value;
use super::super::ground;
use super::super::lattice::Lattice;
use super::{Compiler, Unfit, words};

/// Words in front of what is looked for that say nothing about it.
const OWN: &[&str] = &["my ", "our ", "the ", "My ", "Our ", "The "];

impl Compiler<'_, '_> {
    /// What a question is about, where it is about the person's own things and no kind of thing, no time and nothing of the
    /// world is named.
    pub(super) fn recalled(&mut self, role: &'static str) -> Result<(), Unfit> {
        let lattice = self.lattice;
        let mut tokens = self.frame.span.clone();
        // Said just so: to feed is no fee.
        let is = |at: usize, class: &str| lattice.phrase(class, at).is_some();
        let value = self.frame.get(role).ok_or(Unfit("about nothing"))?;
        let elsewhere = match value {
            Value::Text(stretches) => stretches
                .iter()
                .flat_map(Clone::clone)
                .any(|at| is(at, "elsewhere")),
            _ => true,
        };
        if elsewhere || self.says_time(value) {
            return Err(Unfit("asked elsewhere"));
        }
        if !tokens.any(|at| lattice.word(at) == "the" || is_own(lattice, at)) {
            return Err(Unfit("nothing of the person's own"));
        }
        let figure = self.frame.span.clone().any(|at| is(at, "figure"));
        self.sought_words(role)?;
        if figure && self.frame.constant("ask") == Some("list") {
            self.arguments.set("ask", json!("figure"), self.said(role));
        }
        Ok(())
    }

    /// The words that are looked for everywhere.
    pub(super) fn sought_words(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("about nothing"))?;
        if self.is_pronoun(value) || says_nothing(self.lattice, value) {
            return Err(Unfit("about nothing"));
        }
        let said = words::of(self.lattice, value);
        let said = said.trim_end_matches(['?', '.', '!']).trim();
        let bare = OWN.iter().find_map(|word| said.strip_prefix(word));
        let said = bare.unwrap_or(said);
        self.arguments.set("text", json!(said), self.said(role));
        Ok(())
    }
}

/// Whether a token speaks of the person's own things, people or records.
pub(in super::super) fn is_own(lattice: &Lattice<'_>, at: usize) -> bool {
    lattice.phrase("own_word", at).is_some() || ground::is_named(lattice, at)
}

/// Whether words have none that could be found.
fn says_nothing(lattice: &Lattice<'_>, value: &Value) -> bool {
    let said = words::of(lattice, value);
    let told = adjutant_text::words(&said);
    told.iter().all(|word| adjutant_text::says_nothing(word))
}
