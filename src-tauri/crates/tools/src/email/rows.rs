//! Where mails that may fit a filter come from: what is stored, and what goes out.

use std::collections::BTreeSet;

use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::{Cx, MailFilter as StoreFilter, OutboxFilter, Sort, Window};
use adjutant_domain::record::{Folder, OutboxItem, OutboxState};
use adjutant_text::{all_words, same};

use super::MailRow;
use super::find::{MailFilter, Parties, Place, bare};
use crate::address::is_own;
use crate::effect::failed;
use crate::select::{Ids, Meant, Row as _, not_found};

impl MailFilter {
    /// Those that are named by reference.
    pub(super) async fn by_ids(&self, ids: &Ids, cx: &Cx) -> Result<Vec<MailRow>, Stop> {
        let mut rows = Vec::new();
        for id in ids.iter() {
            rows.push(
                MailRow::load(id, cx)
                    .await?
                    .ok_or_else(|| not_found("That mail is not there any more."))?,
            );
        }
        Ok(rows)
    }

    /// Received and sent mail. Without a folder, mail the person sent is left out unless it is asked for, or nothing
    /// else fits.
    pub(super) async fn stored(
        &self,
        parties: &Parties,
        window: Window,
        cx: &Cx,
    ) -> Result<Vec<MailRow>, Stop> {
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
            _ if own_sender || self.to.is_some() || self.person.is_some() => vec![everywhere],
            _ => vec![vec![Folder::Inbox, Folder::Archive], everywhere],
        };
        for folders in tries {
            let rows = self.in_folders(folders, parties, window, cx).await?;
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
        Ok(Vec::new())
    }

    async fn in_folders(
        &self,
        folders: Vec<Folder>,
        parties: &Parties,
        window: Window,
        cx: &Cx,
    ) -> Result<Vec<MailRow>, Stop> {
        let terms = |list: &[Meant]| -> Vec<String> {
            list.iter()
                .flat_map(|one| one.search.iter().cloned())
                .collect()
        };
        let filter = StoreFilter {
            from: terms(&parties.from),
            to: terms(&parties.to),
            subject: self.subject.clone(),
            subject_is: None,
            text: self.text.clone(),
            window,
            folders,
            read: self.unread.map(|unread| !unread),
            has_attachment: self.has_attachment,
            label: self.label.clone(),
            sort: Sort::Descending,
            limit: None,
        };
        let person = terms(&parties.person);
        let queries = if person.is_empty() {
            vec![filter]
        } else {
            let mut by = filter.clone();
            by.from.clone_from(&person);
            let mut to = filter;
            to.to = person;
            vec![by, to]
        };
        let mut seen = BTreeSet::new();
        let mut rows = Vec::new();
        for query in queries {
            for mail in cx.records.mails(&query).await.map_err(failed)? {
                let whole = self
                    .subject_is
                    .as_deref()
                    .is_none_or(|subject| same(bare(subject), bare(&mail.subject)));
                let starred = self.starred.is_none_or(|starred| starred == mail.starred);
                if whole && starred && seen.insert(mail.id.clone()) {
                    rows.push(MailRow::Mail(Box::new(mail)));
                }
            }
        }
        Ok(rows)
    }

    /// Drafts, or what waits to be sent and was.
    pub(super) async fn outgoing(
        &self,
        parties: &Parties,
        window: Window,
        cx: &Cx,
    ) -> Result<Vec<MailRow>, Stop> {
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
        let found = cx
            .records
            .outbox(&OutboxFilter {
                states,
                to: parties
                    .to
                    .iter()
                    .chain(&parties.person)
                    .flat_map(|one| one.search.iter().cloned())
                    .collect(),
                text: self.text.clone(),
                limit: None,
            })
            .await
            .map_err(failed)?;
        let fits = |item: &OutboxItem| {
            self.subject
                .as_deref()
                .is_none_or(|words| all_words(words, &item.subject))
                && self
                    .subject_is
                    .as_deref()
                    .is_none_or(|subject| same(bare(subject), bare(&item.subject)))
                && window.holds(item.updated)
        };
        Ok(found
            .into_iter()
            .filter(fits)
            .map(|item| MailRow::Out(Box::new(item)))
            .collect())
    }

    /// Those that were answered, or were not.
    pub(super) async fn by_answer(
        &self,
        rows: Vec<MailRow>,
        cx: &Cx,
    ) -> Result<Vec<MailRow>, Stop> {
        let sent = cx
            .records
            .mails(&StoreFilter {
                folders: vec![Folder::Sent],
                ..StoreFilter::default()
            })
            .await
            .map_err(failed)?;
        let out = cx
            .records
            .outbox(&OutboxFilter::default())
            .await
            .map_err(failed)?;
        let answered: BTreeSet<String> = sent
            .into_iter()
            .filter_map(|mail| mail.in_reply_to)
            .chain(
                out.into_iter()
                    .filter(|item| item.state != OutboxState::Draft)
                    .filter_map(|item| item.in_reply_to),
            )
            .collect();
        Ok(rows
            .into_iter()
            .filter(|row| match row {
                MailRow::Mail(mail) => self.answered == Some(answered.contains(&mail.message_id)),
                MailRow::Out(_) => false,
            })
            .collect())
    }
}
