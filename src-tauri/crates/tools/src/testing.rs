//! How contract tests call tools: through the registry and the gate, as the engine does.

use std::sync::{Arc, LazyLock};

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{
    Approved, Call, Channel, Circumstances, Decision, Observed, Present, Proposal, Verdict, gate,
    resolve,
};
use adjutant_domain::operation::{Ended, Operation, Reconciled, RemoteOp};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::plan::Question;
use adjutant_domain::ports::{Calculated, Calculator, Files as _, Toolbox};
use adjutant_domain::settings::Settings;
use adjutant_domain::source::Sources;
use adjutant_testkit::World;
use jiff::Zoned;
use serde_json::Value;

use crate::{Registry, SavedFiles};

/// A calculator that knows one sum.
struct OneSum;

impl Calculator for OneSum {
    fn evaluate(&self, text: &str, _: &Zoned, _: &Settings) -> Result<Calculated, ToolFault> {
        if text == "2 + 2" {
            return Ok(Calculated {
                text: text.into(),
                result: "4".into(),
                number: Some(4.0),
                say: "2 + 2 = 4.".into(),
            });
        }
        Err(ToolFault::BadArguments {
            reason: "That is no arithmetic.".into(),
        })
    }
}

/// Every tool.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        let accounts = Arc::new(crate::email::contract::provider::TwoProviders);
        Registry::with_accounts(Arc::new(OneSum), accounts)
    });
    &REGISTRY
}

/// What a call came to.
pub(crate) struct Ran {
    /// Card, risk and targets as they were shown.
    pub(crate) observed: Observed,
    /// Whether the person was asked.
    pub(crate) asked: bool,
    /// What it gave.
    pub(crate) answer: Answer,
}

/// Plans and observes; the person's own words are the source of everything.
pub(crate) async fn observe(world: &World, tool: &str, args: Value) -> Result<Observed, Stop> {
    observe_from(world, tool, args, Sources::new()).await
}

/// As [`observe`], with the sources of the arguments.
pub(crate) async fn observe_from(
    world: &World,
    tool: &str,
    args: Value,
    sources: Sources,
) -> Result<Observed, Stop> {
    let registry = registry();
    let call = registry.plan(tool, args, sources)?;
    registry.observe(call, &world.cx).await
}

/// The permits for one observed call: by policy, or because the person approves what was shown.
pub(crate) fn permit(world: &World, observed: Observed) -> (bool, Vec<Approved<Call>>) {
    let present = Present::from(&observed);
    let proposal = Proposal {
        id: "act_1".into(),
        nonce: "n".into(),
        conversation: "main".into(),
        turn: "turn_1".into(),
        step: "s1".into(),
        now: world.cx.now.timestamp(),
    };
    match gate(vec![observed], &Circumstances::default(), &proposal) {
        Verdict::Allowed(calls) => (false, calls),
        Verdict::Denied(denial) => panic!("denied: {denial}"),
        Verdict::Ask(action) => {
            let decision = Decision {
                id: action.id.clone(),
                digest: action.digest.clone(),
                channel: Channel::Chat,
            };
            match resolve(&action, &decision, &[present], world.cx.now.timestamp()) {
                Verdict::Allowed(calls) => (true, calls),
                other => panic!("not let through: {other:?}"),
            }
        }
    }
}

/// Runs a call the way the engine does; a change is applied.
pub(crate) async fn run(world: &World, tool: &str, args: Value) -> Result<Ran, Stop> {
    run_from(world, tool, args, Sources::new()).await
}

/// As [`run`], with the sources of the arguments.
pub(crate) async fn run_from(
    world: &World,
    tool: &str,
    args: Value,
    sources: Sources,
) -> Result<Ran, Stop> {
    let observed = observe_from(world, tool, args, sources).await?;
    let (asked, calls) = permit(world, observed.clone());
    let registry = registry();
    let mut last = Answer::default();
    for call in &calls {
        last = match registry.run(call, &world.cx).await? {
            Outcome::Read(answer) | Outcome::Started { answer, .. } => answer,
            Outcome::Effects {
                operations, answer, ..
            } => {
                for operation in &operations {
                    carry_out(world, operation).await;
                }
                answer
            }
        };
    }
    Ok(Ran {
        observed,
        asked,
        answer: last,
    })
}

async fn carry_out(world: &World, operation: &Operation) {
    match operation {
        Operation::Local { change } => world.records.apply(change).expect("the change applies"),
        Operation::File { file } => match SavedFiles.save(file, &world.cx).await {
            Ended::Done { receipt } => {
                let found = SavedFiles.reconcile(file).await;
                assert_eq!(found, Reconciled::Done { receipt }, "it is found again");
            }
            other => panic!("not saved: {other:?}"),
        },
        // It changes nothing here, and there is no list to ask.
        Operation::Remote { op, .. } if matches!(**op, RemoteOp::LeaveList(_)) => {}
        Operation::Remote { .. } => panic!("no tool makes these by itself"),
    }
}

/// The words of a call that goes well.
pub(crate) async fn say(world: &World, tool: &str, args: Value) -> String {
    match run(world, tool, args.clone()).await {
        Ok(ran) => ran.answer.say,
        Err(stop) => panic!("{tool} {args} stopped: {stop:?}"),
    }
}

/// The question a call asks.
pub(crate) async fn question(world: &World, tool: &str, args: Value) -> Question {
    match run(world, tool, args.clone()).await {
        Err(Stop::Ask(question) | Stop::Closest(question)) => question,
        Err(Stop::Fault(fault)) => panic!("{tool} {args}: {fault}"),
        Ok(ran) => panic!("{tool} {args} asked nothing and said {}", ran.answer.say),
    }
}

/// The fault a call ends with.
pub(crate) async fn fault(world: &World, tool: &str, args: Value) -> ToolFault {
    match run(world, tool, args.clone()).await {
        Err(Stop::Fault(fault)) => fault,
        Err(Stop::Ask(question) | Stop::Closest(question)) => {
            panic!("{tool} {args} asked {}", question.text)
        }
        Ok(ran) => panic!("{tool} {args} worked and said {}", ran.answer.say),
    }
}

/// Every case in a world of its own: tool, arguments, words.
pub(crate) async fn check(world: impl Fn() -> World, cases: &[(&str, Value, &str)]) {
    for (tool, args, expect) in cases {
        let world = world();
        let said = match run(&world, tool, args.clone()).await {
            Ok(ran) => ran.answer.say,
            Err(Stop::Ask(question) | Stop::Closest(question)) => format!("? {}", question.text),
            Err(Stop::Fault(fault)) => format!("! {fault}"),
        };
        assert_eq!(said, *expect, "{tool} {args}");
    }
}
