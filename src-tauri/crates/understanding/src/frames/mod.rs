//! Understanding by frames.
//!
//! `lattice` notes everything a stretch of the message may be; `grammar` holds the rules, which are data; `chart` reads the
//! message by them and keeps the best readings; `compile` turns a reading into a step of a tool. [`plan`] decides.

mod binding;
mod chart;
mod clauses;
mod compile;
mod decide;
mod grammar;
mod ground;
mod lattice;
mod own;
mod trace;
mod weights;

pub(crate) use decide::{plan, plan_own};

#[cfg(test)]
mod tests;
