//! Tells front ends what became due, and counts items for the tray and badges.

use std::future::Future;

use adjutant_api::convert::records::job as job_row;
use adjutant_api::reply::{self, StatusView};
use adjutant_api::rows::Rows;
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::{JobId, RecordId};
use adjutant_domain::job::Job;
use adjutant_domain::moment::{Moment, rfc3339};
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Kind, Occurrence, Record};
use adjutant_domain::settings::{ClockFace, Settings};
use adjutant_engine::{DueReport, News};
use jiff::{SignedDuration, Timestamp, Zoned};
use tokio::sync::mpsc;

use super::broadcast::Reminder;
use super::{Service, store_fault};

/// How far back missed reminders are listed.
const MISSED_LISTED: SignedDuration = SignedDuration::from_hours(24 * 7);
/// Maximum number of reports that wait for their listener.
const REPORTS_WAITING_MAX: usize = 64;

/// A notice of the due-work loop to a front end.
#[derive(Clone, Debug, PartialEq)]
pub enum DueNotice {
    /// A reminder to show once.
    Reminder {
        /// Task id.
        id: String,
        /// Title of the task.
        title: String,
        /// When it was due, in words.
        at: String,
        /// When it was due (RFC 3339).
        due: String,
        /// Whether it became due while no process was running.
        missed: bool,
    },
    /// Any other event, in words.
    Line(String),
    /// Something failed and will be retried.
    Problem {
        /// What failed, in words.
        what: String,
        /// What to do next.
        hint: String,
    },
}

impl DueNotice {
    /// Formats the notice as one line for a terminal.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Reminder {
                title,
                at,
                missed: false,
                ..
            } => format!("Reminder: {title} ({at})."),
            Self::Reminder {
                title,
                at,
                missed: true,
                ..
            } => format!("Missed reminder: {title} ({at})."),
            Self::Line(text) => text.clone(),
            Self::Problem { what, hint } => format!("{what} {hint}").trim_end().to_owned(),
        }
    }
}

impl Service {
    /// Does what becomes due until the service is closed.
    pub async fn watch_due(&self, mut tell: impl FnMut(Vec<DueNotice>) + Send) {
        if self.read_only() {
            // A read-only profile cannot record anything as done.
            self.stop.cancelled().await;
            return;
        }
        // Only a long-running process updates the search index in the background; for a short one it is too expensive.
        self.store.follow_index();
        // The same applies to the sentence model: from here on it may be loaded on first use.
        self.sentences.stay();
        if let Some(embedder) = self.sentences.embedder() {
            self.models.make_vectors_here(embedder);
        }
        self.plan_upkeep().await;
        let (sender, mut reports) = mpsc::channel(REPORTS_WAITING_MAX);
        let watching = self
            .engine
            .watch_due(self.stop.child_token(), move |report| {
                if sender.try_send(report).is_err() {
                    tracing::warn!("nothing receives the notices of due jobs");
                }
            });
        let news = self.accounts.follow_news(self.stop.child_token());
        let drafts = self.accounts.follow_drafts(self.stop.child_token());
        let listening = async { tokio::join!(news, drafts) };
        tokio::pin!(watching, listening);
        let mut listens = true;
        loop {
            tokio::select! {
                () = &mut watching => return,
                _ = &mut listening, if listens => listens = false,
                report = reports.recv() => match report {
                    Some(report) => {
                        let (left, _) = self.hand_out(told(&report, &self.now(), &self.settings().core));
                        if !left.is_empty() {
                            tell(left);
                        }
                    }
                    None => return,
                },
            }
        }
    }

    /// `adjutant run`: does what becomes due until interrupted and reports it line by line.
    pub fn keep_running(
        &self,
        mut tell: impl FnMut(&[String]) + Send,
    ) -> impl Future<Output = ()> + Send {
        self.watch_due(move |told| tell(&told.iter().map(DueNotice::line).collect::<Vec<_>>()))
    }

    /// Schedules the recurring jobs for storage and accounts. If that fails, the next start tries again.
    async fn plan_upkeep(&self) {
        let now = self.now();
        let accounts = self.store.accounts().await.unwrap_or_default();
        let used = accounts.iter().filter(|one| {
            !one.id.is_local() && one.state == adjutant_domain::account::AccountState::Ready
        });
        let read = used.map(|one| Job::sync(one, now.timestamp()));
        let storage = Job::of_storage(now.timestamp(), now.time_zone());
        let has_folders = !self.settings().core.folders.is_empty();
        let documents = has_folders.then(|| Job::documents(now.timestamp()));
        let jobs: Vec<Job> = storage.into_iter().chain(read).chain(documents).collect();
        if let Err(fault) = self.store.keep_jobs(jobs).await {
            tracing::warn!(%fault, "recurring jobs could not be planned");
        }
    }

    /// Schedules a new scan of documents after the set of folders changed. Files of closed folders leave the index
    /// then.
    pub(super) async fn plan_documents(&self) {
        let job = Job::documents(self.now().timestamp());
        if let Err(fault) = self.store.plan_job(job).await {
            tracing::warn!(%fault, "the job that reads documents could not be planned");
        }
        self.engine.jobs_changed();
    }

    /// Gives each reminder to a front end that shows it. Returns the notices left to tell here and those handed out.
    fn hand_out(&self, told: Vec<DueNotice>) -> (Vec<DueNotice>, Vec<DueNotice>) {
        told.into_iter().partition(|told| match told {
            DueNotice::Reminder {
                id,
                title,
                at,
                due,
                missed,
            } => !self.broadcast.remind(Reminder {
                task: id.clone(),
                title: title.clone(),
                at: at.clone(),
                due: due.clone(),
                missed: *missed,
            }),
            DueNotice::Line(_) | DueNotice::Problem { .. } => true,
        })
    }
}

