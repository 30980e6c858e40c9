//! Connects, reads, changes and removes accounts.

use std::collections::BTreeMap;
use std::pin::pin;

use adjutant_accounts::{Attempted, Field, Form, Kind, SetUpFault, SignedIn, kinds, problem};
use adjutant_api::convert::accounts;
use adjutant_api::models::SecretText;
use adjutant_api::reply::Check;
use adjutant_api::rows::{
    AccountFieldView, AccountKindView, AccountRow, AccountState, CollectionKind, FieldChoice,
    FieldForm, Rows, SignsIn,
};
use adjutant_api::{EventBody, Fault, Reply};
use adjutant_domain::account;
use adjutant_domain::faults::sentence;
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::{FRESH_FOR, Job};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::Records as _;
use adjutant_engine::NotDone;
use adjutant_net::NetFault;
use jiff::SignedDuration;
use secrecy::SecretString;

use super::{Service, Sink, missing, store_fault};
use crate::accounts::{Begun, Change, Left, NewAccount, NotAsked, NotChanged, Whose};

/// After a failed reading, opening a view does not trigger another one within this time.
const FAILED_FOR: SignedDuration = SignedDuration::from_mins(5);

/// Returns the kinds of account that can be connected.
pub(super) fn offered() -> Reply {
    Reply::AccountKinds {
        kinds: kinds().map(kind).collect(),
    }
}

fn kind(kind: &Kind) -> AccountKindView {
    AccountKindView {
        kind: kind.name.into(),
        label: kind.label.into(),
        about: kind.about.into(),
        signs_in: match kind.signs_in {
            adjutant_accounts::SignsIn::Here => SignsIn::Here,
            adjutant_accounts::SignsIn::Browser => SignsIn::Browser,
        },
        fields: kind.fields.iter().map(field).collect(),
    }
}

fn field(field: &Field) -> AccountFieldView {
    let choices: &[(&str, &str)] = match field.form {
        Form::Choice(choices) => choices,
        _ => &[],
    };
    let choices = choices.iter().map(|(value, label)| FieldChoice {
        value: (*value).into(),
        label: (*label).into(),
    });
    AccountFieldView {
        name: field.name.into(),
        label: field.label.into(),
        hint: field.hint.into(),
        form: match field.form {
            Form::Text => FieldForm::Text,
            Form::Tick => FieldForm::Tick,
            Form::Choice(_) => FieldForm::Choice,
            Form::PrivateText => FieldForm::PrivateText,
            Form::Password => FieldForm::Password,
        },
        choices: choices.collect(),
        required: field.required,
    }
}

/// Returns all accounts, with this computer first.
pub(super) async fn rows(service: &Service) -> Result<Vec<AccountRow>, Fault> {
    let (store, zone) = (&service.store, service.zone());
    let last = store.last_syncs().await.map_err(store_fault)?;
    let progress = service.accounts.progress().borrow().clone();
    let mut rows = Vec::new();
    for one in store.accounts().await.map_err(store_fault)? {
        let setup = store.account_setup(one.id.clone()).await;
        let settings = setup.map_err(store_fault)?.unwrap_or_default().settings;
        let last = last.get(&one.id).cloned().unwrap_or_default();
        let reading = service.accounts.is_reading(&one.id);
        let mut row = accounts::account(&one, settings, &last, reading, &zone);
        row.progress = progress.get(&one.id).copied().map(accounts::progress);
        rows.push(row);
    }
    Ok(rows)
}

/// Returns one account as a reply.
async fn one(service: &Service, id: &AccountId) -> Result<Reply, Fault> {
    let mut all = rows(service).await?;
    all.retain(|row| row.id == id.0);
    if all.is_empty() {
        return Err(missing(id.as_str()));
    }
    Ok(Reply::Rows {
        rows: Rows::Accounts(all),
        total: None,
    })
}

