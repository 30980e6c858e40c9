//! Which profiles there are, and going from one to another while the windows stand: with the profile change the engine
//! behind them, the tray, what becomes due, the shortcut, and every page.

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
    /// The one that is open.
    current: String,
    /// The one a person comes back to from the sample.
    own: String,
    /// The one with the sample data, whether or not there is one yet.
    sample: String,
    /// All there are.
    names: Vec<String>,
}

/// The name of the profile in force for a title; none for the usual one.
pub(crate) fn shown(app: &AppHandle) -> Option<String> {
    let name = app.state::<Bridge>().profile();
    (name != DEFAULT_PROFILE).then_some(name)
}

/// A title with the profile it belongs to.
pub(crate) fn named(title: &str, profile: Option<&str>) -> String {
    match profile {
        Some(profile) => format!("{title} ({profile})"),
        None => title.to_owned(),
    }
}

/// What a page can choose from.
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

/// Opens another profile. Every page starts anew on it, the one that asked as well. When it cannot be opened, the one
/// before is still open and nothing has changed.
#[tauri::command]
pub(crate) async fn switch_profile(
    app: AppHandle,
    bridge: State<'_, Bridge>,
    key: String,
    name: String,
) -> Result<(), Fault> {
    // A call that a reload sends a second time must not switch back what was switched since.
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
            "Choose one of those in the menu.",
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
