//! Questions of fact that do not say where to look.

use serde_json::json;

use adjutant_text::{fold, says_nothing};

use super::super::binding::Value;
use super::super::ground;
use super::super::lattice::{Filler, Lattice};
use super::{Compiler, Unfit, window, words};

/// Words that say nothing about what is searched for, in addition to the stop words.
const EMPTY: &str = "shall must ought may might cannot again please pls thing things stuff exactly anyway actually currently \
    supposed both just n 's";
/// Words for the places where an answer may be.
const PLACES: &str = "note notes mail mails email emails message messages file files document documents calendar records";

impl Compiler<'_, '_> {
    /// Fills the search for a question about the person's own things that names no kind of record, no time and nothing
    /// of the world. A question that says where the answer is may name any of them.
    pub(super) fn recalled(&mut self, role: &'static str) -> Result<(), Unfit> {
        let lattice = self.lattice;
        let mut tokens = self.frame.span.clone();
        // Match words literally: "feed" is not "fee".
        let is = |at: usize, class: &str| lattice.phrase(class, at).is_some();
        let value = self.frame.get(role).ok_or(Unfit("about nothing"))?;
        let elsewhere = match value {
            Value::Text(stretches) => stretches
                .iter()
                .flat_map(Clone::clone)
                .any(|at| is(at, "elsewhere")),
            _ => true,
        };
        // If the question says where the answer is, it cannot be about anything else.
        let placed = self.frame.has("source");
        if !placed && (elsewhere || self.says_time(value)) {
            return Err(Unfit("asked elsewhere"));
        }
        if !placed && !tokens.any(|at| lattice.word(at) == "the" || is_own(lattice, at)) {
            return Err(Unfit("nothing of the person's own"));
        }
        if self.frame.has("brief") && !self.is_brief() {
            return Err(Unfit("no question"));
        }
        let figure = self.frame.span.clone().any(|at| is(at, "figure"));
        self.sought_words(role)?;
        if figure && self.frame.constant("ask") == Some("list") {
            self.arguments
                .set("ask", json!("figure"), self.person_source(role));
        }
        Ok(())
    }

    /// Fills the dates on which something was spent.
    pub(super) fn spent_when(&mut self, role: &'static str) -> Result<(), Unfit> {
        let window = self.window(self.frame, (true, false))?;
        if !window.weekdays.is_empty() || window.clock != (None, None) {
            return Err(Unfit("days of the week"));
        }
        for (field, at) in [("from", window.from), ("to", window.to)] {
            if let Some(at) = at {
                self.arguments
                    .set(field, json!(window::moment(&at)), self.person_source(role));
            }
        }
        Ok(())
    }

    /// Reports whether the whole message is a few words that name something, ending with an attribute or a question
    /// mark: "wifi password", "parcel?".
    fn is_brief(&self) -> bool {
        /// Maximum number of words and marks in such a message.
        const MOST: usize = 6;
        let lattice = self.lattice;
        let span = self.frame.span.clone();
        let asked = lattice.text.source.trim_end().ends_with('?');
        let request = words::begins_with(lattice, span.start, "request");
        let last = span.clone().rfind(|at| !lattice.is_mark(*at));
        let figure = last.is_some_and(|at| lattice.phrase("figure", at).is_some());
        span.len() == lattice.len() && span.len() <= MOST && !request && (asked || figure)
    }

    /// Fills the words to search for everywhere.
    pub(super) fn sought_words(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("about nothing"))?;
        let totals = self.frame.constant("ask") == Some("total");
        if totals && self.says_time(value)
            || self.is_pronoun(value)
            || tells_nothing(self.lattice, value)
        {
            return Err(Unfit("about nothing"));
        }
        if self.holds_two_sentences(value) {
            return Err(Unfit("two sentences"));
        }
        let said = match words::is_quoted(self.lattice, value) {
            true => words::of(self.lattice, value),
            false => self.telling_words(role),
        };
        if said.is_empty() {
            return Err(Unfit("about nothing"));
        }
        self.arguments
            .set("text", json!(said), self.person_source(role));
        Ok(())
    }

    /// Reports whether words go on behind the end of a sentence: only one of the two is asked.
    fn holds_two_sentences(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let ends = |at: usize| {
            let quoted = self.lattice.text.tokens[at].quote.is_some();
            !quoted && matches!(self.lattice.word(at), "?" | "!" | "." | ";" | "…" | "...")
        };
        let mut tokens = stretches.iter().flat_map(Clone::clone);
        tokens.any(ends) && tokens.any(|at| !self.lattice.is_mark(at))
    }

    /// Returns the meaningful words of a question, of its second part and of the place where the answer is. The names
    /// of the person's records and contacts correct typing errors.
    fn telling_words(&self, role: &'static str) -> String {
        let in_place =
            |word: &str, at: usize| is_one_of(word, PLACES) || is_part_of_time(self.lattice, at);
        let mut told = self.telling(role, |_, _| false);
        told.extend(self.telling("more", |_, _| false));
        // A sum is taken over entries, which do not hold the name of their file.
        if self.frame.constant("ask") != Some("total") {
            told.extend(self.telling("source", in_place));
        }
        // The tool knows the many ways in which texts express these.
        told.extend(self.frame.has("chosen").then(|| "chosen".to_owned()));
        told.extend(self.frame.has("valid").then(|| "valid".to_owned()));
        told.extend(self.frame.has("away").then(|| "vacation".to_owned()));
        told.join(" ")
    }

    /// Returns the meaningful words of a role, except those that `left_out` accepts.
    fn telling(&self, role: &'static str, left_out: impl Fn(&str, usize) -> bool) -> Vec<String> {
        let tokens: Vec<usize> = match self.frame.get(role) {
            Some(Value::Text(stretches)) => stretches.iter().flat_map(Clone::clone).collect(),
            Some(Value::Filler(_, tokens)) => tokens.clone().collect(),
            _ => Vec::new(),
        };
        let lattice = self.lattice;
        let tells = |at: &usize| {
            let word = lattice.word(*at);
            let silent = lattice.is_mark(*at) || says_nothing(word) || is_one_of(word, EMPTY);
            !silent && !left_out(word, *at)
        };
        let shown = |at: usize| {
            let (word, said) = (lattice.word(at), lattice.slice(at..at + 1));
            // Search for the words that "teh" and "bday" stand for.
            let said = if fold(said) == word { said } else { word };
            ground::mended(lattice, word).unwrap_or_else(|| said.to_owned())
        };
        tokens.into_iter().filter(tells).map(shown).collect()
    }
}

fn is_one_of(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Reports whether a token refers to the person's own things, people or records.
pub(in super::super) fn is_own(lattice: &Lattice<'_>, at: usize) -> bool {
    lattice.phrase("own_word", at).is_some() || ground::is_named(lattice, at)
}

/// Reports whether no word could be found by a search.
fn tells_nothing(lattice: &Lattice<'_>, value: &Value) -> bool {
    let said = words::of(lattice, value);
    let told = adjutant_text::words(&said);
    told.iter().all(|word| says_nothing(word))
}

/// Reports whether a token belongs to a time.
fn is_part_of_time(lattice: &Lattice<'_>, at: usize) -> bool {
    (0..=at).any(|from| {
        let mut edges = lattice.edges(from).iter();
        edges.any(|edge| edge.end > at && matches!(edge.filler, Filler::Time(_)))
    })
}
