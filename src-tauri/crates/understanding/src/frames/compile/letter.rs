//! The arguments of a mail to be written: its text, its subject, the mail it answers.

use std::ops::Range;

use adjutant_domain::plan::StepDraft;
use adjutant_domain::plan::reference::Reference;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::{Map, Value as Json, json};

use super::super::binding::Value;
use super::super::grammar::GRAMMAR;
use super::super::lattice::{Filler, PersonMention, PhraseMatch};
use super::speech::{self, Addressee};
use super::{Compiler, Unfit, key, who, words};

/// The tool that searches mails.
pub(super) const SEARCH: &str = "email.search";
/// The tool that reads a note.
const NOTE: &str = "note.read";

impl Compiler<'_, '_> {
    /// Fills the text of the mail: a quotation word for word, reported speech as a person would write it.
    pub(super) fn body(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no text"))?;
        if self.frame.constant("how") == Some("bid") && self.frame.has("subject") {
            // "Email Ana about the trip to Rome" asks nothing of her.
            return Err(Unfit("no text"));
        }
        if let (Value::Text(said), Some(Value::Text(subject))) = (value, self.frame.get("subject"))
            && let (Some(said), Some(subject)) = (said.first(), subject.last())
            && subject.end == said.start
        {
            return Err(Unfit("nobody knows where the subject ends"));
        }
        if self.frame.constant("how") == Some("detail") {
            let said = words::of(self.lattice, value);
            if !self.detail("body", &said) {
                return Err(Unfit("no detail"));
            }
            // The value alone would also be the subject.
            if self.takes("subject") && !self.frame.has("subject") {
                let bare = said.trim_start_matches("the ").trim_end_matches(['.', '!']);
                let subject = words::capitalised(bare);
                self.arguments
                    .set("subject", json!(subject), self.person_source(role));
            }
            return Ok(());
        }
        let text = match value {
            Value::Text(stretches) if !words::is_quoted(self.lattice, value) => {
                let how = self.frame.constant("how").unwrap_or("said");
                let text = self.reported(how, stretches);
                text.ok_or(Unfit("no text"))?
            }
            _ => words::of(self.lattice, value),
        };
        let field = if self.tool.name == "email.forward" {
            "note"
        } else {
            "body"
        };
        self.arguments
            .set(field, json!(text), self.person_source(role));
        Ok(())
    }

    /// Turns reported speech into what a person would write: "thanking her for the jam and asking when she is back"
    /// becomes two sentences.
    fn reported(&self, how: &'static str, stretches: &[Range<usize>]) -> Option<String> {
        let class = GRAMMAR.class("says");
        let introduces = |at: usize| {
            let hits = class.map(|class| self.lattice.phrases_at(class, at));
            let longest = hits
                .into_iter()
                .flatten()
                .max_by_key(|hit| hit.end)
                .copied();
            longest.filter(|_| self.lattice.word(at).ends_with("ing"))
        };
        let (mut how, mut sentences) = (how, Vec::new());
        let mut letter = |how: &str, tokens: Vec<Range<usize>>| {
            let start = tokens.first()?.start;
            let said = words::of(self.lattice, &Value::Text(tokens));
            sentences.push(speech::letter(how, &said, self.addressed(start))?);
            Some(())
        };
        let (last, before) = stretches.split_last()?;
        if last
            .clone()
            .any(|at| self.somebody_else(at) || self.ends_quotation(last, at))
        {
            return None;
        }
        let mut open = before.to_vec();
        let mut start = last.start;
        for at in last.clone() {
            let joint = matches!(self.lattice.word(at), "and" | ",");
            let hit = introduces(at + 1).or_else(|| self.asks(start..at));
            if let Some(hit) = hit.filter(|hit| joint && hit.end < last.end) {
                open.push(start..at);
                letter(how, std::mem::take(&mut open))?;
                (how, start) = (hit.value, hit.end);
            }
        }
        open.push(start..last.end);
        letter(how, open)?;
        Some(sentences.join(" "))
    }

