//! Recurrence rules (RFC 5545, 3.3.10): reading them, working out their instances, editing them, and saying them in words.
//!
//! A rule may come from a stranger's file, so every expansion has a bound of [`Work`] and says when it was cut.
//! Rules run on wall-clock time, as the RFC wants: 9:00 stays 9:00 on both sides of a change of clocks.

mod days;
mod edit;
mod expand;
mod frequent;
mod parse;
mod rule;
mod series;
mod sink;
mod usual;
mod words;
mod work;

#[cfg(test)]
mod tests;

pub use edit::{check, next, rest_from, until_before};
pub use expand::Expansion;
pub use rule::{Frequency, InvalidRule, Rule, value_of};
pub use series::{
    Dates, Instance, Instances, Unexpanded, instances, instances_apart_from, last_end, overlaps,
};
pub use usual::{Offered, usual};
pub use words::in_words;
pub use work::Work;

/// Instances of one series that are given for one question: hourly ones of more than half a year.
pub const INSTANCES_MAX: usize = 5_000;
