//! Tests of work that becomes due without a message.

use std::sync::{Arc, Mutex};

use adjutant_domain::gate::ActionState;
use adjutant_domain::job::{Claim, Ended, Job, JobKind, JobState, Progress};
use adjutant_domain::model::Stage;
use adjutant_domain::ports::{Clock as _, Jobs as _};
use adjutant_domain::record::Record;
use adjutant_engine::{DueReport, JOBS_PER_PASS_MAX, News, Op, Reminder, Reporter, Worker};
use adjutant_testkit::make;
use futures::future::BoxFuture;
use jiff::ToSpan as _;
use serde_json::json;
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use crate::world::{Script, World, delete, step, task_id};

fn reminders(report: &DueReport) -> impl Iterator<Item = &Reminder> {
    report.news.iter().filter_map(|news| match news {
        News::Reminder(reminder) => Some(reminder),
        News::Line(_) => None,
    })
}

fn lines(report: &DueReport) -> Vec<&str> {
    let lines = report.news.iter().filter_map(|news| match news {
        News::Line(line) => Some(line.as_str()),
        News::Reminder(_) => None,
    });
    lines.collect()
}

fn remind(world: &World, number: usize, in_minutes: i64) {
    let mut task = make::task(&task_id(number), &format!("Task {number}"), None);
    let at = world.clock.now().checked_add(in_minutes.minutes()).unwrap();
    task.remind_at = Some(at.timestamp());
    world.records.put(Record::Task(task));
}

#[tokio::test]
async fn reminders_are_reported_once_and_missed_ones_are_listed() {
    let world = Script::new().world();
    remind(&world, 1, -90);
    remind(&world, 2, 0);
    remind(&world, 3, 5);
    let report = world.engine.run_due().await;
    let told: Vec<_> = reminders(&report)
        .map(|one| (one.task.title.as_str(), one.missed))
        .collect();
    assert_eq!(told, [("Task 1", true), ("Task 2", false)]);
    assert!(world.engine.run_due().await.is_empty(), "not twice");
    let next = world.engine.next_due().await.unwrap();
    assert_eq!(
        next,
        Some(
            world
                .clock
                .now()
                .checked_add(5.minutes())
                .unwrap()
                .timestamp()
        )
    );
    world.later(5);
    assert_eq!(reminders(&world.engine.run_due().await).count(), 1);
}

#[tokio::test]
async fn actions_expire_without_a_message() {
    let world = Script::new()
        .tasks(&["Milk", "Tax"])
        .plan("delete both", vec![delete("s1", 1), delete("s2", 2)])
        .world();
    world.ask("delete both").await;
    let ids: Vec<_> = world
        .pending()
        .await
        .into_iter()
        .map(|one| one.id)
        .collect();
    assert!(world.engine.run_due().await.is_empty());
    world.later(15);
    world.log.commits();
    let report = world.engine.run_due().await;
    assert_eq!(
        lines(&report),
        ["2 actions expired unanswered; nothing was done."]
    );
    assert_eq!(world.log.commits(), ["expire_actions"], "all at once");
    for id in &ids {
        assert_eq!(world.state(id).await, ActionState::Expired);
    }
    assert!(world.engine.run_due().await.is_empty());
    assert_eq!(world.log.commits(), Vec::<&str>::new(), "nothing to write");
}

/// Collects what the waiting loop reports until `acting` ends.
async fn while_waiting<F: Future<Output = ()>>(
    world: &World,
    acting: impl FnOnce(mpsc::UnboundedReceiver<DueReport>) -> F,
) {
    let stop = CancellationToken::new();
    let (told, reports) = mpsc::unbounded_channel();
    let looping = world
        .engine
        .watch_due(stop.clone(), move |report| drop(told.send(report)));
    tokio::join!(looping, async {
        acting(reports).await;
        stop.cancel();
    });
}

