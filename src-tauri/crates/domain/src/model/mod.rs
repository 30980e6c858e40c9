//! Language models as the engine sees them: one request, one stream of events, one kind of fault. Providers, tiers,
//! fallback, breaker and governor all implement [`ChatModel`], so callers need not know which one they talk to.

mod advice;
mod ledger;
mod request;
mod stage;
mod stream;
pub mod tokens;

pub use ledger::{
    CallRecord, CallState, Ledger, Limit, OverLimit, Reservation, SpendLimits, Spent,
};
pub use request::{ModelMessage, ModelRequest, ModelTool, Prompted, ReplyShape, Role, TimeLimits};
pub use stage::{Purpose, Stage, Tier};
pub use stream::{ChatModel, Embedder, ModelEvent, ModelFault, ModelProfile, StopReason, Usage};
