//! Finds contacts by a filter.

use adjutant_domain::filter::{self, Field, Match, Test};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Kind};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effect::failed;
use crate::select::{
    Except, Filter, Ids, MatchingRows, Pick, contacts_called, counted, except_words, without,
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
    ) -> Result<MatchingRows<Contact>, Stop> {
        let need = need.filter(|_| self.except.is_none());
        let mut stored = self.stored(cx).await?.at_most(need);
        let mut rows = cx.records.contacts(&stored).await.map_err(failed)?;
        if let (true, Some(name), None) = (rows.is_empty(), &self.name, &self.text) {
            // "The plumber" is nobody's name, but a role, an organisation or a note may contain it.
            let words = Self {
                name: None,
                text: Some(name.clone()),
                ..self.clone()
            };
            stored = words.stored(cx).await?.at_most(need);
            rows = cx.records.contacts(&stored).await.map_err(failed)?;
        }
        if self.except.is_none() {
            return counted(Kind::Contact, &stored, rows, cx).await;
        }
        Ok(without(rows, self.except.as_ref(), cx).await?.rows.into())
    }

    async fn among(&self, rows: &[Contact], cx: &Cx) -> Result<Vec<Contact>, Stop> {
        let ids = rows.iter().map(|who| who.id.clone()).collect();
        let stored = self.stored(cx).await?.and(Test::Ids(ids));
        cx.records.contacts(&stored).await.map_err(failed)
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
    /// Returns the part of the filter that storage can apply, with names resolved to contacts.
    async fn stored(&self, cx: &Cx) -> Result<filter::Filter, Stop> {
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
