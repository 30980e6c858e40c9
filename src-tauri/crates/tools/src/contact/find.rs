//! Finds contacts by a filter.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{self, Field, Match, Test};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Kind};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::select::{
    Aim, Except, Ids, Loosened, Narrowing, Pick, StorageFilter, contacts_called, loosened,
};
use crate::words;

/// Which contacts are meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContactFilter {
    /// A name, nickname, relation or address, or the beginning of one of its words.
    pub name: Option<String>,
    /// Words anywhere in the contact.
    pub text: Option<String>,
    /// Words of the organisation.
    pub organisation: Option<String>,
    /// Only these.
    pub ids: Option<Ids>,
    /// Left out: whoever fits any of these filters.
    pub except: Option<Except<ContactFilter>>,
    /// Whose next birthday is on this day or later; only where birthdays are asked for.
    pub birthday_from: Option<Moment>,
    /// Whose next birthday is before this day; only where birthdays are asked for.
    pub birthday_to: Option<Moment>,
    /// Which of those that fit.
    pub pick: Option<Pick>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Which question the words answer; only `contact.find` reads it.
    pub ask: Option<ContactQuestion>,
}

/// Questions about contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, whose hash is part of every waiting approval.
#[schemars(rename = "Ask")]
pub enum ContactQuestion {
    /// Which ones.
    #[default]
    List,
    /// How many.
    Count,
    /// Whether there are any.
    Any,
    /// Their mail address.
    Email,
    /// Their telephone number.
    Phone,
    /// Their birthday; without a name, whose comes next.
    Birthday,
    /// How old they are.
    Age,
}

#[async_trait]
impl StorageFilter for ContactFilter {
    type Row = Contact;
    const KIND: Kind = Kind::Contact;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        Narrowing::of(&self.except, self.pick, self.limit)
    }

    async fn loosened(&self, _: &Cx) -> Result<Vec<Loosened<Self>>, Stop> {
        let worded = [&self.name, &self.text, &self.organisation];
        let said = worded.into_iter().flatten();
        let filter = Self {
            name: None,
            text: None,
            organisation: None,
            ..self.clone()
        };
        // Another name is another person, so nobody is ever guessed.
        let mut forms = loosened(filter, said, self.ids.is_none());
        forms.iter_mut().for_each(|form| form.may_guess = false);
        Ok(forms)
    }

    async fn searches(&self, aim: Aim, cx: &Cx) -> Result<Vec<filter::Filter>, Stop> {
        let mut searches = vec![self.named(cx).await?];
        if let (Some(name), None) = (&self.name, &self.text)
            && aim != Aim::LeaveOut
        {
            // "The plumber" is nobody's name, but a role, an organisation or a note may contain it.
            let words = Self {
                name: None,
                text: Some(name.clone()),
                ..self.clone()
            };
            searches.push(words.named(cx).await?);
        }
        Ok(searches)
    }

    async fn rows(search: &filter::Filter, cx: &Cx) -> Result<Vec<Contact>, StoreFault> {
        cx.records.contacts(search).await
    }

    fn described(&self, _: &Cx) -> String {
        let mut said = "contacts".to_owned();
        words::add_quoted(&mut said, "called", self.name.as_deref());
        words::add_quoted(&mut said, "with", self.text.as_deref());
        words::add_quoted(&mut said, "at", self.organisation.as_deref());
        said
    }
}

impl ContactFilter {
    /// Returns the search for all that the filter says, with the name resolved to contacts.
    async fn named(&self, cx: &Cx) -> Result<filter::Filter, Stop> {
        let called = match &self.name {
            None => None,
            Some(name) => {
                let called = contacts_called(name, cx).await?;
                Some(called.into_iter().map(|who| who.id).collect())
            }
        };
        Ok(filter::Filter::all()
            .maybe(self.ids.as_ref().map(Ids::test))
            .maybe(called.map(Test::Ids))
            .words_in(Field::Anywhere, Match::Loose, self.text.as_deref())
            .words_in(
                Field::Organisation,
                Match::Loose,
                self.organisation.as_deref(),
            ))
    }
}
