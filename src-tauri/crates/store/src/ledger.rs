//! Implements the port `Ledger`, and the query behind `show usage`.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{CallRecord, Ledger, OverLimit, Reservation, SpendLimits, Spent};
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::store::Store;
use crate::tables::calls;
use crate::tables::spend::{self, SpendRow};

type Stored<T> = Result<T, StoreFault>;

/// Reservations and settlements survive a killed process, which is what a cut-off call needs, but they do not wait
/// for the disk, because every call holds up the person. In a power cut they are lost together with the turn that
/// asked.
#[async_trait]
impl Ledger for Store {
    async fn reserve(
        &self,
        wanted: Reservation,
        limits: SpendLimits,
    ) -> Stored<Result<i64, OverLimit>> {
        let first = self.first_call.clone();
        self.write_light("reserve_call", move |tx| {
            let reserved = calls::reserve(tx, &wanted, limits)?;
            if let Ok(n) = reserved {
                // Noted here and not by the caller: the caller may be gone, but the call still belongs to this
                // process.
                first.note(n);
            }
            Ok(reserved)
        })
        .await
    }

    async fn settle(&self, id: i64, spent: Spent) -> Stored<()> {
        self.write_light("settle_call", move |tx| calls::settle(tx, id, &spent))
            .await
    }

    async fn settle_lost(&self, before: Timestamp) -> Stored<usize> {
        let first = self.first_call.get();
        self.write("settle_lost_calls", move |tx| {
            calls::settle_lost(tx, before, first)
        })
        .await
    }

    async fn calls(&self, turn: Option<TurnId>, limit: usize) -> Stored<Vec<CallRecord>> {
        self.read(move |connection| calls::list(connection, turn.as_ref(), limit))
            .await
    }
}

impl Store {
    /// Returns model costs by day, stage, model and purpose, newest day first; both ends of the range are inclusive.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn spending(
        &self,
        from: Option<Date>,
        to: Option<Date>,
        limit: Option<usize>,
    ) -> Stored<Vec<SpendRow>> {
        self.read(move |connection| spend::list(connection, from, to, limit))
            .await
    }
}