#[tokio::test]
async fn the_waiting_loop_wakes_up_for_changes() {
    let world = Script::new().world();
    while_waiting(&world, async |mut reports| {
        remind(&world, 1, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!(reminders(&report).count(), 1);
    })
    .await;
}

#[tokio::test]
async fn reports_a_lasting_problem_once() {
    let world = Script::new()
        .tasks(&["Milk"])
        .plan("delete milk", vec![delete("s1", 1)])
        .world();
    world.ask("delete milk").await.card();
    world.later(15);
    world.log.break_at(Some("expire_actions"));
    while_waiting(&world, async |mut reports| {
        let report = reports.recv().await.unwrap();
        assert_eq!(report.problems.len(), 1, "{report:?}");
        remind(&world, 7, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!((reminders(&report).count(), report.problems.len()), (1, 0));
    })
    .await;
}

#[tokio::test]
async fn a_retry_that_could_not_run_is_not_reported() {
    let world = Script::new()
        .plan("wait", vec![step("s1", "slow.read", json!({}))])
        .say("hello you", "Hello.")
        .world();
    world.log.break_at(Some("close_turn"));
    world.ask("hello you").await;
    while_waiting(&world, async |mut reports| {
        let report = reports.recv().await.unwrap();
        assert_eq!(report.problems.len(), 1, "{report:?}");
        // Another turn is running, so the pending commit waits.
        let op = Op::Ask {
            conversation: "other".into(),
            text: "wait".into(),
            tier: None,
        };
        let events = world.engine.submit(op).await.unwrap();
        world.tools.begun.acquire().await.unwrap().forget();
        remind(&world, 7, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!((reminders(&report).count(), report.problems.len()), (1, 0));
        world.tools.gate.add_permits(1);
        events.collect().await;
        remind(&world, 8, 0);
        world.engine.records_changed(&[]);
        let report = reports.recv().await.unwrap();
        assert_eq!((reminders(&report).count(), report.problems.len()), (1, 0));
    })
    .await;
}

#[tokio::test]
async fn setting_the_clock_back_repeats_no_reminder() {
    let world = Script::new().world();
    remind(&world, 1, 0);
    assert_eq!(reminders(&world.engine.run_due().await).count(), 1);
    for minutes in [-60, 30, 120] {
        world.later(minutes);
        assert!(world.engine.run_due().await.is_empty(), "{minutes}");
    }
}

#[tokio::test]
async fn runs_a_thousand_due_jobs_once_each_in_bounded_passes() {
    let world = Script::new().world();
    for number in 0..1_000 {
        remind(&world, number, -1);
    }
    while_waiting(&world, async |mut reports| {
        let mut seen = std::collections::BTreeSet::new();
        while seen.len() < 1_000 {
            let report = reports.recv().await.unwrap();
            let shown = reminders(&report).count();
            assert!(shown > 0 && shown <= JOBS_PER_PASS_MAX, "{shown}");
            seen.extend(reminders(&report).map(|one| one.task.id.clone()));
        }
    })
    .await;
    assert!(world.engine.run_due().await.is_empty());
}

#[tokio::test]
async fn leaves_the_job_of_another_process_alone_until_its_lease_expires() {
    let world = Script::new().world();
    remind(&world, 1, 0);
    let now = world.clock.now().timestamp();
    let id = format!("reminder:{}:{}", task_id(1), now.as_microsecond());
    let claim = Claim {
        holder: "another".into(),
        now,
        zone: jiff::tz::TimeZone::UTC,
        limit: 1,
        stays: true,
    };
    world.log.take_over(&id, &claim);
    assert!(world.engine.run_due().await.is_empty());
    world.later(1);
    assert_eq!(reminders(&world.engine.run_due().await).count(), 1);
}

#[tokio::test]
async fn a_start_takes_over_leases_of_a_killed_process() {
    let world = Script::new().world();
    remind(&world, 1, 0);
    let now = world.clock.now().timestamp();
    let id = format!("reminder:{}:{}", task_id(1), now.as_microsecond());
    let claim = Claim {
        holder: "killed".into(),
        now,
        zone: jiff::tz::TimeZone::UTC,
        limit: 1,
        stays: true,
    };
    world.log.take_over(&id, &claim);
    world.engine.recover().await.unwrap();
    assert_eq!(reminders(&world.engine.run_due().await).count(), 1);
    assert_eq!(world.log.job(&id).unwrap().attempts, 2);
}

#[tokio::test]
async fn a_failing_job_waits_longer_each_time_and_is_given_up() {
    let world = Script::new()
        .tasks(&["Milk"])
        .plan("delete milk", vec![delete("s1", 1)])
        .world();
    let (id, _) = world.ask("delete milk").await.card();
    world.later(15);
    world.log.break_at(Some("expire_actions"));
    let first = world.engine.run_due().await.problems;
    assert_eq!(first.len(), 1, "{first:?}");
    for _ in 0..8 {
        assert!(world.engine.run_due().await.is_empty(), "it waits");
        world.later(60);
        assert!(world.engine.run_due().await.is_empty(), "told once");
    }
    world.later(60);
    let last = world.engine.run_due().await.problems;
    assert_eq!(last[0].code, "job_failed", "{last:?}");
    world.later(6_000);
    assert!(world.engine.run_due().await.is_empty());
    assert_eq!(
        world.log.job(&format!("expire:{id}")).unwrap().state,
        JobState::Failed
    );
}

#[tokio::test]
async fn does_not_report_a_due_item_that_changed() {
    let world = Script::new().world();
    remind(&world, 1, 0);
    world
        .records
        .apply(&adjutant_domain::change::Change::default())
        .unwrap();
    let mut task = make::task(&task_id(1), "Task 1", None);
    task.remind_at = None;
    world.records.put(Record::Task(task));
    assert!(world.engine.run_due().await.is_empty());
    assert_eq!(world.engine.next_due().await, Ok(None));
}

/// Continues downloads. It reports that it has begun, and ends when permitted.
#[derive(Clone, Default)]
struct Downloads {
    begun: Arc<Notify>,
    may_end: Arc<Notify>,
    seen: Arc<Mutex<Vec<Job>>>,
}

impl Worker for Downloads {
    fn work(&self, job: Job, reporter: Reporter) -> BoxFuture<'static, Ended> {
        let downloads = self.clone();
        Box::pin(async move {
            reporter.at(Progress {
                done: 80,
                total: 100,
            });
            downloads.seen.lock().unwrap().push(job);
            downloads.begun.notify_one();
            downloads.may_end.notified().await;
            Ended::Done
        })
    }
}

/// Returns a download that was under way when its process was killed.
async fn cut_off_download(world: &World) -> Job {
    let now = world.clock.now().timestamp();
    let job = Job::fetch_model("a.gguf", 100, json!({ "what": "small" }), now);
    let claim = Claim {
        holder: "killed".into(),
        now,
        zone: jiff::tz::TimeZone::UTC,
        limit: 1,
        stays: true,
    };
    let half = Progress {
        done: 50,
        total: 100,
    };
    world.log.begin(&job, &claim).await.unwrap().unwrap();
    assert!(world.log.renew(&job.id, &claim, Some(half)).await.unwrap());
    world.engine.recover().await.unwrap();
    job
}

/// Waits until a job reaches a state.
async fn becomes(world: &World, job: &Job, state: JobState) {
    let reached = async {
        while world.log.job(job.id.as_str()).unwrap().state != state {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), reached)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_interrupted_download_continues_in_a_lasting_process() {
    let world = Script::new().world();
    let downloads = Downloads::default();
    let worker = Arc::new(downloads.clone());
    world.engine.set_worker(JobKind::FetchModel, worker);
    let job = cut_off_download(&world).await;
    assert!(world.engine.run_due().await.is_empty());
    assert_eq!(downloads.seen.lock().unwrap().len(), 0, "it does not stay");
    while_waiting(&world, async |_reports| {
        downloads.begun.notified().await;
        let progress = downloads.seen.lock().unwrap()[0].progress;
        assert_eq!(progress.map(|progress| progress.done), Some(50));
        downloads.may_end.notify_one();
        becomes(&world, &job, JobState::Done).await;
    })
    .await;
    assert_eq!(downloads.seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_stopped_job_ends_at_once() {
    let world = Script::new().world();
    let downloads = Downloads::default();
    let worker = Arc::new(downloads.clone());
    world.engine.set_worker(JobKind::FetchModel, worker);
    let job = cut_off_download(&world).await;
    while_waiting(&world, async |_reports| {
        downloads.begun.notified().await;
        world.log.stop(job.id.as_str());
        world.engine.job_stopped();
        // The worker has dropped its references, so nothing works on the download any more.
        let alone = async {
            while Arc::strong_count(&downloads.may_end) > 2 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), alone)
            .await
            .unwrap();
    })
    .await;
    let stopped = world.log.job(job.id.as_str()).unwrap();
    assert_eq!(stopped.state, JobState::Stopped);
}

#[tokio::test]
async fn reports_skipped_jobs() {
    let world = Script::new().world();
    let now = world.clock.now().timestamp();
    let job = Job::compare(None, Stage::Plan, now);
    let claim = Claim {
        holder: "killed".into(),
        now,
        zone: jiff::tz::TimeZone::UTC,
        limit: 1,
        stays: true,
    };
    world.log.begin(&job, &claim).await.unwrap().unwrap();
    world.engine.recover().await.unwrap();
    while_waiting(&world, async |mut reports| {
        let report = reports.recv().await.unwrap();
        assert_eq!(
            lines(&report),
            ["“Compare what models say (plan)” was not done: It was cut off."]
        );
    })
    .await;
}

/// Tidies what it is given, and records it.
#[derive(Clone, Default)]
struct InOrder(Arc<Mutex<Vec<Job>>>);

impl Worker for InOrder {
    fn work(&self, job: Job, _reporter: Reporter) -> BoxFuture<'static, Ended> {
        self.0.lock().unwrap().push(job);
        Box::pin(std::future::ready(Ended::Done))
    }
}

#[tokio::test]
async fn catches_up_once_after_sleep_and_reports_it() {
    let world = Script::new().world();
    let worker = InOrder::default();
    world
        .engine
        .set_worker(JobKind::Tidy, Arc::new(worker.clone()));
    let [tidy, _] = Job::of_storage(world.clock.now().timestamp(), &jiff::tz::TimeZone::UTC);
    world.log.keep(tidy.clone());
    assert!(world.engine.run_due().await.is_empty(), "not yet");
    world.later(26 * 60);
    let report = world.engine.run_due().await;
    let told = lines(&report);
    assert_eq!(told.len(), 1, "{report:?}");
    assert!(told[0].contains("was done late"), "{told:?}");
    assert!(world.engine.run_due().await.is_empty());
    assert_eq!(worker.0.lock().unwrap().len(), 1, "four were missed");
    let waits = world.log.job(tidy.id.as_str()).unwrap();
    assert_eq!(waits.state, JobState::Waiting);
    assert!(waits.due > world.clock.now().timestamp());
}
