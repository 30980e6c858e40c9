//! Tests with records that live in an account: changing or undoing them sends requests to the provider. They use real
//! storage, the real tools and the scripted provider.

use std::sync::{Arc, Mutex};

use adjutant_domain::account::{Account, AccountState};
use adjutant_domain::conversation::Effect;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::gate::{ActionState, Channel, PendingAction};
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Attempts, RemoteFault, RemoteId};
use adjutant_domain::ports::{
    AllStored, Calculated, Calculator, Executors, Records as _, RemoteExecutor, TurnLog as _,
};
use adjutant_domain::record::{Event, Record};
use adjutant_domain::settings::Settings;
use adjutant_engine::{Engine, Op, Parts};
use adjutant_store::{Store, StoreOptions};
use adjutant_testkit::remote::{ScriptedRemote, Trouble};
use adjutant_testkit::{SeededEntropy, make};
use adjutant_tools::{Registry, SavedFiles};
use async_trait::async_trait;
use jiff::{ToSpan as _, Zoned};
use serde_json::{Value, json};

use crate::script::Mind;
use crate::world::{HandClock, Turn};

const ACCOUNT: &str = "work";

/// One connected account whose records have been read into storage.
struct Connected(ScriptedRemote, Arc<Store>);

#[async_trait]
impl Executors for Connected {
    fn of(&self, account: &AccountId) -> Option<Arc<dyn RemoteExecutor>> {
        (account.0 == ACCOUNT).then(|| Arc::new(self.0.backends()) as Arc<dyn RemoteExecutor>)
    }

    async fn refresh(&self, account: &AccountId) -> Result<(), RemoteFault> {
        let read = self.1.sync(account, &self.0.backends(), &|_| ()).await;
        read.map(drop).map_err(|_| RemoteFault::Unreachable)
    }
}

/// A profile with one account.
pub struct Profile {
    _folder: tempfile::TempDir,
    pub store: Arc<Store>,
    pub remote: ScriptedRemote,
    clock: Arc<HandClock>,
    parts: Parts,
    pub engine: Engine,
}

impl Profile {
    pub async fn new(settings: Settings, mind: Mind) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
        let remote = ScriptedRemote::new(ACCOUNT);
        let account = Account {
            id: ACCOUNT.into(),
            kind: "scripted".into(),
            label: "Work".into(),
            addresses: vec!["me@work.example".into()],
            state: AccountState::Ready,
        };
        store.put_account(account).await.unwrap();
        let listed = remote.backends().list().await.unwrap();
        store.put_collections(ACCOUNT.into(), listed).await.unwrap();
        let clock = Arc::new(HandClock(Mutex::new(
            "2026-01-12T09:00:00+00:00[UTC]".parse().unwrap(),
        )));
        let mind = Arc::new(mind);
        let parts = Parts {
            router: mind.clone(),
            planner: mind.clone(),
            resumer: mind,
            toolbox: Arc::new(Registry::new(Arc::new(NoCalculator))),
            records: store.clone(),
            log: store.clone(),
            jobs: store.clone(),
            executors: Arc::new(Connected(remote.clone(), store.clone())),
            mails: Arc::new(AllStored),
            lookup: Arc::new(adjutant_domain::ports::NoLookup),
            files: Arc::new(SavedFiles),
            clock: clock.clone(),
            entropy: Arc::new(SeededEntropy::new(7)),
            settings,
            models: None,
        };
        Self {
            _folder: folder,
            store,
            remote,
            clock,
            engine: Engine::new(parts.clone()),
            parts,
        }
    }

    pub async fn sync(&self) {
        let backends = self.remote.backends();
        self.store
            .sync(&ACCOUNT.into(), &backends, &|_| ())
            .await
            .unwrap();
    }

    /// Restarts with another process that takes over the profile.
    pub async fn restart(&mut self, seed: u64) {
        self.parts.entropy = Arc::new(SeededEntropy::new(seed));
        self.engine = Engine::new(self.parts.clone());
        self.engine.recover().await.unwrap();
    }

    pub async fn run(&self, op: Op) -> Turn {
        Turn(self.engine.submit(op).await.unwrap().collect().await)
    }

    pub async fn apply(&self, tool: &str, args: Value) -> Turn {
        let tool = tool.into();
        self.run(Op::Apply { tool, args }).await
    }

    pub async fn ask(&self, text: &str) -> Turn {
        let (conversation, text) = ("main".into(), text.into());
        self.run(Op::Ask {
            conversation,
            text,
            tier: None,
        })
        .await
    }

    pub async fn undo(&self, effect: &Effect) -> Turn {
        let effect = effect.id.clone();
        self.run(Op::Undo { effect }).await
    }

    pub async fn actions(&self, state: ActionState) -> Vec<PendingAction> {
        self.store.actions(Some(state), None).await.unwrap()
    }

    /// Approves the only waiting action.
    pub async fn approve(&self) -> Turn {
        let action = self.actions(ActionState::Pending).await.remove(0);
        self.run(Op::Approve {
            id: action.id,
            digest: action.digest,
            channel: Channel::Window,
        })
        .await
    }

    pub async fn event(&self) -> Event {
        let all = self.store.events(&Filter::all()).await.unwrap();
        let [event] = &all[..] else { panic!("{all:?}") };
        event.clone()
    }

    /// Returns the records at the provider.
    pub fn there(&self) -> Vec<Record> {
        self.remote.rows(&calendar(), &budget()).unwrap_or_default()
    }

    pub fn title_there(&self) -> Option<String> {
        self.there().first().map(|row| row.label().to_owned())
    }

    pub async fn latest(&self) -> Effect {
        self.store.effects(Some(1)).await.unwrap().remove(0)
    }

    /// Makes the provider unreachable for this many requests.
    pub fn is_away(&self, requests: usize) {
        for _ in 0..requests {
            let away = Trouble::Fault(RemoteFault::Unreachable);
            self.remote.meet(away);
        }
    }

    pub fn now(&self) -> jiff::Timestamp {
        self.clock.0.lock().unwrap().timestamp()
    }

    pub fn later(&self, minutes: i64) {
        let mut now = self.clock.0.lock().unwrap();
        *now = now.checked_add(minutes.minutes()).unwrap();
    }
}

