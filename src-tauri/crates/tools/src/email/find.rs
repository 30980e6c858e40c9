//! Finds mails by a filter.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Mail;
pub(super) use adjutant_domain::record::thread::bare_subject as bare;
use adjutant_text::{all_words, same};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MailRow;
use super::sorts::Sort;
use crate::select::{
    Except, Filter, Found, Ids, Loosened, Meant, NamedPerson, Narrowing, People, Pick, Row,
    ask_person, check_range, is_person, is_trade, known_people, loosened, meant, prefer,
    window_words, without,
};
use crate::words;

/// Which mails are meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MailFilter {
    /// Sent by any of these.
    pub from: Option<People>,
    /// Sent to any of these.
    pub to: Option<People>,
    /// Sent by or to any of these.
    pub person: Option<People>,
    /// Words that all occur in the subject.
    pub subject: Option<String>,
    /// The whole subject; `Re:` and `Fwd:` do not matter.
    pub subject_is: Option<String>,
    /// Words that all occur in subject, body or sender.
    pub text: Option<String>,
    /// Only mail of this sort.
    pub sort: Option<Sort>,
    /// Dated from here on.
    pub since: Option<Moment>,
    /// Dated before this.
    pub until: Option<Moment>,
    /// Where it lies; everywhere but trash, junk, drafts and outbox when left out.
    pub folder: Option<Place>,
    /// Only unread, or only read ones.
    pub unread: Option<bool>,
    /// Only with, or only without attachments.
    pub has_attachment: Option<bool>,
    /// Only starred, or only others.
    pub starred: Option<bool>,
    /// Only with this label.
    pub label: Option<String>,
    /// Only those that the person answered, or did not.
    pub answered: Option<bool>,
    /// Only these.
    pub ids: Option<Ids>,
    /// Left out: whatever fits any of these filters.
    pub except: Option<Except<MailFilter>>,
    /// Order.
    pub order: Option<Order>,
    /// Which of those that fit.
    pub pick: Option<Pick>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Which question the words answer; only `email.search` reads it.
    pub ask: Option<MailQuestion>,
}

/// Where mail lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Received, not filed.
    Inbox,
    /// Sent by the person.
    Sent,
    /// Filed away.
    Archive,
    /// Deleted.
    Trash,
    /// Unwanted.
    Junk,
    /// Written, not approved.
    Drafts,
    /// On its way out.
    Outbox,
    /// Everywhere but drafts and outbox.
    Any,
}

/// Orders of mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Order {
    /// Latest first.
    #[default]
    #[serde(rename = "-date")]
    DateDown,
    /// Earliest first.
    #[serde(rename = "date")]
    Date,
    /// Smallest first.
    #[serde(rename = "size")]
    Size,
    /// Largest first.
    #[serde(rename = "-size")]
    SizeDown,
}

/// Questions about mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, whose hash is part of every waiting approval.
#[schemars(rename = "Ask")]
pub enum MailQuestion {
    /// Which ones.
    #[default]
    List,
    /// How many.
    Count,
    /// Whether there are any.
    Any,
    /// When they came.
    When,
    /// Who wrote.
    Who,
    /// What the amounts of money in them add up to.
    Total,
}

/// The people named in the filter, resolved.
pub(super) struct Parties {
    pub(super) from: Vec<Meant>,
    pub(super) to: Vec<Meant>,
    pub(super) person: Vec<Meant>,
}

impl Parties {
    fn names_anyone(&self) -> bool {
        [&self.from, &self.to, &self.person]
            .iter()
            .any(|people| !people.is_empty())
    }
}

