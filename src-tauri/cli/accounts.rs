//! `accounts`: connects, reads and removes accounts.

use std::collections::BTreeMap;

use adjutant::session::{Options, Session};
use adjutant_api::rows::{
    AccountFieldView, AccountKindView, AccountProblem, AccountRow, AccountState, CollectionKind,
    CollectionRow, FieldForm, Rows, SignsIn,
};
use adjutant_api::{Fault, Reply, Request, Topic};

use crate::args::{AccountsCommand, AddArgs};
use crate::show::when::When;
use crate::{End, browser, outgoing, print, progress, reply, secrets, unexpected};

/// Name of the field for certificates that the person trusts.
const CERTIFICATE: &str = "certificate";
/// Template of the progress bar for reading accounts.
const READING: &str = "{bar:30} {pos}/{len} {msg}";

/// Runs a command.
pub(crate) async fn run(
    session: &Session,
    options: &Options,
    command: AccountsCommand,
    json: bool,
) -> Result<End, Fault> {
    let when = When::of(session, options).await?;
    let out = Out { when, json };
    match command {
        AccountsCommand::List => {
            let rows = rows(reply(session, Request::show(Topic::Accounts)).await?)?;
            Ok(out.show(&connected(rows)))
        }
        AccountsCommand::Kinds => {
            let kinds = kinds(session).await?;
            if json {
                print::json(&kinds);
            } else {
                kinds.iter().for_each(describe);
            }
            Ok(End::Finished)
        }
        AccountsCommand::Add(args) => add(session, args, &out).await,
        AccountsCommand::SignIn {
            id,
            mut fields,
            trust,
            no_browser,
        } => {
            let is_trusted = trust.is_some();
            fields.extend(trust.map(|fingerprint| (CERTIFICATE.to_owned(), fingerprint)));
            sign_in(session, id, fields, is_trusted, no_browser, &out).await
        }
        AccountsCommand::Sync { id } => sync(session, id, &out).await,
        AccountsCommand::Rename { id, label } => {
            Ok(out.show(&change(session, id, Some(label), None).await?))
        }
        AccountsCommand::Pause { id } => {
            Ok(out.show(&change(session, id, None, Some(false)).await?))
        }
        AccountsCommand::Resume { id } => {
            change(session, id.clone(), None, Some(true)).await?;
            sync(session, Some(id), &out).await
        }
        AccountsCommand::Prefer { id, here } => prefer(session, id, here, json).await,
        AccountsCommand::Remove { id, keep } => {
            reply(session, Request::RemoveAccount { id, keep }).await?;
            if json {
                print::json(&serde_json::json!({ "removed": true }));
            } else if keep {
                print::line("The account is removed. Its data stays on this computer only.");
            } else {
                print::line("The account is removed, with its data on this computer.");
            }
            Ok(End::Finished)
        }
    }
}

async fn add(session: &Session, mut args: AddArgs, out: &Out) -> Result<End, Fault> {
    let trusted = args.trust.take();
    let trusted = trusted.map(|fingerprint| (CERTIFICATE.to_owned(), fingerprint));
    args.fields.extend(trusted);
    let kinds = kinds(session).await?;
    let Some(kind) = kinds.iter().find(|one| one.kind == args.kind) else {
        let names: Vec<&str> = kinds.iter().map(|one| one.kind.as_str()).collect();
        return Err(usage(
            format!("There is no kind of account called “{}”.", args.kind),
            format!("Choose one of these: {}.", names.join(", ")),
        ));
    };
    check(kind, &args.fields)?;
    for name in &args.with {
        let field = kind.fields.iter().find(|field| field.name == *name);
        if !field.is_some_and(|field| field.form.is_secret()) {
            return Err(unknown_field(kind, name));
        }
    }
    let wanted = |field: &&AccountFieldView| {
        field.form.is_secret() && (field.required || args.with.contains(&field.name))
    };
    let secrets = secrets::of_account(kind.fields.iter().filter(wanted).map(named))?;
    let settings: BTreeMap<String, String> = args.fields.into_iter().collect();
    let sign_in = match kind.signs_in {
        SignsIn::Here => None,
        SignsIn::Browser => {
            let begin = Request::BeginSignIn {
                kind: Some(args.kind.clone()),
                account: None,
                settings: settings.clone(),
                secrets: secrets.clone(),
            };
            Some(in_browser(session, begin, args.no_browser).await?)
        }
    };
    let request = Request::AddAccount {
        kind: args.kind,
        label: args.label,
        settings,
        secrets,
        sign_in,
    };
    let added = rows(reply(session, request).await?)?;
    let id = added.first().map(|row| row.id.clone());
    sync(session, id, out).await
}

