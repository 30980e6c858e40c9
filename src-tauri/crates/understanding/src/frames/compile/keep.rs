//! Arguments of things to be kept: the text of a note, the entries of a list, a contact.

use adjutant_domain::plan::{AnswerKind, Question};
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::binding::Value;
use super::super::lattice::{Filler, PersonMention};
use super::{Compiler, Unfit, arguments, who, words};

/// Words with which a text to be kept does not begin, because they introduce something else ("note to Tom", "notes
/// about …").
const NO_TEXT: &[&str] = &[
    "to", "on", "about", "for", "from", "with", "in", "at", "of", "by", "it", "them", "this",
];

/// Lists that are not notes.
const OTHER_LISTS: &[&str] = &[
    "todo", "do", "to-do", "to do", "task", "tasks", "contact", "contacts", "guest", "mailing",
    "reminder", "my", "the",
];

/// Attributes of records: a person who names one of these wants it looked up, not written down.
const FIELDS: &[&str] = &[
    "number", "address", "phone", "email", "mail", "code", "password", "birthday", "price", "date",
    "time", "link", "location", "total", "amount", "deadline",
];

/// Maximum number of words in a name.
const NAME_WORDS_MAX: usize = 5;

impl Compiler<'_, '_> {
    /// Fills arguments from a role through a converter for things to be kept.
    pub(super) fn keep(&mut self, converter: &str, role: &'static str) -> Result<(), Unfit> {
        match converter {
            "note_text" => self.note_text(role),
            "note_title" => self.note_title(role),
            "answers" => self.answers(role),
            "list_title" => self.list_title(role),
            "entries" => self.entries(role),
            "added_description" => self.added_text("changes.add_description", role),
            "added_notes" => self.added_text("changes.add_notes", role),
            "grounded" => self.grounded(role),
            "told_series" => self.told_series(),
            "in_that_long" => self.in_that_long(role),
            "shown_note" => self.shown_note(),
            "own_folder" => self.own_folder(role),
            "emptied" => {
                self.emptied(role);
                Ok(())
            }
            "name_words" => self.name_words(role),
            "newcomer" => self.newcomer(role),
            "someone" => self.someone(role),
            "fact" => self.fact(role),
            "own_value" => self.own_value(role),
            "forgotten" => self.forgotten(role),
            "fact_key" => self.fact_key(role),
            _ => Err(Unfit("no such converter")),
        }
    }

    /// Fills the text of a new note. If it only refers to something, asks for it.
    fn note_text(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no text"))?;
        let said = words::of(self.lattice, value);
        let first = said.split_whitespace().next().unwrap_or("").to_lowercase();
        let quoted = words::is_quoted(self.lattice, value);
        if self.begins_otherwise(value) {
            return Err(Unfit("another request"));
        }
        // "Note that down": only the verb has two words.
        let particle = ["down", "that down", "this down", "it down"]
            .contains(&said.trim_end_matches(['.', '!']).to_lowercase().as_str());
        if said.is_empty() || !quoted && (particle || NO_TEXT.contains(&first.as_str())) {
            return Err(Unfit("no text"));
        }
        if !quoted && self.stands_in("body", &said, role) {
            return Ok(());
        }
        let text = if quoted {
            said
        } else {
            words::capitalised(&said)
        };
        self.arguments
            .set("body", json!(text), self.person_source(role));
        Ok(())
    }

    /// Fills the title of a new note.
    fn note_title(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no title"))?;
        let said = words::of(self.lattice, value);
        let title = without_article(&said);
        if title.is_empty() {
            return Err(Unfit("no title"));
        }
        let title = words::capitalised(title);
        self.arguments
            .set("title", json!(title), self.person_source(role));
        Ok(())
    }

    /// Fills the list that is meant, by its title.
    fn list_title(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no list"))?;
        let said = words::of(self.lattice, value);
        let said = without_article(&said).to_owned();
        let name = said.to_lowercase();
        let mut parts = name.split_whitespace();
        let joins = parts.any(|word| matches!(word, "to" | "from" | "on" | "off" | "with" | "in"));
        let long = name.split_whitespace().count() > NAME_WORDS_MAX;
        if said.is_empty()
            || joins
            || name.starts_with("for ")
            || long
            || OTHER_LISTS.contains(&name.as_str())
            || name.contains("calendar")
        {
            return Err(Unfit("another list"));
        }
        // "The book ideas list" may be a note that is called "Book ideas".
        let mut names = self.lattice.said.names.iter();
        let known = names.find(|one| {
            let of_note = one.record().is_some_and(|(kind, _)| kind == Kind::Note);
            of_note && one.label.to_lowercase() == name
        });
        let said = match self.frame.has("listed") {
            true if known.is_some() => known.map_or(said, |known| known.label.clone()),
            true if said == name => format!("{said} list"),
            true => format!("{said} List"),
            false => said,
        };
        let source = self.person_source(role);
        if self.takes("target") && !self.takes("title") {
            let target = json!({"title": said, "pick": "one"});
            self.arguments.set("target", target, source);
            return Ok(());
        }
        self.arguments
            .set("title", json!(words::capitalised(&said)), source);
        if self.takes("create") {
            self.arguments.set("create", json!(true), Source::Derived);
        }
        Ok(())
    }

