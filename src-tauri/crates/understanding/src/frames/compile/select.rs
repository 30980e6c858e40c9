//! A thing spoken of, as the filters of a tool or as what the conversation has shown.

use adjutant_domain::focus::Referent;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::fold;
use serde_json::{Map, Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::grammar::{Category, GRAMMAR};
use super::super::ground;
use super::super::lattice::{Filler, TYPO_COST, Who, times};
use super::window::{self, Window};
use super::{Compiler, Unfit, convert, schema, words};
use crate::time::Found;

/// Words that leave out some of what is named: no text to look for.
const EXCLUDING: &[&str] = &["except", "excluding", "besides", "unless", "not", "without"];

impl<'a> Compiler<'a, '_> {
    /// What a frame acts on: by id where the conversation has shown it, by filters otherwise.
    pub(super) fn target(&mut self, role: &'static str) -> Result<(), Unfit> {
        let thing = self.frame.inner(role).ok_or(Unfit("no target"))?;
        let family = self.tool.name.split('.').next().unwrap_or("");
        let kind = kind_of(family).ok_or(Unfit("no such kind"))?;
        if thing
            .constant("kind")
            .is_some_and(|said| said != kind.word())
        {
            return Err(Unfit("another kind"));
        }
        let source = Source::Person {
            words: Some(words::of(self.lattice, &Value::Inner(thing.clone()))),
        };
        if let Some(reference) = thing.constant("ref") {
            if self.earlier_step(thing, reference, family) {
                return Ok(());
            }
            return self.point_at(thing, kind, source);
        }
        if self.frame.has("kind_said") && !thing.has("kind") {
            return Err(Unfit("of any kind"));
        }
        let filter = self.filter(thing, family, true)?;
        let told = |field: &String| field != "pick" && field != "order";
        if !filter.keys().any(told) && !thing.has("pick") {
            // "Archive the email": the one that is spoken of.
            let one = self.lattice.said.focus.latest_one(Some(kind));
            let one = one.filter(|_| !thing.has("many") && self.takes("id"));
            let Some(one) = one else {
                return match kind {
                    Kind::Mail => Err(Unfit("no mail is named")),
                    _ => {
                        self.arguments.set("target", Json::Object(filter), source);
                        Ok(())
                    }
                };
            };
            self.arguments.set("id", json!(id_of(one)), source);
            return Ok(());
        }
        self.arguments.set("target", Json::Object(filter), source);
        Ok(())
    }

    /// "… and email her about it": what an earlier request of the same message chose or made.
    fn earlier_step(&mut self, thing: &Binding, reference: &str, family: &str) -> bool {
        if !matches!(reference, "it" | "them") || thing.has("nth") {
            return false;
        }
        let fits = |earlier: &&super::Earlier<'_>| match earlier.step {
            Some(step) => step.tool.split('.').next() == Some(family),
            None => true,
        };
        let Some(earlier) = self.earlier.iter().rev().find(fits) else {
            return false;
        };
        let Some(step) = earlier.step else {
            // A remark: what it spoke of is meant.
            let spoken_of = earlier.frame.inner("target").cloned();
            let filter = spoken_of.and_then(|thing| self.filter(&thing, family, true).ok());
            return filter.is_some_and(|filter| {
                self.arguments
                    .set("target", Json::Object(filter), Source::person());
                true
            });
        };
        let source = Source::Step {
            key: step.key.clone(),
        };
        let from = |path: &str| json!({"$from": step.key.0, "path": path});
        if self.takes("ids") {
            self.arguments.set("ids", from("/ids"), source);
        } else {
            self.arguments.set("id", from("/ids/0"), source);
        }
        self.needs.push(step.key.clone());
        true
    }

    /// What the conversation has shown, by id.
    pub(super) fn point_at(
        &mut self,
        thing: &Binding,
        kind: Kind,
        source: Source,
    ) -> Result<(), Unfit> {
        let reference = thing.constant("ref").ok_or(Unfit("nothing shown"))?;
        let shown = self
            .shown(thing, reference, kind)
            .ok_or(Unfit("nothing shown"))?;
        let ids: Vec<String> = shown.iter().map(|one| id_of(one)).collect();
        let (field, value) = match (ids.as_slice(), self.takes("id")) {
            ([one], true) => ("id", json!(one)),
            (several, _) if self.takes("ids") => ("ids", json!(several)),
            _ => return Err(Unfit("several")),
        };
        self.arguments.set(field, value, source);
        Ok(())
    }

    pub(super) fn takes(&self, field: &str) -> bool {
        schema::at(&self.tool.schema, field).is_some()
    }

    /// What a pronoun or a place in a list stands for.
    pub(super) fn shown(
        &self,
        thing: &Binding,
        reference: &str,
        kind: Kind,
    ) -> Option<Vec<&'a Referent>> {
        let focus = self.lattice.said.focus;
        let list = focus.latest_list(Some(kind));
        match reference {
            "few" => {
                let few = thing.all("few").find_map(|value| match value {
                    Value::Filler(Filler::Number(few), _) => usize::try_from(*few).ok(),
                    _ => None,
                })?;
                let first = thing.constant("pick") != Some("last");
                let skipped = if first {
                    0
                } else {
                    list.len().checked_sub(few)?
                };
                (few > 0 && list.len() >= few)
                    .then(|| list.into_iter().skip(skipped).take(few).collect())
            }
            "it" => focus.latest_one(Some(kind)).map(|one| vec![one]),
            "them" => (!list.is_empty()).then_some(list),
            _ => {
                match thing.constant("pick") {
                    Some("last") => return list.last().map(|one| vec![*one]),
                    Some("first") => return list.first().map(|one| vec![*one]),
                    _ => {}
                }
                let place = thing.all("nth").find_map(|value| match value {
                    Value::Filler(Filler::Ordinal(place), _) => usize::try_from(*place).ok(),
                    _ => None,
                })?;
                list.get(place.checked_sub(1)?).map(|one| vec![*one])
            }
        }
    }

    /// The filters that a thing's words are.
    pub(super) fn filter(
        &self,
        thing: &Binding,
        family: &str,
        acts: bool,
    ) -> Result<Map<String, Json>, Unfit> {
        let path = if self.takes("target") { "target" } else { "" };
        self.filter_of(self.tool, thing, family, (path, acts))
    }

    /// The same for another tool, whose filters stand at a path; it acts on what it finds, or it only reads.
    pub(super) fn filter_of(
        &self,
        tool: &ToolSpec,
        thing: &Binding,
        family: &str,
        (path, acts): (&str, bool),
    ) -> Result<Map<String, Json>, Unfit> {
        let category = GRAMMAR
            .category(&format!("filter.{family}"))
            .ok_or(Unfit("no filters"))?;
        let category = &GRAMMAR.categories[category];
        let (root, node) = schema::inner(&tool.schema, path).ok_or(Unfit("no filters"))?;
        let mut filter = Map::new();
        let mut texts: Vec<(&str, String)> = Vec::new();
        let kind = kind_of(family);
        let named = kind.and_then(|kind| ground::look_up(self.lattice, thing, kind).whole);
        if let Some(label) = named.as_ref().filter(|_| !category.whole.is_empty()) {
            filter.insert(category.whole.to_owned(), json!(label));
        }
        for (role, value) in &thing.roles {
            // What the full name says needs no words besides.
            if !filter.is_empty()
                && named.is_some()
                && matches!(*role, "name" | "with" | "owner" | "about")
            {
                continue;
            }
            if *role == "name" && self.is_pronoun(value) || *role == "place" && self.has_time(value)
            {
                return Err(Unfit("no name"));
            }
            match category.argument(role) {
                "" => {}
                "@text" => texts.push((category.text_field(acts), self.needle(value, kind)?)),
                "@count" => self.count(thing, value, &mut filter)?,
                "@older" => self.older(value, &mut filter)?,
                "@set" => {
                    let Value::Constant(set) = value else {
                        return Err(Unfit("no state"));
                    };
                    let (field, word) = set.split_once('=').ok_or(Unfit("no state"))?;
                    let typed = schema::field(root, node, field).ok_or(Unfit("no such state"))?;
                    let word = Value::Constant(word);
                    let (json, _) =
                        convert::typed(self.lattice, &word, &typed).ok_or(Unfit("state"))?;
                    filter.insert(field.to_owned(), json);
                }
                // Who somebody is that nobody knows, an address book cannot say.
                _ if *role == "who" && is_stranger(value) => return Err(Unfit("a stranger")),
                field if *role == "who" => {
                    let name = self.name_of(value).ok_or(Unfit("nobody"))?;
                    filter.insert(field.to_owned(), json!(name));
                }
                // Somebody whom nobody knows is more likely a place or a word of the name: "my flight to Chicago".
                _ if *role == "to" && is_stranger(value) => {
                    texts.push((category.text_field(acts), self.needle(value, kind)?));
                }
                field => {
                    let typed = schema::field(root, node, field).ok_or(Unfit("no such filter"))?;
                    let (json, _) =
                        convert::typed(self.lattice, value, &typed).ok_or(Unfit("type"))?;
                    filter.insert(field.to_owned(), json);
                }
            }
        }
        for (field, text) in texts {
            let known = filter.get(field).and_then(Json::as_str).map(str::to_owned);
            let joined = known.map_or(text.clone(), |known| format!("{known} {text}"));
            filter.insert(field.to_owned(), json!(joined));
        }
        self.range(thing, category, acts, &mut filter)?;
        self.pick(thing, category, acts, &mut filter);
        Ok(filter)
    }

    /// The name of one person.
    fn name_of(&self, value: &Value) -> Option<String> {
        let Value::Filler(Filler::People(people), _) = value else {
            return None;
        };
        match convert::names(self.lattice, people)?.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        }
    }

    /// Whether words are "it" or "them" and nothing else: no record is called so.
    fn is_pronoun(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let tokens: usize = stretches.iter().map(ExactSizeIterator::len).sum();
        let first = stretches.first().filter(|_| tokens == 1);
        first.is_some_and(|first| {
            words::begins_with(self.lattice, first.start, "it")
                || words::begins_with(self.lattice, first.start, "them")
        })
    }

    /// Whether words hold what may be a time: that is no place.
    fn has_time(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let is_time = |at| {
            let mut edges = self.lattice.edges(at).iter();
            edges.any(|edge| matches!(edge.filler, Filler::Time(_)))
        };
        stretches.iter().flat_map(Clone::clone).any(is_time)
    }

    /// Words to look for: small words are not looked for, as records word them otherwise.
    pub(super) fn needle(&self, value: &Value, kind: Option<Kind>) -> Result<String, Unfit> {
        const SMALL: &[&str] = &[
            "the", "a", "an", "my", "our", "and", "of", "to", "for", "&", "-", "in", "on", "about",
        ];
        let said = words::of(self.lattice, value);
        if words::is_quoted(self.lattice, value) {
            return Ok(said);
        }
        if self.says_nothing(value) {
            return Err(Unfit("no name"));
        }
        let excludes = |word: &str| EXCLUDING.contains(&word.to_lowercase().as_str());
        if said.split_whitespace().any(excludes) {
            return Err(Unfit("some are left out"));
        }
        let kept = said.split_whitespace();
        let kept: Vec<_> = kept
            .filter(|word| !SMALL.contains(&word.to_lowercase().as_str()))
            .collect();
        if kept.is_empty() {
            return Ok(said);
        }
        let spelled = kept.into_iter().map(|word| {
            let meant = kind.and_then(|kind| ground::spelled(self.lattice, &fold(word), kind));
            meant.unwrap_or_else(|| word.to_owned())
        });
        Ok(spelled.collect::<Vec<_>>().join(" "))
    }

    /// Whether every word of a name is one that no thing is called by: "it", "the second one", "mail".
    fn says_nothing(&self, value: &Value) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let classes = ["it", "them", "det", "pick", "every", "kind", "kinds"];
        let empty = |at: usize| {
            let starts = self.lattice.words_at(at).iter();
            let starts: Vec<_> = starts
                .filter(|(_, cost)| *cost < TYPO_COST)
                .map(|(word, _)| *word)
                .collect();
            // A mistyped word says something, whatever it was meant to be.
            let is = |at: usize, word| {
                let cost = self.lattice.cost_of(at, word);
                cost.is_some_and(|cost| cost < TYPO_COST)
            };
            let number = |filler: &Filler| matches!(filler, Filler::Number(_) | Filler::Ordinal(_));
            let counts = self
                .lattice
                .edges(at)
                .iter()
                .any(|edge| number(&edge.filler));
            counts
                || self.lattice.is_mark(at)
                || matches!(
                    self.lattice.word(at),
                    "one" | "ones" | "everything" | "thing" | "things"
                )
                || classes
                    .iter()
                    .filter_map(|name| GRAMMAR.class(name))
                    .any(|class| {
                        let found = GRAMMAR.phrases(class, &starts, at, is);
                        found.iter().any(|(end, _)| *end == at + 1)
                    })
        };
        stretches.iter().flat_map(Clone::clone).all(empty)
    }

    /// "The last three": so many of them; "the three invoices" are all there are.
    fn count(
        &self,
        thing: &Binding,
        value: &Value,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let Value::Filler(Filler::Number(count @ 1..=100), _) = value else {
            return Err(Unfit("no number"));
        };
        if thing.has("pick") {
            filter.insert("limit".into(), json!(count));
        }
        Ok(())
    }

    /// "Older than a month".
    fn older(&self, value: &Value, filter: &mut Map<String, Json>) -> Result<(), Unfit> {
        let length = match value {
            Value::Filler(Filler::Length(time), _) => self.lattice.times.get(*time),
            _ => None,
        };
        let Some(crate::time::Value::Duration(length)) = length.map(|found| &found.value) else {
            return Err(Unfit("no length"));
        };
        let from = self.lattice.said.now.checked_sub(length.span);
        let from = from.map_err(|_| Unfit("too long ago"))?;
        filter.insert(
            "until".into(),
            json!(adjutant_domain::moment::Moment::At(from)),
        );
        Ok(())
    }

    /// The times that narrow it.
    fn range(
        &self,
        thing: &Binding,
        category: &Category,
        acts: bool,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let now = self.lattice.said.now;
        let times = thing
            .times("when")
            .filter_map(|time| self.lattice.times.get(time));
        let back = category.looks_back || thing.has("past");
        let read = times.map(|found| match back {
            true => times::as_past(self.lattice, found),
            false => found.clone(),
        });
        let read: Vec<Found> = read.collect();
        let founds: Vec<&Found> = read.iter().collect();
        let window = Window::of(&founds, back, now).ok_or(Unfit("no range"))?;
        let (from, to) = category.window.ok_or(Unfit("no times")).or_else(|unfit| {
            if founds.is_empty() {
                Ok(("", ""))
            } else {
                Err(unfit)
            }
        })?;
        let mut first = window.from.as_ref().map(window::moment);
        let events = category.name == "filter.calendar";
        let next = thing.constant("pick") == Some("next");
        let gone = thing.constant("pick") == Some("last") || thing.has("past");
        let many = thing.has("many");
        if events
            && first.is_none()
            && (next || acts && window.to.is_none() && (many || thing.has("pick")))
        {
            // What is next, and everything that is changed without a time: from now on.
            first = Some(adjutant_domain::moment::Moment::At(now.clone()));
            filter.insert("starts_from".into(), json!(true));
        }
        if let Some(first) = first {
            filter.insert(from.to_owned(), json!(first));
        }
        let mut last = window.to.clone();
        if events && gone && !acts && window.from.is_none() && last.is_none() {
            // What was: up to now.
            last = Some(now.clone());
        }
        if let Some(last) = &last {
            filter.insert(to.to_owned(), json!(window::moment(last)));
        }
        if window.starts && events {
            filter.insert("starts_from".into(), json!(true));
        }
        if !window.weekdays.is_empty() {
            if !events {
                return Err(Unfit("weekdays"));
            }
            filter.insert("weekdays".into(), json!(window.weekdays));
        }
        Ok(())
    }

    /// Which of those that fit.
    fn pick(
        &self,
        thing: &Binding,
        category: &Category,
        acts: bool,
        filter: &mut Map<String, Json>,
    ) {
        let order = category.order;
        match thing.constant("pick") {
            Some(place) => {
                let back = if matches!(place, "first" | "next") {
                    ""
                } else {
                    "-"
                };
                let picked = if thing.has("count") { "all" } else { "first" };
                filter.insert("order".into(), json!(format!("{back}{order}")));
                filter.insert("pick".into(), json!(picked));
            }
            None if acts && thing.has("many") => {
                filter.insert("pick".into(), json!("all"));
            }
            None if acts => {
                filter.insert("pick".into(), json!("one"));
            }
            None if thing.has("one") && !thing.has("many") => {
                filter.insert("pick".into(), json!("first"));
            }
            None => {}
        }
    }
}

/// Whether the only person is somebody who is not in the address book.
fn is_stranger(value: &Value) -> bool {
    matches!(value, Value::Filler(Filler::People(people), _) if matches!(people.as_slice(), [Who::Named(_, false)]))
}

/// The kind of record that a family of tools is about.
pub(super) fn kind_of(family: &str) -> Option<Kind> {
    Some(match family {
        "calendar" => Kind::Event,
        "task" => Kind::Task,
        "email" => Kind::Mail,
        "note" => Kind::Note,
        "memory" => Kind::Memory,
        "contact" => Kind::Contact,
        _ => return None,
    })
}

/// The id, with the instance of a recurring event.
fn id_of(one: &Referent) -> String {
    match &one.instance {
        Some(instance) if !one.id.0.contains('@') => format!("{}@{instance}", one.id.0),
        _ => one.id.0.clone(),
    }
}
