//! Whom a step goes to: names, addresses, and who is meant by "them".

use super::super::clause::Unread;
use super::super::model::Who;
use super::{Builder, Recipients, at};
use adjutant_domain::source::Source;
use serde_json::json;

impl<'p, 's, 'a> Builder<'p, 's, 'a> {
    /// The people of a list as arguments, with steps for groups; who could not be told apart.
    pub(super) fn people(
        &mut self,
        list: &[Who],
        draft_words: &Source,
    ) -> Result<Recipients, Unread> {
        let mut out = Vec::new();
        let mut sources = Vec::new();
        let mut missing = false;
        for who in list {
            match who {
                Who::Named { name, said, .. } => {
                    sources.push((
                        out.len(),
                        Source::Person {
                            words: Some(said.clone()),
                        },
                    ));
                    out.push(json!(name));
                }
                Who::Address(address) => {
                    sources.push((
                        out.len(),
                        Source::Person {
                            words: Some(address.clone()),
                        },
                    ));
                    out.push(json!(address));
                }
                Who::Me => match self.said.utterance.settings.owner.emails.first() {
                    Some(own) => {
                        sources.push((out.len(), Source::Settings));
                        out.push(json!(own));
                    }
                    None => missing = true,
                },
                Who::They => match self.they() {
                    Some((name, source)) => {
                        sources.push((out.len(), source));
                        out.push(json!(name));
                    }
                    None => missing = true,
                },
                Who::Group(name) => {
                    sources.push((out.len(), draft_words.clone()));
                    out.push(json!(super::filter::strip_article(name)));
                }
                Who::GuestsOf(sel) | Who::SenderOf(sel) => {
                    let key = self.one_of(sel)?;
                    let path = if matches!(who, Who::GuestsOf(_)) {
                        "/people"
                    } else {
                        "/items/0/from"
                    };
                    sources.push((out.len(), Source::Step { key: key.clone() }));
                    out.push(at(&key, path));
                }
            }
        }
        Ok((out, sources, missing))
    }

    /// The person "them" stands for in what was shown.
    pub(super) fn they(&self) -> Option<(String, Source)> {
        let own = &self.said.utterance.settings.owner.emails;
        for group in &self.said.utterance.focus.shown {
            let mut people: Vec<&(String, String)> = Vec::new();
            for person in group.items.iter().flat_map(|item| &item.people) {
                if !own.iter().any(|mine| mine.eq_ignore_ascii_case(&person.1))
                    && !people.contains(&person)
                {
                    people.push(person);
                }
            }
            if let [only] = group.items.as_slice()
                && only.kind == adjutant_domain::record::Kind::Mail
            {
                people.truncate(1);
            }
            match people.as_slice() {
                [] => {}
                [(name, address)] => {
                    let who = if address.is_empty() { name } else { address };
                    return Some((
                        who.clone(),
                        Source::OwnData {
                            what: group
                                .items
                                .first()
                                .map_or("record", |item| item.kind.word())
                                .to_owned(),
                        },
                    ));
                }
                _ => return None,
            }
        }
        None
    }
}