/// Connects an account with the result of a sign-in in the browser. Runs to completion even if nobody waits for it.
pub(super) async fn add(
    service: &Service,
    kind: String,
    label: Option<String>,
    mut settings: BTreeMap<String, String>,
    given: BTreeMap<String, SecretText>,
    signed_in: SignedIn,
) -> Result<Reply, Fault> {
    is_kind(&kind)?;
    let mut secrets = secrets(given);
    settings.extend(signed_in.settings);
    secrets.extend(signed_in.secrets);
    let new = NewAccount {
        kind,
        label,
        settings,
        secrets,
    };
    let accounts = service.accounts.clone();
    let added = service.tasks.spawn(async move { accounts.add(new).await });
    let id = added.await.map_err(broke_off)?;
    let id = id.map_err(|fault| not_changed(&fault, Attempted::Connecting))?;
    connected(service, &id).await
}

/// Returns an account that was just connected or signed in to as a reply.
async fn connected(service: &Service, id: &AccountId) -> Result<Reply, Fault> {
    if let Err(fault) = own_addresses(service, id).await {
        // The account is connected anyway; `doctor` reports that no address is known.
        tracing::warn!(code = %fault.code, "the addresses of a new account are not in Settings");
    }
    one(service, id).await
}

fn is_kind(kind: &str) -> Result<(), Fault> {
    if kinds().any(|one| one.name == kind) {
        return Ok(());
    }
    let names: Vec<&str> = kinds().map(|one| one.name).collect();
    Err(Fault {
        code: "kind".into(),
        message: format!("There is no kind of account called “{kind}”."),
        hint: format!("Choose one of these: {}.", names.join(", ")),
    })
}

/// Begins a sign-in in the browser.
pub(super) async fn begin_sign_in(
    service: &Service,
    kind: Option<String>,
    account: Option<String>,
    settings: BTreeMap<String, String>,
    given: BTreeMap<String, SecretText>,
) -> Result<Reply, Fault> {
    let account = account.map(|id| known(service, id)).transpose()?;
    let whose = match &account {
        Some(id) => Whose::Known(id.clone()),
        None => {
            let kind = kind.unwrap_or_default();
            is_kind(&kind)?;
            Whose::New(kind)
        }
    };
    let begun = service
        .accounts
        .begin_sign_in(whose, settings, secrets(given))
        .await;
    let attempted = attempted(account.as_ref());
    let Begun { id, address } = begun.map_err(|fault| not_changed(&fault, attempted))?;
    Ok(Reply::SignIn { id, address })
}

/// Waits for the person in the browser if a sign-in was begun, to a new account or this one; otherwise returns nothing
/// new.
pub(super) async fn until_signed_in(
    service: &Service,
    sign_in: Option<&str>,
    account: Option<&str>,
) -> Result<SignedIn, Fault> {
    match sign_in {
        Some(id) => {
            let account = account.map(AccountId::from);
            let waited = service.accounts.until_signed_in(id).await;
            waited.map_err(|fault| not_changed(&fault, attempted(account.as_ref())))
        }
        None => Ok(SignedIn::default()),
    }
}

fn attempted(account: Option<&AccountId>) -> Attempted<'_> {
    account.map_or(Attempted::Connecting, Attempted::SigningIn)
}

fn broke_off(_: tokio::task::JoinError) -> Fault {
    Fault {
        code: "broken".into(),
        message: "Connecting the account stopped because of an internal error.".into(),
        hint: "See whether the account is listed in Settings, Accounts (`adjutant accounts list`), then try again.".into(),
    }
}

/// Sets the collection for new records of a kind.
pub(super) async fn prefer(
    service: &Service,
    kind: CollectionKind,
    id: Option<String>,
) -> Result<Reply, Fault> {
    let store = &service.store;
    if let Some(id) = &id {
        let all = store.collections().await.map_err(store_fault)?;
        let wanted = all.iter().find(|one| one.id.0 == *id);
        let wanted = wanted.ok_or_else(|| missing(id))?;
        if wanted.kind != kind.into() || kind == CollectionKind::Mailbox {
            return Err(Fault {
                code: "kind".into(),
                message: format!("“{}” cannot hold that kind of item.", wanted.name),
                hint: "Choose a calendar for events, a task list for tasks or an address book for contacts. Mail is sent from the account of its sender.".into(),
            });
        }
        if !wanted.writable {
            return Err(Fault {
                code: "read_only".into(),
                message: format!("Nothing can be added to “{}”.", wanted.name),
                hint: "Choose one that is not read-only (`adjutant show collections`).".into(),
            });
        }
    }
    let preferred = store.prefer_collection(kind.into(), id.map(Into::into));
    preferred.await.map_err(store_fault)?;
    let all = store.collections().await.map_err(store_fault)?;
    Ok(Reply::Rows {
        rows: Rows::Collections(accounts::collections(&all)),
        total: None,
    })
}

