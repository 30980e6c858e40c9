//! The mailboxes of an account and their roles.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::RemoteCollection;
use adjutant_domain::record::Folder;

use super::head;
use super::names;
use super::reply::Untagged;
use super::session::{CommandPart, Halt, Opened, Session};
use super::value::Value;

/// Maximum number of mailboxes per account.
const MAILBOXES_MAX: usize = 1_000;
/// Maximum number of characters in a mailbox name.
const NAME_CHARS_MAX: usize = 500;

/// The role of a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// One of the standard folders.
    Folder(Folder),
    /// All mail, as some providers offer; mail that is in no other mailbox is archived.
    All,
    /// Unsent mail.
    Drafts,
    /// A view of mails in other mailboxes.
    View,
    /// A mailbox created by the person.
    Own,
}

/// A mailbox of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mailbox {
    /// The name in the server's encoding.
    pub(super) name: String,
    pub(super) role: Role,
    /// The readable name.
    pub(super) shown: String,
    /// What separates the parts of its name; empty if it has none.
    delimiter: String,
}

impl Mailbox {
    /// Returns the folder that its mail belongs to.
    pub(super) fn folder(&self) -> Folder {
        match self.role {
            Role::Folder(folder) => folder,
            Role::All | Role::Own | Role::Drafts | Role::View => Folder::Archive,
        }
    }

    /// Tells whether its mail is shown.
    pub(super) fn is_shown(&self) -> bool {
        !matches!(self.role, Role::Drafts | Role::View)
    }

    /// Returns the label of mail in a mailbox that the person created; `None` for others.
    pub(super) fn label(&self) -> Option<&str> {
        (self.role == Role::Own).then_some(&self.shown)
    }
}

/// Common mailbox names, for servers that do not report roles.
const NAMES: &[(Role, &[&str])] = &[
    (
        Role::Folder(Folder::Sent),
        &[
            "sent",
            "sent items",
            "sent messages",
            "sent mail",
            "gesendet",
            "gesendete objekte",
            "envoyés",
            "éléments envoyés",
            "enviados",
            "posta inviata",
        ],
    ),
    (
        Role::Folder(Folder::Archive),
        &["archive", "archives", "archiv", "archivo", "archivio"],
    ),
    (
        Role::Folder(Folder::Trash),
        &[
            "trash",
            "deleted",
            "deleted items",
            "deleted messages",
            "bin",
            "papierkorb",
            "gelöscht",
            "gelöschte elemente",
            "corbeille",
            "papelera",
            "cestino",
        ],
    ),
    (
        Role::Folder(Folder::Junk),
        &[
            "junk",
            "spam",
            "junk e-mail",
            "junk email",
            "bulk mail",
            "junk mail",
            "courrier indésirable",
        ],
    ),
    (
        Role::Drafts,
        &[
            "drafts",
            "draft",
            "entwürfe",
            "brouillons",
            "borradores",
            "bozze",
        ],
    ),
];

impl Session {
    /// Returns the mailboxes. Lists them once per session.
    ///
    /// # Errors
    /// Returns any fault of the listing, or one if the server lists no mailbox.
    pub(super) async fn mailboxes(&mut self) -> Result<&[Mailbox], RemoteFault> {
        if self.mailboxes.is_none() {
            let says_use = self.can("SPECIAL-USE") && self.can("LIST-EXTENDED");
            let command = match says_use {
                true => "LIST \"\" \"*\" RETURN (SPECIAL-USE)",
                false => "LIST \"\" \"*\"",
            };
            let answer = self.read(command).await?;
            let listed = listed(&answer.said);
            if listed.is_empty() {
                // Every account has an inbox.
                return Err(RemoteFault::Refused {
                    what: "the server lists no mailbox".to_owned(),
                });
            }
            self.mailboxes = Some(listed);
        }
        Ok(self.mailboxes.as_deref().unwrap_or_default())
    }

