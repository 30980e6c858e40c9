//! The engine: it takes operations and emits events, around a pure turn machine.
//!
//! The app uses [`Engine`]; [`turn::machine`] makes every decision. The engine reaches understanding, tools and storage
//! only through the traits of `adjutant_domain`.

mod actor;
mod background;
pub mod context;
mod core;
mod engine;
mod expect;
mod feed;
mod glance;
mod interrupt;
mod jobs;
mod listen;
mod manual;
mod op;
mod ops;
mod panics;
mod prepared;
mod program;
mod recover;
mod research;
pub mod respond;
pub mod retrieval;
pub mod secrets;
mod settle;
pub mod shadow;
mod sound;
pub mod stages;
mod stopped;
mod stopwatch;
mod summary;
mod take_back;
pub mod tools;
pub mod turn;
mod undo;

pub use actor::QUEUE_MAX;
pub use adjutant_domain::conversation::{BACKGROUND, DIRECT};
pub use core::{Models, NotDone, Parts, Reporter, Worker};
pub use engine::{Engine, QuiesceGuard};
pub use expect::Expected;
pub use feed::{EventStream, LiveEvent};
pub use jobs::{DueReport, JOBS_PER_PASS_MAX, News, Reminder};
pub use op::{Answer, MESSAGE_BYTES_MAX, Op, OutboxAct, PlanEdit, Target};
pub use recover::Recovery;
pub use research::NotSaid;
pub use turn::machine::question_id;
