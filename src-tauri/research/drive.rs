//! Drives one run: carries out the commands of the machine in parallel and feeds their results back to it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::RunId;
use adjutant_domain::job::Progress;
use adjutant_engine::Reporter;
use adjutant_research::{
    Command, Fault, FaultKind, Input, Report, Run, StepKey, Verdict, WrittenBy,
};
use adjutant_store::{
    DocumentSave, ResearchClaim, ResearchRun, StepBeginning, StepBegun, StepEnding,
};
use adjutant_tools::research::{ResearchBrief, Sources};
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};
use tokio::task::{AbortHandle, JoinSet};

use super::steps::{self, Came, Performed};
use super::{Control, Driven, Research, document, events};

/// Interval at which a run checks its running time and the credits of the day.
const TICK: Duration = Duration::from_secs(5);
/// How long steps in progress may take to finish when Adjutant is closed.
const CLOSING_MAX: Duration = Duration::from_secs(2);
/// Seconds in a day.
const DAY_SECONDS: i64 = 86_400;

/// What the machine returned for one input.
struct Moved {
    run: Run,
    commands: Vec<Command>,
    /// The document as text and as JSON, and its changes; `None` if the input changed nothing or the document cannot be
    /// written.
    document: Option<(String, Value, Value)>,
}

struct Drive<'a> {
    research: &'a Research,
    id: RunId,
    sources: Sources,
    /// `None` only while a worker thread computes with it.
    run: Option<Run>,
    /// The document as last stored.
    known: Arc<Value>,
    queue: VecDeque<Command>,
    tasks: JoinSet<Performed>,
    aborts: BTreeMap<StepKey, AbortHandle>,
    /// Running time before this process took up the run, in milliseconds.
    before_ms: u64,
    watch: Watch,
    /// Whether an outside source has answered since this process took up the run.
    reached: bool,
    finished: bool,
}

/// A stopwatch that does not depend on the wall clock.
struct Watch(std::time::Instant);