/// A calculator that no request here needs.
struct NoCalculator;

impl Calculator for NoCalculator {
    fn evaluate(&self, _: &str, _: &Zoned, _: &Settings) -> Result<Calculated, ToolFault> {
        unreachable!("nothing is worked out")
    }
}

fn calendar() -> RemoteId {
    RemoteId("/calendar".into())
}

fn budget() -> RemoteId {
    RemoteId("budget".into())
}

/// Returns an account with one event that was renamed with the person's approval.
async fn renamed() -> (Profile, Effect) {
    let profile = Profile::new(Settings::default(), Mind::default()).await;
    let event = make::event(
        "there",
        "Budget",
        "2026-01-15T10:00:00+00:00[UTC]",
        "2026-01-15T11:00:00+00:00[UTC]",
        &["kim@else.example"],
    );
    let put = vec![Record::Event(event)];
    profile.remote.put(&calendar(), &budget(), put);
    profile.sync().await;
    let id = profile.event().await.id;
    let args = json!({"id": id, "changes": {"summary": "Figures"}});
    assert_eq!(
        profile.apply("calendar.update", args).await.end().0,
        "waiting"
    );
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(profile.title_there().as_deref(), Some("Figures"));
    let effect = profile.latest().await;
    (profile, effect)
}

#[tokio::test]
async fn undoing_in_an_account_asks_the_person_and_the_provider() {
    let (profile, effect) = renamed().await;
    assert_eq!(profile.undo(&effect).await.end().0, "waiting");
    let action = profile.actions(ActionState::Pending).await.remove(0);
    assert!(profile.engine.carries_out(&action.tool));
    assert!(
        !profile
            .engine
            .carries_out("a tool of a server that is gone")
    );
    let card = action.card;
    assert_eq!(card.account.as_deref(), Some("Work"));
    assert_eq!(card.notes[0].text, "kim@else.example is told.");
    assert_eq!(profile.title_there().as_deref(), Some("Figures"), "not yet");
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(profile.title_there().as_deref(), Some("Budget"));
    assert_eq!(profile.event().await.summary, "Budget");
    let undo = profile.latest().await;
    assert_eq!(undo.undoes.as_ref(), Some(&effect.id));
    assert!(undo.receipt.as_ref().unwrap().proof.is_some());
    let first = profile.store.effect(&effect.id).await.unwrap().unwrap();
    assert_eq!(first.undone_by.as_ref(), Some(&undo.id));
    // The undo is itself undone.
    assert_eq!(profile.undo(&undo).await.end().0, "waiting");
    let (_, answer) = profile.approve().await.end();
    assert!(answer.starts_with("Done again: "), "{answer}");
    assert_eq!(profile.title_there().as_deref(), Some("Figures"));
    assert_eq!(profile.remote.carried_out(), 3);
}