    /// Returns the state of every mailbox with one request; `None` if the server lacks the needed extensions.
    ///
    /// # Errors
    /// Returns any fault of the listing.
    pub(super) async fn states(&mut self) -> Result<Option<Vec<(Mailbox, Opened)>>, RemoteFault> {
        let needed = ["LIST-STATUS", "LIST-EXTENDED", "SPECIAL-USE", "CONDSTORE"];
        if !needed.iter().all(|name| self.can(name)) {
            return Ok(None);
        }
        let command = "LIST \"\" \"*\" RETURN (SPECIAL-USE STATUS (MESSAGES UIDNEXT UIDVALIDITY HIGHESTMODSEQ))";
        let answer = self.read(command).await?;
        let state = |wanted: &str| {
            answer.said.iter().find_map(|said| match said {
                Untagged::Status { name, items } if usable(name).as_deref() == Some(wanted) => {
                    opened(items)
                }
                _ => None,
            })
        };
        let all = listed(&answer.said).into_iter();
        let all = all.map(|one| state(&one.name).map(|opened| (one, opened)));
        Ok(all.collect())
    }

    /// Returns the mailbox with this name.
    ///
    /// # Errors
    /// Returns [`RemoteFault::Gone`] if it is not listed, or any fault of the listing.
    pub(super) async fn mailbox(&mut self, name: &str) -> Result<Mailbox, RemoteFault> {
        let all = self.mailboxes().await?;
        let found = all.iter().find(|one| one.name == name).cloned();
        found.ok_or(RemoteFault::Gone)
    }

    /// Returns the mailbox for a folder, if there is one.
    ///
    /// # Errors
    /// Returns any fault of the listing.
    pub(super) async fn place_of(&mut self, folder: Folder) -> Result<Option<String>, RemoteFault> {
        let all = self.mailboxes().await?;
        let with = |role: Role| all.iter().find(|one| one.role == role);
        let found = match folder {
            // If the provider has an all-mail mailbox, archived mail is there and in no other mailbox.
            Folder::Archive => with(Role::Folder(folder)).or_else(|| with(Role::All)),
            other => with(Role::Folder(other)),
        };
        Ok(found.map(|one| one.name.clone()))
    }

    /// Returns the mailbox for a folder and creates it if there is none.
    ///
    /// # Errors
    /// Returns any fault of the listing or the creation, never an unknown outcome.
    pub(super) async fn made_place_of(&mut self, folder: Folder) -> Result<String, Halt> {
        if let Some(name) = self.place_of(folder).await? {
            return Ok(name);
        }
        let name = match folder {
            Folder::Inbox => return Ok("INBOX".into()),
            Folder::Sent => "Sent",
            Folder::Archive => "Archive",
            Folder::Trash => "Trash",
            Folder::Junk => "Junk",
        };
        // An extra empty mailbox does no harm, so an uncertain outcome need not be reconciled.
        self.read_parts(&[
            CommandPart::Text("CREATE "),
            CommandPart::Literal(name.as_bytes()),
        ])
        .await?;
        self.mailboxes = None;
        Ok(name.into())
    }

    /// Returns the mailbox that shows mail under this name, if there is one.
    ///
    /// # Errors
    /// Returns any fault of the listing.
    pub(super) async fn mailbox_called(
        &mut self,
        name: &str,
    ) -> Result<Option<String>, RemoteFault> {
        let all = self.mailboxes().await?;
        Ok(called(all, name).map(|one| one.name.clone()))
    }

    /// Returns the mailbox that shows mail under this name, and creates it if there is none.
    ///
    /// # Errors
    /// Returns any fault of the listing or the creation, never an unknown outcome.
    pub(super) async fn made_mailbox_called(&mut self, name: &str) -> Result<String, Halt> {
        if let Some(found) = self.mailbox_called(name).await? {
            return Ok(found);
        }
        let name = new_name(self.mailboxes().await?, name)?;
        let with = |command| {
            [
                CommandPart::Text(command),
                CommandPart::Literal(name.as_bytes()),
            ]
        };
        self.read_parts(&with("CREATE ")).await?;
        // Most programs show only the mailboxes that a person subscribes to; the mail is there in any case.
        if let Err(why) = self.read_parts(&with("SUBSCRIBE ")).await {
            tracing::warn!(?why, "a new mailbox is not subscribed");
        }
        self.mailboxes = None;
        Ok(name)
    }
}

