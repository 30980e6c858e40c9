//! Mails of which only the beginning is stored: finds where the rest can be fetched, and stores it. What was fetched
//! can be fetched again, so only a limited amount of it is kept.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, RecordId};
use adjutant_domain::operation::MailRef;
use adjutant_domain::record::{Kind, Mail, Record};
use jiff::Timestamp;
use rusqlite::Connection;

use crate::fault::{Fault, Result};
use crate::rows;
use crate::store::Store;
use crate::tables::{collections, mail, origins};

impl Store {
    /// Returns the places in accounts from which the rest of a mail can be fetched, the shown one first. Empty if the
    /// whole mail is stored, or if no account has it.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no such mail; otherwise when storage fails.
    pub async fn rest_of_mail(
        &self,
        id: RecordId,
    ) -> std::result::Result<Vec<(AccountId, MailRef)>, StoreFault> {
        self.read(move |connection| {
            let Some(Record::Mail(mail)) = rows::get_record(connection, Kind::Mail, &id)? else {
                return Err(Fault::missing(format!("the mail {id}")));
            };
            match mail::has_source(connection, &id)? {
                true => Ok(Vec::new()),
                false => places(connection, &mail),
            }
        })
        .await
    }

    /// Returns the stored mails with these Message-IDs, by Message-ID.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn mails_called(
        &self,
        message_ids: Vec<String>,
    ) -> std::result::Result<BTreeMap<String, RecordId>, StoreFault> {
        self.read(move |connection| {
            let mut found = BTreeMap::new();
            for message_id in message_ids {
                if let Some(id) = mail::called(connection, &message_id)? {
                    found.insert(message_id, id);
                }
            }
            Ok(found)
        })
        .await
    }

    /// Returns which of these mails are in an account but stored only with their beginning.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn mails_in_part(
        &self,
        ids: Vec<RecordId>,
    ) -> std::result::Result<BTreeSet<RecordId>, StoreFault> {
        self.read(move |connection| {
            let mut found = BTreeSet::new();
            for id in ids {
                let is_whole = mail::has_source(connection, &id)?;
                if !is_whole && !origins::of_record(connection, &id)?.is_empty() {
                    found.insert(id);
                }
            }
            Ok(found)
        })
        .await
    }

    /// Stores what was fetched of a mail: its source, with the text and attachments found in it. Of everything
    /// fetched this way before, at most `bytes_max` bytes are kept besides it; the oldest go first.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if the mail is gone; otherwise when storage fails.
    pub async fn keep_fetched(
        &self,
        id: RecordId,
        whole: Mail,
        source: Vec<u8>,
        at: Timestamp,
        bytes_max: u64,
    ) -> std::result::Result<(), StoreFault> {
        self.write("keep_fetched", move |tx| {
            let before = rows::get_record(tx, Kind::Mail, &id)?;
            let Some(Record::Mail(before)) = before else {
                return Err(Fault::missing(format!("the mail {id}")));
            };
            // The version stays: a waiting card is about the same mail, whose content has only become more complete.
            let version = before.version;
            let row = Mail {
                text: whole.text,
                attachments: whole.attachments,
                ..before
            };
            let pk = rows::put_record(tx, &Record::Mail(row), version)?;
            mail::make_room(tx, bytes_max)?;
            mail::keep_fetched(tx, pk, &source, at)
        })
        .await
    }
}

fn places(connection: &Connection, mail: &Mail) -> Result<Vec<(AccountId, MailRef)>> {
    let mut found = Vec::new();
    for placed in origins::of_record(connection, &mail.id)? {
        let origin = placed.origin;
        let collection = collections::get(connection, &origin.collection)?;
        let Some(collection) = collection.and_then(|one| one.named()) else {
            continue;
        };
        let named = MailRef {
            collection,
            uid_validity: origin.uid_validity,
            remote_id: origin.remote_id,
            message_id: mail.message_id.clone(),
        };
        found.push((origin.account, named));
    }
    Ok(found)
}
