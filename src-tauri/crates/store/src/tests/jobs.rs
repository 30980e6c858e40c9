//! Tests of jobs: planned together with what they derive from, leased once, and migrated from older profiles.

use adjutant_domain::change::Change;
use adjutant_domain::conversation::TurnState;
use adjutant_domain::filter::Filter;
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::JobId;
use adjutant_domain::job::{Claim, Ended, Given, Job, JobState, Progress};
use adjutant_domain::model::Stage;
use adjutant_domain::ports::{Jobs as _, Records as _, TurnLog as _};
use adjutant_domain::record::{Kind, OutboxState, Record, Task, TaskStatus};
use jiff::Timestamp;
use rusqlite::Connection;

use super::{action, at, end, fresh, noon, open, task, turn};
use crate::{Store, migrations};

fn reminding(id: &str, when: Timestamp) -> Task {
    Task {
        remind_at: Some(when),
        ..task(id, "Call")
    }
}

async fn put(store: &Store, record: Record) {
    let mut record = record;
    let before = store.get(record.kind(), record.id()).await;
    let change = match before.expect("read") {
        Some(before) => {
            record.set_version(before.version());
            Change::replace(record)
        }
        None => Change::add(record),
    };
    store.apply(change).await.expect("stored");
}

async fn remove(store: &Store, task: &str) {
    let there = store.get(Kind::Task, &task.into()).await.expect("read");
    let gone = Change::remove(&there.expect("a task"));
    store.apply(gone).await.expect("deleted");
}

fn claim(holder: &str, now: Timestamp) -> Claim {
    Claim {
        holder: holder.into(),
        now,
        zone: jiff::tz::TimeZone::UTC,
        limit: 10,
        stays: true,
    }
}

async fn leased(store: &Store, holder: &str, now: Timestamp) -> Vec<Job> {
    let given = store.claim(&claim(holder, now)).await.expect("claimed");
    given
        .into_iter()
        .filter_map(|one| match one {
            Given::Leased(job) => Some(job),
            Given::Skipped(_) | Given::GivenUp(_) => None,
        })
        .collect()
}

async fn ids(store: &Store) -> Vec<(String, &'static str)> {
    let jobs = store.jobs(None).await.expect("read");
    jobs.into_iter()
        .map(|job| (job.id.0, job.state.as_str()))
        .collect()
}

#[tokio::test]
async fn a_job_follows_its_record() {
    let (_folder, store) = fresh();
    let (early, late) = (at("2026-01-12T11:00:00Z"), at("2026-01-12T13:00:00Z"));
    put(&store, Record::Task(reminding("t1", early))).await;
    put(&store, Record::Task(task("t2", "No reminder"))).await;
    assert_eq!(store.next_at().await, Ok(Some(early)));
    put(&store, Record::Task(reminding("t1", late))).await;
    assert_eq!(
        ids(&store).await,
        [("reminder:t1:1768222800000000".into(), "waiting")]
    );
    assert_eq!(store.next_at().await, Ok(Some(late)));
    let done = Task {
        status: TaskStatus::Done,
        ..reminding("t1", late)
    };
    put(&store, Record::Task(done)).await;
    assert_eq!(ids(&store).await, []);
    put(&store, Record::Task(reminding("t1", late))).await;
    remove(&store, "t1").await;
    assert_eq!(store.next_at().await, Ok(None));
}

#[tokio::test]
async fn does_not_plan_a_shown_reminder_again() {
    let (_folder, store) = fresh();
    let (first, other) = (at("2026-01-12T11:00:00Z"), at("2026-01-12T13:00:00Z"));
    put(&store, Record::Task(reminding("t1", first))).await;
    let jobs = leased(&store, "a", noon()).await;
    assert!(jobs[0].late);
    let ended = [(jobs[0].id.clone(), Ended::Done)];
    let own = store
        .settle(&claim("a", noon()), &ended)
        .await
        .expect("settled");
    assert_eq!(own.len(), 1);
    let again = store
        .settle(&claim("a", noon()), &ended)
        .await
        .expect("settled");
    assert_eq!(again, [], "once");
    for when in [other, first] {
        put(&store, Record::Task(reminding("t1", when))).await;
    }
    assert_eq!(store.next_at().await, Ok(None));
    let missed = store.missed_reminders(first).await.expect("read");
    assert_eq!(missed[0].subject, "t1");
}