/// Checks that the fields given on the command line exist for this kind and are not secret.
fn check(kind: &AccountKindView, fields: &[(String, String)]) -> Result<(), Fault> {
    for (name, value) in fields {
        match kind.fields.iter().find(|field| field.name == *name) {
            Some(field) if field.form.is_secret() => {
                return Err(usage(
                    format!(
                        "{} is private: do not put it on the command line.",
                        field.label
                    ),
                    "Leave it out and enter it when asked, or pipe it in on standard input.".into(),
                ));
            }
            Some(field)
                if field.form == FieldForm::Choice
                    && !field.choices.iter().any(|choice| choice.value == *value) =>
            {
                let choices: Vec<&str> = field
                    .choices
                    .iter()
                    .map(|choice| choice.value.as_str())
                    .collect();
                return Err(usage(
                    format!("“{value}” is not a possible value of {name}."),
                    format!("Choose one of these: {}.", choices.join(", ")),
                ));
            }
            Some(_) => {}
            None => return Err(unknown_field(kind, name)),
        }
    }
    Ok(())
}

/// Begins a sign-in, opens its page, and returns the sign-in's id.
pub(crate) async fn in_browser(
    session: &Session,
    begin: Request,
    no_browser: bool,
) -> Result<String, Fault> {
    let Reply::SignIn { id, address } = reply(session, begin).await? else {
        return Err(unexpected());
    };
    let opened = !no_browser && browser::open(&address);
    print::aside(match opened {
        true => "Sign in in the browser that opens now. If none opens, open this address:",
        false => "Open this address in a browser on this computer and sign in there:",
    });
    print::aside(&address);
    Ok(id)
}

/// Signs in to an account again: with its secrets, in the browser, or only by trusting a certificate of its server.
async fn sign_in(
    session: &Session,
    id: String,
    fields: Vec<(String, String)>,
    is_trusted: bool,
    no_browser: bool,
    out: &Out,
) -> Result<End, Fault> {
    let request = Request::Show {
        what: Topic::Accounts,
        id: Some(id.clone()),
        from: None,
        to: None,
        limit: None,
        offset: None,
        text: None,
        only: None,
    };
    let rows = rows(reply(session, request).await?)?;
    let kinds = kinds(session).await?;
    let kind = rows
        .first()
        .and_then(|row| kinds.iter().find(|kind| kind.kind == row.kind));
    let Some(kind) = kind else {
        return Err(usage(
            "This program does not know this kind of account.".into(),
            "`adjutant accounts list` shows your accounts. Update Adjutant if another version added this one.".into(),
        ));
    };
    check(kind, &fields)?;
    let settings: BTreeMap<String, String> = fields.into_iter().collect();
    if kind.signs_in == SignsIn::Browser {
        let begin = Request::BeginSignIn {
            kind: None,
            account: Some(id.clone()),
            settings: settings.clone(),
            secrets: BTreeMap::new(),
        };
        let sign_in = Some(in_browser(session, begin, no_browser).await?);
        let request = Request::ChangeAccount {
            id: id.clone(),
            label: None,
            settings,
            secrets: BTreeMap::new(),
            on: None,
            sign_in,
        };
        reply(session, request).await?;
        return sync(session, Some(id), out).await;
    }
    let secret = |field: &&AccountFieldView| field.form.is_secret();
    let needed = kind
        .fields
        .iter()
        .filter(secret)
        .any(|field| field.required);
    let asked = kind.fields.iter().filter(secret);
    let asked = asked.filter(|field| field.required || !needed);
    let request = Request::ChangeAccount {
        id: id.clone(),
        label: None,
        settings,
        secrets: match is_trusted {
            true => BTreeMap::new(),
            false => secrets::of_account(asked.map(named))?,
        },
        on: None,
        sign_in: None,
    };
    reply(session, request).await?;
    sync(session, Some(id), out).await
}

