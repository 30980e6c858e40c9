//! `doctor`: reports what works, what is missing, and what to do.

mod models;

use adjutant_api::Reply;
use adjutant_api::reply::Check;
use adjutant_domain::faults::io_reason;
use adjutant_domain::ports::Records as _;

use super::{Service, accounts, servers};

/// The state of an optional feature that is not set up; `missing` is for required ones.
const OPTIONAL: &str = "optional";

pub(super) async fn check(service: &Service) -> Reply {
    let mut checks = vec![
        profile(service),
        storage(service).await,
        search(service).await,
    ];
    checks.push(clock(service));
    checks.push(owner(service));
    checks.extend(folders(service));
    checks.push(super::search::check(service).await);
    checks.extend(super::search::documents(service).await);
    checks.push(notifications());
    let accounts_need_it = accounts::keep_secrets(service).await;
    checks.extend(models::checks(&service.models, accounts_need_it).await);
    checks.extend(accounts::checks(service).await);
    checks.extend(servers::checks(service));
    Reply::Doctor { checks }
}

pub(super) fn line(name: &str, state: &str, found: impl Into<String>, hint: &str) -> Check {
    Check {
        name: name.into(),
        state: state.into(),
        found: found.into(),
        hint: hint.into(),
    }
}

fn profile(service: &Service) -> Check {
    let dir = service.place.dir();
    let probe = dir.join("doctor.probe");
    let written = std::fs::write(&probe, b"probe").and_then(|()| std::fs::remove_file(&probe));
    match written {
        Ok(()) => line(
            "Profile",
            "ok",
            format!("{} in {}", service.place.name(), dir.display()),
            "",
        ),
        Err(error) => line(
            "Profile",
            "broken",
            format!("{} cannot be written: {}", dir.display(), io_reason(&error)),
            "Free some space or make the folder writable. Nothing stored is lost.",
        ),
    }
}

async fn storage(service: &Service) -> Check {
    if service.engine.recovery_pending() {
        return line(
            "Storage",
            "broken",
            "how an interrupted action ended could not be stored",
            "Free some space or make the folder writable. Adjutant then tries again by itself.",
        );
    }
    match service.store.integrity_check().await {
        Ok(problems) if problems.is_empty() => line("Storage", "ok", "the database is sound", ""),
        Ok(problems) => line(
            "Storage",
            "broken",
            problems.join("; "),
            "Export what can be read in Settings, Privacy and data (`adjutant export DIR`), then import it into a new profile.",
        ),
        Err(fault) => line(
            "Storage",
            "broken",
            fault.to_string(),
            "Restore the profile folder from a backup.",
        ),
    }
}

async fn search(service: &Service) -> Check {
    match service.store.search("adjutant", &[], 1).await {
        Ok(_) => line("Search", "ok", "the index works", ""),
        Err(fault) => line(
            "Search",
            "broken",
            fault.to_string(),
            "Delete the folder `index` in the profile. Adjutant rebuilds it.",
        ),
    }
}

fn clock(service: &Service) -> Check {
    let now = service.now();
    match now.time_zone().iana_name() {
        Some(zone) if zone != "Etc/Unknown" => line(
            "Time",
            "ok",
            format!("{} in {zone}", now.strftime("%F %H:%M")),
            "",
        ),
        _ => line(
            "Time",
            "missing",
            "the system has no time zone set, so times are in UTC",
            "Choose one in Settings, Time and calendar (`adjutant config set time_zone Europe/Paris`).",
        ),
    }
}

fn owner(service: &Service) -> Check {
    let owner = service.settings().core.owner;
    if owner.emails.is_empty() {
        line(
            "You",
            OPTIONAL,
            "none of your mail addresses is known",
            "Enter them in Settings, You (`adjutant config set owner.emails you@example.org`), so that Adjutant can tell your own mails from those of others.",
        )
    } else {
        line(
            "You",
            "ok",
            format!("{} {}", owner.name, owner.emails.join(", "))
                .trim()
                .to_owned(),
            "",
        )
    }
}

fn folders(service: &Service) -> Vec<Check> {
    let folders = service.settings().core.folders;
    if folders.is_empty() {
        return vec![line(
            "Files",
            OPTIONAL,
            "Adjutant may search no folders",
            "Add one in Settings, Files (`adjutant config set folders /absolute/path`).",
        )];
    }
    folders
        .iter()
        .map(|folder| match std::fs::read_dir(folder) {
            Ok(_) => line("Files", "ok", folder.clone(), ""),
            Err(error) => line(
                "Files",
                "broken",
                format!("{folder}: {}", io_reason(&error)),
                "Correct it in Settings, Files (`adjutant config set folders /absolute/path`).",
            ),
        })
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the doctor looks at what the system offers"
)]
fn notifications() -> Check {
    if cfg!(target_os = "linux") && std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_none() {
        return line(
            "Notifications",
            "missing",
            "no session bus, so the system cannot show reminders",
            "Start Adjutant in a desktop session (without one, `adjutant run` prints what is due).",
        );
    }
    line("Notifications", "ok", "the system can show them", "")
}
