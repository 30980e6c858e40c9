//! The tray menu: quick-ask, waiting approvals, the next event, and Quit. `desk` provides its content.

use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Manager, Wry};

use crate::{bridge, profiles, quick_ask, windows};

/// Id of the only tray item.
const TRAY: &str = "adjutant";

/// Maximum number of characters in a menu entry.
const WORDS_CHARS_MAX: usize = 60;

/// The variable content of the tray.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Glance {
    /// Number of approvals that wait for the person.
    pub(crate) waiting: usize,
    /// The next event of today or tomorrow, in words.
    pub(crate) next: Option<String>,
    /// Long-running work in progress, in words.
    pub(crate) working: Option<String>,
    /// The profile's name, if it is not the default one.
    pub(crate) profile: Option<String>,
}

/// The menu entries whose text changes.
struct ChangingEntries {
    ask: MenuItem<Wry>,
    waiting: MenuItem<Wry>,
    next: MenuItem<Wry>,
    working: MenuItem<Wry>,
}

/// The action of a menu entry; the names are the menu's ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Ask,
    Waiting,
    Next,
    Working,
    StopAll,
    Open,
    Quit,
}

impl Entry {
    const ALL: [Self; 7] = [
        Self::Ask,
        Self::Waiting,
        Self::Next,
        Self::Working,
        Self::StopAll,
        Self::Open,
        Self::Quit,
    ];

    fn id(self) -> &'static str {
        match self {
            Self::Ask => "quick-ask",
            Self::Waiting => "approvals",
            Self::Next => "next-event",
            Self::Working => "background-work",
            Self::StopAll => "stop-everything",
            Self::Open => "open",
            Self::Quit => "quit",
        }
    }
}

/// Creates the tray item, with nothing waiting yet.
pub(crate) fn build(app: &AppHandle) -> tauri::Result<()> {
    let entry =
        |entry: Entry, words: &str| MenuItem::with_id(app, entry.id(), words, true, None::<&str>);
    let glance = Glance::default();
    let entries = ChangingEntries {
        // Without its shortcut until that is active.
        ask: entry(Entry::Ask, &ask_words(""))?,
        waiting: entry(Entry::Waiting, &waiting_words(&glance))?,
        next: entry(Entry::Next, &next_words(&glance))?,
        working: entry(Entry::Working, &working_words(&glance))?,
    };
    let line = || PredefinedMenuItem::separator(app);
    let (first_line, second_line) = (line()?, line()?);
    let (stop, open, quit) = (
        entry(Entry::StopAll, "Stop everything")?,
        entry(Entry::Open, "Open Adjutant")?,
        entry(Entry::Quit, "Quit, reminders stop")?,
    );
    let items: [&dyn IsMenuItem<Wry>; 9] = [
        &entries.ask,
        &entries.waiting,
        &entries.next,
        &entries.working,
        &first_line,
        &stop,
        &second_line,
        &open,
        &quit,
    ];
    let menu = Menu::with_items(app, &items)?;
    let mut tray = TrayIconBuilder::with_id(TRAY)
        .tooltip("Adjutant")
        .menu(&menu)
        .on_menu_event(|app, event| {
            if let Some(entry) = Entry::ALL
                .into_iter()
                .find(|entry| event.id() == entry.id())
            {
                act(app, entry);
            }
        });
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)?;
    app.manage(entries);
    Ok(())
}

/// Updates the tray's content.
pub(crate) fn show(app: &AppHandle, glance: &Glance) -> tauri::Result<()> {
    let entries = app.state::<ChangingEntries>();
    entries.waiting.set_text(waiting_words(glance))?;
    entries.next.set_text(next_words(glance))?;
    entries.working.set_text(working_words(glance))?;
    if let Some(tray) = app.tray_by_id(TRAY) {
        tray.set_tooltip(Some(tooltip(glance)))?;
    }
    Ok(())
}

/// Shows the shortcut of quick-ask; empty if there is none.
pub(crate) fn show_shortcut(app: &AppHandle, shortcut: &str) -> tauri::Result<()> {
    app.state::<ChangingEntries>()
        .ask
        .set_text(ask_words(shortcut))
}

fn act(app: &AppHandle, entry: Entry) {
    let done = match entry {
        Entry::Ask => {
            quick_ask::show(app);
            Ok(())
        }
        Entry::Waiting => windows::show_main(app, Some("approvals")),
        Entry::Next => windows::show_main(app, Some("today")),
        Entry::Working => windows::show_main(app, Some("settings/background")),
        Entry::Open => windows::show_main(app, None),
        Entry::StopAll => {
            bridge::stop_everything(app);
            Ok(())
        }
        Entry::Quit => {
            bridge::quit(app);
            Ok(())
        }
    };
    if let Err(error) = done {
        eprintln!("The tray's entry {} failed: {error}", entry.id());
    }
}

fn ask_words(shortcut: &str) -> String {
    if shortcut.is_empty() {
        return "Quick-ask".to_owned();
    }
    format!("Quick-ask  ({})", shortcut.replace('+', " "))
}

fn waiting_words(glance: &Glance) -> String {
    match glance.waiting {
        0 => "Nothing waits for you".to_owned(),
        1 => "1 approval waiting".to_owned(),
        many => format!("{many} approvals waiting"),
    }
}

fn next_words(glance: &Glance) -> String {
    glance
        .next
        .as_deref()
        .map_or_else(|| "Nothing more today".to_owned(), short)
}

fn working_words(glance: &Glance) -> String {
    let working = glance.working.as_deref();
    working.map_or_else(
        || "Background work".to_owned(),
        |title| format!("Running: {}", short(title)),
    )
}

fn tooltip(glance: &Glance) -> String {
    let name = profiles::named("Adjutant", glance.profile.as_deref());
    match glance.waiting {
        0 => name,
        _ => format!("{name}: {}", waiting_words(glance)),
    }
}

/// Shortens text for a menu. Doubles ampersands, since a single one marks an access key.
fn short(name: &str) -> String {
    let one_line: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = one_line.chars().take(WORDS_CHARS_MAX).collect();
    if cut.len() < one_line.len() {
        cut.push('…');
    }
    cut.replace('&', "&&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_menu_says_what_waits_and_what_comes() {
        let mut glance = Glance::default();
        assert_eq!(waiting_words(&glance), "Nothing waits for you");
        assert_eq!(working_words(&glance), "Background work");
        glance.working = Some("Fetch a & b".into());
        assert_eq!(working_words(&glance), "Running: Fetch a && b");
        assert_eq!(next_words(&glance), "Nothing more today");
        assert_eq!(tooltip(&glance), "Adjutant");
        glance.waiting = 1;
        assert_eq!(waiting_words(&glance), "1 approval waiting");
        glance.waiting = 4;
        glance.next = Some("Pricing\nreview, 10:00".into());
        assert_eq!(tooltip(&glance), "Adjutant: 4 approvals waiting");
        assert_eq!(next_words(&glance), "Pricing review, 10:00");
        glance.profile = Some("sample".into());
        assert_eq!(tooltip(&glance), "Adjutant (sample): 4 approvals waiting");
    }

    #[test]
    fn a_long_name_is_cut_and_marks_of_keys_are_not_taken_from_it() {
        assert_eq!(short("Tea & cake"), "Tea && cake");
        let long = short(&"ä".repeat(100));
        assert_eq!(long.chars().count(), WORDS_CHARS_MAX + 1);
        assert!(long.ends_with('…'));
    }
}
