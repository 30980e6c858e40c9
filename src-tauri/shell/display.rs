//! Checks whether a window can be shown, before anything would end the program without an explanation.

/// Returns an error message for the person if no window can be shown.
pub(crate) fn check() -> Result<(), String> {
    #[cfg(target_os = "linux")]
    crate::painting::suit_machine();
    // Set the name shown in the tray and window lists before anything uses it.
    #[cfg(target_os = "linux")]
    gtk::glib::set_application_name("Adjutant");
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        return Err(
            "No display was found, so the window cannot open.\nRun `adjutant chat` to use the same assistant in the terminal."
                .to_owned(),
        );
    }
    Ok(())
}
