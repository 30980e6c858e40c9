//! Keeps what the shell shows outside its windows up to date: the tray's texts, the shortcut, and the autostart. It
//! reads the state again when the engine reports a change, never on a timer.

use adjutant::profile::place::DEFAULT_PROFILE;
use adjutant_api::{EventBody, Fault, Reply, Request};
use tauri::AppHandle;

use crate::notifications::Notice;
use crate::tray::Glance;
use crate::waiting::Waiting;
use crate::{autostart, bridge, finished, listen, notifications, profiles, quick_ask, tray};

/// Keeps everything up to date until the app ends.
pub(crate) fn follow(app: &AppHandle) {
    let to = app.clone();
    bridge::work(app, async move {
        if let Err(fault) = keep(&to).await {
            eprintln!("The tray is no longer updated: {}", fault.message);
        }
    });
}

async fn keep(app: &AppHandle) -> Result<(), Fault> {
    // Subscribe before reading, so that no change is missed.
    let mut listener = listen::Listener::new(app, None, 0);
    listener.begin().await?;
    refresh(app).await?;
    apply_settings(app, Problems::Quietly).await?;
    let mut waiting = Waiting::start(app).await?;
    while let Some(event) = listener.next().await? {
        let followed = match event.body {
            EventBody::Changed { kinds } => changed(app, &kinds, &mut waiting).await,
            EventBody::ResearchState { id, state, .. } => finished::announce(app, &id, state).await,
            _ => Ok(()),
        };
        if let Err(fault) = followed {
            eprintln!("A change could not be applied: {}", fault.message);
        }
    }
    Ok(())
}

async fn changed(app: &AppHandle, kinds: &[String], waiting: &mut Waiting) -> Result<(), Fault> {
    let any = |wanted: &[&str]| kinds.iter().any(|kind| wanted.contains(&kind.as_str()));
    if any(&["settings"]) {
        apply_settings(app, Problems::Aloud).await?;
    }
    if any(&["approvals", "events", "jobs", "settings"]) {
        refresh(app).await?;
    }
    if any(&["approvals"]) {
        waiting.look(app).await?;
    }
    Ok(())
}

async fn refresh(app: &AppHandle) -> Result<(), Fault> {
    if let Reply::Status { status } = bridge::ask(app, Request::Status {}).await? {
        let glance = Glance {
            waiting: status.approvals,
            next: status.next_event,
            working: status.working,
            profile: profiles::shown(app),
        };
        tray::show(app, &glance).map_err(tray_fault)?;
    }
    Ok(())
}

/// Whether to tell the person about a setting that cannot be applied. At startup nobody has just changed one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Problems {
    Quietly,
    Aloud,
}

async fn apply_settings(app: &AppHandle, told: Problems) -> Result<(), Fault> {
    let shortcut = setting(app, "desktop.quick_ask_shortcut").await?;
    let autostart = setting(app, "desktop.autostart").await? == "true";
    let mut problems = Vec::new();
    match quick_ask::bind(app, &shortcut) {
        Ok(()) => tray::show_shortcut(app, &shortcut).map_err(tray_fault)?,
        Err(problem) => problems.push(problem),
    }
    match profiles::shown(app) {
        None => problems.extend(autostart::apply(app, autostart).err()),
        // The system starts the default profile, so only that profile's setting counts.
        Some(_) if autostart => problems.push(format!(
            "Starting with the system is a setting of the profile “{DEFAULT_PROFILE}”. Go back to it and turn it on there."
        )),
        Some(_) => {}
    }
    for problem in problems {
        eprintln!("{problem}");
        if told == Problems::Aloud {
            let notice = Notice {
                title: "A setting has no effect yet".into(),
                line: problem,
                route: "settings".into(),
            };
            notifications::show(app, &notice).await;
        }
    }
    Ok(())
}

/// Returns the value of one setting as text.
pub(crate) async fn setting(app: &AppHandle, key: &str) -> Result<String, Fault> {
    match bridge::ask(
        app,
        Request::ConfigGet {
            key: key.to_owned(),
        },
    )
    .await?
    {
        Reply::Config { settings } => Ok(settings
            .into_iter()
            .next()
            .map(|setting| setting.value)
            .unwrap_or_default()),
        _ => Ok(String::new()),
    }
}

fn tray_fault(error: tauri::Error) -> Fault {
    bridge::fault(
        "tray",
        format!("The tray could not be changed: {error}"),
        "",
    )
}