/// Does what is due now.
pub(super) async fn once(service: &Service) -> Reply {
    if !service.read_only() {
        service.plan_upkeep().await;
        service.engine.hurry_waiting().await;
    }
    let report = service.engine.run_due().await;
    let (left, given) = service.hand_out(told(&report, &service.now(), &service.settings().core));
    let given = given
        .iter()
        .map(|told| format!("{} Shown in the window.", told.line()));
    Reply::DueDone {
        done: left.iter().map(DueNotice::line).chain(given).collect(),
    }
}

fn told(report: &DueReport, now: &Zoned, settings: &Settings) -> Vec<DueNotice> {
    let news = report.news.iter().map(|news| match news {
        News::Line(line) => DueNotice::Line(line.clone()),
        News::Reminder(reminder) => {
            let at = reminder.at.to_zoned(now.time_zone().clone());
            DueNotice::Reminder {
                id: reminder.task.id.0.clone(),
                title: reminder.task.title.clone(),
                at: moment_words(&at, now, settings),
                due: rfc3339(&at),
                missed: reminder.missed,
            }
        }
    });
    let problems = report
        .problems
        .iter()
        .map(|UserFault { what, hint, .. }| DueNotice::Problem {
            what: what.clone(),
            hint: hint.clone(),
        });
    news.chain(problems).collect()
}

/// Stops a job on the person's request.
pub(super) async fn stop(service: &Service, id: &JobId) -> Result<Reply, Fault> {
    let job = match service.store.stop_job(id).await.map_err(store_fault)? {
        Some(Ok(job)) => job,
        Some(Err(instead)) => {
            return Err(Fault {
                code: "not_stopped".into(),
                message: "Not stopped.".into(),
                hint: instead,
            });
        }
        None => {
            return Err(Fault {
                code: "not_found".into(),
                message: format!("There is no job “{id}”."),
                hint: "See what is due in Jobs (`adjutant show jobs`).".into(),
            });
        }
    };
    service.engine.job_stopped();
    Ok(Reply::Rows {
        rows: Rows::Jobs(vec![job_row(&job, &service.zone())]),
        total: None,
    })
}

/// Returns the counts for the tray and badges.
pub(super) async fn status(service: &Service) -> Result<Reply, Fault> {
    let now = service.now();
    let settings = service.settings().core;
    let counts = service
        .store
        .counts(now.timestamp())
        .await
        .map_err(store_fault)?;
    let since = now
        .timestamp()
        .checked_sub(MISSED_LISTED)
        .unwrap_or(Timestamp::MIN);
    let mut missed = Vec::new();
    for job in service
        .store
        .missed_reminders(since)
        .await
        .map_err(store_fault)?
    {
        if let Some(Record::Task(task)) = service
            .store
            .get(Kind::Task, &RecordId(job.subject))
            .await
            .map_err(store_fault)?
            && task.status == adjutant_domain::record::TaskStatus::Open
        {
            let at = job.due.to_zoned(now.time_zone().clone());
            missed.push(format!(
                "{} ({})",
                task.title,
                moment_words(&at, &now, &settings)
            ));
        }
    }
    let running = service.store.running_jobs().await.map_err(store_fault)?;
    let mut long = running.iter().filter(|job| job.kind.rules().takes_long);
    let mut empty = true;
    for kind in Kind::ALL {
        empty = empty && service.store.count(kind).await.map_err(store_fault)? == 0;
    }
    Ok(Reply::Status {
        status: StatusView {
            profile: service.place.name().into(),
            folder: service.place.dir().display().to_string(),
            approvals: counts.approvals,
            next_event: counts
                .next_event
                .as_ref()
                .and_then(|next| next_event(next, &now, &settings)),
            missed,
            working: long.next().map(|job| job.title.clone()),
            empty,
            owner: settings.owner.name,
            zone: now.time_zone().iana_name().unwrap_or_default().into(),
            clock: match settings.clock {
                ClockFace::Hours24 => reply::ClockFace::Hours24,
                ClockFace::Hours12 => reply::ClockFace::Hours12,
            },
            day_first: settings.day_first,
            now: rfc3339(&now),
            unwritable: service
                .read_only()
                .then(|| store_fault(StoreFault::ReadOnly)),
        },
    })
}

/// Describes the next event today or tomorrow; `None` if it is later.
fn next_event(next: &Occurrence, now: &Zoned, settings: &Settings) -> Option<String> {
    let date = next.start.date(now.time_zone());
    let days = (date - now.date()).get_days();
    if days > 1 {
        return None;
    }
    Some(match &next.start {
        Moment::Day(_) => format!("{}, all day", next.event.summary),
        Moment::At(at) => {
            let at = at.timestamp().to_zoned(now.time_zone().clone());
            format!(
                "{}, {}",
                next.event.summary,
                moment_words(&at, now, settings)
            )
        }
    })
}

/// Formats a time as "14:00", "tomorrow, 14:00" or "Fri 16 Jan, 14:00".
fn moment_words(at: &Zoned, now: &Zoned, settings: &Settings) -> String {
    let clock = settings.clock.show(at.time());
    match (at.date() - now.date()).get_days() {
        0 => clock,
        1 => format!("tomorrow, {clock}"),
        -1 => format!("yesterday, {clock}"),
        _ => format!(
            "{}, {clock}",
            settings.date_order().show(at.date(), now.year())
        ),
    }
}