/// Adds the person's addresses at a new account to the settings, so that mail can be sent from them at once.
pub(super) async fn own_addresses(service: &Service, id: &AccountId) -> Result<(), Fault> {
    let all = service.store.accounts().await.map_err(store_fault)?;
    let known = service.settings().core.owner.emails;
    let mut emails = known.clone();
    for address in all
        .iter()
        .filter(|one| one.id == *id)
        .flat_map(|one| &one.addresses)
    {
        if !emails.iter().any(|own| own.eq_ignore_ascii_case(address)) {
            emails.push(address.clone());
        }
    }
    if emails != known {
        super::config::set(service, "owner.emails", Some(&emails.join(", "))).await?;
    }
    Ok(())
}

/// Builds the change of an account, including the result of a sign-in in the browser.
pub(super) fn changed(
    label: Option<String>,
    mut settings: BTreeMap<String, String>,
    given: BTreeMap<String, SecretText>,
    on: Option<bool>,
    signed_in: SignedIn,
) -> Change {
    let mut secrets = secrets(given);
    settings.extend(signed_in.settings);
    secrets.extend(signed_in.secrets);
    Change {
        label,
        settings,
        secrets,
        on,
    }
}

/// Changes an account.
pub(super) async fn change(service: &Service, id: String, change: Change) -> Result<Reply, Fault> {
    let id = known(service, id)?;
    let signs_in = !change.secrets.is_empty() || !change.settings.is_empty();
    let changed = service.accounts.change(&id, change).await;
    changed.map_err(|fault| not_changed(&fault, Attempted::SigningIn(&id)))?;
    if signs_in {
        service.engine.hurry_signed_in(&id).await;
    }
    one(service, &id).await
}

/// Removes an account.
pub(super) async fn remove(service: &Service, id: String, keep: bool) -> Result<Reply, Fault> {
    let id = known(service, id)?;
    let Left {
        keyring,
        signed_in,
        is_tried_again,
        access_page,
    } = service
        .accounts
        .remove(&id, keep)
        .await
        .map_err(store_fault)?;
    let keyring = keyring.map(|fault| {
        (
            "its password may still be in the keyring.",
            sentence(&fault.to_string()),
            "Remove the entries named “adjutant” with the keyring's own program.".to_owned(),
        )
    });
    let signed_in = signed_in.map(|fault| {
        let (what, hint) = not_revoked(is_tried_again, access_page);
        (what, problem(&fault, Attempted::SigningIn(&id)).what, hint)
    });
    let left: Vec<_> = keyring.into_iter().chain(signed_in).collect();
    if left.is_empty() {
        return Ok(Reply::Ok {});
    }
    let what: Vec<String> = left
        .iter()
        .map(|(what, why, _)| format!("{what} {why}"))
        .collect();
    let hints: Vec<&str> = left.iter().map(|(_, _, hint)| hint.as_str()).collect();
    Err(Fault {
        code: "removed_in_part".into(),
        message: format!(
            "The account is removed here, but {}",
            what.join(" Besides, ")
        ),
        hint: hints.join(" "),
    })
}

/// Says that the provider of a removed account still allows access, and what happens next.
fn not_revoked(is_tried_again: bool, page: Option<&str>) -> (&'static str, String) {
    let at = page.map_or_else(|| ".".to_owned(), |page| format!(": {page}"));
    match is_tried_again {
        true => (
            "its provider could not be told.",
            format!(
                "Adjutant tells it by itself as soon as it can. Until then, the sign-in stays in the keyring. You can also remove the access at the provider, under connected apps{at}"
            ),
        ),
        false => (
            "its provider did not withdraw the access, and still lists it.",
            format!(
                "Remove Adjutant's access in the settings of your account there, under connected apps{at}"
            ),
        ),
    }
}

