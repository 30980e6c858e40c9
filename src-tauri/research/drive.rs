//! One run at work: commands of the machine are carried out side by side, and what came of them is handed in.

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

/// How often a run looks at its time and at the credits of the day.
const TICK: Duration = Duration::from_secs(5);
/// How long steps under way may end when Adjutant is closed.
const CLOSING_MAX: Duration = Duration::from_secs(2);
/// Seconds of a day.
const DAY_SECONDS: i64 = 86_400;

/// What became of handing an input in.
struct Moved {
    run: Run,
    commands: Vec<Command>,
    /// The document with what changed, where it did.
    document: Option<(String, Value, Value)>,
}

struct Drive<'a> {
    research: &'a Research,
    id: RunId,
    sources: Sources,
    /// None only while it thinks.
    run: Option<Run>,
    /// The document as it was stored last.
    known: Arc<Value>,
    queue: VecDeque<Command>,
    tasks: JoinSet<Performed>,
    aborts: BTreeMap<StepKey, AbortHandle>,
    /// Running time before this process.
    before_ms: u64,
    watch: Watch,
    /// Whether something outside answered since it began here.
    reached: bool,
    finished: bool,
}

/// Real time that passed, whatever the clock shows.
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

/// Works on a run until it has its report or cannot go on.
pub(super) async fn drive(
    research: &Research,
    stored: &ResearchRun,
    reporter: &Reporter,
    control: &Mutex<mpsc::Receiver<Control>>,
) -> Result<Driven, StoreFault> {
    let Some(mut drive) = Drive::open(research, stored).await? else {
        let why = "What is stored of it cannot be read any more. Begin it again.";
        return Ok(Driven::Paused(why.to_owned()));
    };
    let mut control = control.lock().await;
    drive.tick().await?;
    // Where its time was up already, what the tick led to is outstanding as well.
    drive.queue.clear();
    let outstanding = drive.run.as_ref().map_or_else(Vec::new, Run::outstanding);
    drive.queue.extend(outstanding);
    // Changes nothing for one that was begun; a tick alone does not begin it.
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
    /// Reads a run as it is stored, or makes a new one; none where that cannot be read.
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
            // What is missing is told by the first search.
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

    /// Carries out what the machine wants; says where that ends the work.
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
            let why = "It does not know how to go on. Ask for its report, or begin it again.";
            return Ok(Some(Driven::Paused(why.to_owned())));
        }
        Ok(None)
    }

    /// Begins a step, unless it was begun before.
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
            // Nothing left this computer for it, and it cost nothing: it may be done again.
            StepBegun::Unknown if self.is_free(&command) => self.perform(key, command),
            StepBegun::Unknown => self.take(Input::Unknown { key }, None).await?,
            StepBegun::Ended(result) => {
                let input = serde_json::from_value(result).unwrap_or(Input::Unknown { key });
                self.take(input, None).await?;
            }
            StepBegun::NoCredits => {
                let said = "The credits for research of this day are used up.".to_owned();
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

    /// Whether a step may be done again without anybody outside noticing.
    fn is_free(&self, command: &Command) -> bool {
        match command {
            Command::Search(_) => self.sources == Sources::Own,
            Command::Open(step) => !step.address.starts_with("http"),
            _ => false,
        }
    }

    fn perform(&mut self, key: StepKey, command: Command) {
        let (research, sources) = (self.research.clone(), self.sources);
        let work = async move {
            // Never closed.
            let _turn = research.0.steps.clone().acquire_owned().await.ok();
            steps::perform(&research.0.deps, sources, command).await
        };
        self.aborts.insert(key, self.tasks.spawn(work));
    }

    /// A step ended; says where that ends the work.
    async fn ended(
        &mut self,
        done: Result<Performed, tokio::task::JoinError>,
    ) -> Result<Option<Driven>, StoreFault> {
        let Performed { key, came } = match done {
            Ok(performed) => performed,
            // One that was cancelled is not wanted any more.
            Err(error) if error.is_cancelled() => return Ok(None),
            Err(error) => {
                tracing::error!(%error, id = %self.id, "a step of a research broke off");
                let why = "A step of it failed inside. Resume it to go on without that step.";
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
            // A search engine that answered a moment ago is out of reach for one query only.
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
                    "{said} It waits for the network."
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

    /// Hands an input in and stores what comes of it, before anything that follows begins.
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
        let moved = thought
            .await
            .map_err(|error| StoreFault::Other(format!("the research broke off: {error}")))?;
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

    /// Lets steps under way end for a moment, so that little is unknown at the next start.
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

/// The step of a command and what it may cost.
fn price(command: &Command) -> Option<(StepKey, u32)> {
    match command {
        Command::Search(step) => Some((step.key.clone(), step.credits)),
        Command::Open(step) => Some((step.key.clone(), step.credits)),
        Command::Ask(step) => Some((step.key.clone(), step.credits)),
        Command::Save { .. } | Command::Cancel(_) | Command::Finish(_) => None,
    }
}

/// What is kept of a command; what a model sees follows from the document, and is not kept twice.
fn noted(command: &Command) -> Value {
    match command {
        Command::Search(step) => json!({ "search": step.query }),
        Command::Open(step) => json!({ "open": step.address }),
        Command::Ask(step) => json!({ "ask": step.stage.name() }),
        Command::Save { .. } | Command::Cancel(_) | Command::Finish(_) => Value::Null,
    }
}

/// A result without the text of its page, which is kept once, by its hash.
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

/// The day of an instant where the person lives, counted from 1970.
pub(super) fn day(at: jiff::Timestamp, offset_seconds: i32) -> i64 {
    at.as_second()
        .saturating_add(i64::from(offset_seconds))
        .div_euclid(DAY_SECONDS)
}

impl Research {
    /// Credits of the day that nobody has spent or reserved.
    pub(super) async fn day_left(&self) -> Result<u32, StoreFault> {
        let now = self.0.deps.clock.now();
        let today = day(now.timestamp(), now.offset().seconds());
        let used = self.0.deps.store.research_credits(today).await?;
        Ok(self.settings().day_credits.saturating_sub(used))
    }
}
