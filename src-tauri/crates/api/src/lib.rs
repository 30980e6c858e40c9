//! Wire types: requests, replies and events, shared by the window, the command line and the socket. They are separate
//! from the domain types; [`convert`] turns one into the other, and [`typescript()`] renders them for the UI.

pub mod convert;
pub mod event;
pub mod fault;
pub mod found;
pub mod mail;
pub mod models;
pub mod programs;
pub mod reply;
mod report;
pub mod request;
pub mod research;
pub mod rows;
pub mod scoreboard;
pub mod servers;
pub mod topic;
mod typescript;
pub mod usage;
pub mod words;

pub use event::{EventBody, WireEvent};
pub use fault::Fault;
pub use reply::Reply;
pub use request::{Request, SaidBefore};
pub use research::{ResearchAct, ResearchAnswer};
pub use topic::Topic;
pub use typescript::typescript;
pub use words::{OutboxAct, PlanChange};