impl Watch {
    #[expect(
        clippy::disallowed_methods,
        reason = "running time is measured, so that a clock that is set changes nothing of it"
    )]
    fn start() -> Self {
        Self(std::time::Instant::now())
    }

    fn ms(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Works on a run until it has its report or cannot continue.
pub(super) async fn drive(
    research: &Research,
    stored: &ResearchRun,
    reporter: &Reporter,
    control: &Mutex<mpsc::Receiver<Control>>,
) -> Result<Driven, StoreFault> {
    let Some(mut drive) = Drive::open(research, stored).await? else {
        let why = "Its stored data can no longer be read. Start it again.";
        return Ok(Driven::Paused(why.to_owned()));
    };
    let mut control = control.lock().await;
    drive.tick().await?;
    // If the time was already up, the commands that the tick produced are outstanding as well.
    drive.queue.clear();
    let outstanding = drive.run.as_ref().map_or_else(Vec::new, Run::outstanding);
    drive.queue.extend(outstanding);
    // No effect on a run that has begun; a tick alone does not begin one.
    drive.take(Input::Begin, None).await?;
    loop {
        if let Some(end) = drive.work_off(reporter).await? {
            return Ok(end);
        }
        let stop = &research.0.deps.stop;
        tokio::select! {
            Some(done) = drive.tasks.join_next() => {
                if let Some(end) = drive.ended(done).await? {
                    return Ok(end);
                }
            }
            Some(Control::WriteNow) = control.recv() => drive.take(Input::WriteNow, None).await?,
            () = tokio::time::sleep(TICK) => drive.tick().await?,
            () = stop.cancelled() => return drive.close().await,
        }
    }
}

impl<'a> Drive<'a> {
    /// Restores a stored run or makes a new one; returns `None` if the stored data cannot be read.
    async fn open(
        research: &'a Research,
        stored: &ResearchRun,
    ) -> Result<Option<Self>, StoreFault> {
        let deps = &research.0.deps;
        let Ok(brief) = serde_json::from_value::<ResearchBrief>(stored.brief.clone()) else {
            return Ok(None);
        };
        let store = &deps.store;
        let day_left = research.day_left().await?;
        let run = match store.research_document(&stored.id).await? {
            Some(json) => {
                let pages = store.research_pages(&stored.id, None).await?;
                let mut texts: BTreeMap<String, String> = pages
                    .into_iter()
                    .map(|page| (page.sha256, page.text))
                    .collect();
                Run::restore(&json, |sha256| texts.remove(sha256)).ok()
            }
            None => brief.clear().map(|brief| {
                let by = match deps.engine.has_models() {
                    true => WrittenBy::Model,
                    false => WrittenBy::Embedded,
                };
                Run::new(&brief, research.limits(day_left), by)
            }),
        };
        let Some(run) = run else { return Ok(None) };
        let sources = match research.sources(&brief) {
            Ok(sources) => sources,
            // The first search reports what is missing.
            Err(_) => brief.sources.unwrap_or(Sources::Web),
        };
        let known = serde_json::to_value(&run).unwrap_or_default();
        Ok(Some(Self {
            research,
            id: stored.id.clone(),
            sources,
            before_ms: run.spending().running_ms,
            known: Arc::new(if stored.version == 0 {
                Value::Null
            } else {
                known
            }),
            run: Some(run),
            queue: VecDeque::new(),
            tasks: JoinSet::new(),
            aborts: BTreeMap::new(),
            watch: Watch::start(),
            reached: false,
            finished: false,
        }))
    }

    /// Carries out the queued commands; returns how the work ended if they end it.
    async fn work_off(&mut self, reporter: &Reporter) -> Result<Option<Driven>, StoreFault> {
        while let Some(command) = self.queue.pop_front() {
            match command {
                Command::Save { .. } => {}
                Command::Cancel(keys) => {
                    for abort in keys.iter().filter_map(|key| self.aborts.remove(key)) {
                        abort.abort();
                    }
                }
                Command::Finish(_) => self.finished = true,
                step => self.begin(step).await?,
            }
        }
        let spending = self.run.as_ref().map(|run| *run.spending());
        if let Some(spending) = spending {
            let total = self.run.as_ref().map_or(0, |run| run.limits().credits);
            reporter.at(Progress {
                done: u64::from(spending.spent),
                total: u64::from(total),
            });
        }
        if self.finished {
            return Ok(Some(Driven::Done));
        }
        if self.tasks.is_empty() {
            let why = "It found no way to continue. Ask for its report, or start it again.";
            return Ok(Some(Driven::Paused(why.to_owned())));
        }
        Ok(None)
    }

    /// Begins a step unless it was begun before.
    async fn begin(&mut self, command: Command) -> Result<(), StoreFault> {
        let Some((key, credits)) = price(&command) else {
            return Ok(());
        };
        let deps = &self.research.0.deps;
        let now = deps.clock.now();
        let beginning = StepBeginning {
            key: key.0.clone(),
            input: noted(&command),
            credits,
            run_credits_max: self.run.as_ref().map_or(0, |run| run.limits().credits),
            day: day(now.timestamp(), now.offset().seconds()),
            day_credits_max: self.research.settings().day_credits,
            at: now.timestamp(),
        };
        let begun = deps.store.begin_research_step(&self.id, beginning).await?;
        match begun {
            StepBegun::New => self.perform(key, command),
            // No search left this computer and nothing was spent, so the step may be repeated.
            StepBegun::Unknown if self.is_free(&command) => self.perform(key, command),
            StepBegun::Unknown => self.take(Input::Unknown { key }, None).await?,
            StepBegun::Ended(result) => {
                let input = serde_json::from_value(result).unwrap_or(Input::Unknown { key });
                self.take(input, None).await?;
            }
            StepBegun::NoCredits => {
                let said = "Today's credits for research are used up.".to_owned();
                let kind = FaultKind::NoCredits;
                let fault = Fault { kind, said };
                let failed = Input::Failed {
                    key,
                    fault,
                    credits: 0,
                };
                self.take(failed, None).await?;
            }
        }
        Ok(())
    }

    /// Returns whether a step can be repeated: a search on this computer, or a page that costs nothing. A page that was
    /// lost with a process would leave a hole in the report, and reading it again changes nothing.
    fn is_free(&self, command: &Command) -> bool {
        match command {
            Command::Search(_) => self.sources == Sources::Own,
            Command::Open(step) => step.credits == 0,
            _ => false,
        }
    }

    fn perform(&mut self, key: StepKey, command: Command) {
        let (research, sources) = (self.research.clone(), self.sources);
        let work = async move {
            // The semaphore is never closed.
            let _turn = research.0.steps.clone().acquire_owned().await.ok();
            steps::perform(&research.0.deps, sources, command).await
        };
        self.aborts.insert(key, self.tasks.spawn(work));
    }

    /// Handles the end of a step; returns how the work ended if the step ends it.
    async fn ended(
        &mut self,
        done: Result<Performed, tokio::task::JoinError>,
    ) -> Result<Option<Driven>, StoreFault> {
        let Performed { key, came } = match done {
            Ok(performed) => performed,
            // The machine no longer wants the result of a cancelled step.
            Err(error) if error.is_cancelled() => return Ok(None),
            Err(error) => {
                tracing::error!(%error, id = %self.id, "a step of research failed");
                let why = "One of its steps failed because of an internal error. Resume it to continue without that step.";
                return Ok(Some(Driven::Paused(why.to_owned())));
            }
        };
        self.aborts.remove(&key);
        match came {
            Came::Result {
                input,
                credits,
                page,
            } => {
                self.reached |= credits > 0;
                let ending = StepEnding {
                    key: key.0,
                    result: without_text(&input),
                    credits,
                    page: page.map(|page| *page),
                };
                self.take(*input, Some(ending)).await?;
                Ok(None)
            }
            // The search engine answered a moment ago, so only this query failed.
            Came::OutOfReach { credits, said } if self.reached => {
                let kind = FaultKind::Unreachable;
                let failed = Input::Failed {
                    key: key.clone(),
                    fault: Fault { kind, said },
                    credits,
                };
                let ending = StepEnding {
                    key: key.0,
                    result: without_text(&failed),
                    credits,
                    page: None,
                };
                self.take(failed, Some(ending)).await?;
                Ok(None)
            }
            Came::OutOfReach { said, .. } => {
                self.take_back(&key).await?;
                Ok(Some(Driven::Waits(format!(
                    "{said} The research waits for the network."
                ))))
            }
            Came::NeedsPerson(why) => {
                self.take_back(&key).await?;
                Ok(Some(Driven::Paused(why)))
            }
        }
    }

    async fn take_back(&self, key: &StepKey) -> Result<(), StoreFault> {
        let store = &self.research.0.deps.store;
        store.take_back_research_step(&self.id, &key.0).await
    }

    async fn tick(&mut self) -> Result<(), StoreFault> {
        let day_credits = self.research.day_left().await?;
        let running_ms = self.before_ms.saturating_add(self.watch.ms());
        let tick = Input::Tick {
            running_ms,
            day_credits,
        };
        self.take(tick, None).await
    }

    /// Feeds an input to the machine and stores the result before any following command begins.
    async fn take(&mut self, input: Input, step: Option<StepEnding>) -> Result<(), StoreFault> {
        let Some(mut run) = self.run.take() else {
            return Ok(());
        };
        let turn = self.research.0.thinking.clone().acquire_owned().await.ok();
        let known = self.known.clone();
        let thought = tokio::task::spawn_blocking(move || {
            let commands = run.next(input);
            let document = (!commands.is_empty())
                .then(|| document::changed(&run, &known))
                .flatten();
            Moved {
                run,
                commands,
                document,
            }
        });
        let moved = thought.await.map_err(|error| {
            StoreFault::Other(format!(
                "the research stopped because of an internal error: {error}"
            ))
        })?;
        drop(turn);
        let Moved {
            run,
            commands,
            document,
        } = moved;
        let report = commands.iter().find_map(|command| match command {
            Command::Finish(report) => Some(claims(report)),
            _ => None,
        });
        if let Some((text, whole, changes)) = document {
            let save = DocumentSave {
                version: run.version(),
                document: text,
                changes,
                summary: document::summary(&run),
                step,
                claims: report,
                at: self.research.0.deps.clock.now().timestamp(),
            };
            let store = &self.research.0.deps.store;
            store.save_research(&self.id, save).await?;
            self.known = Arc::new(whole);
        }
        for command in &commands {
            if let Command::Save { events, .. } = command {
                for event in events {
                    (self.research.0.deps.tell)(events::told(&self.id, event));
                }
            }
        }
        self.run = Some(run);
        self.queue.extend(commands);
        Ok(())
    }

    /// Gives steps in progress a moment to finish, so that the next start finds few with an unknown end.
    async fn close(&mut self) -> Result<Driven, StoreFault> {
        let ending = async {
            while let Some(done) = self.tasks.join_next().await {
                self.ended(done).await?;
            }
            Ok::<(), StoreFault>(())
        };
        match tokio::time::timeout(CLOSING_MAX, ending).await {
            Ok(Err(fault)) => Err(fault),
            _ => Ok(Driven::Closed),
        }
    }
}

/// Returns the key of a command's step and the credits it may cost.
fn price(command: &Command) -> Option<(StepKey, u32)> {
    match command {
        Command::Search(step) => Some((step.key.clone(), step.credits)),
        Command::Open(step) => Some((step.key.clone(), step.credits)),
        Command::Ask(step) => Some((step.key.clone(), step.credits)),
        Command::Save { .. } | Command::Cancel(_) | Command::Finish(_) => None,
    }
}

/// Returns what the store keeps of a command. What a model is shown follows from the document and is not stored twice.
fn noted(command: &Command) -> Value {
    match command {
        Command::Search(step) => json!({ "search": step.query }),
        Command::Open(step) => json!({ "open": step.address }),
        Command::Ask(step) => json!({ "ask": step.stage.name() }),
        Command::Save { .. } | Command::Cancel(_) | Command::Finish(_) => Value::Null,
    }
}

/// Returns a step's result without the text of its page, which is stored once, by its hash.
fn without_text(input: &Input) -> Value {
    match input {
        Input::Opened { key, page, credits } => {
            json!({ "read": { "key": key, "sha256": page.sha256, "credits": credits } })
        }
        other => serde_json::to_value(other).unwrap_or_default(),
    }
}

fn claims(report: &Report) -> Vec<ResearchClaim> {
    let claim = |claim: &adjutant_research::Claim| ResearchClaim {
        text: claim.text.clone(),
        quote: claim.quote.clone(),
        source: claim.source.clone(),
        sha256: claim.sha256.clone(),
        doubt: match &claim.verdict {
            Verdict::Supported => None,
            Verdict::Doubtful { why } => Some(why.clone()),
        },
        sources: claim.sources,
    };
    report.claims.iter().map(claim).collect()
}

/// Returns the day of an instant in the person's time zone, counted from 1970-01-01.
pub(super) fn day(at: jiff::Timestamp, offset_seconds: i32) -> i64 {
    at.as_second()
        .saturating_add(i64::from(offset_seconds))
        .div_euclid(DAY_SECONDS)
}

impl Research {
    /// Returns the credits of today that are neither spent nor reserved.
    pub(super) async fn day_left(&self) -> Result<u32, StoreFault> {
        let now = self.0.deps.clock.now();
        let today = day(now.timestamp(), now.offset().seconds());
        let used = self.0.deps.store.research_credits(today).await?;
        Ok(self.settings().day_credits.saturating_sub(used))
    }
}
