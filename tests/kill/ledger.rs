//! Tests of the ledger of calls to models under kills: reservations stay spent, settled calls keep their actual cost,
//! and nothing is lost or counted twice.
//!
//! The killed process is this test program itself, which runs [`a_process_that_makes_calls`].

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use adjutant_domain::model::{
    CallState, Ledger as _, Purpose, Reservation, SpendLimits, Spent, Stage, Tier, Usage,
};
use adjutant_store::{Store, StoreOptions};
use jiff::Zoned;

use serde_json::Value;

use super::{NOW, Profile, SIGKILL, TIMES_MAX};

/// Variable that tells the process which profile to use.
const FOLDER: &str = "ADJUTANT_TEST_LEDGER";
/// Variable that tells the process what to do.
const MODE: &str = "ADJUTANT_TEST_MODE";
/// Reserved cost of a call; `COST` is its actual cost.
const WORST: u64 = 10;
const COST: u64 = 4;
/// Number of a day's calls that fit into the limit.
const FIT: u64 = 10;
const LIMITS: SpendLimits = SpendLimits {
    call: WORST,
    day: WORST * FIT,
    month: WORST * FIT,
    background_day: 0,
};

fn now() -> Zoned {
    NOW.parse().expect("an instant")
}

fn open(folder: &Path) -> Arc<Store> {
    Store::open(folder, StoreOptions::default()).expect("a profile")
}

async fn reserve(store: &Store) -> Option<i64> {
    let wanted = Reservation {
        at: now(),
        turn: Some("turn-1".into()),
        stage: Stage::Plan,
        tier: Tier::Standard,
        purpose: Purpose::Foreground,
        model: "lab/one".into(),
        prompt: "plan/plan.v1@3f2a9c01".into(),
        input_chars: 100,
        worst_micros: WORST,
    };
    store.reserve(wanted, LIMITS).await.expect("stored").ok()
}

async fn settle(store: &Store, id: i64) {
    let spent = Spent {
        state: CallState::Done,
        usage: Usage {
            input: 30,
            output: 4,
            cost_micros: COST,
            estimated: false,
        },
        first_ms: Some(1),
        ms: 2,
        fault: None,
    };
    store.settle(id, spent).await.expect("stored");
}

/// Makes five calls and settles every second one, or settles what an earlier process left. Reports each completed step.
/// With `wait` it never ends.
#[test]
#[ignore = "the process that the others kill"]
#[expect(
    clippy::disallowed_methods,
    reason = "a process for a test is told in its environment what to do"
)]
fn a_process_that_makes_calls() {
    let (Ok(folder), Ok(mode)) = (std::env::var(FOLDER), std::env::var(MODE)) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = open(Path::new(&folder));
        if mode == "recover" {
            let lost = store.settle_lost(now().timestamp()).await.expect("stored");
            println!("lost {lost}");
            return;
        }
        for number in 0..5 {
            let id = reserve(&store).await.expect("it fits");
            println!("reserved {id}");
            if number % 2 == 0 {
                settle(&store, id).await;
                println!("settled {id}");
            }
        }
        if mode == "wait" {
            println!("waiting");
            std::future::pending::<()>().await;
        }
    });
}

fn process(folder: &Path, mode: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "ledger::a_process_that_makes_calls"])
        .args(["--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(MODE, mode)
        .env_remove("ADJUTANT_CRASH_AT");
    command
}

/// Runs until it is killed at a place. Returns what it reported, or `None` if it survived.
fn run_until(folder: &Path, mode: &str, place: &str) -> Option<String> {
    let output = process(folder, mode)
        .env("ADJUTANT_CRASH_AT", place)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let killed = output.status.signal() == Some(SIGKILL);
    assert!(killed || output.status.success(), "{place}: {told}");
    killed.then_some(told)
}

fn count(told: &str, word: &str) -> usize {
    // The first line is preceded by the name of the test.
    let word = format!("{word} ");
    told.lines().filter(|line| line.contains(&word)).count()
}

/// Opens the profile as the next process does, and compares the sums with the rows and the rows with what was reported.
/// `unheard` says whether one further step may have been done before the process could report it.
fn check(folder: &Path, told: &str, unheard: bool, at: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = open(folder);
        store.settle_lost(now().timestamp()).await.expect("stored");
        let calls = store.calls(None, 100).await.expect("calls");
        let (mut done, mut lost) = (0, 0);
        for call in &calls {
            let spent = call.spent.as_ref().expect("nothing runs any more");
            match spent.state {
                CallState::Done => {
                    assert_eq!(spent.usage.cost_micros, COST, "{at}");
                    done += 1;
                }
                CallState::Lost => {
                    assert_eq!(spent.usage.cost_micros, WORST, "{at}");
                    lost += 1;
                }
                other => panic!("{at}: {other:?}"),
            }
        }
        let (reserved, settled) = (count(told, "reserved"), count(told, "settled"));
        let extra = usize::from(unheard);
        assert!(
            (reserved..=reserved + extra).contains(&calls.len()),
            "{at}: {told}"
        );
        assert!((settled..=settled + extra).contains(&done), "{at}: {told}");
        let used = done as u64 * COST + lost * WORST;
        let rows = store.spending(None, None, None).await.expect("rows");
        let sums: u64 = rows.iter().map(|row| row.cost_micros).sum();
        let held: u64 = rows.iter().map(|row| row.reserved_micros).sum();
        assert_eq!((sums, held), (used, 0), "{at}");
        // Exactly as many calls pass as the remaining money allows.
        let mut passed = 0;
        while reserve(&store).await.is_some() {
            passed += 1;
            assert!(passed <= FIT, "{at}: no limit");
        }
        assert_eq!(passed, (LIMITS.day - used) / WORST, "{at}");
    });
}

