//! Looks at calls and runs them. A tool that panics or hangs becomes a fault of its step.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{Approved, Call, Observed};
use adjutant_domain::outcome::{Outcome, Stop};
use adjutant_domain::ports::Cx;
use futures::FutureExt as _;

use super::machine::Proposed;
use crate::core::Core;
use crate::panics;

/// Time limit for one step to look at its calls or to run them. Local work takes milliseconds, a search over a large
/// folder seconds.
pub const STEP_DEADLINE: Duration = Duration::from_secs(60);

/// Looks at the calls in order; stops at the first that cannot be done.
pub(crate) async fn look(
    core: Arc<Core>,
    calls: Vec<Proposed>,
    cx: Cx,
) -> Vec<Result<Observed, Stop>> {
    let mut looks = Vec::with_capacity(calls.len());
    for call in calls {
        let tool = call.tool.clone();
        let work = async {
            let planned = core
                .parts
                .toolbox
                .plan(&call.tool, call.args, call.sources)?;
            core.parts.toolbox.observe(planned, &cx).await
        };
        let one = guarded(&tool, work).await;
        let stop = one.is_err();
        looks.push(one);
        if stop {
            break;
        }
    }
    looks
}

/// Runs the calls in order; stops at the first that cannot be done. This changes nothing itself: changes go to storage.
/// A job that a call starts is stored before it counts as started, so after a kill in between the job exists but no
/// answer mentions it.
pub(crate) async fn run(
    core: Arc<Core>,
    calls: &[Approved<Call>],
    cx: Cx,
) -> Vec<Result<Outcome, Stop>> {
    let mut outcomes = Vec::with_capacity(calls.len());
    for call in calls {
        let mut one = guarded(&call.get().tool, core.parts.toolbox.run(call, &cx)).await;
        if let Ok(Outcome::Started { job, .. }) = &one {
            match core.parts.jobs.plan(job).await {
                Ok(()) => core.changed.notify_one(),
                Err(fault) => one = Err(Stop::Fault(ToolFault::from(fault))),
            }
        }
        let stop = one.is_err();
        outcomes.push(one);
        if stop {
            break;
        }
    }
    outcomes
}

async fn guarded<T>(tool: &str, work: impl Future<Output = Result<T, Stop>>) -> Result<T, Stop> {
    match tokio::time::timeout(STEP_DEADLINE, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(done)) => done,
        Ok(Err(panic)) => {
            tracing::error!(tool, panic = panics::text(&*panic), "a tool panicked");
            Err(Stop::Fault(ToolFault::Failed {
                what: format!("The tool {tool} failed; it changed nothing"),
                hint: "Try again; if it happens again, report it with the log.".into(),
            }))
        }
        Err(_) => Err(Stop::Fault(ToolFault::TooMuch {
            what: format!(
                "The tool {tool} took longer than {} seconds and was stopped",
                STEP_DEADLINE.as_secs()
            ),
            hint: "Narrow the request down and try again.".into(),
        })),
    }
}