async fn change(
    session: &Session,
    id: String,
    label: Option<String>,
    on: Option<bool>,
) -> Result<Vec<AccountRow>, Fault> {
    let request = Request::ChangeAccount {
        id,
        label,
        settings: BTreeMap::new(),
        secrets: BTreeMap::new(),
        on,
        sign_in: None,
    };
    rows(reply(session, request).await?)
}

async fn sync(session: &Session, id: Option<String>, out: &Out) -> Result<End, Fault> {
    let request = Request::SyncAccounts { id, glance: false };
    let read = progress::follow(session, request, READING, out.json);
    let all = connected(rows(read.await?)?);
    out.show(&all);
    outgoing::try_again(session, out.json).await?;
    let failed = all.iter().any(|row| problem(row).is_some());
    Ok(if failed { End::Failed } else { End::Finished })
}

async fn kinds(session: &Session) -> Result<Vec<AccountKindView>, Fault> {
    match reply(session, Request::AccountKinds {}).await? {
        Reply::AccountKinds { kinds } => Ok(kinds),
        _ => Err(unexpected()),
    }
}

fn rows(reply: Reply) -> Result<Vec<AccountRow>, Fault> {
    match reply {
        Reply::Rows {
            rows: Rows::Accounts(rows),
            ..
        } => Ok(rows),
        _ => Err(unexpected()),
    }
}

/// Leaves out this computer, which is always there.
fn connected(mut rows: Vec<AccountRow>) -> Vec<AccountRow> {
    rows.retain(|row| row.id != "local");
    rows
}

/// Sets or shows where new records go.
async fn prefer(
    session: &Session,
    id: Option<String>,
    here: Option<CollectionKind>,
    json: bool,
) -> Result<End, Fault> {
    let kind = match (&id, here) {
        (Some(id), _) => {
            let mut one = Request::show(Topic::Collections);
            if let Request::Show { id: wanted, .. } = &mut one {
                *wanted = Some(id.clone());
            }
            let found = collections(reply(session, one).await?)?;
            found.first().map(|row| row.kind).ok_or_else(unexpected)?
        }
        (None, here) => here.ok_or_else(unexpected)?,
    };
    let name = id.clone();
    let all = reply(session, Request::PreferCollection { kind, id }).await?;
    let all = collections(all)?;
    if json {
        print::json(&all);
        return Ok(End::Finished);
    }
    let what = match kind {
        CollectionKind::Calendar => "events",
        CollectionKind::TaskList => "tasks",
        CollectionKind::AddressBook => "contacts",
        CollectionKind::Mailbox => "mails",
    };
    let place = all.iter().find(|row| Some(&row.id) == name.as_ref());
    match place {
        Some(place) => print::line(&format!("New {what} go to “{}” from now on.", place.name)),
        None => print::line(&format!("New {what} stay on this computer from now on.")),
    }
    Ok(End::Finished)
}

fn collections(reply: Reply) -> Result<Vec<CollectionRow>, Fault> {
    match reply {
        Reply::Rows {
            rows: Rows::Collections(rows),
            ..
        } => Ok(rows),
        _ => Err(unexpected()),
    }
}

/// How accounts are printed.
struct Out {
    when: When,
    json: bool,
}

