//! Lists profiles and switches between them while the windows stay open. A switch replaces the engine, the tray's
//! content, due work, the shortcut, and every page.

use adjutant::profile::place::{DEFAULT_PROFILE, SAMPLE_PROFILE};
use adjutant::session::{self, Options};
use adjutant_api::Fault;
use serde::Serialize;
use tauri::{AppHandle, Manager, State, async_runtime};

use crate::bridge::{self, Bridge, fault};
use crate::{desk, due, windows};

/// The profiles, for a page.
#[derive(Debug, Serialize)]
pub(crate) struct Profiles {
    /// The open profile.
    current: String,
    /// The profile to return to from the sample.
    own: String,
    /// The name of the sample profile, whether or not it exists yet.
    sample: String,
    /// All existing profiles.
    names: Vec<String>,
}

/// Returns the current profile's name for a title; `None` for the default profile.
pub(crate) fn shown(app: &AppHandle) -> Option<String> {
    let name = app.state::<Bridge>().profile();
    (name != DEFAULT_PROFILE).then_some(name)
}

/// Returns a title with the profile's name added, if any.
pub(crate) fn named(title: &str, profile: Option<&str>) -> String {
    match profile {
        Some(profile) => format!("{title} ({profile})"),
        None => title.to_owned(),
    }
}

/// Returns the profiles that a page can offer.
#[tauri::command]
pub(crate) async fn profiles(bridge: State<'_, Bridge>) -> Result<Profiles, Fault> {
    let (current, own) = (bridge.profile(), bridge.own_profile());
    let mut names = list(bridge.options()).await?;
    for name in [&current, &own] {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Ok(Profiles {
        current,
        own,
        sample: SAMPLE_PROFILE.to_owned(),
        names,
    })
}

/// Opens another profile. Every page reloads, including the one that called. If the profile cannot be opened, the
/// current one stays open and nothing changes.
#[tauri::command]
pub(crate) async fn switch_profile(
    app: AppHandle,
    bridge: State<'_, Bridge>,
    key: String,
    name: String,
) -> Result<(), Fault> {
    // A call repeated after a reload must not undo a later switch.
    if !bridge.is_first(key) {
        return Ok(());
    }
    let before = bridge.profile();
    if name == before && bridge.session().await.is_ok() {
        return Ok(());
    }
    let options = bridge.options();
    let known = name == DEFAULT_PROFILE || list(options.clone()).await?.contains(&name);
    if !known {
        return Err(fault(
            "profile",
            format!("There is no profile “{}”.", name.escape_debug()),
            "Choose one from the menu.",
        ));
    }
    let options = Options {
        profile: Some(name.clone()),
        ..options
    };
    let switched = bridge::switch(&app, options)
        .await
        .map_err(|why| not_opened(&name, &before, why))?;
    desk::follow(&app);
    due::follow(&app);
    windows::renew(&app);
    switched.close_left();
    Ok(())
}

fn not_opened(name: &str, before: &str, why: Fault) -> Fault {
    Fault {
        code: why.code,
        message: format!("The profile “{name}” could not be opened. {}", why.message),
        hint: format!("{} You are still in “{before}”.", why.hint)
            .trim_start()
            .to_owned(),
    }
}

async fn list(options: Options) -> Result<Vec<String>, Fault> {
    async_runtime::spawn_blocking(move || session::profiles(&options))
        .await
        .unwrap_or_else(|error| Err(fault("profile", error.to_string(), "Try again.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_the_profile_unless_it_is_the_usual_one() {
        assert_eq!(named("Adjutant", None), "Adjutant");
        assert_eq!(named("Adjutant", Some("sample")), "Adjutant (sample)");
    }

    #[test]
    fn a_failure_says_what_did_not_open_and_where_one_still_is() {
        let why = fault(
            "newer",
            "A newer Adjutant has written it.",
            "Update this one.",
        );
        let told = not_opened("work", "default", why);
        assert_eq!(
            (told.message.as_str(), told.hint.as_str()),
            (
                "The profile “work” could not be opened. A newer Adjutant has written it.",
                "Update this one. You are still in “default”."
            )
        );
        let told = not_opened("work", "default", fault("x", "It is locked.", ""));
        assert_eq!(told.hint, "You are still in “default”.");
    }
}
