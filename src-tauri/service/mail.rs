//! `show mail` with an id, and `show thread`.

use std::collections::HashMap;

use adjutant_api::convert::records;
use adjutant_api::rows::Rows;
use adjutant_api::topic::Only;
use adjutant_api::words::{MailFolder, MailWriter};
use adjutant_api::{Fault, Reply};
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::{Records as _, WholeMails as _};
use adjutant_domain::record::writer::HEAD_BYTES_MAX;
use adjutant_domain::record::{Folder, Kind, Record, Writer};
use adjutant_tools::email::thread_of;

use super::{Service, missing, store_fault};

/// All folders: `show mail` hides nothing.
pub(super) const ALL_FOLDERS: [Folder; 5] = [
    Folder::Inbox,
    Folder::Sent,
    Folder::Archive,
    Folder::Trash,
    Folder::Junk,
];

/// Returns the folders that a list covers.
pub(super) fn folders(only: &Only) -> Vec<Folder> {
    match only.folder {
        None => ALL_FOLDERS.to_vec(),
        Some(MailFolder::Inbox) => vec![Folder::Inbox],
        Some(MailFolder::Sent) => vec![Folder::Sent],
        Some(MailFolder::Archive) => vec![Folder::Archive],
        Some(MailFolder::Trash) => vec![Folder::Trash],
        Some(MailFolder::Junk) => vec![Folder::Junk],
    }
}

/// Returns the thread of a mail with full texts, oldest first.
pub(super) async fn thread(service: &Service, id: &str) -> Result<Rows, Fault> {
    let id = RecordId(id.to_owned());
    let record = service.store.get(Kind::Mail, &id).await;
    let Some(Record::Mail(mail)) = record.map_err(store_fault)? else {
        return Err(missing(id.as_str()));
    };
    let mails = thread_of(&mail, service.store.as_ref())
        .await
        .map_err(store_fault)?;
    let mut rows = records::mails(&mails, &service.zone(), true);
    let ids = mails.iter().map(|mail| mail.id.clone()).collect();
    let in_part = service
        .store
        .mails_in_part(ids)
        .await
        .map_err(store_fault)?;
    for (row, mail) in rows.iter_mut().zip(&mails) {
        row.in_part = in_part.contains(&mail.id).then(String::new);
    }
    Ok(Rows::Mail(rows))
}

/// Returns one mail as completely as possible, fetching what a reading left at its account.
pub(super) async fn whole(service: &Service, id: &str) -> Result<Rows, Fault> {
    let id = RecordId(id.to_owned());
    let got = service.accounts.complete(&id).await;
    let record = service.store.get(Kind::Mail, &id).await;
    let Some(Record::Mail(mail)) = record.map_err(store_fault)? else {
        return Err(missing(id.as_str()));
    };
    let mut rows = records::mails(std::slice::from_ref(&mail), &service.zone(), true);
    for row in &mut rows {
        row.in_part = got
            .as_ref()
            .err()
            .map(|why| format!("{} {}", why.what, why.next));
    }
    Ok(Rows::Mail(rows))
}

/// Adds the senders to a list of unread mails; returns any other reply unchanged.
pub(super) async fn with_writers(
    service: &Service,
    mut reply: Reply,
    unread: bool,
) -> Result<Reply, Fault> {
    let Reply::Rows {
        rows: Rows::Mail(rows),
        ..
    } = &mut reply
    else {
        return Ok(reply);
    };
    if !unread {
        return Ok(reply);
    }
    let ids: Vec<RecordId> = rows.iter().map(|row| RecordId(row.id.clone())).collect();
    let heads = service.store.mail_heads(ids, HEAD_BYTES_MAX).await;
    let heads: HashMap<RecordId, Vec<u8>> = heads.map_err(store_fault)?.into_iter().collect();
    for row in rows {
        let head = heads.get(&RecordId(row.id.clone()));
        row.writer = head.map(|head| match Writer::of(head) {
            Writer::Person => MailWriter::Person,
            Writer::List | Writer::Group => MailWriter::List,
            Writer::Notice => MailWriter::Notice,
        });
    }
    Ok(reply)
}
