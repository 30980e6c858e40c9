//! Turns the description of a thing into the filters of a tool.

use adjutant_domain::record::Kind;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Map, Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::grammar::{Category, GRAMMAR};
use super::super::ground;
use super::super::lattice::{Filler, PersonMention};
use super::select::kind_of;
use super::{Compiler, Unfit, convert, schema, who, words};
use crate::time::Value as Time;

/// Tools whose requests are about mail whatever the mail is called.
const ONLY_MAIL: [&str; 2] = ["email.forward", "email.reply"];

/// The filters of a thing while its roles are read.
struct FilterBuilder<'f> {
    tool: &'f ToolSpec,
    category: &'static Category,
    /// The tool's schema, and its part that describes the filters.
    nodes: (&'f Json, &'f Json),
    thing: &'f Binding,
    family: &'f str,
    /// The path of the filters within the arguments.
    path: &'f str,
    kind: Option<Kind>,
    /// Whether the message says the full name of a record.
    named: bool,
    /// Whether the tool changes what it finds.
    acts: bool,
    filter: Map<String, Json>,
    texts: Vec<(&'static str, String)>,
}

impl FilterBuilder<'_> {
    fn text(&mut self, acts: bool, words: String) {
        self.texts.push((self.category.text_field(acts), words));
    }
}

impl Compiler<'_, '_> {
    /// Returns the filters for a thing.
    pub(super) fn filter(
        &self,
        thing: &Binding,
        family: &str,
        acts: bool,
    ) -> Result<Map<String, Json>, Unfit> {
        let path = if self.takes("target") { "target" } else { "" };
        self.filter_of(self.tool, thing, family, (path, acts))
    }

