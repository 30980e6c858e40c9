//! Changes to something that was just shown or made: finds which thing is meant if the message names none.

use adjutant_domain::conversation::Role;
use adjutant_domain::focus::{Focus, Referent};
use adjutant_domain::moment::Moment;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use jiff::SignedDuration;
use jiff::civil::Time as Clock;
use serde_json::json;

use super::super::binding::{Binding, Value};
use super::super::ground::Ground;
use super::super::lattice::{Filler, Lattice};
use super::select::{id_of, kind_of};
use super::{Compiler, Unfit, convert, who};
use crate::time::{self, Policy};

/// Maximum age of the last message to which "at five instead" can refer.
const FRESH: SignedDuration = SignedDuration::from_hours(2);
/// Score if the thing mentioned last is of the kind that is meant.
const LAST: f32 = 0.4;
/// Score if something of another kind was mentioned since.
const EARLIER: f32 = -0.6;

/// Scores a pronoun that refers to a thing of a kind.
pub(super) fn spoken_of(lattice: &Lattice<'_>, kind: Kind) -> Ground {
    let last = lattice.said.focus.shown.first();
    let score = match last.map(|group| group.items.iter().any(|item| item.kind == kind)) {
        Some(true) => LAST,
        Some(false) => EARLIER,
        None => 0.0,
    };
    Ground {
        score,
        ..Ground::default()
    }
}

/// Returns the latest list of a kind that was shown, or else what was shown last.
pub(super) fn listed(focus: &Focus, kind: Kind) -> Vec<&Referent> {
    let of_kind = |item: &&Referent| item.kind == kind;
    let mut lists = focus.shown.iter().filter(|group| !group.acted);
    let list = lists.find(|group| group.items.iter().filter(of_kind).count() > 1);
    list.map_or_else(
        || focus.latest_list(Some(kind)),
        |group| group.items.iter().filter(of_kind).collect(),
    )
}

impl Compiler<'_, '_> {
    /// Selects from the last list what matches the words: "the one with Sarah", "the latest one", "the oldest".
    pub(super) fn among(
        &mut self,
        thing: &Binding,
        reference: &str,
        kind: Kind,
        source: Source,
    ) -> Result<(), Unfit> {
        let listed = listed(self.lattice.said.focus, kind);
        if listed.is_empty() {
            return Err(Unfit("nothing shown"));
        }
        let ids: Vec<String> = listed.into_iter().map(id_of).collect();
        let inside = self.takes("target");
        let family = self.tool.name.split('.').next().unwrap_or("");
        let mut filter = self.filter(thing, family, inside)?;
        filter.insert("ids".into(), json!(ids));
        if reference != "among" {
            let order = match kind {
                Kind::Event => "start",
                Kind::Mail => "date",
                Kind::Note => "changed",
                _ => return Err(Unfit("no order")),
            };
            let back = if reference == "newest" { "-" } else { "" };
            filter.insert("order".into(), json!(format!("{back}{order}")));
            filter.insert("pick".into(), json!("first"));
        }
        if inside {
            self.arguments
                .set("target", serde_json::Value::Object(filter), source);
        } else {
            for (field, value) in filter {
                self.arguments.set(&field, value, source.clone());
            }
        }
        Ok(())
    }

    /// Selects the one thing that was shown, made or changed last, for a message that names nothing.
    pub(super) fn latest(&mut self, role: &'static str) -> Result<(), Unfit> {
        let said = self.lattice.said;
        let family = self.tool.name.split('.').next().unwrap_or("");
        let kind = kind_of(family).ok_or(Unfit("no such kind"))?;
        let group = said.focus.shown.first().ok_or(Unfit("nothing shown"))?;
        let [one] = group.items.as_slice() else {
            return Err(Unfit("several"));
        };
        let just_made = said.focus.acted && group.acted;
        let since = said.history.last().map(|message| {
            let at = said.now.timestamp();
            at.duration_since(message.at)
        });
        let fresh = since.is_some_and(|since| since <= FRESH);
        if one.kind != kind || !fresh || self.frame.constant(role) == Some("made") && !just_made {
            return Err(Unfit("nothing shown"));
        }
        self.arguments
            .set("id", json!(id_of(one)), Source::Person { words: None });
        Ok(())
    }