#[tokio::test]
async fn two_holders_never_lease_the_same_job() {
    let (_folder, store) = fresh();
    for number in 0..40 {
        put(
            &store,
            Record::Task(reminding(&format!("t{number}"), noon())),
        )
        .await;
    }
    let round = async |holder: &str| {
        let mut mine = Vec::new();
        loop {
            let jobs = leased(&store, holder, noon()).await;
            if jobs.is_empty() {
                return mine;
            }
            mine.extend(jobs.into_iter().map(|job| job.id));
        }
    };
    let (a, b) = tokio::join!(round("a"), round("b"));
    let all: std::collections::BTreeSet<&JobId> = a.iter().chain(&b).collect();
    assert_eq!((a.len() + b.len(), all.len()), (40, 40));
    let stolen = [(a[0].clone(), Ended::Done)];
    let settled = store.settle(&claim("b", noon()), &stolen).await;
    assert_eq!(settled, Ok(Vec::new()));
}

#[tokio::test]
async fn a_start_releases_old_leases() {
    let (folder, store) = fresh();
    put(&store, Record::Task(reminding("t1", noon()))).await;
    assert_eq!(leased(&store, "killed", noon()).await.len(), 1);
    drop(store);
    let store = open(folder.path());
    assert_eq!(leased(&store, "next", noon()).await, []);
    store.release_all().await.expect("released");
    assert_eq!(leased(&store, "next", noon()).await[0].attempts, 2);
}

#[tokio::test]
async fn an_action_expires_unless_answered() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("turn_1", "x")).await.expect("open");
    let mut waiting = end("turn_1", TurnState::Waiting, "");
    waiting.pending = ["a1", "a2", "a3"]
        .map(|id| action(id, "turn_1", ActionState::Pending))
        .to_vec();
    store.close_turn(&waiting).await.expect("closed");
    assert_eq!(store.next_at().await, Ok(Some(at("2026-01-12T12:15:00Z"))));
    let (from, to) = (ActionState::Pending, ActionState::Denied);
    let denied = store
        .move_action(&"a1".into(), from, to, None, noon())
        .await;
    denied.expect("denied");
    assert_eq!(ids(&store).await.len(), 2, "one was answered");
    let later = at("2026-01-12T12:20:00Z");
    assert_eq!(leased(&store, "a", later).await.len(), 2);
    store.expire_actions(later, false).await.expect("expired");
    let left = ids(&store).await;
    assert!(left.iter().all(|(_, state)| *state == "done"), "{left:?}");
    assert_eq!(store.next_at().await, Ok(None));
}

