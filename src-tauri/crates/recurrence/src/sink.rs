//! Where the instances of one rule go.

use std::ops::ControlFlow;

use jiff::civil::DateTime;

/// Where instances go, and when there can be no more of them.
pub(crate) struct Sink<'a> {
    pub(crate) start: DateTime,
    pub(crate) from: DateTime,
    pub(crate) to: DateTime,
    pub(crate) until: Option<DateTime>,
    /// Instances a counted rule still has.
    pub(crate) left: Option<u32>,
    pub(crate) each: &'a mut dyn FnMut(DateTime) -> ControlFlow<()>,
}

impl Sink<'_> {
    /// Whether nothing from this time on can be shown.
    pub(crate) fn is_past(&self, at: DateTime) -> bool {
        at >= self.to || self.until.is_some_and(|until| at > until)
    }

    /// An instance, in order.
    pub(crate) fn offer(&mut self, at: DateTime) -> ControlFlow<()> {
        if at < self.start {
            return ControlFlow::Continue(());
        }
        self.offer_first(Some(at), 1)
    }

    /// The first instance of a day at or after the beginning of the range, where there is one, and how many that day has.
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
