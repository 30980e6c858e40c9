//! When other people are busy, as far as the providers of the person's accounts tell.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::filter::Window;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::source::Taint;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::find::EventFilter;
use super::free::{Slot, overlaps};
use crate::address::{is_own, resolve_known};
use crate::providers::OthersTimes;
use crate::select::{People, Row as _, is_me, listed, output, referents, window_words};
use crate::words;

/// What is known of other people's time.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Periods in which somebody is busy.
    pub(super) busy: Vec<OtherBusy>,
    /// The names of those whose times are known.
    known: Vec<String>,
    /// The names of those whose times no account tells.
    not_told: Vec<String>,
    /// What is not known, as sentences.
    notes: Vec<String>,
}

/// A period in which somebody else is busy.
#[derive(Debug)]
pub(super) struct OtherBusy {
    name: String,
    /// Start and end.
    pub(super) slot: Slot,
}

impl OtherBusy {
    /// Returns the period with the name, as a line of an answer.
    pub(super) fn line(&self, cx: &Cx) -> String {
        let (start, end) = self.moments(cx);
        format!("{} is busy {}", self.name, words::range(&start, &end, cx))
    }

    /// Returns the period for later steps.
    pub(super) fn value(&self, cx: &Cx) -> Value {
        let (start, end) = self.moments(cx);
        json!({"name": self.name, "start": start, "end": end})
    }

    fn moments(&self, cx: &Cx) -> (Moment, Moment) {
        let at = |time: Timestamp| Moment::At(time.to_zoned(cx.zone()));
        (at(self.slot.0), at(self.slot.1))
    }
}

impl Others {
    /// Asks the providers about these people. The person's own calendar is known anyway.
    ///
    /// # Errors
    /// Returns a question if a name could mean several people, and a fault if the accounts cannot be determined.
    pub(super) async fn ask(
        providers: &dyn OthersTimes,
        people: &People,
        window: Window,
        cx: &Cx,
    ) -> Result<Self, Stop> {
        let named = people.0.iter().filter(|one| !is_me(&one.text));
        let people = People(named.cloned().collect());
        let (mut found, unknown) = resolve_known(&people, "/people", cx).await?;
        found.retain(|one| !is_own(&one.address.email, cx));
        let emails: Vec<String> = found.iter().map(|one| one.address.email.clone()).collect();
        let asked = match emails.is_empty() {
            true => Ok(<_>::default()),
            false => providers.busy(&emails, window).await,
        };
        let asked = asked.map_err(|why| ToolFault::Refused { why })?;
        let mut all = Self::default();
        for one in &found {
            let address = &one.address;
            let name = words::who(&address.name, &address.email);
            let is_theirs = |email: &str| email.eq_ignore_ascii_case(&address.email);
            if !asked.told.known.iter().any(|email| is_theirs(email)) {
                all.not_told.push(name);
                continue;
            }
            let theirs = asked.told.busy.iter().filter(|busy| is_theirs(&busy.who));
            all.busy.extend(theirs.map(|busy| OtherBusy {
                name: name.clone(),
                slot: (busy.start, busy.end),
            }));
            all.known.push(name);
        }
        let unknown = unknown.into_iter().map(|one| one.name);
        all.not_told.extend(unknown);
        all.busy.sort_by_key(|one| one.slot);
        all.notes.extend(asked.faults);
        Ok(all)
    }

    /// Returns whether anybody but the person was asked about.
    pub(super) fn is_anybody(&self) -> bool {
        !self.known.is_empty() || !self.not_told.is_empty()
    }

    /// Returns the periods within a range in which somebody else is busy.
    pub(super) fn taken(&self, range: Slot) -> Vec<&OtherBusy> {
        let busy = self.busy.iter();
        busy.filter(|one| overlaps(one.slot, range)).collect()
    }

    /// Answers whether they are free: with what the providers tell, and with the events of the person's own calendar
    /// that they take part in (`met`).
    ///
    /// # Errors
    /// Fails if the person's events cannot be read.
    pub(super) async fn answer(
        &self,
        range: Slot,
        met: &EventFilter,
        cx: &Cx,
    ) -> Result<Answer, Stop> {
        let when = window_words(met.from.as_ref(), met.to.as_ref(), cx);
        let taken = self.taken(range);
        let met = listed(met, cx).await?;
        let mut said: Vec<String> = taken.iter().map(|one| one.line(cx) + ".").collect();
        let is_busy = |name: &&String| taken.iter().any(|one| one.name == **name);
        let free: Vec<String> = self
            .known
            .iter()
            .filter(|name| !is_busy(name))
            .cloned()
            .collect();
        // Whoever takes part in an event with the person is not simply free, whatever their provider tells.
        if met.rows.is_empty() && !free.is_empty() {
            said.push(format!("{} free{when}.", are(&free)));
        }
        said.extend(self.untold());
        said.extend(self.notes.iter().cloned());
        let lines: Vec<String> = met.rows.iter().map(|row| row.line(cx)).collect();
        let with = words::join(&[self.known.as_slice(), &self.not_told].concat());
        match lines.as_slice() {
            [] if self.not_told.is_empty() => {}
            [] => said.push(format!("Your calendar has nothing with {with}{when}.")),
            lines => said.push(format!(
                "Your calendar has {} with {with}{when}:\n\n{}",
                words::plural(met.total, "event"),
                words::bullets(lines, met.total)
            )),
        }
        let surely_busy = !taken.is_empty() || !met.rows.is_empty();
        let is_free = (surely_busy || self.not_told.is_empty()).then_some(!surely_busy);
        let mut fields = output(&met.rows, met.total, cx);
        let others: Vec<Value> = taken.iter().map(|one| one.value(cx)).collect();
        fields.insert("others".into(), json!(others));
        fields.insert("is_free".into(), json!(is_free));
        Ok(Answer {
            output: Value::Object(fields),
            say: said.join(" "),
            referents: referents(&met.rows),
            taint: Taint::Clean,
            used_memories: Vec::new(),
        })
    }

    /// Returns the sentence about those whose times no account tells.
    fn untold(&self) -> Option<String> {
        (!self.not_told.is_empty())
            .then(|| format!("No account tells when {} busy.", are(&self.not_told)))
    }

    /// Returns everybody who is known to be free where nothing is in the way: "you", "you and Priya".
    pub(super) fn with_you(&self) -> String {
        let you = std::iter::once("you".to_owned());
        words::join(&you.chain(self.known.iter().cloned()).collect::<Vec<_>>())
    }

    /// Returns the paragraph about what was looked at; empty if nobody else was named.
    pub(super) fn note(&self) -> String {
        let mut said = Vec::new();
        if !self.known.is_empty() {
            said.push(format!(
                "Times when {} busy are left out.",
                are(&self.known)
            ));
        }
        said.extend(match self.known.is_empty() && !self.not_told.is_empty() {
            true => Some(format!(
                "Only your own calendar was looked at: no account tells when {} busy.",
                are(&self.not_told)
            )),
            false => self.untold(),
        });
        said.extend(self.notes.iter().cloned());
        said.join(" ")
    }
}

/// Returns names with their verb: "Kim is", "Kim and Eli are".
fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", words::join(names))
}