#[async_trait]
impl Filter for MailFilter {
    type Row = MailRow;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        Narrowing::of(&self.except, self.pick, self.limit)
    }

    async fn find(&self, acting: bool, need: Option<usize>, cx: &Cx) -> Found<MailRow> {
        let window = check_range(self.since.as_ref(), self.until.as_ref(), cx)?;
        let parties = self.parties(cx).await?;
        let asks_whose = acting && self.pick != Some(Pick::All) && parties.names_anyone();
        // A partial result suffices only if no rows are filtered out after storage.
        let need = need.filter(|_| {
            self.except.is_none() && !asks_whose && !(acting && self.subject.is_some())
        });
        let found = match (&self.ids, self.folder) {
            (Some(ids), _) => {
                let named = self.by_ids(ids, cx).await?;
                if self.describes() {
                    self.among(&named, cx).await?.into()
                } else {
                    named.into()
                }
            }
            (None, Some(Place::Drafts | Place::Outbox)) => {
                self.outgoing(&parties, window, need, cx).await?
            }
            (None, _) => self.stored(&parties, window, need, cx).await?,
        };
        if need.is_some() && self.ids.is_none() {
            return Ok(found);
        }
        let mut rows = self.by_subject(found.rows, acting);
        if rows.is_empty() && self.names_no_one(acting) {
            rows = self.by_subject_and_sender(cx).await?;
        }
        if rows.is_empty()
            && let Some(by_sender) = self.by_sender(acting)
        {
            return Box::pin(by_sender.find(acting, need, cx)).await;
        }
        rows = without(rows, self.except.as_ref(), cx).await?.rows;
        if asks_whose {
            ask_whose(&rows, &parties)?;
        }
        self.sort(&mut rows);
        Ok(rows.into())
    }

    async fn among(&self, rows: &[MailRow], cx: &Cx) -> Result<Vec<MailRow>, Stop> {
        let window = check_range(self.since.as_ref(), self.until.as_ref(), cx)?;
        let parties = self.parties(cx).await?;
        let going_out = rows.iter().any(|row| matches!(row, MailRow::Out(_)));
        let places = match self.folder {
            Some(place) => vec![place],
            // Outgoing mail has no sender to match.
            None if going_out && self.from.is_none() => {
                vec![Place::Any, Place::Drafts, Place::Outbox]
            }
            None => vec![Place::Any],
        };
        let mut fitting = Vec::new();
        for place in places {
            let there = Self {
                folder: Some(place),
                ..self.clone()
            };
            fitting.extend(match place {
                Place::Drafts | Place::Outbox => {
                    there.outgoing(&parties, window, None, cx).await?.rows
                }
                _ => there.stored(&parties, window, None, cx).await?.rows,
            });
        }
        let given: BTreeSet<String> = rows.iter().map(Row::ref_id).collect();
        fitting.retain(|row| {
            let id = row.ref_id();
            given.contains(&id) && self.ids.as_ref().is_none_or(|ids| ids.contains(&id))
        });
        self.sort(&mut fitting);
        Ok(fitting)
    }

    async fn loosened(&self, cx: &Cx) -> Result<Vec<Loosened<Self>>, Stop> {
        if matches!(self.folder, Some(Place::Drafts | Place::Outbox)) {
            return Ok(Vec::new());
        }
        let (from, senders) = known_people(&self.from, cx).await?;
        let (to, recipients) = known_people(&self.to, cx).await?;
        let (person, others) = known_people(&self.person, cx).await?;
        let unknown = senders.iter().chain(&recipients).chain(&others);
        let worded = [&self.subject, &self.subject_is, &self.text];
        let said = unknown.chain(worded.into_iter().flatten());
        let filter = Self {
            from,
            to,
            person,
            subject: None,
            subject_is: None,
            text: None,
            ..self.clone()
        };
        Ok(loosened(filter, said, self.ids.is_none()))
    }

    fn described(&self, cx: &Cx) -> String {
        let mut said = String::new();
        match self.unread {
            Some(true) => said.push_str("unread "),
            Some(false) => said.push_str("read "),
            None => {}
        }
        match self.answered {
            Some(true) => said.push_str("answered "),
            Some(false) => said.push_str("unanswered "),
            None => {}
        }
        let noun = self.sort.map_or("mail", Sort::noun);
        said.push_str(match self.folder {
            Some(Place::Drafts) => "draft",
            Some(Place::Outbox) => "outgoing mail",
            Some(Place::Sent) => "sent mail",
            _ => noun,
        });
        said.push('s');
        for (word, people) in [
            (" from ", &self.from),
            (" to ", &self.to),
            (" from or to ", &self.person),
        ] {
            if let Some(people) = people.as_ref().filter(|people| !people.is_empty()) {
                // Nobody's address is known for a bare "bank": only the names of senders can match it.
                let called = |who: &String| match is_trade(who) {
                    true => format!("anybody called {}", words::quoted(who)),
                    false => words::name(who),
                };
                let names: Vec<String> = people.texts().iter().map(called).collect();
                said.push_str(word);
                said.push_str(&words::join(&names));
            }
        }
        let subject = self.subject.as_deref().or(self.subject_is.as_deref());
        words::add_quoted(&mut said, "with the subject", subject);
        words::add_quoted(&mut said, "about", self.text.as_deref());
        words::add_quoted(&mut said, "labelled", self.label.as_deref());
        if self.has_attachment == Some(true) {
            said.push_str(" with attachments");
        }
        match self.folder {
            Some(Place::Inbox) => said.push_str(" in the inbox"),
            Some(Place::Archive) => said.push_str(" in the archive"),
            Some(Place::Trash) => said.push_str(" in the trash"),
            Some(Place::Junk) => said.push_str(" in junk"),
            _ => {}
        }
        said.push_str(&window_words(self.since.as_ref(), self.until.as_ref(), cx));
        said
    }
}