    /// Finds a second verb after a message: "… and ask if Monday works". Returns `None` if "ask" could continue a verb
    /// of the message itself.
    fn asks(&self, told: Range<usize>) -> Option<PhraseMatch> {
        /// Words that are followed by the base form of a verb.
        const OPEN: &[&str] = &[
            "to", "will", "i'll", "we'll", "can", "could", "should", "would", "must", "let's",
            "may", "might", "please",
        ];
        let opens =
            |at: usize| OPEN.contains(&self.lattice.word(at)) && self.lattice.word(at + 1) != "not";
        let asked = |end: usize| {
            let word = self.lattice.word(end);
            matches!(
                word,
                "if" | "whether" | "when" | "what" | "how" | "where" | "who" | "for"
            )
        };
        let hits = self
            .lattice
            .phrases_at(GRAMMAR.class("says")?, told.end)
            .iter();
        let longest = hits
            .filter(|hit| hit.value == "ask" && asked(hit.end))
            .max_by_key(|hit| hit.end);
        longest.filter(|_| !told.into_iter().any(opens)).copied()
    }

    /// Reports whether a message to somebody else begins at a token: "… and Tom whether he has seen it".
    fn somebody_else(&self, at: usize) -> bool {
        let told = |end: usize| {
            let word = self.lattice.word(end);
            matches!(
                word,
                "if" | "whether" | "when" | "that" | "what" | "how" | "saying" | "to"
            )
        };
        let mut people = self.lattice.edges(at + 1).iter();
        self.lattice.word(at) == "and"
            && people.any(|edge| matches!(edge.filler, Filler::People(_)) && told(edge.end))
    }

    /// Reports whether a message begins with a quotation and something else follows it: "… saying "Hi" and to Bob".
    fn ends_quotation(&self, said: &Range<usize>, at: usize) -> bool {
        let quoted = |at: usize| self.lattice.text.tokens[at].quote.is_some();
        at > said.start
            && quoted(said.start)
            && quoted(at - 1)
            && matches!(
                self.lattice.word(at),
                "and" | "to" | "with" | "," | "in" | "by"
            )
    }

    /// Returns how the mail addresses its recipients: how many there are, and the pronoun that the words before
    /// `start`, where the message begins, use for them.
    fn addressed(&self, start: usize) -> Addressee {
        let people = self.frame.all("to").map(|value| match value {
            Value::Filler(Filler::People(people), _) => people.len(),
            _ => 2,
        });
        if people.sum::<usize>() > 1 || self.frame.has("all") {
            return Addressee::Several;
        }
        let introduced = (start.saturating_sub(3)..start).map(|at| self.lattice.word(at));
        let mut pronoun = introduced.filter_map(|word| match word {
            "him" => Some(Addressee::Him),
            "her" => Some(Addressee::Her),
            _ => None,
        });
        pronoun.next_back().unwrap_or(Addressee::One)
    }

