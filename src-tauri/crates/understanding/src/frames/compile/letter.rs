//! The arguments of a mail that is written: what it says, what it is about, which mail it answers.

use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::{Map, Value as Json, json};

use super::super::binding::Value;
use super::super::lattice::Filler;
use super::{Compiler, Unfit, key, speech, who, words};

/// The tool that looks for mails.
const SEARCH: &str = "email.search";
/// The tool that reads a note.
const NOTE: &str = "note.read";

impl Compiler<'_, '_> {
    /// What the mail says: a quotation word for word, reported speech as a person would write it.
    pub(super) fn body(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no text"))?;
        if let (Value::Text(said), Some(Value::Text(subject))) = (value, self.frame.get("subject"))
            && let (Some(said), Some(subject)) = (said.first(), subject.last())
            && subject.end == said.start
        {
            return Err(Unfit("nobody knows where the subject ends"));
        }
        let said = words::of(self.lattice, value);
        let text = if words::is_quoted(self.lattice, value) {
            said
        } else {
            let how = self.frame.constant("how").unwrap_or("said");
            speech::letter(how, &said, self.one_recipient()).ok_or(Unfit("no text"))?
        };
        let field = if self.tool.name == "email.forward" {
            "note"
        } else {
            "body"
        };
        self.arguments.set(field, json!(text), self.said(role));
        Ok(())
    }

    /// Whether the mail goes to one person.
    fn one_recipient(&self) -> bool {
        let people = self.frame.all("to").filter_map(|value| match value {
            Value::Filler(Filler::People(people), _) => Some(people.len()),
            _ => None,
        });
        people.sum::<usize>() <= 1 && !self.frame.has("all")
    }

    /// What the mail is called.
    pub(super) fn subject(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no subject"))?;
        let said = words::of(self.lattice, value);
        let text = if words::is_quoted(self.lattice, value) {
            said
        } else {
            let bare = ["the ", "a ", "an ", "my ", "our "];
            let bare = bare.iter().find_map(|article| said.strip_prefix(article));
            words::capitalised(bare.unwrap_or(&said).trim_end_matches(['.', '?', '!', ' ']))
        };
        let alone = ["the", "a", "an", "my", "our", "it", "this", "that", "them"];
        if text.is_empty() || alone.contains(&text.to_lowercase().as_str()) {
            return Err(Unfit("no subject"));
        }
        self.arguments.set("subject", json!(text), self.said(role));
        Ok(())
    }

    /// The latest mail of somebody.
    pub(super) fn sender(&mut self, role: &'static str) -> Result<(), Unfit> {
        let (people, at) = match self.frame.get(role) {
            Some(Value::Filler(Filler::People(people), at)) => (people, at.start),
            _ => return Err(Unfit("no sender")),
        };
        let names = who::names(self.lattice, people, at).ok_or(Unfit("nobody known"))?;
        let mut target = json!({ "from": names, "order": "-date", "pick": "first" });
        if self.tool.name == "email.attachment" {
            target["has_attachment"] = json!(true);
        }
        self.arguments.set("target", target, self.said(role));
        Ok(())
    }

    /// The mail that a draft answers: looked for first, unless the conversation has shown it.
    pub(super) fn answered(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no mail"))?.clone();
        let source = self.said(role);
        let mut filter = match &value {
            Value::Filler(Filler::People(people), at) => {
                let names =
                    who::names(self.lattice, people, at.start).ok_or(Unfit("nobody known"))?;
                Map::from_iter([("from".to_owned(), json!(names))])
            }
            Value::Inner(thing) if thing.has("ref") => {
                let shown = thing
                    .constant("ref")
                    .and_then(|reference| self.shown(thing, reference, Kind::Mail));
                let Some([mail]) = shown.as_deref() else {
                    return Err(Unfit("nothing shown"));
                };
                self.arguments.set("in_reply_to", json!(mail.id.0), source);
                return Ok(());
            }
            Value::Inner(thing) => {
                let mut tools = self.lattice.said.tools.iter();
                let search = tools.find(|tool| tool.name == SEARCH);
                let search = search.ok_or(Unfit("unknown tool"))?;
                self.filter_of(search, thing, "email", ("", true))?
            }
            _ => return Err(Unfit("no mail")),
        };
        filter.insert("pick".into(), json!("first"));
        filter.entry("order").or_insert_with(|| json!("-date"));
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: format!("Look for the mail of {}", words::of(self.lattice, &value)),
            tool: SEARCH.to_owned(),
            args: Json::Object(filter),
            sources: [(String::new(), source)].into(),
            ..StepDraft::default()
        });
        let answered = json!({"$from": key.0, "path": "/ids/0"});
        self.arguments
            .set("in_reply_to", answered, Source::Step { key: key.clone() });
        self.needs.push(key);
        Ok(())
    }

    /// The note that is sent: read first, its title the subject and its text the body.
    pub(super) fn enclosed(&mut self, role: &'static str) -> Result<(), Unfit> {
        let thing = self.frame.inner(role).ok_or(Unfit("no note"))?.clone();
        if thing.constant("kind") != Some(Kind::Note.word()) || thing.has("ref") {
            return Err(Unfit("no note"));
        }
        let mut tools = self.lattice.said.tools.iter();
        let note = tools.find(|tool| tool.name == NOTE);
        let note = note.ok_or(Unfit("unknown tool"))?;
        let mut filter = self.filter_of(note, &thing, "note", ("target", true))?;
        if filter
            .keys()
            .all(|field| field == "pick" || field == "order")
        {
            return Err(Unfit("no note is named"));
        }
        filter.insert("pick".into(), json!("one"));
        let source = self.said(role);
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: format!("Read {}", words::of(self.lattice, &Value::Inner(thing))),
            tool: NOTE.to_owned(),
            args: json!({ "target": filter }),
            sources: [("/target".to_owned(), source)].into(),
            ..StepDraft::default()
        });
        for (field, path) in [("subject", "/title"), ("body", "/body")] {
            let value = json!({"$from": key.0, "path": path});
            self.arguments
                .set(field, value, Source::Step { key: key.clone() });
        }
        self.needs.push(key);
        Ok(())
    }

    /// The mail that was shown last, where none is named.
    pub(super) fn here(&mut self) -> Result<(), Unfit> {
        if self.earlier_step("it", "email", &[]) {
            return Ok(());
        }
        let mail = self.lattice.said.focus.latest_one(Some(Kind::Mail));
        let mail = mail.ok_or(Unfit("nothing shown"))?;
        self.arguments
            .set("id", json!(mail.id.0), Source::Person { words: None });
        Ok(())
    }
}