    /// Returns the filters for another tool, which are at a path of its arguments; `acts`: it changes what it finds.
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
        let kind = kind_of(family);
        let mut filter = Map::new();
        self.check_narrowed(thing, kind, &mut filter)?;
        let named = kind.and_then(|kind| ground::look_up(self.lattice, thing, kind).whole);
        // "The contract mail from Rachel": a mail of somebody else may be called "Contract".
        let sender = ["from", "owner", "sender"]
            .iter()
            .any(|role| thing.has(role));
        let whole = match kind {
            Some(Kind::Mail) if sender => "subject",
            _ => category.whole,
        };
        if let Some(label) = named.as_ref().filter(|_| !whole.is_empty()) {
            filter.insert(whole.to_owned(), json!(label));
        }
        let mut filling = FilterBuilder {
            tool,
            category,
            nodes: (root, node),
            thing,
            family,
            path,
            kind,
            named: named.is_some(),
            acts,
            filter,
            texts: Vec::new(),
        };
        for (role, value) in &thing.roles {
            // If the full name is a filter, the words of the name are not needed in other filters.
            let named = filling.named && filling.filter.contains_key(whole);
            if named && matches!(*role, "name" | "with" | "owner" | "about") {
                continue;
            }
            self.may_say(&filling, role, value)?;
            self.narrow(&mut filling, role, value)?;
        }
        let FilterBuilder {
            mut filter, texts, ..
        } = filling;
        for (field, text) in texts {
            // "All the Daily Deals mails": if no mail is called that, it may be the sender's name.
            let named = matches!(thing.get("name"), Some(Value::Text(_)));
            let unknown = family == "email" && acts && thing.has("many") && named;
            if unknown && !filter.contains_key("from") && self.calls_no_mail(thing) {
                filter.insert("from".into(), json!([text]));
                continue;
            }
            let known = filter.get(field).and_then(Json::as_str).map(str::to_owned);
            let joined = known.map_or(text.clone(), |known| format!("{known} {text}"));
            filter.insert(field.to_owned(), json!(joined));
        }
        self.range(thing, category, acts, &mut filter)?;
        self.pick(thing, category, acts, &mut filter)?;
        keep_within(category, &mut filter);
        Ok(filter)
    }

    /// Reports whether no mail has the name of the thing, although the message mentions other records.
    fn calls_no_mail(&self, thing: &Binding) -> bool {
        let known = ground::look_up(self.lattice, thing, Kind::Mail);
        !self.lattice.said.names.is_empty() && known.score <= 0.0
    }

    /// Checks that a value makes sense for its role.
    fn may_say(&self, to: &FilterBuilder<'_>, role: &str, value: &Value) -> Result<(), Unfit> {
        if role == "name" {
            if self.belongs_to_event(value, to.kind) {
                return Err(Unfit("a fact of it, no name"));
            }
            self.names_it(to.thing, value, to.kind, (to.named, to.acts))?;
        }
        if to.family == "email" && matches!(role, "name" | "about") && self.holds_kind(value) {
            return Err(Unfit("two mails"));
        }
        let no_place =
            || self.has_time(value) || self.holds_no_name(value) || self.says_nothing(value);
        if role == "place" && no_place() {
            return Err(Unfit("no place"));
        }
        if role == "when" && matches!(to.family, "email" | "note") && self.is_subject(value) {
            return Err(Unfit("what it is about"));
        }
        if role == "about" && self.has_time(value) && self.stands_behind(value, "on") {
            return Err(Unfit("a day, no subject"));
        }
        Ok(())
    }

    /// Adds the filters for one role of a thing.
    fn narrow(
        &self,
        to: &mut FilterBuilder<'_>,
        role: &'static str,
        value: &Value,
    ) -> Result<(), Unfit> {
        let (category, acts) = (to.category, to.acts);
        match category.argument(role) {
            "" => {}
            "@that_day" if self.earlier.iter().any(|earlier| earlier.frame.has("when")) => {}
            "@that_day" => return Err(Unfit("an unknown day")),
            "@words" => to.text(false, self.needle(value, to.kind)?),
            // A mail about "Friday's numbers" is hardly called that.
            "@text" if acts && role == "about" && self.says_time(value) => {
                to.text(false, self.needle(value, to.kind)?);
            }
            "@text" => to.text(acts, self.needle(value, to.kind)?),
            "@whose" => {
                let name = self.spoken_of().ok_or(Unfit("nobody known"))?;
                // "Her last mail" is from her; "her birthday" has her name in its title.
                match (to.kind, to.thing.has("kind")) {
                    (Some(Kind::Mail), _) => add(&mut to.filter, "from", json!([name])),
                    (Some(Kind::Event), true) => add(&mut to.filter, "person", json!([name])),
                    _ => to.text(acts, name),
                }
            }
            "@calendar" => {
                let name = self
                    .calendar_named(value)
                    .ok_or(Unfit("no such calendar"))?;
                to.filter.insert("calendar".into(), json!(name));
            }
            "@count" => self.count(to.thing, value, (to.family, acts), &mut to.filter)?,
            "@except" if goes_on_behind(to.thing, value) => {
                return Err(Unfit("words behind what is left out"));
            }
            "@except" => self.leave_out(to.tool, value, (to.family, to.path), &mut to.filter)?,
            "@older" => self.older(value, &mut to.filter)?,
            "@lasting" => self.lasting(role, value, &mut to.filter)?,
            "@turn" => turn(to.thing, value, &mut to.filter)?,
            "@set" => {
                let Value::Constant(set) = value else {
                    return Err(Unfit("no state"));
                };
                let (field, word) = set.split_once('=').ok_or(Unfit("no state"))?;
                let json = self.typed_for(to, field, &Value::Constant(word))?;
                to.filter.insert(field.to_owned(), json);
            }
            // An address book cannot say who a stranger is.
            _ if role == "who" && is_stranger(value) => return Err(Unfit("a stranger")),
            _ if role == "sender" && (to.thing.has("from") || !self.names_somebody(value)) => {
                return Err(Unfit("nobody"));
            }
            field if role == "who" => {
                let name = self.name_of(value).ok_or(Unfit("nobody"))?;
                to.filter.insert(field.to_owned(), json!(name));
            }
            // A stranger is more likely a place or a word of the name: "my flight to Chicago".
            _ if role == "to" && is_stranger(value) => {
                to.text(acts, self.needle(value, to.kind)?);
            }
            // "My flight home from Oslo": a place. If the event's full name was said, the filter need not repeat it.
            _ if role == "from" && to.kind == Some(Kind::Event) && is_stranger(value) => {
                if acts || !to.named {
                    to.text(acts, self.needle(value, to.kind)?);
                }
            }
            field => {
                let json = self.typed_for(to, field, value)?;
                add(&mut to.filter, field, json);
            }
        }
        Ok(())
    }

    /// Converts a value to the type that the schema gives a filter.
    fn typed_for(&self, to: &FilterBuilder<'_>, field: &str, value: &Value) -> Result<Json, Unfit> {
        let typed = schema::field(to.nodes.0, to.nodes.1, field).ok_or(Unfit("no such filter"))?;
        let typed = convert::typed(self.lattice, value, &typed);
        typed.map(|(json, _)| json).ok_or(Unfit("type"))
    }

    /// Checks that words could be the name of a thing of a kind. `named`: its full name was said; `acts`: it is
    /// changed.
    fn names_it(
        &self,
        thing: &Binding,
        value: &Value,
        kind: Option<Kind>,
        (named, acts): (bool, bool),
    ) -> Result<(), Unfit> {
        let changed = acts && matches!(kind, Some(Kind::Event | Kind::Task));
        match () {
            () if !named && self.is_no_name(value, kind) => Err(Unfit("another thing")),
            () if self.is_pronoun(value) => Err(Unfit("no name")),
            () if !thing.has("kind") && self.names_other_kind(value, kind) => {
                Err(Unfit("another kind"))
            }
            () if acts && !named && self.names_several(value, kind) => Err(Unfit("several")),
            () if acts && self.is_another_request(thing, value, kind) => {
                Err(Unfit("another request"))
            }
            () if changed && self.swallows(thing, value, kind) => {
                Err(Unfit("words of the grammar in a name"))
            }
            () => Ok(()),
        }
    }

    /// Reports whether a name does not fit the kind: it includes a possessive, which mails express by other roles, or
    /// it ends with the word for another kind of thing.
    fn is_no_name(&self, value: &Value, kind: Option<Kind>) -> bool {
        let (Some(kind @ (Kind::Mail | Kind::Event)), Value::Text(stretches)) = (kind, value)
        else {
            return false;
        };
        let things = ["mail", "event", "task", "note", "file"];
        let last = stretches.last().map_or(0, |tokens| tokens.end);
        let classes = ["kind", "kinds"]
            .iter()
            .filter_map(|name| GRAMMAR.class(name));
        let mut ends = classes.flat_map(|class| self.lattice.phrases_from(class, 0));
        // "Forward the hotel booking": only a mail can be forwarded, so "booking" is a word of its name.
        let only_mail = kind == Kind::Mail && ONLY_MAIL.contains(&&*self.tool.name);
        kind == Kind::Mail && self.holds_owner(value)
            || !only_mail
                && ends.any(|hit| {
                    hit.end == last && things.contains(&hit.value) && hit.value != kind.word()
                })
    }

    /// Excludes what matches further filters: "except the ones from Kim". These search words in all fields, so that
    /// they exclude too much rather than too little.
    fn leave_out(
        &self,
        tool: &ToolSpec,
        value: &Value,
        (family, path): (&str, &str),
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let Value::Inner(thing) = value else {
            return Err(Unfit("nothing to leave out"));
        };
        if let Some(too) = thing.constant("too") {
            // "Newsletters and ads": each of the two is left out.
            for state in [None, Some(too)] {
                let mut one = Binding::clone(thing);
                one.roles.retain(|(role, _)| *role != "too");
                if let Some(state) = state {
                    one.roles.retain(|(role, _)| *role != "state");
                    one.roles.push(("state", Value::Constant(state)));
                }
                let one = self.filter_of(tool, &one, family, (path, false))?;
                add(filter, "except", json!([one]));
            }
            return Ok(());
        }
        // "The standup and the review" are two things; one filter with the words of both would exclude neither.
        if thing
            .span
            .clone()
            .any(|at| words::begins_with(self.lattice, at, "joint"))
        {
            return Err(Unfit("several are left out"));
        }
        let named = thing
            .get("name")
            .filter(|name| !words::is_quoted(self.lattice, name));
        if named
            .is_some_and(|name| self.says_time(name) || self.swallows(thing, name, kind_of(family)))
        {
            return Err(Unfit("words of the grammar in what is left out"));
        }
        let mut left_out = self.filter_of(tool, thing, family, (path, false))?;
        if thing.has("count") && thing.has("pick") {
            left_out.insert("pick".into(), json!("all"));
        }
        if left_out.is_empty() || thing.has("ref") {
            return Err(Unfit("nothing to leave out"));
        }
        add(filter, "except", json!([left_out]));
        Ok(())
    }

    /// Checks that a thing without a name is narrowed by a time: everything on a day, "my 2pm".
    fn check_narrowed(
        &self,
        thing: &Binding,
        kind: Option<Kind>,
        filter: &mut Map<String, Json>,
    ) -> Result<(), Unfit> {
        let told = match kind {
            Some(Kind::Event) => thing.has("when") || self.tool.name == "calendar.respond",
            Some(Kind::Task) => thing.has("due_said"),
            _ => true,
        };
        if thing.has("all") && !told {
            return Err(Unfit("everything of any kind"));
        }
        let some = self.lattice.phrase("some", thing.span.start);
        if some.is_some() && thing.has("many") && self.takes("target") {
            return Err(Unfit("nobody said which of them"));
        }
        if thing.has("weekly") {
            let mut times = thing
                .times("when")
                .filter_map(|time| self.lattice.times.get(time));
            if !times.any(|found| matches!(found.value, Time::Set { .. })) {
                return Err(Unfit("no days of the week"));
            }
        }
        if thing.has("hour") {
            let mut times = thing
                .times("when")
                .filter_map(|time| self.lattice.times.get(time));
            if !times.any(|found| found.clock.is_some()) {
                return Err(Unfit("no hour"));
            }
            filter.insert("starts_from".into(), json!(true));
        }
        Ok(())
    }

    /// Reports whether a name continues the word for an event with something that only notes and mails contain: "the
    /// booking code".
    fn belongs_to_event(&self, value: &Value, kind: Option<Kind>) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let first = stretches.first().map_or(0, |first| first.start);
        kind == Some(Kind::Event)
            && first > 0
            && self.lattice.phrase("kind", first - 1) == Some(first)
            && self.lattice.phrase("figure", first).is_some()
    }

    /// Reports whether words name two tasks: "the report and the slides". One filter with the words of both would find
    /// neither.
    fn names_several(&self, value: &Value, kind: Option<Kind>) -> bool {
        let Value::Text(stretches) = value else {
            return false;
        };
        let mut tokens = stretches.iter().flat_map(Clone::clone);
        kind == Some(Kind::Task) && tokens.any(|at| self.lattice.word(at) == "and")
    }

    /// Reports whether a name begins or ends with the word for another kind of thing: "the note Packing", "the rent
    /// task".
    fn names_other_kind(&self, value: &Value, kind: Option<Kind>) -> bool {
        let (Value::Text(stretches), Some(class), Some(kind)) =
            (value, GRAMMAR.class("named_kind"), kind)
        else {
            return false;
        };
        let mut ends = stretches
            .iter()
            .flat_map(|tokens| [tokens.start, tokens.end.saturating_sub(1)]);
        let other = |at: usize| {
            // "Note taking" is not a note.
            if self.lattice.word(at + 1).ends_with("ing") {
                return false;
            }
            let hits = self.lattice.phrases_at(class, at).iter();
            hits.map(|hit| hit.value).any(|said| said != kind.word())
        };
        ends.any(other)
    }

    /// Returns the name of a single person.
    fn name_of(&self, value: &Value) -> Option<String> {
        let Value::Filler(Filler::People(people), at) = value else {
            return None;
        };
        match who::names(self.lattice, people, at.start)?.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        }
    }
}

