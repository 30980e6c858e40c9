//! Text that stands for a detail of a contact or of an event: "the phone number of Luis" and "the address of the party" are
//! looked up, not written down.

use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::json;

use super::{Compiler, Unfit, key, words};

/// The tool that reads the address book.
const FIND: &str = "contact.find";
/// The tool that reads the calendar.
const LIST: &str = "calendar.list";
/// Where the result of [`LIST`] has the place.
const LOCATION: &str = "/items/0/location";

/// Names of details, and where the result of [`FIND`] has each; places are those of events.
const DETAILS: &[(&str, &str)] = &[
    ("phone number", "/items/0/phones/0"),
    ("telephone number", "/items/0/phones/0"),
    ("mobile number", "/items/0/phones/0"),
    ("cell number", "/items/0/phones/0"),
    ("number", "/items/0/phones/0"),
    ("phone", "/items/0/phones/0"),
    ("mobile", "/items/0/phones/0"),
    ("cell", "/items/0/phones/0"),
    ("email address", "/items/0/emails/0"),
    ("e-mail address", "/items/0/emails/0"),
    ("mail address", "/items/0/emails/0"),
    ("email", "/items/0/emails/0"),
    ("e-mail", "/items/0/emails/0"),
    ("address", LOCATION),
    ("location", LOCATION),
    ("place", LOCATION),
];

/// Maximum number of words that name the contact.
const NAME_WORDS_MAX: usize = 3;

impl Compiler<'_, '_> {
    /// Fills an argument with a detail of a contact, or the place of an event of the person, if the words name one, and
    /// adds the step that reads it. Returns whether they do.
    pub(super) fn detail(&mut self, field: &str, said: &str) -> bool {
        let Some((who, path)) = detail_of(said) else {
            return false;
        };
        let (tool, args) = match path {
            LOCATION if !self.is_event(&who) => return false,
            LOCATION => {
                let now = Moment::At(self.lattice.said.now.clone());
                (
                    LIST,
                    json!({"text": who, "from": now, "order": "start", "pick": "first"}),
                )
            }
            _ => (FIND, json!({"name": who, "pick": "one"})),
        };
        if !self.lattice.said.tools.iter().any(|one| one.name == tool) {
            return false;
        }
        let from = key(self.made + self.reads.len());
        let source = Source::Person {
            words: Some(said.to_owned()),
        };
        self.reads.push(StepDraft {
            key: from.clone(),
            say: format!("Look up {said}"),
            tool: tool.to_owned(),
            args,
            sources: [(String::new(), source)].into(),
            ..StepDraft::default()
        });
        self.needs.push(from.clone());
        let value = json!({"$from": from.0, "path": path});
        self.arguments.set(field, value, Source::Step { key: from });
        true
    }

    /// Reports whether the title of an event that the message mentions has all of the words.
    fn is_event(&self, said: &str) -> bool {
        let words = adjutant_text::words(said);
        let has_all = |label: &str| {
            let label = adjutant_text::words(label);
            words.iter().all(|word| label.contains(word))
        };
        let is = |name: &MentionedName| {
            let event = matches!(
                name.of,
                NameOf::Record {
                    kind: Kind::Event,
                    ..
                }
            );
            event && has_all(&name.label)
        };
        self.lattice.said.names.iter().any(is)
    }

    /// Fills text that is added to a record. Words that stand for a detail of a contact are looked up.
    pub(super) fn added_text(&mut self, field: &str, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no text"))?;
        let said = words::of(self.lattice, value);
        let quoted = words::is_quoted(self.lattice, value);
        if said.is_empty() || !quoted && self.is_pronoun(value) {
            return Err(Unfit("no text"));
        }
        if quoted || !self.stands_in(field, &said, role) {
            self.arguments
                .set(field, json!(said), self.person_source(role));
        }
        Ok(())
    }
}

/// Returns whose detail the words name, and its place in the result: "the dentist's phone number", "the email of Luis".
fn detail_of(said: &str) -> Option<(String, &'static str)> {
    let said = said.replace('\u{2019}', "'");
    let said = said.trim().trim_end_matches(['.', '!']);
    // Only ASCII changes its case here, so that a place in one text is the same place in the other.
    let low = said.to_ascii_lowercase();
    let path = |words: &str| {
        let words = words.trim();
        let words = words.strip_prefix("the ").unwrap_or(words);
        let found = DETAILS.iter().find(|(name, _)| *name == words);
        found.map(|(_, path)| *path)
    };
    // What follows the last "'s" is the detail: "my sister's dentist's number".
    let owned = low
        .rfind("'s ")
        .and_then(|at| Some((&said[..at], path(&low[at + 3..])?)));
    let of = || {
        let cuts = [" of ", " for "]
            .iter()
            .filter_map(|word| low.find(word).map(|at| (at, word)));
        let mut cuts =
            cuts.filter_map(|(at, word)| Some((&said[at + word.len()..], path(&low[..at])?)));
        cuts.next()
    };
    let (who, path) = owned.or_else(of)?;
    let who = who.trim();
    let bare = ["the ", "The ", "my ", "My "]
        .iter()
        .find_map(|word| who.strip_prefix(word));
    let who = bare.unwrap_or(who);
    let count = who.split_whitespace().count();
    (1..=NAME_WORDS_MAX)
        .contains(&count)
        .then(|| (who.to_owned(), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_is_that_of_a_contact() {
        for (said, who, path) in [
            ("the dentist's phone number", "dentist", "/items/0/phones/0"),
            ("the phone number of Luis", "Luis", "/items/0/phones/0"),
            (
                "Rosa Vidal's email address",
                "Rosa Vidal",
                "/items/0/emails/0",
            ),
            (
                "İpek's dentist's number",
                "İpek's dentist",
                "/items/0/phones/0",
            ),
            ("the email for my landlord", "landlord", "/items/0/emails/0"),
            (
                "the address of Ben's party",
                "Ben's party",
                "/items/0/location",
            ),
        ] {
            assert_eq!(detail_of(said), Some((who.to_owned(), path)), "{said}");
        }
        for said in [
            "the booking code of the hotel",
            "the number",
            "Rosa's number is 4711",
            "call Rosa",
            "",
        ] {
            assert_eq!(detail_of(said), None, "{said}");
        }
    }
}
