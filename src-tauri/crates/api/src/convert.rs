//! Conversions from domain types to wire types.

pub mod accounts;
pub mod found;
pub mod proposed;
pub mod records;
pub mod turns;
