//! Finds the thread of a mail.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{Field, Filter, Match, Order, Test};
use adjutant_domain::ports::Records;
use adjutant_domain::record::thread::{bare_subject, threads};
use adjutant_domain::record::{Folder, Mail};

/// Maximum mails with the same subject that are considered, latest first.
const LOOKED_AT_MAX: usize = 500;

/// Returns the thread of a mail, itself included, oldest first. Leaves out trash and junk unless the mail itself is
/// there.
///
/// # Errors
/// Returns the fault of storage.
pub async fn thread_of(mail: &Mail, records: &dyn Records) -> Result<Vec<Mail>, StoreFault> {
    let subject = bare_subject(&mail.subject);
    let mut folders = vec![Folder::Inbox, Folder::Archive, Folder::Sent];
    if !folders.contains(&mail.folder) {
        folders.push(mail.folder);
    }
    let mut found = if subject.is_empty() {
        Vec::new()
    } else {
        let list = Filter::all()
            .words_in(Field::Title, Match::All, Some(subject))
            .and(Test::Folders(folders))
            .ordered(Order::Latest)
            .at_most(Some(LOOKED_AT_MAX));
        records.mails(&list).await?
    };
    found.retain(|other| other.id != mail.id);
    found.push(mail.clone());
    let threads = threads(&found);
    let own = threads.last().copied();
    let mut thread: Vec<Mail> = found
        .into_iter()
        .zip(threads)
        .filter(|(_, of)| Some(*of) == own)
        .map(|(mail, _)| mail)
        .collect();
    thread.sort_by(|a, b| (a.date, &a.message_id).cmp(&(b.date, &b.message_id)));
    Ok(thread)
}