/// Reads accounts now and waits for them. With `glance`, only starts reading those not read for a while, without
/// waiting.
pub(super) async fn sync(
    service: &Service,
    id: Option<String>,
    glance: bool,
    out: &Sink,
) -> Result<Reply, Fault> {
    let wanted = id.map(|id| known(service, id)).transpose()?;
    let all = service.store.accounts().await.map_err(store_fault)?;
    let is_wanted = |one: &account::Account| {
        !one.id.is_local() && wanted.as_ref().is_none_or(|id| *id == one.id)
    };
    let now = service.now().timestamp();
    if glance {
        let last = service.store.last_syncs().await.map_err(store_fault)?;
        for one in all.iter().filter(|one| is_wanted(one)) {
            let last = last.get(&one.id).cloned().unwrap_or_default();
            let since = |at: jiff::Timestamp| now.duration_since(at);
            let is_fresh = last.read.is_some_and(|at| since(at) < FRESH_FOR)
                || last
                    .problem
                    .is_some_and(|problem| since(problem.at) < FAILED_FOR);
            if one.state == account::AccountState::Ready && !is_fresh {
                let planned = service.store.plan_job(Job::sync(one, now)).await;
                planned.map_err(store_fault)?;
            }
        }
    } else {
        // Run separately from this request, so that readings complete even if it is cancelled.
        let mut jobs: Vec<Job> = all
            .iter()
            .filter(|one| is_wanted(one))
            .map(|one| Job::sync(one, now))
            .collect();
        if wanted.is_none() {
            let left = service.accounts.sign_outs().await.map_err(store_fault)?;
            jobs.extend(left.iter().map(|one| one.job(now)));
        }
        let reading = jobs.into_iter().map(|job| {
            let (engine, accounts) = (service.engine.clone(), service.accounts.clone());
            service.tasks.spawn(async move {
                let (same, id) = (job.clone(), job.id.clone());
                let worked =
                    engine.work_on(job, |far| async move { (accounts.work(same, far).await, ()) });
                if worked.await == Err(NotDone::Busy) {
                    let left = engine.until_left(&id).await;
                    if let Err(fault) = left {
                        tracing::warn!(%fault, %id, "whether an account is still being read could not be read");
                    }
                }
            })
        });
        let reading = futures::future::join_all(reading);
        follow(service, &all, reading, out).await;
    }
    let mut rows = rows(service).await?;
    rows.retain(|row| wanted.as_ref().is_none_or(|id| id.0 == row.id));
    Ok(Reply::Rows {
        rows: Rows::Accounts(rows),
        total: None,
    })
}

/// Sends the progress of accounts to the requester until they have been read.
async fn follow(service: &Service, all: &[account::Account], reading: impl Future, out: &Sink) {
    let mut progress = service.accounts.progress();
    let mut reading = pin!(reading);
    loop {
        tokio::select! {
            _ = &mut reading => return,
            told = progress.changed() => if told.is_err() {
                reading.await;
                return;
            },
        }
        let now = progress.borrow_and_update().clone();
        let mut labels = all.iter().filter(|one| now.contains_key(&one.id));
        if let Some(first) = labels.next() {
            out.note(EventBody::Progress {
                what: first.label.clone(),
                done: now.values().map(|far| far.done).sum(),
                total: Some(now.values().map(|far| far.total).sum()),
                ended: None,
            });
        }
    }
}

/// Returns whether any account has a password or another secret in the keyring.
pub(super) async fn keep_secrets(service: &Service) -> bool {
    for id in service.accounts.known() {
        let setup = service.store.account_setup(id).await;
        // Storage that cannot be read has a line of its own.
        if setup.is_ok_and(|setup| setup.is_some_and(|setup| !setup.secrets.is_empty())) {
            return true;
        }
    }
    false
}