    /// Fills the entries of a list, one by one: of a new list, or to add, remove or tick.
    fn entries(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no entries"))?;
        let said = words::of(self.lattice, value);
        let quoted = words::is_quoted(self.lattice, value);
        if said.is_empty() || !quoted && self.is_pronoun(value) || self.begins_otherwise(value) {
            return Err(Unfit("no entries"));
        }
        if !quoted && stands_for_something(&said) && !self.takes("text") {
            return Err(Unfit("stands for something"));
        }
        if !quoted && self.stands_in("text", &said, role) {
            return Ok(());
        }
        let items = if quoted {
            vec![said.clone()]
        } else {
            split(&said)
        };
        let source = self.person_source(role);
        match role {
            "gone" => self.set_entries("changes.remove_lines", &items, source),
            "ticked" => self.set_entries("changes.check", &items, source),
            "open" => self.set_entries("changes.uncheck", &items, source),
            _ if self.takes("text") => {
                self.arguments.set("text", json!(said), source.clone());
                if items.len() > 1 && self.takes("items") {
                    self.set_entries("items", &items, source);
                }
            }
            _ => {
                let lines: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
                self.arguments.set("body", json!(lines.join("\n")), source);
            }
        }
        Ok(())
    }

    /// Fills an argument if the words only refer to what it should be: with the detail of a contact that they name,
    /// or with an answer of the person. Returns whether they do.
    pub(super) fn stands_in(&mut self, field: &str, said: &str, role: &str) -> bool {
        if self.detail(field, said) {
            return true;
        }
        let stands = stands_for_something(said);
        if stands {
            self.ask_what(field, said, role);
        }
        stands
    }

    /// Asks for what a placeholder refers to.
    fn ask_what(&mut self, field: &str, said: &str, role: &str) {
        self.arguments
            .set(field, Json::Null, self.person_source(role));
        self.question = Some(Question {
            text: format!("What is {said}?"),
            choices: Vec::new(),
            slot: arguments::pointer(field),
            answer: AnswerKind::Text,
        });
    }

    fn set_entries(&mut self, field: &str, items: &[String], source: Source) {
        let bare = items.iter().map(|item| without_article(item).to_owned());
        let bare: Vec<String> = bare.collect();
        self.arguments.set(field, json!(bare), source);
    }

    /// Fills the target, if its kind was said, the conversation has shown it, or a record of the person has its name.
    fn grounded(&mut self, role: &'static str) -> Result<(), Unfit> {
        let thing = self.frame.inner(role).ok_or(Unfit("no target"))?;
        if !(thing.has("kind") || thing.has("ref")) {
            self.check_known(thing)?;
        }
        self.target(role)
    }

    /// Fills the id of the note that was shown last.
    fn shown_note(&mut self) -> Result<(), Unfit> {
        let focus = self.lattice.said.focus;
        let last = focus.shown.first().map(|group| group.items.as_slice());
        let is_last = matches!(last, Some([one]) if one.kind == Kind::Note);
        if self.frame.constant("here") == Some("last") && !is_last {
            return Err(Unfit("something else since"));
        }
        let note = focus.latest_one(Some(Kind::Note));
        let note = note.ok_or(Unfit("nothing shown"))?;
        self.arguments
            .set("id", json!(note.id.0), Source::Person { words: None });
        Ok(())
    }

    /// Fills the words of a file's name, if the kind that was said is that of files.
    fn name_words(&mut self, role: &'static str) -> Result<(), Unfit> {
        if self.frame.constant("kind") != Some("file") {
            return Err(Unfit("another kind"));
        }
        let value = self.frame.get(role).ok_or(Unfit("no name"))?;
        let words = self.needle(value, None)?;
        self.arguments
            .set("name", json!(words), self.person_source(role));
        Ok(())
    }

