//! Which contacts.

use adjutant_domain::filter::{self, Field, Match};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Kind};
use adjutant_text::{all_words, fold_line};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effect::failed;
use crate::select::{
    Except, Filter, Found, Ids, Pick, contacts_called, counted, except_words, without,
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
// The name is part of the schema, and its hash of every approval that waits.
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
}

#[async_trait]
impl Filter for ContactFilter {
    type Row = Contact;

    fn pick(&self) -> Option<Pick> {
        self.pick
    }

    fn limit(&self) -> Option<usize> {
        self.limit
    }

    async fn find(
        &self,
        _acting: bool,
        need: Option<usize>,
        cx: &Cx,
    ) -> Result<Found<Contact>, Stop> {
        let described = filter::Filter::all().maybe(self.ids.as_ref().map(Ids::test));
        let goes_by_words = self.text.is_some() || self.organisation.is_some();
        if self.name.is_none() && !goes_by_words && self.except.is_none() {
            let filter = described.at_most(need);
            let rows = cx.records.contacts(&filter).await.map_err(failed)?;
            return counted(Kind::Contact, &filter, rows, cx).await;
        }
        let rows = match &self.name {
            Some(name) => self.fitting(contacts_called(name, cx).await?),
            None => {
                let indexed = described
                    .clone()
                    .words_in(Field::Anywhere, Match::Loose, self.text.as_deref())
                    .words_in(Field::Anywhere, Match::Loose, self.organisation.as_deref());
                let rows = cx.records.contacts(&indexed).await.map_err(failed)?;
                let rows = self.fitting(rows);
                // Telephone numbers, for one, are in no index.
                if rows.is_empty() && goes_by_words {
                    self.fitting(cx.records.contacts(&described).await.map_err(failed)?)
                } else {
                    rows
                }
            }
        };
        Ok(without(rows, self.except.as_ref(), cx).await?.rows.into())
    }

    async fn among(&self, rows: &[Contact], cx: &Cx) -> Result<Vec<Contact>, Stop> {
        let mut rows = rows.to_vec();
        if let Some(name) = &self.name {
            let called = contacts_called(name, cx).await?;
            rows.retain(|who| called.iter().any(|one| one.id == who.id));
        }
        Ok(self.fitting(rows))
    }

    fn sought(&self, cx: &Cx) -> String {
        let mut said = "contacts".to_owned();
        if let Some(name) = &self.name {
            said.push_str(&format!(" called {}", words::quoted(name)));
        }
        if let Some(text) = &self.text {
            said.push_str(&format!(" with {}", words::quoted(text)));
        }
        if let Some(organisation) = &self.organisation {
            said.push_str(&format!(" at {}", words::quoted(organisation)));
        }
        said + &except_words(self.except.as_ref(), cx)
    }
}

impl ContactFilter {
    /// What fits everything but the name, by name.
    fn fitting(&self, rows: Vec<Contact>) -> Vec<Contact> {
        let fits = |who: &Contact| {
            let everything = format!(
                "{} {} {} {} {} {} {}",
                who.name,
                who.nicknames.join(" "),
                who.emails.join(" "),
                who.phones.join(" "),
                who.organisation,
                who.relation,
                who.notes
            );
            self.text
                .as_deref()
                .is_none_or(|wanted| all_words(wanted, &everything))
                && self
                    .organisation
                    .as_deref()
                    .is_none_or(|wanted| all_words(wanted, &who.organisation))
                && self.ids.as_ref().is_none_or(|ids| ids.contains(&who.id.0))
        };
        let mut rows: Vec<Contact> = rows.into_iter().filter(fits).collect();
        rows.sort_by_key(|who| fold_line(&who.name));
        rows
    }
}
