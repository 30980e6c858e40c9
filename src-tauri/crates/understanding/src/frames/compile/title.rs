//! What something new is called, and what its name tells of its time of day.

use serde_json::json;

use super::super::binding::Value;
use super::{Compiler, Unfit, spoken, words};
use crate::time::{Found, Note, Value as Time};

impl Compiler<'_, '_> {
    /// The last hour that is of the evening without being said so, for things that tokens name: dinner and drinks are in
    /// the evening, and a pizza is where it is not lunch.
    pub(super) fn last_evening_hour(&self, tokens: impl Iterator<Item = usize>) -> Option<i8> {
        let tokens: Vec<usize> = tokens.collect();
        let names = |class: &str| {
            let mut tokens = tokens.iter();
            tokens.any(|at| words::begins_with(self.lattice, *at, class))
        };
        match () {
            () if names("morning_thing") => None,
            () if names("evening_thing") => Some(11),
            () if names("often_evening_thing") => Some(9),
            () => None,
        }
    }

    /// Whether an hour may be one behind noon: no more than its number was said.
    pub(super) fn may_be_later(&self, founds: &[&Found]) -> bool {
        const HALVES: &[&str] = &[
            "am", "pm", "a.m", "p.m", "morning", "noon", "evening", "night",
        ];
        let source = self.lattice.text.source;
        founds.iter().any(|found| {
            let assumed = |note: &Note| matches!(note, Note::HourAssumed(_));
            let repeats = matches!(found.value, Time::Set { .. });
            let said = source.get(found.cut()).unwrap_or("").to_lowercase();
            let half = HALVES.iter().any(|half| said.contains(half));
            found.notes.iter().any(assumed) || repeats && !half
        })
    }

    /// Whether a phrase of a class stands in the title.
    pub(super) fn title_holds(&self, class: &str) -> bool {
        self.title_tokens()
            .any(|at| words::begins_with(self.lattice, at, class))
    }

    /// Whether nothing but words of a class stands in the title.
    fn title_is_only(&self, class: &str) -> bool {
        let mut tokens = self.title_tokens().peekable();
        tokens.peek().is_some()
            && tokens
                .all(|at| self.lattice.is_mark(at) || words::begins_with(self.lattice, at, class))
    }

    pub(super) fn title_tokens(&self) -> impl Iterator<Item = usize> {
        let stretches = self.frame.all("title").filter_map(|value| match value {
            Value::Text(stretches) => Some(stretches),
            _ => None,
        });
        stretches.flatten().flat_map(Clone::clone)
    }

    /// The title of something new, with its company where it has any.
    pub(super) fn title(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no title"))?;
        let mut title = self.named(&words::of(self.lattice, value));
        if self.begins_otherwise(value) || self.is_pronoun(value) && !spoken::is_again(&title) {
            return Err(Unfit("no title"));
        }
        let joined = self.title_tokens().next();
        let begins =
            |class: &str| joined.is_some_and(|at| words::begins_with(self.lattice, at, class));
        let is = |what: &str| self.frame.has(what) && !begins(what);
        if is("deed") || is("errand") {
            return Err(Unfit("nothing that is to be done"));
        }
        let again = spoken::is_again(&title);
        if again {
            title = self.spoken_thing().ok_or(Unfit("no title"))?;
        } else if self.title_is_only("no_title")
            || joined.is_some_and(|at| words::begins_with(self.lattice, at, "joint"))
            || title.starts_with("it ")
            || title.starts_with("It ")
        {
            return Err(Unfit("no title"));
        }
        // "30 minutes with Kim about the plan", "block two hours to write".
        for lead in ["about ", "regarding ", "to "] {
            if let Some(bare) = title.strip_prefix(lead) {
                title = bare.to_owned();
            }
        }
        for article in ["a ", "an ", "the "] {
            if let Some(bare) = title.strip_prefix(article) {
                title = bare.to_owned();
            }
        }
        if title.is_empty() {
            return Err(Unfit("no title"));
        }
        if let Some(people) = self
            .frame
            .get("people")
            .filter(|_| !self.frame.has("named"))
        {
            let company = self.titled(people);
            if !again || !title.contains(&company) {
                title = format!("{title} with {company}");
            }
        }
        let field = self.frame.category().name_field();
        self.arguments
            .set(field, json!(words::capitalised(&title)), self.said(role));
        Ok(())
    }
}
