//! Recurrence rules (RFC 5545, 3.3.10): parses, expands and edits them, and describes them in words.
//!
//! A rule may come from a stranger's file, so every expansion has a [`Work`] budget and reports when it was cut off. As
//! the RFC requires, rules run on wall-clock time: 9:00 stays 9:00 across a clock change.

mod days;
mod edit;
mod expand;
mod frequent;
mod parse;
mod row;
mod rule;
mod series;
mod sink;
mod usual;
mod words;
mod work;

#[cfg(test)]
mod tests;

pub use edit::{check, first, next, rest_from, until_before};
pub use expand::Expansion;
pub use row::{instance_at, instances_of, next_of, times_by};
pub use rule::{Frequency, InvalidRule, Rule, value_of};
pub use series::{Dates, Instance, Instances, Unexpanded, instances, last_end, overlaps};
pub use usual::{Offered, usual};
pub use words::in_words;
pub use work::Work;

/// Maximum number of instances returned for one series and query: more than half a year of hourly ones.
pub const INSTANCES_MAX: usize = 5_000;