    /// Fills the name of a new contact, who must not be in the address book yet.
    fn newcomer(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("nobody"))?;
        if matches!(value, Value::Constant(_)) {
            let name = self.stranger().ok_or(Unfit("nobody spoken of"))?;
            self.arguments
                .set("name", json!(name), self.person_source(role));
            return Ok(());
        }
        let known = |one: &PersonMention| !matches!(one, PersonMention::Named(_, false));
        if let Value::Filler(Filler::People(people), _) = value
            && (people.len() != 1 || people.iter().any(known))
        {
            return Err(Unfit("known already"));
        }
        let said = words::of(self.lattice, value);
        let name = said.trim_end_matches("'s").trim_end_matches("\u{2019}s");
        let parts: Vec<String> = name.split_whitespace().map(words::capitalised).collect();
        let letters = |part: &String| {
            part.chars()
                .all(|c| c.is_alphabetic() || ".-'’".contains(c))
        };
        let named = !parts.is_empty() && parts.len() <= NAME_WORDS_MAX && parts.iter().all(letters);
        if !named || self.is_pronoun(value) {
            return Err(Unfit("no name"));
        }
        self.arguments
            .set("name", json!(parts.join(" ")), self.person_source(role));
        Ok(())
    }

    /// Fills the one contact that is meant.
    fn someone(&mut self, role: &'static str) -> Result<(), Unfit> {
        let Some(Value::Filler(Filler::People(people), at)) = self.frame.get(role) else {
            return Err(Unfit("nobody"));
        };
        if people
            .iter()
            .any(|one| matches!(one, PersonMention::Named(_, false)))
        {
            return Err(Unfit("a stranger"));
        }
        let names = who::names(self.lattice, people, at.start).ok_or(Unfit("nobody known"))?;
        let [name] = names.as_slice() else {
            return Err(Unfit("several"));
        };
        let target: Json = json!({ "name": name });
        self.arguments
            .set("target", target, self.person_source(role));
        Ok(())
    }
}

fn without_article(said: &str) -> &str {
    let articles = ["the ", "The ", "my ", "My ", "our ", "some ", "a ", "an "];
    let rest = articles.iter().find_map(|word| said.strip_prefix(word));
    rest.unwrap_or(said)
}

/// Reports whether words refer to something written elsewhere instead of saying it: "the address of the dentist".
fn stands_for_something(said: &str) -> bool {
    let low = said.to_lowercase().replace('\u{2019}', "'");
    let words: Vec<&str> = low.split_whitespace().collect();
    let told = |word: &&str| {
        word.contains(|c: char| c.is_ascii_digit() || matches!(c, ':' | '=' | '"' | '@'))
            || matches!(
                *word,
                "is" | "are" | "was" | "were" | "has" | "to" | "will" | "changed"
            )
    };
    let points = matches!(
        words.first(),
        Some(&("the" | "his" | "her" | "their" | "my"))
    ) || words.first().is_some_and(|word| word.ends_with("'s"));
    let field = |word: &&str| FIELDS.contains(&word.trim_end_matches(|c: char| !c.is_alphabetic()));
    let whose = words
        .iter()
        .any(|word| matches!(*word, "of" | "from" | "for" | "in"))
        || words.iter().any(|word| word.ends_with("'s"))
        || matches!(words.first(), Some(&("his" | "her" | "their")));
    points && whose && words.iter().any(field) && !words.iter().any(told)
}

/// Splits words into entries: "bread, butter and cheese". "Mac and cheese" becomes two, unless it is quoted.
fn split(said: &str) -> Vec<String> {
    let parts = said.split([',', ';']).flat_map(|part| {
        let part = part.trim();
        let part = part.strip_prefix("and ").unwrap_or(part);
        let plain = !part.contains('"');
        let pieces: Vec<&str> = match plain {
            true => part.split(" and ").collect(),
            false => vec![part],
        };
        pieces
    });
    let parts = parts.map(|part| part.trim().trim_end_matches(['.', '!']).to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_holder_is_told_from_what_is_said() {
        for said in [
            "the address of the dentist",
            "Tom's email",
            "the booking code from my mail",
            "her phone number",
        ] {
            assert!(stands_for_something(said), "{said}");
        }
        for said in [
            "the code of the gate is 4711",
            "the address of the hall: Elm Road",
            "milk for the kids",
            "ask Tom for his number",
            "the phone",
        ] {
            assert!(!stands_for_something(said), "{said}");
        }
    }

    #[test]
    fn entries_are_told_apart() {
        assert_eq!(
            split("milk, eggs, and rye bread."),
            ["milk", "eggs", "rye bread"]
        );
        assert_eq!(split("salt and pepper"), ["salt", "pepper"]);
        assert_eq!(split("tea"), ["tea"]);
    }
}