    /// Fills the subject of the mail.
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
        self.arguments
            .set("subject", json!(text), self.person_source(role));
        Ok(())
    }

    /// Fills the target with the latest mail from somebody.
    pub(super) fn sender(&mut self, role: &'static str) -> Result<(), Unfit> {
        let (people, at) = match self.frame.get(role) {
            Some(Value::Filler(Filler::People(people), at)) => (people, at.start),
            _ => return Err(Unfit("no sender")),
        };
        let shown = self.lattice.said.focus.latest_one(Some(Kind::Mail));
        if let ([PersonMention::They], Some(mail)) = (people.as_slice(), shown) {
            // "Reply to her" means the mail that was mentioned last.
            self.arguments
                .set("id", json!(mail.id.0), self.person_source(role));
            return Ok(());
        }
        let names = who::names(self.lattice, people, at).ok_or(Unfit("nobody known"))?;
        let mut target = json!({ "from": names, "order": "-date", "pick": "first" });
        if self.tool.name == "email.attachment" {
            target["has_attachment"] = json!(true);
        }
        self.arguments
            .set("target", target, self.person_source(role));
        Ok(())
    }

    /// Fills the mail that a draft answers. A step searches for it, unless the conversation has shown it.
    pub(super) fn answered(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no mail"))?.clone();
        let source = self.person_source(role);
        let mut filter = match &value {
            Value::Filler(Filler::People(people), at) => {
                let names =
                    who::names(self.lattice, people, at.start).ok_or(Unfit("nobody known"))?;
                Map::from_iter([("from".to_owned(), json!(names))])
            }
            Value::Constant(_) => {
                // "Draft a reply saying yes": to the mail that was shown last.
                let shown = self.lattice.said.focus.latest_one(Some(Kind::Mail));
                let mail = shown.ok_or(Unfit("nothing shown"))?;
                self.arguments.set("in_reply_to", json!(mail.id.0), source);
                return Ok(());
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

    /// Fills the draft to send: the one that was shown last, or a description of the one that fits.
    pub(super) fn drafted(&mut self, role: &'static str) -> Result<(), Unfit> {
        let thing = self.frame.inner(role).ok_or(Unfit("no draft"))?.clone();
        let source = self.person_source(role);
        let last = self.lattice.said.focus.latest_one(Some(Kind::Outbox));
        let shown = match thing.constant("ref") {
            Some(reference) => match self.shown(&thing, reference, Kind::Outbox).as_deref() {
                Some([draft]) => Some(*draft),
                _ => return Err(Unfit("no draft shown")),
            },
            None if thing.constant("folder") != Some("drafts") || thing.has("many") => {
                return Err(Unfit("no draft"));
            }
            None => None,
        };
        let mut filter = match shown {
            Some(_) => Map::new(),
            None => self.filter_of(self.tool, &thing, "email", ("drafted", true))?,
        };
        filter.remove("folder");
        let is_bare = filter.keys().all(|field| field == "pick");
        match shown.or(last.filter(|_| is_bare)) {
            Some(draft) => self.arguments.set("draft", json!(draft.id.0), source),
            None => self.arguments.set("drafted", Json::Object(filter), source),
        }
        Ok(())
    }

    /// Fills the title of a task with the subject of a mail, or makes a task for each of several mails.
    pub(super) fn mail_title(&mut self, role: &'static str) -> Result<(), Unfit> {
        let thing = self.frame.inner(role).ok_or(Unfit("no mail"))?.clone();
        if thing.constant("kind") != Some(Kind::Mail.word()) || thing.has("ref") {
            return Err(Unfit("no mail"));
        }
        let mut tools = self.lattice.said.tools.iter();
        let search = tools.find(|tool| tool.name == SEARCH);
        let search = search.ok_or(Unfit("unknown tool"))?;
        let mut filter = self.filter_of(search, &thing, "email", ("", false))?;
        if filter.is_empty() {
            return Err(Unfit("no mail is named"));
        }
        let many = thing.has("many") || thing.has("count");
        if !many {
            filter.insert("pick".into(), json!("first"));
            filter.entry("order").or_insert_with(|| json!("-date"));
        }
        let key = key(self.made + self.reads.len());
        self.reads.push(StepDraft {
            key: key.clone(),
            say: "Look for the mail".to_owned(),
            tool: SEARCH.to_owned(),
            args: Json::Object(filter),
            sources: [(String::new(), self.person_source(role))].into(),
            ..StepDraft::default()
        });
        let title = match many {
            true => json!({"$item": "/subject"}),
            false => json!({"$from": key.0, "path": "/items/0/subject"}),
        };
        self.each = many.then(|| Reference {
            from: key.clone(),
            path: "/items".into(),
        });
        self.arguments
            .set("title", title, Source::Step { key: key.clone() });
        self.needs.push(key);
        Ok(())
    }

    /// Fills the subject and text of a mail with the title and text of a note, which a step reads first.
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
        let source = self.person_source(role);
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

    /// Fills the mail that an earlier request selected, or else the mail that was shown last.
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
