//! When other people are busy, as far as the providers of the person's accounts tell.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::filter::Window;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::address::{is_own, resolve_known};
use crate::providers::OthersTimes;
use crate::select::{People, is_me};
use crate::words;

/// What is known of other people's time.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Periods in which somebody is busy.
    pub(super) busy: Vec<OtherBusy>,
    /// The names of those whose times are known.
    known: Vec<String>,
    /// What is not known, as sentences.
    notes: Vec<String>,
}

/// A period in which somebody else is busy.
#[derive(Debug)]
pub(super) struct OtherBusy {
    name: String,
    /// Start and end.
    pub(super) slot: (Timestamp, Timestamp),
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
        let mut not_told = Vec::new();
        for one in &found {
            let address = &one.address;
            let name = words::who(&address.name, &address.email);
            let is_theirs = |email: &str| email.eq_ignore_ascii_case(&address.email);
            if !asked.told.known.iter().any(|email| is_theirs(email)) {
                not_told.push(name);
                continue;
            }
            let theirs = asked.told.busy.iter().filter(|busy| is_theirs(&busy.who));
            all.busy.extend(theirs.map(|busy| OtherBusy {
                name: name.clone(),
                slot: (busy.start, busy.end),
            }));
            all.known.push(name);
        }
        not_told.extend(unknown.into_iter().map(|one| one.name));
        all.busy.sort_by_key(|one| one.slot);
        if !not_told.is_empty() {
            let verb = if not_told.len() == 1 { "is" } else { "are" };
            let names = words::join(&not_told);
            all.notes.push(match all.known.is_empty() {
                true => format!(
                    "Only your own calendar was looked at: no account tells when {names} {verb} busy."
                ),
                false => format!("No account tells when {names} {verb} busy."),
            });
        }
        all.notes.extend(asked.faults);
        Ok(all)
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
            let verb = if self.known.len() == 1 { "is" } else { "are" };
            let names = words::join(&self.known);
            said.push(format!("Times when {names} {verb} busy are left out."));
        }
        said.extend(self.notes.iter().cloned());
        said.join(" ")
    }
}