    /// Replaces everybody in what was just made: "no, with Kim".
    pub(super) fn company_of_it(&mut self, role: &'static str) -> Result<(), Unfit> {
        let group = self.lattice.said.focus.shown.first();
        let Some([made]) = group.map(|group| group.items.as_slice()) else {
            return Err(Unfit("several"));
        };
        let Some(Value::Filler(Filler::People(people), at)) = self.frame.get(role) else {
            return Err(Unfit("nobody"));
        };
        let names = who::names(self.lattice, people, at.start).ok_or(Unfit("nobody known"))?;
        let source = self.person_source(role);
        let before = made.people.iter();
        let before: Vec<&String> = before
            .map(|(name, address)| if address.is_empty() { name } else { address })
            .collect();
        if let [(name, _)] = made.people.as_slice()
            && let Some(title) = renamed(&made.label, name, &names.join(" and "))
        {
            self.arguments
                .set("changes.summary", json!(title), source.clone());
        }
        if !before.is_empty() {
            self.arguments
                .set("changes.remove_people", json!(before), source.clone());
        }
        self.arguments
            .set("changes.add_people", json!(names), source);
        Ok(())
    }

    /// Returns the last time of day that the person named in an earlier message.
    pub(super) fn clock_said_before(&self) -> Option<Clock> {
        let said = self.lattice.said;
        let before = said.history.iter().rev();
        let mut before = before.filter(|message| message.role == Role::User);
        before.find_map(|message| {
            let found = time::find(&message.text, said.now, &Policy::of(said.settings));
            found.iter().find_map(|found| found.clock)
        })
    }

    /// Sets when a reminder is due from a length, if the message before said in how long it should ring: "remind me in
    /// an hour" – "actually make it two hours".
    pub(super) fn in_that_long(&mut self, role: &'static str) -> Result<(), Unfit> {
        let said = self.lattice.said;
        let mut before = said.history.iter().rev();
        let before = before.find(|message| message.role == Role::User);
        let before = before.ok_or(Unfit("nothing before"))?;
        let founds = time::find(&before.text, said.now, &Policy::of(said.settings));
        let in_long = |found: &time::TimeExpression| {
            let words = before.text.get(found.cut()).unwrap_or("").to_lowercase();
            words.starts_with("in ") && found.clock.is_none() && !found.has_day
        };
        if !founds.iter().any(in_long) {
            return Err(Unfit("not from now"));
        }
        let minutes = self
            .frame
            .times(role)
            .find_map(|time| convert::minutes(self.lattice, time));
        let minutes = minutes.ok_or(Unfit("no length"))?;
        let due = said.now.checked_add(SignedDuration::from_mins(minutes));
        let due = Moment::At(due.map_err(|_| Unfit("too far away"))?);
        self.arguments
            .set("changes.due", json!(due), self.person_source(role));
        Ok(())
    }

    /// Sets the time of day from a bare hour: of the two possible ones, the one nearer to the time said before.
    pub(super) fn hour(&mut self, role: &'static str) -> Result<(), Unfit> {
        let hour = self.frame.all(role).find_map(|value| match value {
            Value::Filler(Filler::Number(hour @ 1..=12), _) => Some(*hour),
            _ => None,
        });
        let hour = hour.ok_or(Unfit("no hour"))?;
        let near = self
            .clock_said_before()
            .ok_or(Unfit("no time before"))?
            .hour();
        let field = match self.tool.name.starts_with("task.") {
            true => "changes.due_time",
            false => "changes.time",
        };
        let time = format!("{:02}:00", time_of_day(hour, near.into()));
        self.arguments
            .set(field, json!(time), self.person_source(role));
        Ok(())
    }
}

/// Puts another name into a title that ends with somebody's full or first name. `None` if it does not.
fn renamed(title: &str, somebody: &str, other: &str) -> Option<String> {
    let low = title.to_lowercase();
    let first = somebody.split_whitespace().next()?;
    [somebody, first].into_iter().find_map(|name| {
        let tail = format!(" {}", name.to_lowercase());
        let at = low.strip_suffix(&tail)?.len();
        let before = title.get(..at)?;
        let other = match title.get(at + 1..)?.starts_with(char::is_lowercase) {
            true => other.to_owned(),
            false => super::words::capitalised(other),
        };
        Some(format!("{before} {other}"))
    })
}

/// Returns the hour of the day that a bare hour means: of the two possible ones, the one nearer to `near`.
pub(in super::super) fn time_of_day(hour: i64, near: i64) -> i64 {
    let (early, late) = (hour % 12, hour % 12 + 12);
    if (early - near).abs() < (late - near).abs() {
        early
    } else {
        late
    }
}
