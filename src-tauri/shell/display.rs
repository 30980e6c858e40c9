//! Whether a window can be shown at all, asked before anything that would end the program without an explanation.

/// Ok where a window can be shown; otherwise what to tell the person.
pub(crate) fn check() -> Result<(), String> {
    #[cfg(target_os = "linux")]
    crate::painting::suit_machine();
    // The name that tray and window lists show, before anything asks for it.
    #[cfg(target_os = "linux")]
    gtk::glib::set_application_name("Adjutant");
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        return Err(
            "No display was found, so there is no window to open.\nRun `adjutant chat` to talk to the same assistant in the terminal."
                .to_owned(),
        );
    }
    Ok(())
}
