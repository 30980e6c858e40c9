//! What calls cost: reserved before, settled after, one row a call. The row is also the trace of the call.

use async_trait::async_trait;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use super::{Purpose, Stage, Tier, Usage};
use crate::faults::StoreFault;
use crate::ids::TurnId;

/// What may be spent, in micro-units of the person's currency. 0 means: nothing that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendLimits {
    /// One call, at its worst.
    pub call: u64,
    /// A day of the person's calendar.
    pub day: u64,
    /// A month of the person's calendar.
    pub month: u64,
    /// Background work, a day. Counts into the others as well.
    pub background_day: u64,
}

/// Which limit would be passed.
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

/// A call that would pass a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("the limit {} is reached", match limit { Limit::Call => "for one request", Limit::Day => "for today", Limit::Month => "for this month", Limit::Background => "for background work" })]
pub struct OverLimit {
    /// Which.
    pub limit: Limit,
    /// Where it lies, micro-units.
    pub limit_micros: u64,
    /// What is spent and reserved already.
    pub used_micros: u64,
    /// What the call could cost at its worst.
    pub wanted_micros: u64,
}

/// What is written down before a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reservation {
    /// When, with the zone whose day and month count.
    pub at: Zoned,
    /// The turn, if any.
    pub turn: Option<TurnId>,
    /// What for.
    pub stage: Stage,
    /// Tier that was asked for.
    pub tier: Tier,
    /// Who waits.
    pub purpose: Purpose,
    /// Which model.
    pub model: String,
    /// Prompt revision.
    pub prompt: String,
    /// Characters sent.
    pub input_chars: u64,
    /// The worst it can cost, micro-units.
    pub worst_micros: u64,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// It runs; its worst case is reserved.
    Running,
    /// It ended well.
    Done,
    /// It failed; what it cost by then is known or estimated.
    Failed,
    /// It was stopped by the person or because nobody waited any more.
    Cancelled,
    /// The process ended in the middle: the worst case stays spent, because nobody knows.
    Lost,
}

/// What is written down after a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// How it ended.
    pub state: CallState,
    /// Tokens and money.
    pub usage: Usage,
    /// Milliseconds to the first piece of the reply.
    pub first_ms: Option<u64>,
    /// Milliseconds altogether.
    pub ms: u64,
    /// The fault in words, if it failed.
    pub fault: Option<String>,
}

/// A call as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// Number of the row.
    pub id: i64,
    /// What was written down before.
    pub reserved: Reservation,
    /// What was written down after; none while it runs.
    pub spent: Option<Spent>,
}

/// Where calls are written down. Reserving is atomic: of many that come at once, only as many pass as the limits allow.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Reserves the worst case, or says which limit stands against it.
    ///
    /// # Errors
    /// When it cannot be stored: then nothing is called either.
    async fn reserve(
        &self,
        wanted: Reservation,
        limits: SpendLimits,
    ) -> Result<Result<i64, OverLimit>, StoreFault>;

    /// Writes down what a call really cost and frees the rest of its reservation.
    ///
    /// # Errors
    /// When it cannot be stored; the reservation stays.
    async fn settle(&self, id: i64, spent: Spent) -> Result<(), StoreFault>;

    /// Settles calls of a process that ended in the middle as [`CallState::Lost`]; says how many there were.
    ///
    /// # Errors
    /// When it cannot be stored.
    async fn settle_lost(&self, before: Timestamp) -> Result<usize, StoreFault>;

    /// Calls, newest first.
    ///
    /// # Errors
    /// When they cannot be read.
    async fn calls(
        &self,
        turn: Option<TurnId>,
        limit: usize,
    ) -> Result<Vec<CallRecord>, StoreFault>;
}
