//! Tests of the ledger of calls to models: limits, clock changes, and processes that end in the middle.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::model::{
    CallRecord, CallState, Ledger as _, Limit, OverLimit, Purpose, Reservation, SpendLimits, Spent,
    Stage, Tier, Usage,
};
use jiff::Zoned;

use super::{at, fresh, open};
use crate::{CALL_ROWS_MAX, SPEND_ROWS_MAX, SpendRow, Store};

const NOON: &str = "2026-11-20T12:00:00+01:00[Europe/Paris]";
const LIMITS: SpendLimits = SpendLimits {
    call: 100,
    day: 100,
    month: 250,
    background_day: 30,
};

fn when(text: &str) -> Zoned {
    text.parse().expect("an instant")
}

fn wanted(at: &str, worst_micros: u64) -> Reservation {
    Reservation {
        at: when(at),
        turn: Some("turn-1".into()),
        stage: Stage::Plan,
        tier: Tier::Standard,
        purpose: Purpose::Foreground,
        model: "lab/one".into(),
        prompt: "plan/plan.v1@3f2a9c01".into(),
        input_chars: 900,
        worst_micros,
    }
}

fn background(at: &str, worst_micros: u64) -> Reservation {
    Reservation {
        purpose: Purpose::Background,
        turn: None,
        ..wanted(at, worst_micros)
    }
}

fn spent(state: CallState, cost_micros: u64) -> Spent {
    Spent {
        state,
        usage: Usage {
            input: 300,
            output: 40,
            cost_micros,
            estimated: false,
        },
        first_ms: Some(210),
        ms: 900,
        fault: (state == CallState::Failed).then(|| "lab/one was cut off".into()),
    }
}

async fn reserve(store: &Store, wanted: Reservation) -> Result<i64, OverLimit> {
    store.reserve(wanted, LIMITS).await.expect("stored")
}

/// Returns the amount spent and reserved on all days.
async fn used(store: &Store) -> u64 {
    let rows = store.spending(None, None, None).await.expect("rows");
    rows.iter()
        .map(|row| row.cost_micros + row.reserved_micros)
        .sum()
}

#[tokio::test]
async fn stores_a_call_as_reserved_and_settled() {
    let (_folder, store) = fresh();
    let n = reserve(&store, wanted(NOON, 80)).await.expect("it passes");
    let running = store.calls(None, 9).await.expect("calls");
    let record = CallRecord {
        id: n,
        reserved: wanted(NOON, 80),
        spent: None,
    };
    assert_eq!(running, std::slice::from_ref(&record));
    assert_eq!(used(&store).await, 80, "the worst case is reserved");

    let end = spent(CallState::Done, 25);
    store.settle(n, end.clone()).await.expect("settled");
    let turn = store.calls(Some("turn-1".into()), 9).await.expect("calls");
    assert_eq!(
        turn,
        [CallRecord {
            spent: Some(end),
            ..record
        }]
    );
    assert!(
        store
            .calls(Some("turn-2".into()), 9)
            .await
            .expect("calls")
            .is_empty()
    );
    let row = SpendRow {
        day: when(NOON).date(),
        stage: Stage::Plan,
        model: "lab/one".into(),
        purpose: Purpose::Foreground,
        calls: 1,
        failed: 0,
        input: 300,
        output: 40,
        cost_micros: 25,
        reserved_micros: 0,
    };
    assert_eq!(
        store.spending(None, None, None).await.expect("rows"),
        std::slice::from_ref(&row)
    );
    let day = row.day;
    let before = day.yesterday().expect("a day");
    let on = store.spending(Some(day), Some(day), None).await;
    assert_eq!(on.expect("rows"), [row]);
    let off = store.spending(Some(before), Some(before), None).await;
    assert!(off.expect("rows").is_empty());
}