#[tokio::test]
async fn cards_of_a_deleted_conversation_no_longer_expire() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("turn_1", "x")).await.expect("open");
    let mut waiting = end("turn_1", TurnState::Waiting, "");
    waiting.pending = vec![action("a1", "turn_1", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    let deleted = store.delete_conversation(&"main".into(), noon()).await;
    deleted.expect("deleted");
    assert_eq!(store.next_at().await, Ok(None));
}

#[tokio::test]
async fn a_stopped_reminder_stays_stopped() {
    let (_folder, store) = fresh();
    put(&store, Record::Task(reminding("t1", noon()))).await;
    let id = store.jobs(None).await.expect("read").remove(0).id;
    let stopped = store.stop_job(&id).await.expect("stored");
    let stopped = stopped.expect("there").expect("stoppable");
    assert_eq!(stopped.state, JobState::Stopped);
    let renamed = Task {
        title: "Call mom".into(),
        ..reminding("t1", noon())
    };
    put(&store, Record::Task(renamed)).await;
    assert_eq!(leased(&store, "a", noon()).await, []);
    assert_eq!(store.stop_job(&"job_x".into()).await, Ok(None));
}

#[tokio::test]
async fn forgets_old_jobs_except_those_that_could_remind_again() {
    let (_folder, store) = fresh();
    for (id, when) in [
        ("old", "2024-01-01T00:00:00Z"),
        ("kept", "2024-01-02T00:00:00Z"),
    ] {
        put(&store, Record::Task(reminding(id, at(when)))).await;
    }
    let settle = async |now| {
        let jobs = leased(&store, "a", now).await;
        let ended: Vec<_> = jobs.into_iter().map(|job| (job.id, Ended::Done)).collect();
        let claim = claim("a", now);
        store.settle(&claim, &ended).await.expect("settled");
    };
    settle(at("2024-01-02T00:00:00Z")).await;
    remove(&store, "old").await;
    put(&store, Record::Task(reminding("new", noon()))).await;
    settle(noon()).await;
    let left = store.jobs(None).await.expect("read");
    let left: Vec<&str> = left.iter().map(|job| job.subject.as_str()).collect();
    assert_eq!(left, ["new", "kept"]);
}

#[tokio::test]
async fn an_older_profile_keeps_waiting_and_shown_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("adjutant.db");
    let mut old = Connection::open(&file).expect("a file");
    old.pragma_update(None, "application_id", 0x4164_6a75)
        .expect("ours");
    migrations::run_to(&mut old, 4).expect("an old profile");
    old.execute_batch(
        "INSERT INTO tasks (id, version, title, notes, remind_at, priority, done, created, updated) VALUES
            ('t1', 1, 'Shown', '', 1000000, 1, 0, 0, 0), ('t2', 1, 'Missed', '', 2000000, 1, 0, 0, 0),
            ('t3', 1, 'Waits', '', 3000000, 1, 0, 0, 0), ('t4', 1, 'Closed', '', 4000000, 1, 1, 0, 0);
         INSERT INTO reminders (task, at, outcome) VALUES
            ('t1', 1000000, 'shown'), ('t2', 2000000, 'missed'), ('gone', 500000, 'shown');
         INSERT INTO outbox (id, version, message_id, recipients, copies, blind, subject, body, state, not_before,
            created, updated) VALUES
            ('out_1', 1, 'm@x', '[]', '[]', '[]', 'Held', '', 'held', 5000000, 0, 0),
            ('out_2', 1, '', '[]', '[]', '[]', 'Draft', '', 'draft', NULL, 0, 0);
         INSERT INTO actions (id, conversation, turn, step, tool, risk, digest, created, expires, state, body) VALUES
            ('act_1', 'main', 't', 's1', 'x', 'read', 'd', 0, 6000000, 'pending', '{\"card\":{\"title\":\"Delete\"}}'),
            ('act_2', 'main', 't', 's1', 'x', 'read', 'd', 0, 6000000, 'denied', '{}');",
    )
    .expect("rows");
    drop(old);
    let store = open(folder.path());
    let jobs = store.jobs(None).await.expect("read");
    let jobs: Vec<(&str, &str, bool, &str)> = jobs
        .iter()
        .map(|job| {
            (
                job.id.as_str(),
                job.state.as_str(),
                job.late,
                job.title.as_str(),
            )
        })
        .collect();
    assert_eq!(
        jobs,
        [
            ("reminder:t3:3000000", "waiting", false, "Waits"),
            ("expire:act_1", "waiting", false, "Delete"),
            ("reminder:t2:2000000", "done", true, "Missed"),
            ("reminder:t1:1000000", "done", false, "Shown"),
            ("reminder:gone:500000", "done", false, ""),
        ]
    );
    // The held mail is kept, but its approval is void: sending it takes a new one.
    let all = store.outbox(&Filter::all()).await.expect("read");
    let all: Vec<_> = all
        .iter()
        .map(|one| (one.id.as_str(), one.state, one.not_before))
        .collect();
    assert_eq!(all.len(), 2);
    assert!(
        all.contains(&("out_1", OutboxState::Queued, None)),
        "{all:?}"
    );
}

#[tokio::test]
async fn an_older_profiles_wait_for_a_connection_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("adjutant.db");
    let mut old = Connection::open(&file).expect("a file");
    old.pragma_update(None, "application_id", 0x4164_6a75)
        .expect("ours");
    migrations::run_to(&mut old, 10).expect("an old profile");
    old.execute_batch(
        "INSERT INTO actions (id, conversation, turn, step, tool, risk, digest, created, expires, state, body,
            waits_until) VALUES
            ('act_1', 'main', 't', 's1', 'x', 'read', 'd', 0, 6000000, 'approved', '{\"card\":{\"title\":\"Move\"}}',
                9000000),
            ('act_2', 'main', 't', 's1', 'x', 'read', 'd', 0, 6000000, 'succeeded', '{}', 9000000);
         INSERT INTO jobs (id, kind, subject, title, state, due, run_at, next_at, attempts, late) VALUES
            ('send:out_1:5', 'send', 'out_1', 'Held', 'waiting', 5, 5, 5, 0, 0),
            ('send:out_2:5', 'send', 'out_2', 'Was held', 'done', 5, 5, NULL, 1, 0);",
    )
    .expect("rows");
    drop(old);
    let store = open(folder.path());
    assert_eq!(
        ids(&store).await,
        [
            ("send:act_1".to_owned(), "waiting"),
            ("send:out_2:5".to_owned(), "done")
        ]
    );
}

