//! Understanding by frames.
//!
//! `lattice` notes everything a stretch of the message may be; `grammar` holds the rules, which are data; `chart` reads the
//! message by them and keeps the best readings; `compile` turns a reading into a step of a tool. [`plan_beside`] decides.

mod binding;
mod chart;
mod clauses;
mod compile;
mod decide;
mod grammar;
mod ground;
mod lattice;
mod trace;

pub(crate) use decide::plan_beside;

#[cfg(test)]
mod tests;