#[tokio::test]
async fn each_limit_applies_separately() {
    let (_folder, store) = fresh();
    let over = |limit, limit_micros, used_micros, wanted_micros| {
        Err(OverLimit {
            limit,
            limit_micros,
            used_micros,
            wanted_micros,
        })
    };
    assert_eq!(
        reserve(&store, wanted(NOON, 101)).await,
        over(Limit::Call, 100, 0, 101)
    );
    assert!(reserve(&store, background(NOON, 30)).await.is_ok());
    assert_eq!(
        reserve(&store, background(NOON, 1)).await,
        over(Limit::Background, 30, 30, 1)
    );
    assert_eq!(
        reserve(&store, wanted(NOON, 71)).await,
        over(Limit::Day, 100, 30, 71)
    );
    assert!(reserve(&store, wanted(NOON, 70)).await.is_ok());
    let next = "2026-11-21T00:00:00+01:00[Europe/Paris]";
    assert!(reserve(&store, wanted(next, 100)).await.is_ok());
    let third = "2026-11-22T09:00:00+01:00[Europe/Paris]";
    assert_eq!(
        reserve(&store, wanted(third, 51)).await,
        over(Limit::Month, 250, 200, 51)
    );
    assert!(reserve(&store, wanted(third, 50)).await.is_ok());
    // A free call passes, and is recorded.
    assert!(reserve(&store, wanted(third, 0)).await.is_ok());
    let december = "2026-12-01T00:00:00+01:00[Europe/Paris]";
    assert!(reserve(&store, wanted(december, 100)).await.is_ok());
    // Enormous amounts neither overflow nor corrupt the sums.
    assert_eq!(
        reserve(&store, wanted(december, u64::MAX)).await,
        over(Limit::Call, 100, 0, u64::MAX)
    );
}

