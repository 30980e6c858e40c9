//! The title of something new, and what it implies about the time of day.

use serde_json::json;

use super::super::binding::Value;
use super::{Compiler, Unfit, spoken, words};
use crate::time::{Note, TimeExpression, Value as Time};

impl Compiler<'_, '_> {
    /// Returns the last hour that means the evening even if the person does not say so, for the thing that the tokens
    /// name: dinner and drinks are in the evening, a pizza unless it is lunch.
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

    /// Reports whether an hour could also be in the afternoon or evening, because the person said only its number.
    pub(super) fn may_be_later(&self, founds: &[&TimeExpression]) -> bool {
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

    /// Reports whether the title contains a phrase of a class.
    pub(super) fn title_holds(&self, class: &str) -> bool {
        self.title_tokens()
            .any(|at| words::begins_with(self.lattice, at, class))
    }

    /// Reports whether the title consists only of phrases of a class.
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

    /// Reports whether the request begins a sentence after another one.
    fn begins_sentence(&self) -> bool {
        let before = self.frame.span.start.checked_sub(1);
        before.is_some_and(|at| matches!(self.lattice.word(at), "." | "!" | ";"))
    }

    /// Fills the title of something new, with the people it is with.
    pub(super) fn title(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no title"))?;
        let said = words::of(self.lattice, value);
        let mut title = self.resolve_pronouns(&said);
        let told = title != said;
        let pronoun = self.is_pronoun(value) && !told && !spoken::is_again(&title);
        // "My password runs out. Remind me to change it": only the statement could say what is meant.
        let open =
            !told && self.begins_sentence() && (said.ends_with(" it") || said.ends_with(" them"));
        if self.begins_otherwise(value) || pronoun || open {
            return Err(Unfit("no title"));
        }
        let joined = self.title_tokens().find(|at| !self.lattice.is_mark(*at));
        let begins =
            |class: &str| joined.is_some_and(|at| words::begins_with(self.lattice, at, class));
        let is = |what: &str| self.frame.has(what) && !begins(what);
        if is("deed") || is("errand") {
            return Err(Unfit("nothing that is to be done"));
        }
        let again = spoken::is_again(&title);
        if again {
            title = self.spoken_thing().ok_or(Unfit("no title"))?;
        } else if self.title_is_only("no_title") && !told
            || joined.is_some_and(|at| words::begins_with(self.lattice, at, "joint"))
            || words::begins_with_pronoun(&title)
            || ["as ", "again ", "and "]
                .iter()
                .any(|lead| title.starts_with(lead))
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
            .filter(|_| !self.frame.has("named") && !words::is_quoted(self.lattice, value))
        {
            let company = self.titled(people);
            if !again || !title.contains(&company) {
                title = format!("{title} with {company}");
            }
        }
        if let Some(whose) = self.frame.get("whose") {
            title = format!("{}: {title}", words::of(self.lattice, whose));
        }
        let field = self.frame.category().name_field();
        self.arguments.set(
            field,
            json!(words::capitalised(&title)),
            self.person_source(role),
        );
        Ok(())
    }
}
