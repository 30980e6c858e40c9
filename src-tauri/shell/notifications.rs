//! System notifications: a title, one line, and a click that opens a place in the app. The engine decides what deserves
//! a notification and that it comes only once.

use std::str::FromStr;

use adjutant_api::{Fault, Reply, Request};
use jiff::civil::{DateTime, Time};
use tauri::AppHandle;
use tauri_plugin_notification::NotificationExt;

use crate::{bridge, desk, profiles, windows};

/// Key under which a notification stores its place.
const ROUTE: &str = "route";

/// Maximum number of characters in title and line. Notification servers cut longer texts anyway, some of them late.
const TITLE_CHARS_MAX: usize = 80;
const LINE_CHARS_MAX: usize = 160;

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    /// The title.
    pub(crate) title: String,
    /// One additional line.
    pub(crate) line: String,
    /// The place that a click opens, such as `approvals/a1`.
    pub(crate) route: String,
}

/// Shows a notification unless the person wants none at this time. There is no way to know that it appeared: a system
/// without notifications accepts and ignores it.
pub(crate) async fn show(app: &AppHandle, notice: &Notice) {
    match wanted(app).await {
        Ok(true) => {}
        Ok(false) => return,
        // Better one notification too many than a missed reminder.
        Err(fault) => eprintln!(
            "The setting for notifications could not be read: {}",
            fault.message
        ),
    }
    let shown = app
        .notification()
        .builder()
        .title(profiles::named(
            &plain(&notice.title, TITLE_CHARS_MAX),
            profiles::shown(app).as_deref(),
        ))
        .body(markup_free(&plain(&notice.line, LINE_CHARS_MAX)))
        .extra(ROUTE, &notice.route)
        .show();
    if let Err(error) = shown {
        eprintln!("A notification could not be shown: {error}");
    }
}

/// Tells whether the settings allow a notification at this time of day.
async fn wanted(app: &AppHandle) -> Result<bool, Fault> {
    let on = desk::setting(app, "desktop.notifications").await? == "true";
    let time = async |key| {
        desk::setting(app, key)
            .await
            .map(|text| text.parse::<Time>().ok())
    };
    let (from, to) = (
        time("desktop.quiet_from").await?,
        time("desktop.quiet_to").await?,
    );
    let now = time_of_day(app).await?;
    Ok(on
        && !from
            .zip(to)
            .is_some_and(|(from, to)| is_quiet(now, from, to)))
}

/// Returns the person's local time according to the engine's clock.
async fn time_of_day(app: &AppHandle) -> Result<Time, Fault> {
    let unreadable = || {
        bridge::fault(
            "clock",
            "The time could not be read.",
            "Close Adjutant and open it again.",
        )
    };
    let Reply::Status { status } = bridge::ask(app, Request::Status {}).await? else {
        return Err(unreadable());
    };
    // The text contains the person's local time before the offset.
    DateTime::from_str(&status.now)
        .map(DateTime::time)
        .map_err(|_| unreadable())
}

/// Tells whether `now` is in quiet hours. They span midnight if `to` is earlier than `from`; equal times mean never.
fn is_quiet(now: Time, from: Time, to: Time) -> bool {
    if from <= to {
        from <= now && now < to
    } else {
        from <= now || now < to
    }
}

/// Opens a notification's place when the person clicks it.
pub(crate) fn follow_clicks(app: &AppHandle) -> Result<(), tauri_plugin_notification::Error> {
    let handle = app.clone();
    app.notification().on_action(move |action| {
        let route = action
            .notification()
            .and_then(|notification| notification.extra().get(ROUTE))
            .and_then(|route| route.as_str());
        if let Err(error) = windows::show_main(&handle, route) {
            eprintln!("The window could not be shown: {error}");
        }
    })
}

/// Returns one line without control characters, cut to `chars_max`.
fn plain(text: &str, chars_max: usize) -> String {
    let words: Vec<&str> = text
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    let mut cut: String = line.chars().take(chars_max).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut
}

/// Escapes markup on Linux, where the body may be parsed as markup but a person's data must stay text.
fn markup_free(text: &str) -> String {
    if cfg!(target_os = "linux") {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_may_pass_midnight() {
        let at = |hour| Time::constant(hour, 0, 0, 0);
        assert!(is_quiet(at(23), at(22), at(7)) && is_quiet(at(3), at(22), at(7)));
        assert!(!is_quiet(at(7), at(22), at(7)) && !is_quiet(at(12), at(22), at(7)));
        assert!(is_quiet(at(13), at(12), at(14)) && !is_quiet(at(14), at(12), at(14)));
        assert!(!is_quiet(at(12), at(12), at(12)));
    }

    #[test]
    fn text_stays_one_short_line_and_no_markup() {
        assert_eq!(plain("Dentist\n\u{7}at  11:30", 80), "Dentist at 11:30");
        assert_eq!(plain("abcdef", 3), "abc…");
        if cfg!(target_os = "linux") {
            assert_eq!(markup_free("<b>A & B</b>"), "&lt;b&gt;A &amp; B&lt;/b&gt;");
        }
    }
}
