//! Chooses the model that answers. From the inside out: [`Watched`] gives up on a provider that falls silent, the
//! governor keeps the accounts, [`Breaker`] pauses a failing model, [`Chain`] tries the next one, and [`Tiers`]
//! chooses the chain and steps down when a spending limit is reached. Each is a `ChatModel` around a `ChatModel`.
//!
//! ```text
//! Tiers { Chain [ Breaker(Governor(Watched(provider))), … ], … }
//! ```

mod attempts;
mod breaker;
mod chain;
mod choose;
mod circuit_breaker;
#[cfg(test)]
mod hung;
#[cfg(test)]
pub(crate) mod script;
mod shape;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod turns;
mod watch;

pub use crate::ticks::{SinceStart, Ticks};
pub use breaker::{Breaker, Earlier, Gauge};
pub use chain::Chain;
pub use choose::Tiers;
pub use circuit_breaker::{CallResult, CircuitBreaker, Figures, PROBE_WAIT, Pass, RETRY_AFTER_MAX};
pub use shape::{JSON_BYTES_MAX, read_json};
pub use watch::{Patience, REPLY_BYTES_MAX, Watched};

pub(crate) use crate::ticks::Until;