impl MailFilter {
    async fn parties(&self, cx: &Cx) -> Result<Parties, Stop> {
        let look_up = async |people: &Option<People>| match people {
            Some(people) => meant(people, cx).await,
            None => Ok(Vec::new()),
        };
        Ok(Parties {
            from: look_up(&self.from).await?,
            to: look_up(&self.to).await?,
            person: look_up(&self.person).await?,
        })
    }

    /// Returns whether the filter describes mails beyond listing, ordering and picking them.
    fn describes(&self) -> bool {
        let which = Self {
            ids: self.ids.clone(),
            except: self.except.clone(),
            order: self.order,
            pick: self.pick,
            limit: self.limit,
            ask: self.ask,
            ..Self::default()
        };
        *self != which
    }

    /// Returns the filter that takes the words of a subject as the name of a sender: "archive the Product Weekly mails".
    fn by_sender(&self, acting: bool) -> Option<Self> {
        let subject = self.subject.clone().filter(|_| self.names_no_one(acting))?;
        Some(Self {
            subject: None,
            from: Some(People(vec![NamedPerson {
                text: subject,
                place: String::new(),
            }])),
            ..self.clone()
        })
    }

    /// Reports whether mails are to be changed that are described without a person.
    fn names_no_one(&self, acting: bool) -> bool {
        acting && self.from.is_none() && self.person.is_none() && self.ids.is_none()
    }

    /// Returns the mails that have some of the words in their subject and all others in the name of their sender: "the
    /// Hotel Palmer booking".
    async fn by_subject_and_sender(&self, cx: &Cx) -> Result<Vec<MailRow>, Stop> {
        let Some(wanted) = self.subject.clone() else {
            return Ok(Vec::new());
        };
        let anywhere = Self {
            subject: None,
            text: Some(wanted.clone()),
            ..self.clone()
        };
        let found = Box::pin(anywhere.find(true, None, cx)).await?;
        let says = |row: &MailRow| {
            let MailRow::Mail(mail) = row else {
                return false;
            };
            let both = format!("{} {}", mail.subject, mail.from.name);
            let mut words = adjutant_text::words(&wanted).into_iter();
            words.any(|word| all_words(&word, &mail.subject)) && all_words(&wanted, &both)
        };
        Ok(found.rows.into_iter().filter(says).collect())
    }

    /// If the mails are to be changed, a subject that equals the words comes before longer ones.
    fn by_subject(&self, rows: Vec<MailRow>, acting: bool) -> Vec<MailRow> {
        let Some(wanted) = self.subject.as_deref().filter(|_| acting) else {
            return rows;
        };
        prefer(rows, |row| same(bare(wanted), bare(row.subject())))
    }

    fn sort(&self, rows: &mut [MailRow]) {
        let date = |row: &MailRow| match row {
            MailRow::Mail(mail) => mail.date,
            MailRow::Out(item) => item.updated,
        };
        let size = |row: &MailRow| match row {
            MailRow::Mail(mail) => mail.size,
            MailRow::Out(item) => item.body.len() as u64,
        };
        rows.sort_by_key(|row| Reverse((date(row), row.ref_id())));
        match self.order.unwrap_or_default() {
            Order::DateDown => {}
            Order::Date => rows.reverse(),
            Order::Size => rows.sort_by_key(size),
            Order::SizeDown => rows.sort_by_key(|row| Reverse(size(row))),
        }
    }
}

/// Asks which contact is meant if a name fits several contacts and more than one is involved in these mails.
fn ask_whose(rows: &[MailRow], parties: &Parties) -> Result<(), Stop> {
    let mails: Vec<&Mail> = rows
        .iter()
        .filter_map(|row| match row {
            MailRow::Mail(mail) => Some(mail.as_ref()),
            MailRow::Out(_) => None,
        })
        .collect();
    for (list, pointer) in [
        (&parties.from, "/target/from"),
        (&parties.to, "/target/to"),
        (&parties.person, "/target/person"),
    ] {
        for one in list {
            ask_person(one, pointer, |contact| {
                mails.iter().any(|mail| {
                    let sender = std::iter::once(&mail.from);
                    let mut who: Vec<_> = if pointer == "/target/to" {
                        Vec::new()
                    } else {
                        sender.collect()
                    };
                    if pointer != "/target/from" {
                        who.extend(mail.to.iter().chain(&mail.cc));
                    }
                    who.iter()
                        .any(|who| is_person(&contact.emails, &who.name, &who.email))
                })
            })?;
        }
    }
    Ok(())
}