/// Restricts an exclusion to the time range of the filters: "all but my first meeting tomorrow" excludes the first one
/// of that day.
fn keep_within(category: &Category, filter: &mut Map<String, Json>) {
    let Some((from, to)) = category.window else {
        return;
    };
    let window = [from, to, "starts_from"].map(|field| (field, filter.get(field).cloned()));
    let left_out = filter.get_mut("except").and_then(Json::as_array_mut);
    for one in left_out
        .into_iter()
        .flatten()
        .filter_map(Json::as_object_mut)
    {
        if one.contains_key("pick") && !one.contains_key(from) && !one.contains_key(to) {
            let known = window.iter().cloned();
            one.extend(known.filter_map(|(field, value)| Some((field.to_owned(), value?))));
        }
    }
}

/// Sets a filter, or extends it if it is a list that was said twice: "Kim or Ana".
fn add(filter: &mut Map<String, Json>, field: &str, value: Json) {
    match (filter.get_mut(field), value) {
        (Some(Json::Array(known)), Json::Array(more)) => known.extend(more),
        (_, value) => {
            filter.insert(field.to_owned(), value);
        }
    }
}

/// Fills the position among the matching things: "the second call on Friday". The description must say more than the
/// kind.
fn turn(thing: &Binding, value: &Value, filter: &mut Map<String, Json>) -> Result<(), Unfit> {
    let told = ["when", "with", "from", "owner", "about"]
        .iter()
        .any(|role| thing.has(role));
    match value {
        Value::Filler(Filler::Ordinal(place @ 1..=100), _) if told => {
            filter.insert("pick".into(), json!({"nth": place}));
            Ok(())
        }
        _ => Err(Unfit("a place in nothing")),
    }
}

/// Reports whether free words or people follow an exclusion: in "except the sail check", all words belong to the
/// exclusion.
fn goes_on_behind(thing: &Binding, left_out: &Value) -> bool {
    let end = match left_out {
        Value::Inner(left_out) => left_out.span.end,
        _ => return false,
    };
    let people = thing.roles.iter().any(|(role, value)| {
        matches!(*role, "with" | "from")
            && matches!(value, Value::Filler(_, tokens) if tokens.start >= end)
    });
    people || thing.texts().any(|words| words.start >= end)
}

/// Reports whether the only person is not in the address book.
fn is_stranger(value: &Value) -> bool {
    matches!(value, Value::Filler(Filler::People(people), _) if matches!(people.as_slice(), [PersonMention::Named(_, false)]))
}
