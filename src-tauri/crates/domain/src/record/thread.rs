//! Groups mails into threads.

use std::collections::HashMap;

use super::mail::Mail;

/// Maximum number of references followed per mail. The latest ones identify a thread; a longer header only costs time.
const LINKS_MAX: usize = 64;
/// Maximum number of sender-recipient pairs compared per mail.
const PAIRS_MAX: usize = 32;
/// Prefixes that mail programs put before the subject of a reply or forwarded mail.
const PREFIXES: [&str; 7] = ["re", "fwd", "fw", "aw", "wg", "sv", "antw"];

/// Returns the subject without reply and forward prefixes.
#[must_use]
pub fn bare_subject(subject: &str) -> &str {
    let mut subject = subject.trim();
    while let Some((head, rest)) = subject.split_once(':') {
        let head = head.trim();
        if !PREFIXES.iter().any(|one| head.eq_ignore_ascii_case(one)) {
            break;
        }
        subject = rest.trim();
    }
    subject
}

/// Returns, for each mail, the index of the mail that represents its thread: the earliest one present.
///
/// Mails are linked by Message-IDs; a reply without them, by an equal subject between the same two people. The time
/// needed grows with the number of mails, whatever they contain.
#[must_use]
pub fn threads(mails: &[Mail]) -> Vec<usize> {
    let mut groups = Groups::new(mails.len());
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    let mut by_subject: HashMap<(String, String, String), usize> = HashMap::new();
    for (place, mail) in mails.iter().enumerate() {
        let links = mail.references.iter().rev().take(LINKS_MAX);
        let links = links.chain(&mail.in_reply_to).map(String::as_str);
        for id in links.chain([mail.message_id.as_str()]) {
            if !id.is_empty() {
                groups.join(place, *by_id.entry(id).or_insert(place));
            }
        }
        for pair in pairs(mail) {
            by_subject.entry(pair).or_insert(place);
        }
    }
    for (place, mail) in mails.iter().enumerate() {
        if bare_subject(&mail.subject) == mail.subject.trim() {
            continue;
        }
        for pair in pairs(mail) {
            if let Some(first) = by_subject.get(&pair) {
                groups.join(place, *first);
            }
        }
    }
    groups.earliest(mails)
}

/// Returns one key per recipient: subject and the two people. Yields nothing without a subject.
fn pairs(mail: &Mail) -> impl Iterator<Item = (String, String, String)> {
    let subject = bare_subject(&mail.subject).to_lowercase();
    let from = mail.from.email.to_lowercase();
    let known = !subject.is_empty();
    mail.to
        .iter()
        .chain(&mail.cc)
        .filter(move |_| known)
        .take(PAIRS_MAX)
        .map(move |to| {
            let to = to.email.to_lowercase();
            let (a, b) = if from < to {
                (from.clone(), to)
            } else {
                (to, from.clone())
            };
            (subject.clone(), a, b)
        })
}

/// Disjoint sets (union-find).
struct Groups(Vec<usize>);

impl Groups {
    fn new(len: usize) -> Self {
        Self((0..len).collect())
    }

    fn root(&mut self, of: usize) -> usize {
        let mut at = of;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }

    fn earliest(mut self, mails: &[Mail]) -> Vec<usize> {
        let mut first: HashMap<usize, usize> = HashMap::new();
        let roots: Vec<usize> = (0..mails.len()).map(|place| self.root(place)).collect();
        for (place, root) in roots.iter().enumerate() {
            let held = first.entry(*root).or_insert(place);
            let key = |at: usize| (mails[at].date, &mails[at].message_id);
            if key(place) < key(*held) {
                *held = place;
            }
        }
        roots.iter().map(|root| first[root]).collect()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::ids::RecordId;
    use crate::record::mail::{Address, Folder};

    fn mail(id: &str, subject: &str, from: &str, to: &str, answers: &[&str]) -> Mail {
        let day = id.trim_start_matches(|c: char| !c.is_ascii_digit());
        let address = |email: &str| Address {
            name: String::new(),
            email: email.into(),
        };
        Mail {
            id: RecordId(id.into()),
            message_id: id.into(),
            folder: Folder::Inbox,
            from: address(from),
            to: vec![address(to)],
            cc: Vec::new(),
            reply_to: Vec::new(),
            subject: subject.into(),
            date: Timestamp::from_second(day.parse().unwrap_or(0)).unwrap_or_default(),
            text: String::new(),
            in_reply_to: answers.first().map(|id| (*id).to_owned()),
            references: answers.iter().map(|id| (*id).to_owned()).collect(),
            attachments: Vec::new(),
            labels: Vec::new(),
            read: true,
            starred: false,
            size: 0,
            updated: Timestamp::UNIX_EPOCH,
            version: 1,
        }
    }

    #[test]
    fn answers_follow_what_they_answer_however_they_are_ordered() {
        // Each names its parent alone, as many programs do; the newest comes first, as in a list.
        let mails = [
            mail("m3", "Re: Q1 numbers", "emily@x", "dana@x", &["m2"]),
            mail("m9", "Lunch", "emily@x", "dana@x", &[]),
            mail("m2", "Re: Q1 numbers", "dana@x", "emily@x", &["m1"]),
            mail("m1", "Q1 numbers", "emily@x", "dana@x", &[]),
        ];
        assert_eq!(threads(&mails), [3, 1, 3, 3]);
    }

    #[test]
    fn two_answers_to_a_mail_that_is_not_here_belong_together() {
        let mails = [
            mail("m2", "Re: Plan", "a@x", "me@x", &["gone"]),
            mail("m3", "Plan B", "b@x", "me@x", &["gone"]),
        ];
        assert_eq!(threads(&mails), [0, 0]);
    }

    #[test]
    fn an_answer_without_links_is_found_by_subject_and_people() {
        let mails = [
            mail("m1", "Quote Q-2291", "marcus@x", "dana@x", &[]),
            mail("m2", "RE: quote q-2291", "dana@x", "marcus@x", &[]),
            mail("m3", "Re: Quote Q-2291", "stranger@x", "dana@x", &[]),
        ];
        assert_eq!(threads(&mails), [0, 0, 2]);
    }

    #[test]
    fn a_newsletter_with_one_subject_is_no_thread() {
        let mails = [
            mail("m1", "Morning briefing", "news@x", "dana@x", &[]),
            mail("m2", "Morning briefing", "news@x", "dana@x", &[]),
        ];
        assert_eq!(threads(&mails), [0, 1]);
        assert_eq!(bare_subject(" Re: AW: Fwd: A: b "), "A: b");
    }
}