/// Returns the mailbox that shows mail under a name, ignoring case; at the top of the inbox if nowhere else.
fn called<'a>(all: &'a [Mailbox], name: &str) -> Option<&'a Mailbox> {
    let name = name.to_lowercase();
    let shown = || all.iter().filter(|one| one.is_shown());
    let is_it = |shown: &str| shown.to_lowercase() == name;
    shown().find(|one| is_it(&one.shown)).or_else(|| {
        let of_inbox = |one: &&Mailbox| one.shown.strip_prefix("INBOX/").is_some_and(is_it);
        shown().find(of_inbox)
    })
}

/// Returns the name in the server's encoding for a new mailbox of the person's own. A server that keeps all mailboxes in
/// the inbox gets it there.
fn new_name(all: &[Mailbox], name: &str) -> Result<String, RemoteFault> {
    let delimiter = all.iter().map(|one| one.delimiter.as_str());
    let delimiter = delimiter.clone().find(|one| !one.is_empty()).unwrap_or("/");
    let fits = name.chars().count() <= NAME_CHARS_MAX && !name.chars().any(char::is_control);
    if !fits || (delimiter != "/" && name.contains(delimiter)) {
        return Err(RemoteFault::Refused {
            what: format!("this mail server takes no folder of the name “{name}”"),
        });
    }
    let path = name.replace('/', delimiter);
    let mut others = all.iter().filter(|one| one.name != "INBOX").peekable();
    let within = format!("INBOX{delimiter}");
    let is_within = others.peek().is_some() && others.all(|one| one.name.starts_with(&within));
    let path = if is_within { within + &path } else { path };
    Ok(names::write(&path))
}

/// Parses the state of a mailbox that is not open.
fn opened(items: &[Value]) -> Option<Opened> {
    Some(Opened {
        validity: head::item(items, "UIDVALIDITY")?.number()?,
        next: head::item(items, "UIDNEXT")?.number()?,
        exists: head::item(items, "MESSAGES")?.number()?,
        modseq: head::item(items, "HIGHESTMODSEQ")?.number()?,
        takes_keywords: false,
    })
}

fn listed(said: &[Untagged]) -> Vec<Mailbox> {
    let mut all = Vec::new();
    let lists = said
        .iter()
        .filter(|one| matches!(one, Untagged::Listed { .. }));
    for one in lists.take(MAILBOXES_MAX) {
        let Untagged::Listed {
            attributes,
            delimiter,
            name,
        } = one
        else {
            continue;
        };
        let has = |wanted: &str| {
            attributes
                .iter()
                .any(|one| one.eq_ignore_ascii_case(wanted))
        };
        let Some(name) = usable(name).filter(|_| !has("\\Noselect") && !has("\\NonExistent"))
        else {
            continue;
        };
        let path = names::read(&name);
        let delimiter = delimiter.clone().unwrap_or_default();
        let shown = match delimiter.as_str() {
            "" => path,
            delimiter => path.replace(delimiter, "/"),
        };
        all.push(Mailbox {
            role: said_role(&name, has),
            name,
            shown,
            delimiter,
        });
    }
    for (role, known) in NAMES {
        if all.iter().any(|one| one.role == *role) {
            continue;
        }
        let is_called = |one: &&mut Mailbox| {
            let path = one.shown.to_lowercase();
            let last = path.strip_prefix("inbox/").unwrap_or(&path);
            one.role == Role::Own && known.contains(&last)
        };
        if let Some(one) = all.iter_mut().find(is_called) {
            one.role = *role;
        }
    }
    // Read the inbox first, and mailboxes that repeat other mail last.
    all.sort_by_key(|one| match one.role {
        Role::Folder(Folder::Inbox) => 0,
        Role::Folder(_) => 1,
        Role::Own | Role::Drafts | Role::View => 2,
        Role::All => 3,
    });
    all
}

