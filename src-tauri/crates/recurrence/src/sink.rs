//! Receiver for the instances of one rule.

use std::ops::ControlFlow;

use jiff::civil::DateTime;

/// Receives instances in order and knows when no more can follow.
pub(crate) struct Sink<'a> {
    pub(crate) start: DateTime,
    pub(crate) from: DateTime,
    pub(crate) to: DateTime,
    pub(crate) until: Option<DateTime>,
    /// Remaining instances of a counted rule; `None` for other rules.
    pub(crate) left: Option<u32>,
    pub(crate) each: &'a mut dyn FnMut(DateTime) -> ControlFlow<()>,
}

impl Sink<'_> {
    /// Returns whether no instance from this time on can be in the range.
    pub(crate) fn is_past(&self, at: DateTime) -> bool {
        at >= self.to || self.until.is_some_and(|until| at > until)
    }

    /// Takes the next instance, in order.
    pub(crate) fn offer(&mut self, at: DateTime) -> ControlFlow<()> {
        if at < self.start {
            return ControlFlow::Continue(());
        }
        self.offer_first(Some(at), 1)
    }

    /// Takes a day's first instance at or after the start of the range, if there is one, and the number of instances of
    /// that day.
    pub(crate) fn offer_first(
        &mut self,
        first: Option<DateTime>,
        instances: u32,
    ) -> ControlFlow<()> {
        if self.left == Some(0) || first.is_some_and(|at| self.is_past(at)) {
            return ControlFlow::Break(());
        }
        if let Some(at) = first.filter(|at| *at >= self.from) {
            (self.each)(at)?;
        }
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(instances);
            if *left == 0 {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
