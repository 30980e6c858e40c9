//! Domain types to wire types.

pub mod records;
pub mod turns;