#[tokio::test]
async fn an_undo_with_a_lost_reply_is_found_and_not_repeated() {
    let (mut profile, effect) = renamed().await;
    profile.undo(&effect).await;
    // The check of its preconditions succeeds.
    profile.remote.meet(Trouble::BreaksOff);
    profile.remote.meet(Trouble::LostReply);
    profile
        .remote
        .meet(Trouble::Fault(RemoteFault::Unreachable));
    let (_, answer) = profile.approve().await.end();
    assert!(answer.contains("This may have happened"), "{answer}");
    assert_eq!(profile.latest().await.outcome, "unknown");
    let refused = profile.undo(&effect).await.end();
    assert_eq!(refused, ("error", "undo_unknown".into()));
    profile.restart(99).await;
    let undo = profile.latest().await;
    assert_eq!(
        (undo.outcome.as_str(), undo.undoes),
        ("succeeded", Some(effect.id.clone()))
    );
    assert_eq!(profile.event().await.summary, "Budget");
    let refused = profile.undo(&effect).await.end();
    assert_eq!(refused, ("error", "undone".into()));
    assert_eq!(profile.remote.carried_out(), 2);
    assert_eq!(profile.store.attempts(&Attempts::Open).await.unwrap(), []);
}

#[tokio::test]
async fn an_undo_does_not_overwrite_changes_made_elsewhere() {
    let (profile, effect) = renamed().await;
    profile.undo(&effect).await;
    let mut theirs = profile.event().await;
    theirs.summary = "Theirs".into();
    let theirs = vec![Record::Event(theirs)];
    profile.remote.put(&calendar(), &budget(), theirs);
    let (_, answer) = profile.approve().await.end();
    assert!(answer.contains("was changed afterwards"), "{answer}");
    assert_eq!(profile.title_there().as_deref(), Some("Theirs"));
    let first = profile.store.effect(&effect.id).await.unwrap().unwrap();
    assert_eq!(first.undone_by, None);
}

#[tokio::test]
async fn an_undo_waits_for_a_connection_like_any_other_approval() {
    let (profile, effect) = renamed().await;
    profile.undo(&effect).await;
    profile.is_away(2);
    let (_, answer) = profile.approve().await.end();
    assert!(answer.contains("no connection"), "{answer}");
    assert_eq!(profile.actions(ActionState::Approved).await.len(), 1);
    profile.later(2);
    assert_eq!(profile.engine.run_due().await.problems, []);
    assert_eq!(profile.title_there().as_deref(), Some("Budget"));
}

#[tokio::test]
async fn a_change_elsewhere_before_the_approval_shows_a_new_card() {
    let (profile, _) = renamed().await;
    let id = profile.event().await.id;
    let args = json!({"id": id, "changes": {"summary": "Mine"}});
    profile.apply("calendar.update", args).await;
    let shown = profile.actions(ActionState::Pending).await.remove(0);
    let mut theirs = profile.event().await;
    theirs.summary = "Theirs".into();
    let theirs = vec![Record::Event(theirs)];
    profile.remote.put(&calendar(), &budget(), theirs);
    let carried_out = profile.remote.carried_out();
    let (name, answer) = profile.approve().await.end();
    assert_eq!(name, "waiting", "{answer}");
    assert!(answer.contains("changed after this was shown"), "{answer}");
    assert_eq!(profile.remote.carried_out(), carried_out, "not overwritten");
    let anew = profile.actions(ActionState::Pending).await.remove(0);
    assert_ne!(anew.id, shown.id);
    // Approved in its present state, it is carried out.
    assert_eq!(profile.approve().await.end().0, "done");
    assert_eq!(profile.title_there().as_deref(), Some("Mine"));
}

#[tokio::test]
async fn a_change_elsewhere_while_an_approval_waits_shows_a_new_card() {
    let (profile, _) = renamed().await;
    let id = profile.event().await.id;
    let args = json!({"id": id, "changes": {"summary": "Mine"}});
    profile.apply("calendar.update", args).await;
    profile.is_away(2);
    profile.approve().await;
    assert_eq!(profile.actions(ActionState::Approved).await.len(), 1);
    let mut theirs = profile.event().await;
    theirs.summary = "Theirs".into();
    let theirs = vec![Record::Event(theirs)];
    profile.remote.put(&calendar(), &budget(), theirs);
    profile.later(2);
    profile.engine.run_due().await;
    assert_eq!(profile.title_there().as_deref(), Some("Theirs"));
    assert_eq!(profile.actions(ActionState::Superseded).await.len(), 1);
    let anew = profile.actions(ActionState::Pending).await;
    assert_eq!(anew.len(), 1, "shown anew");
}