#[tokio::test]
async fn long_work_renews_its_lease_and_continues_after_a_kill() {
    let (folder, store) = fresh();
    let agreed = serde_json::json!({ "what": "small" });
    let fetch = Job::fetch_model("a.gguf", 100, agreed, noon());
    let begun = store.begin(&fetch, &claim("a", noon())).await;
    assert_eq!(begun.expect("stored").expect("begun").attempts, 1);
    let twice = store.begin(&fetch, &claim("b", noon())).await;
    assert_eq!(twice, Ok(None), "somebody does it");
    let half = Some(Progress {
        done: 50,
        total: 100,
    });
    let renewed = store.renew(&fetch.id, &claim("a", noon()), half).await;
    assert_eq!(renewed, Ok(true));
    drop(store);
    let store = open(folder.path());
    store.release_all().await.expect("released");
    let short = Claim {
        stays: false,
        ..claim("c", noon())
    };
    assert_eq!(
        store.claim(&short).await,
        Ok(Vec::new()),
        "it does not stay"
    );
    let again = leased(&store, "c", noon()).await.remove(0);
    assert_eq!((again.progress, again.attempts), (half, 2));
    assert_eq!(again.data["what"], "small");
    store.stop_job(&again.id).await.expect("stored");
    let renewed = store.renew(&again.id, &claim("c", noon()), None).await;
    assert_eq!(renewed, Ok(false), "stopped");
}

#[tokio::test]
async fn comparisons_leave_no_job_and_interrupted_ones_are_skipped() {
    let (_folder, store) = fresh();
    let compare = |turn: &str| Job::compare(Some(&turn.into()), Stage::Plan, noon());
    let done = compare("turn_1");
    let begun = store.begin(&done, &claim("a", noon())).await;
    begun.expect("stored").expect("begun");
    let ended = [(done.id, Ended::Done)];
    let settled = store.settle(&claim("a", noon()), &ended).await;
    settled.expect("settled");
    assert_eq!(ids(&store).await, []);
    let begun = store.begin(&compare("turn_2"), &claim("a", noon())).await;
    begun.expect("stored").expect("begun");
    store.release_all().await.expect("released");
    let given = store.claim(&claim("b", noon())).await.expect("claimed");
    assert!(matches!(&given[..], [Given::Skipped(_)]), "{given:?}");
    assert_eq!(ids(&store).await[0].1, "skipped");
}

#[tokio::test]
async fn a_repeating_job_exists_once_and_survives_a_restart() {
    let (folder, store) = fresh();
    let zone = jiff::tz::TimeZone::UTC;
    let jobs = Job::of_storage(noon(), &zone);
    store.keep_jobs(jobs.clone()).await.expect("kept");
    let [tidy, check] = jobs;
    let mut late = leased(&store, "a", check.due).await;
    assert_eq!(late.len(), 1, "the check is due first");
    assert_eq!(late.remove(0).schedule, check.schedule);
    // After a restart they are unchanged, including the time they wait for.
    drop(store);
    let store = open(folder.path());
    let hour = jiff::SignedDuration::from_hours(1);
    let later = Job::of_storage(noon() + hour, &zone);
    store.keep_jobs(later).await.expect("kept");
    let kept = store.job(&tidy.id).await.expect("read").expect("a job");
    assert_eq!(kept.due, tidy.due);
    assert_eq!(store.jobs(None).await.expect("read").len(), 2);
    let at = tidy.due;
    let due = leased(&store, "b", at).await;
    let ended: Vec<_> = due
        .iter()
        .map(|job| (job.id.clone(), Ended::Done))
        .collect();
    let settled = store
        .settle(&claim("b", at), &ended)
        .await
        .expect("settled");
    let next = settled
        .iter()
        .find(|job| job.id == tidy.id)
        .expect("its own");
    assert_eq!(next.due.duration_since(at), 6 * hour);
    assert!(store.next_at().await.expect("read") > Some(at));
}