/// Returns the role that the server reports for a mailbox.
fn said_role(name: &str, has: impl Fn(&str) -> bool) -> Role {
    if name.eq_ignore_ascii_case("INBOX") {
        return Role::Folder(Folder::Inbox);
    }
    let known = [
        ("\\Sent", Role::Folder(Folder::Sent)),
        ("\\Archive", Role::Folder(Folder::Archive)),
        ("\\Trash", Role::Folder(Folder::Trash)),
        ("\\Junk", Role::Folder(Folder::Junk)),
        ("\\Drafts", Role::Drafts),
        ("\\All", Role::All),
        ("\\Flagged", Role::View),
        ("\\Important", Role::View),
    ];
    let said = known.into_iter().find(|(attribute, _)| has(attribute));
    said.map_or(Role::Own, |(_, role)| role)
}

/// Returns a mailbox name if it is short enough and safe to send back to the server.
fn usable(name: &Value) -> Option<String> {
    let text = match name {
        Value::Text(bytes) => String::from_utf8(bytes.clone()).ok()?,
        other => other.text()?,
    };
    let fits = !text.is_empty() && text.chars().count() <= NAME_CHARS_MAX;
    (fits && !text.chars().any(char::is_control)).then_some(text)
}

/// Returns the mailboxes whose mail is shown as collections.
pub(super) fn collections(mailboxes: &[Mailbox]) -> Vec<RemoteCollection> {
    let shown = mailboxes.iter().filter(|one| one.is_shown());
    shown
        .map(|one| RemoteCollection {
            remote_id: RemoteId(one.name.clone()),
            kind: CollectionKind::Mailbox,
            name: match one.role {
                Role::Folder(Folder::Inbox) => "Inbox".into(),
                _ => one.shown.clone(),
            },
            colour: None,
            writable: true,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imap::reply::{Reply, reply};

    fn of(lines: &[&str]) -> Vec<(String, Role, String)> {
        let said: Vec<Untagged> = lines
            .iter()
            .map(|line| match reply(format!("* LIST {line}").as_bytes()) {
                Some(Reply::Untagged(said)) => said,
                other => panic!("{line}: {other:?}"),
            })
            .collect();
        let all = listed(&said).into_iter();
        all.map(|one| (one.name, one.role, one.shown)).collect()
    }

    #[test]
    fn what_the_server_says_counts_and_names_only_where_it_says_nothing() {
        let named = |name: &str, role, shown: &str| (name.to_owned(), role, shown.to_owned());
        assert_eq!(
            of(&[
                "(\\All) \"/\" \"[Gmail]/All Mail\"",
                "(\\Noselect) \"/\" \"[Gmail]\"",
                "(\\Sent) \"/\" Gesendet",
                "() \"/\" Sent",
                "() \"/\" \"Entw&APw-rfe\"",
                "() \".\" INBOX.Trash",
                "() \".\" \"INBOX.Archive.Trash\"",
                "() NIL inbox",
                "() \"/\" {5}\r\na\u{7}bcd",
            ]),
            [
                named("inbox", Role::Folder(Folder::Inbox), "inbox"),
                named("Gesendet", Role::Folder(Folder::Sent), "Gesendet"),
                named("INBOX.Trash", Role::Folder(Folder::Trash), "INBOX/Trash"),
                named("Sent", Role::Own, "Sent"),
                named("Entw&APw-rfe", Role::Drafts, "Entwürfe"),
                named("INBOX.Archive.Trash", Role::Own, "INBOX/Archive/Trash"),
                named("[Gmail]/All Mail", Role::All, "[Gmail]/All Mail"),
            ]
        );
    }
}