#[tokio::test]
async fn a_day_follows_the_persons_zone() {
    let (_folder, store) = fresh();
    // 23:30 in Paris and 00:30 the next day: one UTC day, but two local days.
    let late = "2026-11-20T23:30:00+01:00[Europe/Paris]";
    let early = "2026-11-21T00:30:00+01:00[Europe/Paris]";
    assert!(reserve(&store, wanted(late, 100)).await.is_ok());
    assert!(reserve(&store, wanted(late, 1)).await.is_err());
    assert!(reserve(&store, wanted(early, 100)).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_at_once_exactly_10_pass_even_from_two_connections() {
    let (folder, first) = fresh();
    let second = open(folder.path());
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..64 {
        let store = if number % 2 == 0 { &first } else { &second }.clone();
        calls.spawn(async move { reserve(&store, wanted(NOON, 10)).await });
    }
    let passed = calls.join_all().await;
    assert_eq!(passed.iter().filter(|call| call.is_ok()).count(), 10);
    assert_eq!(used(&first).await, 100);
    // A released amount can be used again, but no more than that.
    let n = *passed
        .iter()
        .find_map(|call| call.as_ref().ok())
        .expect("one passed");
    first
        .settle(n, spent(CallState::Cancelled, 0))
        .await
        .expect("settled");
    assert!(reserve(&second, wanted(NOON, 10)).await.is_ok());
    assert!(reserve(&first, wanted(NOON, 1)).await.is_err());
}

#[tokio::test]
async fn setting_the_clock_back_frees_no_money() {
    let (_folder, store) = fresh();
    assert!(reserve(&store, wanted(NOON, 100)).await.is_ok());
    for back in [
        "2026-11-20T06:00:00+01:00[Europe/Paris]",
        "2026-11-19T12:00:00+01:00[Europe/Paris]",
        "2026-11-20T03:00:00-08:00[America/Los_Angeles]",
        "2026-10-02T12:00:00+02:00[Europe/Paris]",
        "2019-01-01T12:00:00+01:00[Europe/Paris]",
    ] {
        let refused = reserve(&store, wanted(back, 1)).await.expect_err(back);
        assert_eq!((refused.limit, refused.used_micros), (Limit::Day, 100));
    }
    // Amounts reserved while the clock is behind count towards the day reached before, so they are still used up once
    // the clock is right.
    let raised = SpendLimits { day: 150, ..LIMITS };
    let back = wanted("2026-11-18T12:00:00+01:00[Europe/Paris]", 50);
    assert!(store.reserve(back, raised).await.expect("stored").is_ok());
    let again = store.reserve(wanted(NOON, 1), raised).await;
    assert_eq!(again.expect("stored").expect_err("full").used_micros, 150);
    // The record shows the time of the clock.
    let calls = store.calls(None, 1).await.expect("calls");
    assert_eq!(
        calls[0].reserved.at,
        when("2026-11-18T12:00:00+01:00[Europe/Paris]")
    );
}

#[tokio::test]
async fn a_clock_set_far_ahead_does_not_block_later_calls() {
    let (_folder, store) = fresh();
    let ahead = "2031-05-05T12:00:00+02:00[Europe/Paris]";
    assert!(reserve(&store, wanted(ahead, 60)).await.is_ok());
    // Once the clock is right, amounts spent ahead are added, and the rest of each day is free.
    assert!(reserve(&store, wanted(NOON, 41)).await.is_err());
    assert!(reserve(&store, wanted(NOON, 40)).await.is_ok());
    let next = "2026-11-21T12:00:00+01:00[Europe/Paris]";
    assert!(reserve(&store, wanted(next, 40)).await.is_ok());
}

#[tokio::test]
async fn calls_of_an_ended_process_keep_their_worst_case_cost() {
    let (folder, store) = fresh();
    let done = reserve(&store, wanted(NOON, 20)).await.expect("it passes");
    store
        .settle(done, spent(CallState::Done, 5))
        .await
        .expect("settled");
    for _ in 0..2 {
        reserve(&store, wanted(NOON, 30)).await.expect("it passes");
    }
    drop(store);

    let store = open(folder.path());
    // The clock was set back in the meantime; the calls of the earlier process are found all the same.
    let start = at("2026-11-01T00:00:00Z");
    assert_eq!(store.settle_lost(start).await, Ok(2));
    assert_eq!(used(&store).await, 65);
    let calls = store.calls(None, 9).await.expect("calls");
    let states: Vec<_> = calls
        .iter()
        .map(|call| call.spent.as_ref().map(|spent| spent.state))
        .collect();
    let lost = Some(CallState::Lost);
    assert_eq!(states, [lost, lost, Some(CallState::Done)]);
    assert_eq!(
        calls[0].spent.as_ref().map(|spent| spent.usage.cost_micros),
        Some(30)
    );
    // The process's own running call is not lost, and a second look does not change that.
    let own = reserve(&store, wanted(NOON, 35)).await.expect("it passes");
    assert_eq!(store.settle_lost(start).await, Ok(0));
    assert!(reserve(&store, wanted(NOON, 1)).await.is_err());
    // A call that turns out to have ended after all is settled at its actual cost.
    store
        .settle(calls[0].id, spent(CallState::Done, 7))
        .await
        .expect("settled");
    assert_eq!(used(&store).await, 5 + 7 + 30 + 35);
    let row = &store.spending(None, None, None).await.expect("rows")[0];
    assert_eq!((row.calls, row.failed), (4, 1));
    store
        .settle(own, spent(CallState::Failed, 35))
        .await
        .expect("settled");
    let row = &store.spending(None, None, None).await.expect("rows")[0];
    assert_eq!((row.failed, row.reserved_micros), (2, 0));
}

#[tokio::test]
async fn settles_a_call_once() {
    let (_folder, store) = fresh();
    let n = reserve(&store, wanted(NOON, 20)).await.expect("it passes");
    let done = spent(CallState::Done, 5);
    store.settle(n, done.clone()).await.expect("settled");
    let twice = store.settle(n, spent(CallState::Cancelled, 0)).await;
    assert!(
        matches!(twice, Err(StoreFault::Conflict { .. })),
        "{twice:?}"
    );
    let never = store.settle(n + 1, done).await;
    assert!(
        matches!(never, Err(StoreFault::Missing { .. })),
        "{never:?}"
    );
    let running = store.settle(n, spent(CallState::Running, 0)).await;
    assert!(running.is_err());
    assert_eq!(used(&store).await, 5);
}

/// However amounts are reserved, settled and lost, the sums equal those of the rows.
#[tokio::test]
async fn sums_equal_the_rows() {
    let (_folder, store) = fresh();
    let mut chance = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move |below: u64| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        chance % below
    };
    let free = SpendLimits {
        call: u64::MAX,
        day: u64::MAX,
        month: u64::MAX,
        background_day: u64::MAX,
    };
    let mut running = Vec::new();
    for _ in 0..300 {
        if next(3) > 0 || running.is_empty() {
            let day = 10 + next(5);
            let mut call = wanted(&format!("2026-11-{day}T12:00:00+00:00[UTC]"), next(1_000));
            call.stage = Stage::ALL[usize::try_from(next(3)).expect("small")];
            call.model = format!("lab/{}", next(2));
            if next(2) == 0 {
                call.purpose = Purpose::Background;
            }
            let n = store.reserve(call, free).await.expect("stored");
            running.push(n.expect("no limit"));
        } else {
            let at = usize::try_from(next(running.len() as u64)).expect("small");
            let n = running.swap_remove(at);
            let state = [CallState::Done, CallState::Failed, CallState::Cancelled]
                [usize::try_from(next(3)).expect("small")];
            store
                .settle(n, spent(state, next(2_000)))
                .await
                .expect("settled");
        }
    }
    let calls = store.calls(None, 1_000).await.expect("calls");
    let (mut cost, mut reserved, mut failed) = (0, 0, 0);
    for call in &calls {
        match &call.spent {
            Some(spent) => {
                cost += spent.usage.cost_micros;
                failed += u64::from(spent.state == CallState::Failed);
            }
            None => reserved += call.reserved.worst_micros,
        }
    }
    let rows = store.spending(None, None, None).await.expect("rows");
    let sum = |of: fn(&SpendRow) -> u64| rows.iter().map(of).sum::<u64>();
    assert_eq!(sum(|row| row.calls), calls.len() as u64);
    assert_eq!(sum(|row| row.cost_micros), cost);
    assert_eq!(sum(|row| row.reserved_micros), reserved);
    assert_eq!(sum(|row| row.failed), failed);
}

#[tokio::test]
async fn removing_old_rows_keeps_their_cost() {
    let (_folder, store) = fresh();
    let first = reserve(&store, wanted(NOON, 30)).await.expect("it passes");
    store
        .settle(first, spent(CallState::Done, 30))
        .await
        .expect("settled");
    let running = reserve(&store, wanted(NOON, 30)).await.expect("it passes");
    store
        .write("apply", |tx| {
            tx.execute(
                "UPDATE sqlite_sequence SET seq = seq + ?1 WHERE name = 'calls'",
                [CALL_ROWS_MAX],
            )?;
            Ok(())
        })
        .await
        .expect("numbers move on");
    let last = reserve(&store, wanted(NOON, 40)).await.expect("it passes");
    let left: Vec<i64> = store
        .calls(None, 9)
        .await
        .expect("calls")
        .iter()
        .map(|call| call.id)
        .collect();
    assert_eq!(left, [last, running], "what runs stays");
    assert_eq!(used(&store).await, 100);
    assert!(reserve(&store, wanted(NOON, 1)).await.is_err());
}

#[tokio::test]
async fn removing_old_days_keeps_the_month() {
    let (_folder, store) = fresh();
    assert!(reserve(&store, wanted(NOON, 50)).await.is_ok());
    store
        .write("apply", |tx| {
            tx.execute(
                "WITH RECURSIVE past(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM past WHERE n < ?1)
                 INSERT INTO spend (day, stage, model, purpose, calls, cost)
                 SELECT date('2026-10-31', '-' || n || ' days'), 'plan', 'lab/old', 'foreground', 1, 1 FROM past",
                [SPEND_ROWS_MAX],
            )?;
            Ok(())
        })
        .await
        .expect("a long past");
    let next = "2026-11-21T12:00:00+01:00[Europe/Paris]";
    assert!(reserve(&store, wanted(next, 50)).await.is_ok());
    let rows = store.spending(None, None, None).await.expect("rows");
    assert_eq!(i64::try_from(rows.len()), Ok(SPEND_ROWS_MAX));
    assert_eq!(rows[0].day, when(next).date());
    assert_eq!(rows[1].day, when(NOON).date());
}

#[tokio::test]
async fn cuts_hostile_text() {
    let (_folder, store) = fresh();
    let mut call = wanted(NOON, 1);
    call.model = "é".repeat(50_000);
    let n = reserve(&store, call).await.expect("it passes");
    let mut end = spent(CallState::Failed, 1);
    end.fault = Some("x".repeat(1_000_000));
    store.settle(n, end).await.expect("settled");
    let calls = store.calls(None, 1).await.expect("calls");
    assert!(calls[0].reserved.model.len() <= 2_000);
    let fault = calls[0]
        .spent
        .as_ref()
        .and_then(|spent| spent.fault.clone());
    assert!(fault.is_some_and(|fault| fault.len() <= 2_000));
}
