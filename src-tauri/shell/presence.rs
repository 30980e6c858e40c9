//! Tracks whether quick-ask is wanted, based on requests and keyboard focus. Contains only the rules; `quick_ask`
//! applies them.
//!
//! Losing the keyboard focus means that the person went elsewhere, but not every reported loss is real: a global
//! shortcut takes the focus while its key is held down, and events of an earlier showing arrive after the window is
//! shown again. So a loss counts only if it began after a showing had settled, and if it lasts.

use std::time::Duration;

/// Time until a showing has settled; before that, focus events may refer to the past.
pub(crate) const RESTS_AFTER: Duration = Duration::from_millis(500);

/// How long the focus must be gone before the person counts as being elsewhere. Longer than a global shortcut holds it
/// plus the delay of the event.
pub(crate) const LOSS_LASTS: Duration = Duration::from_millis(300);

/// A point in the window's history; a plan made at one mark is void at a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowGeneration(u64);

/// The latest request for the window and whether it has the focus.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    wanted: bool,
    rests: bool,
    focused: bool,
    /// Number of showings.
    showing: u64,
    /// Counts everything that cancels the wait for a lasting loss.
    change: u64,
}

impl Presence {
    /// Records a request to show the window. Returns the mark for [`Presence::rest`], due after [`RESTS_AFTER`].
    pub(crate) fn show(&mut self) -> WindowGeneration {
        self.wanted = true;
        self.rests = false;
        self.focused = false;
        self.change += 1;
        self.showing += 1;
        WindowGeneration(self.showing)
    }

    /// Records a request to hide the window.
    pub(crate) fn hide(&mut self) {
        self.wanted = false;
        self.change += 1;
    }

    /// Tells whether the latest request was to show the window.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Records that a showing has settled, with or without the focus.
    pub(crate) fn rest(&mut self, mark: WindowGeneration, focused: bool) {
        if self.wanted && mark.0 == self.showing {
            self.rests = true;
            self.focused = focused;
        }
    }

    /// Records a focus change. Returns a mark if it looks like a real loss; [`Presence::is_gone`] is to be called with
    /// it after [`LOSS_LASTS`].
    pub(crate) fn focus(&mut self, focused: bool) -> Option<WindowGeneration> {
        let left = self.wanted && self.rests && self.focused && !focused;
        self.focused = focused;
        self.change += 1;
        left.then_some(WindowGeneration(self.change))
    }

    /// Tells whether the loss at this mark has lasted.
    pub(crate) fn is_gone(&self, mark: WindowGeneration) -> bool {
        self.wanted && mark.0 == self.change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shown, at rest, with the keyboard.
    fn at_rest() -> Presence {
        let mut presence = Presence::default();
        let mark = presence.show();
        assert_eq!(presence.focus(true), None);
        presence.rest(mark, true);
        presence
    }

    #[test]
    fn a_loss_that_lasts_is_one() {
        let mut presence = at_rest();
        let mark = presence.focus(false).expect("the keyboard left");
        assert!(presence.is_gone(mark));
    }

    #[test]
    fn a_flicker_is_no_loss() {
        let mut presence = at_rest();
        let mark = presence.focus(false).expect("the keyboard left");
        assert_eq!(presence.focus(true), None);
        assert!(!presence.is_gone(mark));
    }

    #[test]
    fn a_loss_of_an_earlier_showing_does_not_count() {
        let mut presence = at_rest();
        let mark = presence.focus(false).expect("the keyboard left");
        presence.hide();
        let again = presence.show();
        assert!(!presence.is_gone(mark), "it was asked for again since");
        // What comes late is about the showing before.
        assert_eq!(presence.focus(true), None);
        assert_eq!(presence.focus(false), None);
        presence.rest(again, true);
        assert!(presence.focus(false).is_some(), "this one is its own");
    }

    #[test]
    fn a_window_that_was_never_given_the_keyboard_stays() {
        let mut presence = Presence::default();
        let mark = presence.show();
        presence.rest(mark, false);
        assert_eq!(presence.focus(false), None);
        assert!(presence.is_wanted());
    }

    #[test]
    fn a_showing_comes_to_rest_only_once_it_is_the_latest() {
        let mut presence = Presence::default();
        let first = presence.show();
        presence.hide();
        presence.show();
        presence.rest(first, true);
        assert_eq!(presence.focus(false), None);
    }

    #[test]
    fn a_window_that_was_sent_away_loses_nothing() {
        let mut presence = at_rest();
        presence.hide();
        assert_eq!(presence.focus(false), None);
        assert!(!presence.is_wanted());
    }
}
