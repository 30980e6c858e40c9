//! Ledger of model calls: each cost is reserved before the call and settled after it. The row is also the call's trace.

use async_trait::async_trait;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use super::{Purpose, Stage, Tier, Usage};
use crate::faults::StoreFault;
use crate::ids::TurnId;

/// Spending limits, in micro-units of the person's currency. 0 forbids all calls that cost anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendLimits {
    /// Limit for one call, at its worst-case cost.
    pub call: u64,
    /// Limit for a calendar day of the person.
    pub day: u64,
    /// Limit for a calendar month of the person.
    pub month: u64,
    /// Limit for background work in a day. Such work counts towards the other limits too.
    pub background_day: u64,
}

/// The limit a call would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// [`SpendLimits::call`].
    Call,
    /// [`SpendLimits::day`].
    Day,
    /// [`SpendLimits::month`].
    Month,
    /// [`SpendLimits::background_day`].
    Background,
}

/// Error: a call would exceed a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("the limit {} is reached", match limit { Limit::Call => "for one request", Limit::Day => "for today", Limit::Month => "for this month", Limit::Background => "for background work" })]
pub struct OverLimit {
    /// Which limit.
    pub limit: Limit,
    /// Its amount, in micro-units.
    pub limit_micros: u64,
    /// Amount already spent and reserved, in micro-units.
    pub used_micros: u64,
    /// Worst-case cost of the call, in micro-units.
    pub wanted_micros: u64,
}

/// What the ledger records before a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reservation {
    /// When it starts, in the time zone whose day and month count.
    pub at: Zoned,
    /// The turn, if any.
    pub turn: Option<TurnId>,
    /// Purpose of the call.
    pub stage: Stage,
    /// Tier requested.
    pub tier: Tier,
    /// Whether somebody waits for the reply.
    pub purpose: Purpose,
    /// The model called.
    pub model: String,
    /// Revision of the prompt.
    pub prompt: String,
    /// Number of characters sent.
    pub input_chars: u64,
    /// Worst-case cost, in micro-units.
    pub worst_micros: u64,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// It runs, with its worst case reserved.
    Running,
    /// It succeeded.
    Done,
    /// It failed; its cost up to then is known or estimated.
    Failed,
    /// It was stopped by the person, or because nobody waited for it any more.
    Cancelled,
    /// The process ended during the call. The worst case counts as spent, because the true cost is unknown.
    Lost,
}

/// What the ledger records after a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// How it ended.
    pub state: CallState,
    /// Tokens and cost.
    pub usage: Usage,
    /// Milliseconds until the first piece of the reply; `None` if there was none.
    pub first_ms: Option<u64>,
    /// Milliseconds in total.
    pub ms: u64,
    /// Description of the fault, if it failed.
    pub fault: Option<String>,
}

/// A call as recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// Row number.
    pub id: i64,
    /// Recorded before the call.
    pub reserved: Reservation,
    /// Recorded after the call; `None` while it runs.
    pub spent: Option<Spent>,
}

/// Store of model calls. Reserving is atomic: of several concurrent calls, only as many pass as the limits allow.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Reserves the worst-case cost and returns the row number, or the limit the call would exceed.
    ///
    /// # Errors
    /// Returns a [`StoreFault`] if storage fails; the call must then not be made.
    async fn reserve(
        &self,
        wanted: Reservation,
        limits: SpendLimits,
    ) -> Result<Result<i64, OverLimit>, StoreFault>;

    /// Records the actual cost of a call and releases the rest of its reservation.
    ///
    /// # Errors
    /// Returns a [`StoreFault`] if storage fails; the reservation then stays.
    async fn settle(&self, id: i64, spent: Spent) -> Result<(), StoreFault>;

    /// Settles calls that began before an instant and were cut off with their process as [`CallState::Lost`], and
    /// returns their number.
    ///
    /// # Errors
    /// Returns a [`StoreFault`] if storage fails.
    async fn settle_lost(&self, before: Timestamp) -> Result<usize, StoreFault>;

    /// Returns up to `limit` calls, newest first; of one turn only, if given.
    ///
    /// # Errors
    /// Returns a [`StoreFault`] if storage fails.
    async fn calls(
        &self,
        turn: Option<TurnId>,
        limit: usize,
    ) -> Result<Vec<CallRecord>, StoreFault>;
}