impl Out {
    fn show(&self, rows: &[AccountRow]) -> End {
        if self.json {
            print::json(&rows);
            return End::Finished;
        }
        if rows.is_empty() {
            print::line("No account is connected.");
            print::aside("`adjutant accounts kinds` lists what you can connect.");
        }
        for row in rows {
            let state = match (row.state, &row.read) {
                (AccountState::Off, _) => "switched off".to_owned(),
                (AccountState::SignedOut, _) => "signed out".to_owned(),
                (AccountState::Ready, _) if row.reading => match row.progress {
                    Some(far) => format!("reading, {} of {}", far.done, far.total),
                    None => "reading now".to_owned(),
                },
                (AccountState::Ready, Some(at)) => format!("read {}", self.when.moment(at)),
                (AccountState::Ready, None) => "not read yet".to_owned(),
            };
            print::line(&format!(
                "{}  {} ({}), {state}",
                row.id, row.label, row.kind
            ));
            if let Some(missing) = row.settings.get("missing") {
                print::line(&format!("   Not allowed when you signed in: {missing}."));
            }
            if let Some(told) = told(row) {
                print::line(&format!("   {told}"));
            }
        }
        End::Finished
    }
}

/// Returns why an account in use could not be read.
fn problem(row: &AccountRow) -> Option<&AccountProblem> {
    row.problem
        .as_ref()
        .filter(|_| row.state != AccountState::Off)
}

/// Returns what the person is told about a problem: of which account it is, why, and what to do.
fn told(row: &AccountRow) -> Option<String> {
    let AccountProblem { what, next, .. } = problem(row)?;
    let noun = adjutant_accounts::noun(&row.kind);
    Some(format!(
        "The {noun} {} has a problem. {what} {next}",
        row.label
    ))
}

fn describe(kind: &AccountKindView) {
    print::line(&format!("{}: {}. {}", kind.kind, kind.label, kind.about));
    // If no single field is required, the hints say which ones are needed.
    let some_needed = kind.fields.iter().any(|field| field.required);
    for field in &kind.fields {
        let choices: Vec<&str> = field.choices.iter().map(|one| one.value.as_str()).collect();
        let choices = match choices.is_empty() {
            true => String::new(),
            false => format!(" ({})", choices.join(", ")),
        };
        let how = match (field.form.is_secret(), field.required) {
            (true, true) => "asked for",
            (true, false) => "asked for with --with",
            (false, true) => "required, --set",
            (false, false) if some_needed => "optional, --set",
            (false, false) => "--set",
        };
        let hint = if field.hint.is_empty() { "" } else { ". " };
        print::line(&format!(
            "   {} ({how}): {}{choices}{hint}{}",
            field.name, field.label, field.hint
        ));
    }
}

fn named(field: &AccountFieldView) -> (String, String) {
    (field.name.clone(), field.label.to_lowercase())
}

fn unknown_field(kind: &AccountKindView, name: &str) -> Fault {
    let names: Vec<&str> = kind
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    usage(
        format!("{} has no field called “{name}”.", kind.label),
        format!("Its fields: {}.", names.join(", ")),
    )
}

fn usage(message: String, hint: String) -> Fault {
    Fault {
        code: "usage".into(),
        message,
        hint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: &str) -> AccountRow {
        AccountRow {
            id: "acc_1".into(),
            kind: kind.into(),
            label: "dana@whitfield.example".into(),
            addresses: Vec::new(),
            state: AccountState::Ready,
            settings: BTreeMap::new(),
            read: None,
            problem: Some(AccountProblem {
                what: "The server has nothing at this address.".into(),
                next: "Check the address.".into(),
                at: "2026-01-14T09:00:00Z".into(),
            }),
            reading: false,
            progress: None,
        }
    }

    #[test]
    fn a_problem_says_of_which_of_two_accounts_with_one_label_it_is() {
        for (kind, noun) in [("imap", "mail account"), ("caldav", "calendar account")] {
            let said = format!(
                "The {noun} dana@whitfield.example has a problem. The server has nothing at this address. Check the address."
            );
            assert_eq!(told(&row(kind)), Some(said));
        }
        let mut off = row("imap");
        off.state = AccountState::Off;
        assert_eq!(told(&off), None);
    }
}
