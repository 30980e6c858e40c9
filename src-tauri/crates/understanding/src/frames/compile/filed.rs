//! Where things are filed: the folder of a mail, the calendar of an event, an emptied list, a series that is told.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::mentioned_name::NameOf;
use adjutant_text::words as words_in;
use serde_json::json;

use super::super::binding::Value;
use super::super::lattice::Filler;
use super::{Compiler, Unfit, words};
use crate::time::Value as Time;

impl Compiler<'_, '_> {
    /// Fills the folder of the person's own that a mail is filed under, which is none of those that every mailbox has.
    pub(super) fn own_folder(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no folder"))?;
        let own = match value {
            Value::Text(stretches) => {
                let first = stretches.first().map_or(0, |first| first.start);
                !words::begins_with(self.lattice, first, "folder")
                    && !self.has_time(value)
                    && !self.is_pronoun(value)
            }
            Value::Filler(Filler::Quote(_), _) => true,
            _ => false,
        };
        let said = words::of(self.lattice, value);
        if said.is_empty() || !own {
            return Err(Unfit("no folder of one's own"));
        }
        let name = self
            .spelled_as(CollectionKind::Mailbox, &said)
            .unwrap_or(said);
        self.arguments
            .set("folder", json!(name), self.person_source(role));
        Ok(())
    }

    /// Returns the calendar that words name, if the person has one of that name.
    pub(super) fn calendar_named(&self, value: &Value) -> Option<String> {
        let said = words::of(self.lattice, value);
        self.spelled_as(CollectionKind::Calendar, &said)
    }

    /// Returns the name of the only collection of a kind that has all of the words.
    fn spelled_as(&self, kind: CollectionKind, said: &str) -> Option<String> {
        let said = words_in(said);
        let mut labels = self.lattice.said.names.iter().filter(|name| {
            let of_kind = matches!(&name.of, NameOf::Collection { kind: of, .. } if *of == kind);
            let label = words_in(&name.label);
            of_kind && !said.is_empty() && said.iter().all(|word| label.contains(word))
        });
        let first = labels.next()?;
        labels.next().is_none().then(|| first.label.clone())
    }

    /// Empties the text of a note.
    pub(super) fn emptied(&mut self, role: &'static str) {
        self.arguments
            .set("changes.body", json!(""), self.person_source(role));
    }

    /// Checks that a statement tells of something that repeats and is not in the calendar yet: "yoga is every Tuesday at 6".
    pub(super) fn told_series(&self) -> Result<(), Unfit> {
        let mut times = self.frame.times("when");
        let repeats = times.any(|time| {
            let found = self.lattice.times.get(time);
            found.is_some_and(|found| matches!(found.value, Time::Set { .. }))
        });
        match repeats && !self.is_known() {
            true => Ok(()),
            false => Err(Unfit("no series that is new")),
        }
    }

    /// Reports whether a time stands behind "about" and has no clock: "the mail about Christmas" is not of that day.
    pub(super) fn is_subject(&self, value: &Value) -> bool {
        let Value::Filler(Filler::Time(time), tokens) = value else {
            return false;
        };
        let about =
            |at: usize| matches!(self.lattice.word(at), "about" | "regarding" | "concerning");
        let behind = about(tokens.start) || tokens.start.checked_sub(1).is_some_and(about);
        let clock = self
            .lattice
            .times
            .get(*time)
            .is_some_and(|found| found.clock.is_some());
        behind && !clock
    }
}
