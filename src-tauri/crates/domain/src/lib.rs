//! Pure types and rules of Adjutant. No I/O, no clock, no randomness: time, identifiers and data
//! come in as arguments or through the traits in [`ports`].

pub mod account;
pub mod answer;
pub mod canonical;
pub mod catalog;
pub mod change;
pub mod conversation;
pub mod escape;
pub mod event;
pub mod faults;
pub mod filter;
pub mod focus;
pub mod gate;
pub mod ids;
pub mod job;
pub mod mentioned_name;
pub mod model;
pub mod moment;
pub mod operation;
pub mod outcome;
pub mod plan;
pub mod ports;
pub mod program;
pub mod provenance;
pub mod rate;
pub mod reading;
pub mod record;
pub mod risk;
pub mod route;
pub mod server;
pub mod settings;
pub mod source;
pub mod spec;
pub mod tool;