/// Returns one `doctor` line for each account.
pub(super) async fn checks(service: &Service) -> Vec<Check> {
    let line = |name: String, state: &str, found: String, hint: String| Check {
        name,
        state: state.into(),
        found,
        hint,
    };
    let rows = match rows(service).await {
        Ok(rows) => rows,
        Err(fault) => {
            return vec![line("Accounts".into(), "broken", fault.message, fault.hint)];
        }
    };
    let connected: Vec<AccountRow> = rows
        .into_iter()
        .filter(|row| row.id != AccountId::LOCAL)
        .collect();
    let left = service.accounts.sign_outs().await.unwrap_or_default();
    let left = left.into_iter().map(|one| {
        line(
            format!("Account {}", one.label),
            "broken",
            "removed, but its provider could not be told yet, so its sign-in is still in the keyring"
                .into(),
            "Adjutant tries again by itself. You can also remove its access at the provider, under connected apps.".into(),
        )
    });
    let given_up = service.accounts.given_up_sign_outs().await;
    let given_up = given_up.unwrap_or_default().into_iter().map(|one| {
        let (_, hint) = not_revoked(false, one.access_page());
        line(
            format!("Account {}", one.label),
            "broken",
            "removed here, but its provider did not withdraw the access, and still lists it".into(),
            hint,
        )
    });
    let left: Vec<Check> = left.chain(given_up).collect();
    if connected.is_empty() && left.is_empty() {
        return vec![line(
            "Accounts".into(),
            "ok",
            "none; everything works on this computer, and approved mail stays in the outbox".into(),
            String::new(),
        )];
    }
    let checks = connected.into_iter().map(|row| {
        // Two accounts may have one label: mail and calendar of the same address.
        let noun = adjutant_accounts::noun(&row.kind);
        let name = format!("Account {} ({noun})", row.label);
        match (row.state, row.problem) {
            (AccountState::Off, _) => line(
                name,
                "optional",
                "switched off".into(),
                format!(
                    "Switch it on in Settings, Accounts (`adjutant accounts resume {}`).",
                    row.id
                ),
            ),
            (_, Some(problem)) => line(name, "broken", problem.what, problem.next),
            (_, None) => {
                let found = match row.read {
                    Some(_) => "read completely, without problems since",
                    None => "not read yet",
                };
                line(name, "ok", found.to_owned(), String::new())
            }
        }
    });
    checks.chain(left).collect()
}

fn known(service: &Service, id: String) -> Result<AccountId, Fault> {
    let id = AccountId(id);
    if service.accounts.known().contains(&id) {
        Ok(id)
    } else {
        Err(missing(id.as_str()))
    }
}

fn secrets(given: BTreeMap<String, SecretText>) -> BTreeMap<String, SecretString> {
    let given = given.into_iter();
    given
        .map(|(name, SecretText(text))| (name, text.into()))
        .collect()
}

fn not_changed(fault: &NotChanged, attempted: Attempted<'_>) -> Fault {
    match fault {
        NotChanged::NotAsked(NotAsked::Store(fault)) => store_fault(fault.clone()),
        NotChanged::NotAsked(NotAsked::Family(_, fault)) => {
            not_changed(&NotAsked::from(fault.clone()).into(), attempted)
        }
        NotChanged::NotAsked(NotAsked::SetUp(fault)) => {
            let told = problem(fault, attempted);
            let code = match fault {
                SetUpFault::Field { field, .. } => *field,
                SetUpFault::Remote(RemoteFault::NotSignedIn { .. }) => "password",
                SetUpFault::Net(NetFault::Untrusted { .. })
                | SetUpFault::Remote(RemoteFault::Untrusted { .. }) => "certificate",
                SetUpFault::Net(_) | SetUpFault::Remote(_) => "not_connected",
            };
            Fault {
                code: code.into(),
                message: told.what,
                hint: told.next,
            }
        }
        NotChanged::Secrets(fault) => Fault {
            code: "keyring".into(),
            message: format!("The account was not connected: {fault}."),
            hint: "Start or unlock this computer's keyring and try again. Adjutant never writes passwords to files.".into(),
        },
        NotChanged::Twice { id, .. } => Fault {
            code: "connected_already".into(),
            message: sentence(&fault.to_string()),
            hint: format!(
                "Sign in to it again in Settings, Accounts (`adjutant accounts sign-in {id}`), or connect another one."
            ),
        },
        NotChanged::TooMany => Fault {
            code: "too_many".into(),
            message: sentence(&fault.to_string()),
            hint: "Remove one first.".into(),
        },
    }
}
