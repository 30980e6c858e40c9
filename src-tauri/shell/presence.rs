//! Whether quick-ask is wanted, and what the keyboard's coming and going says about it. Only rules: who is asked, and
//! when, is in `quick_ask`.
//!
//! A keyboard that leaves the window says that the person went elsewhere, but not every loss that is reported is one:
//! a global shortcut takes the keyboard for as long as its key is down, and reports about an earlier showing arrive
//! when the window stands there again. So a loss counts only when it began in a showing that had come to rest, and when
//! it lasts.

use std::time::Duration;

/// How long a showing takes to come to rest: until then the keyboard may still be told about what was before.
pub(crate) const RESTS_AFTER: Duration = Duration::from_millis(500);

/// How long the keyboard must be gone before the person is taken to be elsewhere; longer than a key press that a global
/// shortcut takes, and than the way of its report.
pub(crate) const LOSS_LASTS: Duration = Duration::from_millis(300);

/// A point in the window's life: what was planned at one does not hold at a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

/// What was asked of the window last, and whether it has the keyboard.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    wanted: bool,
    rests: bool,
    focused: bool,
    /// Counts showings.
    showing: u64,
    /// Counts everything that ends a wait for a loss to last.
    change: u64,
}

impl Presence {
    /// The window was asked for. Gives the mark with which [`Presence::rest`] is to be told, after [`RESTS_AFTER`].
    pub(crate) fn show(&mut self) -> Mark {
        self.wanted = true;
        self.rests = false;
        self.focused = false;
        self.change += 1;
        self.showing += 1;
        Mark(self.showing)
    }

    /// The window was sent away.
    pub(crate) fn hide(&mut self) {
        self.wanted = false;
        self.change += 1;
    }

    /// Whether the window was asked for and not sent away since.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// A showing has come to rest, with or without the keyboard.
    pub(crate) fn rest(&mut self, mark: Mark, focused: bool) {
        if self.wanted && mark.0 == self.showing {
            self.rests = true;
            self.focused = focused;
        }
    }

    /// The keyboard came or left. Gives a mark when it left in earnest, as far as one can tell: with it
    /// [`Presence::is_gone`] is to be asked, after [`LOSS_LASTS`].
    pub(crate) fn focus(&mut self, focused: bool) -> Option<Mark> {
        let left = self.wanted && self.rests && self.focused && !focused;
        self.focused = focused;
        self.change += 1;
        left.then_some(Mark(self.change))
    }

    /// Whether the loss at this mark has lasted.
    pub(crate) fn is_gone(&self, mark: Mark) -> bool {
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