#[test]
fn a_kill_at_any_step_of_a_call_keeps_the_ledger_right() {
    let mut kills = 0;
    for job in ["reserve_call", "settle_call"] {
        for phase in ["before", "inside", "after"] {
            for time in 1..=TIMES_MAX {
                let folder = tempfile::tempdir().expect("a folder");
                let at = format!("{job}.{phase}:{time}");
                let Some(told) = run_until(folder.path(), "calls", &at) else {
                    break;
                };
                kills += 1;
                check(folder.path(), &told, phase == "after", &at);
                assert!(time < TIMES_MAX, "{at} comes by without end");
            }
        }
    }
    assert_eq!(
        kills, 24,
        "five reservations and three settlements, three places each"
    );
}

#[test]
fn the_next_start_completes_an_interrupted_settlement() {
    for phase in ["before", "inside", "after"] {
        let folder = tempfile::tempdir().expect("a folder");
        let calls = run_until(folder.path(), "calls", "settle_call.inside:3").expect("killed");
        let at = format!("settle_lost_calls.{phase}");
        assert!(run_until(folder.path(), "recover", &at).is_some(), "{at}");
        check(folder.path(), &calls, false, &at);
    }
}

#[test]
fn a_kill_during_calls_leaves_their_worst_case_spent() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = process(folder.path(), "wait")
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut told = String::new();
    for line in BufReader::new(child.stdout.take().expect("its output")).lines() {
        let line = line.expect("a line");
        if line.contains("waiting") {
            break;
        }
        told.push_str(&line);
        told.push('\n');
    }
    child.kill().expect("killed");
    let status = child.wait().expect("it ended");
    assert_eq!(status.signal(), Some(SIGKILL));
    assert_eq!((count(&told, "reserved"), count(&told, "settled")), (5, 3));
    check(folder.path(), &told, false, "outside");
}

/// Returns the folder of the only profile.
pub(super) fn only_profile(home: &Path) -> std::path::PathBuf {
    let mut waiting = vec![home.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        if folder.join("adjutant.db").exists() {
            return folder;
        }
        let inside = std::fs::read_dir(&folder).expect("a folder");
        waiting.extend(
            inside
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.is_dir()),
        );
    }
    panic!("no profile in {}", home.display())
}

#[test]
fn shows_spending_before_a_kill_by_day_and_by_call() {
    let profile = Profile::new();
    assert!(profile.show("usage").is_empty());
    let folder = only_profile(profile.path());
    let told = run_until(&folder, "calls", "settle_call.inside:3").expect("killed");
    assert_eq!((count(&told, "reserved"), count(&told, "settled")), (5, 2));

    let days = profile.show("usage");
    let [day] = days.as_slice() else {
        panic!("one day: {days:?}")
    };
    assert_eq!(
        (
            &day["day"],
            &day["stage"],
            &day["model"],
            &day["calls"],
            &day["currency"]
        ),
        (
            &"2026-01-12".into(),
            &"plan".into(),
            &"lab/one".into(),
            &5.into(),
            &"USD".into()
        )
    );
    let micros = |name: &str| day[name].as_u64().expect("a figure");
    assert_eq!(
        micros("cost_micros") + micros("reserved_micros"),
        2 * COST + 3 * WORST
    );
    let args = |args: &[&str]| -> Vec<Value> {
        let output = profile.run(args);
        serde_json::from_slice(&output.stdout).expect("a list")
    };
    let calls = args(&["show", "usage", "turn-1"]);
    assert_eq!(calls.len(), 5);
    let settled = calls.iter().filter(|call| call["state"] == "done");
    let costs: Vec<_> = settled.map(|call| (&call["cost"], &call["ms"])).collect();
    assert_eq!(costs, [(&"0.000004".into(), &2.into()); 2]);
    let day = |word, day| args(&["show", "usage", word, day]).len();
    assert_eq!(day("--from", "2026-01-12"), 1);
    assert_eq!(day("--from", "2026-01-13"), 0);
    assert_eq!(day("--to", "2026-01-12"), 1);
    assert_eq!(day("--to", "2026-01-11"), 0);
}
