//! Fetches the mails that may match a filter: stored mail and outgoing mail.

use adjutant_domain::filter::{self, Field, Match, Role, RowFlag, Test, Time, Window};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Folder, Kind, Mail, OutboxState};
use adjutant_text::{all_words, same, words};

use super::MailRow;
use super::find::{MailFilter, Order, Parties, Place, bare};
use super::sorts::Sort;
use crate::address::is_own;
use crate::effect::failed;
use crate::select::{Found, Ids, Meant, Row as _, counted, is_me, not_found};

impl MailFilter {
    /// Returns the mails that the filter names by reference.
    pub(super) async fn by_ids(&self, ids: &Ids, cx: &Cx) -> Result<Vec<MailRow>, Stop> {
        let mut rows = Vec::new();
        for id in ids.iter() {
            rows.push(
                MailRow::load(id, cx)
                    .await?
                    .ok_or_else(|| not_found("That mail is no longer there."))?,
            );
        }
        Ok(rows)
    }

    /// Returns matching received and sent mail. Without a folder, mail the person sent is included only if the filter
    /// asks for it or nothing else matches.
    pub(super) async fn stored(
        &self,
        parties: &Parties,
        window: Window,
        need: Option<usize>,
        cx: &Cx,
    ) -> Found<MailRow> {
        let own_sender = parties
            .from
            .iter()
            .any(|one| one.search.iter().any(|who| is_own(who, cx)));
        let everywhere = vec![Folder::Inbox, Folder::Archive, Folder::Sent];
        let tries: Vec<Vec<Folder>> = match self.folder {
            Some(Place::Inbox) => vec![vec![Folder::Inbox]],
            Some(Place::Sent) => vec![vec![Folder::Sent]],
            Some(Place::Archive) => vec![vec![Folder::Archive]],
            Some(Place::Trash) => vec![vec![Folder::Trash]],
            Some(Place::Junk) => vec![vec![Folder::Junk]],
            Some(Place::Any) => vec![vec![
                Folder::Inbox,
                Folder::Archive,
                Folder::Sent,
                Folder::Junk,
                Folder::Trash,
            ]],
            _ if own_sender => vec![vec![Folder::Sent], everywhere],
            _ if self.to.is_some() || self.person.is_some() => vec![everywhere],
            _ => vec![vec![Folder::Inbox, Folder::Archive], everywhere],
        };
        for folders in tries {
            let found = self.in_folders(folders, parties, window, need, cx).await?;
            if !found.rows.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new().into())
    }

    async fn in_folders(
        &self,
        folders: Vec<Folder>,
        parties: &Parties,
        window: Window,
        need: Option<usize>,
        cx: &Cx,
    ) -> Found<MailRow> {
        let filter = filter::Filter::all()
            .and(Test::Folders(folders))
            .with(Role::To, terms(&parties.to))
            .with(Role::Either, terms(&parties.person))
            .words_in(Field::Title, Match::All, self.subject.as_deref())
            .words(self.text.as_deref())
            .within(Time::Dated, window)
            .is(RowFlag::Read, self.unread.map(|unread| !unread))
            .is(RowFlag::HasAttachment, self.has_attachment)
            .is(RowFlag::Starred, self.starred)
            .is(RowFlag::Answered, self.answered)
            .maybe(self.label.clone().map(Test::Label))
            .maybe(self.sort.map(|sort| Test::WrittenBy(sort.writer())))
            .ordered(self.stored_order());
        let filter = match unknown_sender(&parties.from) {
            Some(name) => filter.words_in(Field::Names, Match::All, Some(name)),
            None => filter.with(Role::From, terms(&parties.from)),
        };
        if self.subject_is.is_none() && self.sort != Some(Sort::Promotion) {
            let filter = filter.at_most(need);
            let rows = cx.records.mails(&filter).await.map_err(failed)?;
            let rows = rows.into_iter().map(MailRow::from).collect();
            return counted(Kind::Mail, &filter, rows, cx).await;
        }
        let mut rows = cx.records.mails(&filter).await.map_err(failed)?;
        let fits = |mail: &Mail| self.sort.is_none_or(|sort| sort.holds(mail));
        rows.retain(|mail| self.has_subject(&mail.subject) && fits(mail));
        let rows: Vec<MailRow> = rows.into_iter().map(MailRow::from).collect();
        Ok(rows.into())
    }

    /// Returns matching drafts, or else outgoing and sent items of the outbox.
    pub(super) async fn outgoing(
        &self,
        parties: &Parties,
        window: Window,
        need: Option<usize>,
        cx: &Cx,
    ) -> Found<MailRow> {
        if self.answered.is_some() || self.sort.is_some() {
            return Ok(Vec::new().into());
        }
        let states = if self.folder == Some(Place::Drafts) {
            vec![OutboxState::Draft]
        } else {
            vec![
                OutboxState::Held,
                OutboxState::Queued,
                OutboxState::Failed,
                OutboxState::Unknown,
                OutboxState::Sent,
            ]
        };
        let mut to = terms(&parties.to);
        to.extend(terms(&parties.person));
        let filter = filter::Filter::all()
            .and(Test::States(states))
            .with(Role::To, to)
            .words(self.text.as_deref())
            .within(Time::Changed, window)
            .ordered(self.stored_order());
        if self.subject.is_none() && self.subject_is.is_none() {
            let filter = filter.at_most(need);
            let rows = cx.records.outbox(&filter).await.map_err(failed)?;
            let rows = rows.into_iter().map(MailRow::from).collect();
            return counted(Kind::Outbox, &filter, rows, cx).await;
        }
        let mut rows = cx.records.outbox(&filter).await.map_err(failed)?;
        rows.retain(|item| {
            let words = self.subject.as_deref();
            words.is_none_or(|words| all_words(words, &item.subject))
                && self.has_subject(&item.subject)
        });
        let rows: Vec<MailRow> = rows.into_iter().map(MailRow::from).collect();
        Ok(rows.into())
    }

    fn has_subject(&self, subject: &str) -> bool {
        let wanted = self.subject_is.as_deref();
        wanted.is_none_or(|wanted| same(bare(wanted), bare(subject)))
    }

    fn stored_order(&self) -> filter::Order {
        match self.order.unwrap_or_default() {
            Order::DateDown => filter::Order::Latest,
            Order::Date => filter::Order::Earliest,
            Order::Size => filter::Order::Smallest,
            Order::SizeDown => filter::Order::Largest,
        }
    }
}

/// Returns the only sender of the filter if no contact has that name: it may be a company, whose address is as telling
/// as its name.
fn unknown_sender(from: &[Meant]) -> Option<&str> {
    match from {
        [one] if one.contacts.is_empty() => match one.search.as_slice() {
            [name] if !name.contains('@') && !is_me(name) && !words(name).is_empty() => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the names and addresses to search for.
fn terms(people: &[Meant]) -> Vec<String> {
    let all = people.iter().flat_map(|one| &one.search);
    all.cloned().collect()
}
