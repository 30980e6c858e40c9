//! A scripted mind, and a few small working tools.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::catalog::Catalog;
use adjutant_domain::change::Change;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::focus::Referent;
use adjutant_domain::gate::{
    Approved, Assessment, Call, Card, Observed, Permit, PlannedCall, Risk,
};
use adjutant_domain::ids::RecordId;
use adjutant_domain::operation::{Operation, RemoteOp, SaveFile, ToolOp};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::plan::{AnswerKind, Choice, Plan, Question};
use adjutant_domain::ports::{Cx, Toolbox};
use adjutant_domain::reading::{Planner, Reading, Reply, Resume, Resumer, Router, Utterance};
use adjutant_domain::record::{Address, Kind, OutboxItem, OutboxState, Record};
use adjutant_domain::route::{Domain, Route, RouteKind};
use adjutant_domain::source::{Sources, Taint};
use adjutant_domain::tool::{Before, Frozen, Icon, Target, ToolSpec};
use adjutant_testkit::make;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// A message whose reading waits for [`Mind::go_on`].
pub const HARD: &str = "a hard one";
/// Longer than any test takes to read; only a hang reaches it.
const HANG: Duration = Duration::from_secs(20);

/// Understands messages by looking up their words.
pub struct Mind {
    pub readings: BTreeMap<String, Reading>,
    pub resumes: BTreeMap<String, Resume>,
    /// Gets a permit when the hard message is being read.
    pub reading: Semaphore,
    /// Lets the reading of the hard message finish.
    pub go_on: (SyncSender<()>, Mutex<Receiver<()>>),
}

impl Default for Mind {
    fn default() -> Self {
        let (sender, receiver) = sync_channel(1);
        Self {
            readings: BTreeMap::new(),
            resumes: BTreeMap::new(),
            reading: Semaphore::new(0),
            go_on: (sender, Mutex::new(receiver)),
        }
    }
}

impl Router for Mind {
    fn route(&self, said: &Utterance<'_>) -> Route {
        if said.text == HARD {
            self.reading.add_permits(1);
            // Blocks the thread, as a slow sentence model would.
            let told = self.go_on.1.lock().unwrap_or_else(PoisonError::into_inner);
            assert!(told.recv_timeout(HANG).is_ok(), "it is told to go on");
        }
        let chat = said.text == "hello";
        Route {
            kind: if chat {
                RouteKind::Chat
            } else {
                RouteKind::Action
            },
            domains: if chat { Vec::new() } else { vec![Domain::Task] },
            is_followup: false,
            confidence: 0.9,
            by: "embedded".into(),
        }
    }
}

impl Planner for Mind {
    fn plan(&self, said: &Utterance<'_>, _route: &Route) -> Reading {
        assert_ne!(said.text, "break the planner", "as told");
        if said.text == "who is there" {
            let names: Vec<&str> = said.people.iter().map(|(name, _)| name.as_str()).collect();
            return Reading::Say {
                text: names.join(", "),
                trace: Vec::new(),
            };
        }
        if said.text.starts_with("what is") {
            let names: Vec<&str> = said.names.iter().map(|one| one.label.as_str()).collect();
            return Reading::Say {
                text: names.join(", "),
                trace: Vec::new(),
            };
        }
        self.readings
            .get(said.text)
            .cloned()
            .unwrap_or_else(|| Reading::NotUnderstood {
                text: "That was not understood.".into(),
                near: vec!["Show my tasks".into()],
                trace: Vec::new(),
            })
    }
}

impl Resumer for Mind {
    fn confirm(&self, text: &str, _prompt: &str) -> Reply {
        match text {
            "yes" => Reply::Yes,
            "no" => Reply::No,
            _ => Reply::Neither,
        }
    }

    fn resume(
        &self,
        said: &Utterance<'_>,
        request: &str,
        _plan: &Plan,
        question: Option<&Question>,
    ) -> Resume {
        // A reply can be scripted for a single request: `request > reply`.
        let of_request = self.resumes.get(&format!("{request} > {}", said.text));
        if let Some(resume) = of_request.or_else(|| self.resumes.get(said.text)) {
            return resume.clone();
        }
        let read = question
            .and_then(|question| self.answer(said, question.answer, &question.choices))
            .filter(|_| !self.readings.contains_key(said.text));
        match (said.text, read) {
            ("yes", _) => Resume::Yes,
            ("no", _) => Resume::No,
            ("never mind", _) => Resume::Abandon,
            (_, Some(value)) => Resume::Answer(value),
            _ => Resume::New,
        }
    }

    fn answer(&self, said: &Utterance<'_>, kind: AnswerKind, choices: &[Choice]) -> Option<Value> {
        match kind {
            AnswerKind::Choice => choices
                .iter()
                .find(|choice| choice.label == said.text)
                .map(|choice| choice.value.clone()),
            _ => Some(json!(said.text)),
        }
    }
}

/// The tools.
pub struct Tools {
    /// Present tools.
    pub catalog: RwLock<Arc<Catalog>>,
    /// A permit lets one call of `slow.read` or `slow.write` end.
    pub gate: Semaphore,
    /// Gets a permit for every slow call that begins.
    pub begun: Semaphore,
    /// Every call that ran, with the permit that allowed it.
    pub ran: Mutex<Vec<(Permit, Call)>>,
}

pub fn spec(name: &str, risk: Risk) -> ToolSpec {
    let sends = name == "email.send";
    ToolSpec {
        name: name.into(),
        domain: Domain::Task,
        server: None,
        description: String::new(),
        risk,
        schema: json!({"properties": {"to": {}, "subject": {}, "body": {}}}).into(),
        phrases: Vec::new(),
        participle: match name.rsplit('.').next() {
            Some("create") => "added",
            Some("delete") => "deleted",
            _ if sends => "sent",
            _ => "done",
        }
        .into(),
        kept_by: sends.then(|| "email.draft".into()),
        icon: Icon::Usual,
        judges: false,
        glances: false,
    }
}

impl Default for Tools {
    fn default() -> Self {
        let names = [
            ("task.list", Risk::Read),
            ("task.create", Risk::LocalReversible),
            ("task.delete", Risk::Destroys),
            ("email.search", Risk::Read),
            ("email.draft", Risk::LocalReversible),
            ("email.send", Risk::ReachesPeople),
            ("remote.do", Risk::ReachesPeople),
            ("remote.file", Risk::LocalReversible),
            ("note.create", Risk::LocalReversible),
            ("slow.read", Risk::Read),
            ("slow.write", Risk::LocalReversible),
            ("task.complete", Risk::LocalReversible),
            ("file.save", Risk::LocalReversible),
            ("odd.fail", Risk::Read),
            ("odd.panic", Risk::Read),
        ];
        let specs = names
            .into_iter()
            .map(|(name, risk)| spec(name, risk))
            .collect();
        Self {
            catalog: RwLock::new(Arc::new(Catalog::new(1, specs))),
            gate: Semaphore::new(0),
            begun: Semaphore::new(0),
            ran: Mutex::default(),
        }
    }
}

fn text(args: &Value, key: &str) -> String {
    args.get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .into()
}

/// Returns a request to the provider.
fn remote(args: &Value) -> Operation {
    Operation::Remote {
        account: "acc_1".into(),
        op: Box::new(RemoteOp::Tool(ToolOp {
            name: text(args, "id"),
            args: args.clone(),
            schema: String::new(),
        })),
        about: String::new(),
        then: Change::default(),
    }
}

async fn which(titles: &[(RecordId, String)], cx: &Cx) -> Stop {
    let ids: Vec<_> = titles.iter().map(|(id, _)| id.clone()).collect();
    let foreign = cx.records.foreign(Kind::Task, &ids).await;
    let foreign = foreign.unwrap_or_default();
    Stop::Ask(Question {
        text: "Which one?".into(),
        choices: titles
            .iter()
            .map(|(id, title)| {
                let choice = Choice::new(title, json!(id));
                if foreign.contains(id) {
                    choice.of_others()
                } else {
                    choice
                }
            })
            .collect(),
        slot: "/id".into(),
        answer: AnswerKind::Choice,
    })
}

#[async_trait]
impl Toolbox for Tools {
    fn catalog(&self) -> Arc<Catalog> {
        self.catalog.read().expect("not poisoned").clone()
    }

    fn plan(&self, tool: &str, args: Value, sources: Sources) -> Result<PlannedCall, ToolFault> {
        let catalog = self.catalog();
        let Some(spec) = catalog.get(tool) else {
            return Err(ToolFault::UnknownTool { name: tool.into() });
        };
        if tool == "task.create" && args.get("title").and_then(Value::as_str).is_none() {
            return Err(ToolFault::BadArguments {
                reason: "a task needs a title".into(),
            });
        }
        Ok(PlannedCall::parsed(
            tool.into(),
            args,
            sources,
            spec.definition().expect("canonical"),
        ))
    }

    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop> {
        let mut card = Card {
            title: format!("{} {}", call.tool(), text(call.args(), "title")),
            ..Card::default()
        };
        let mut before = Before::default();
        let assessment = match call.tool() {
            "task.delete" => {
                let tasks = cx
                    .records
                    .tasks(&Default::default())
                    .await
                    .unwrap_or_default();
                let wanted = text(call.args(), "id");
                if wanted.is_empty() {
                    let titles: Vec<_> = tasks
                        .into_iter()
                        .map(|task| (task.id, task.title))
                        .collect();
                    return Err(which(&titles, cx).await);
                }
                let Some(task) = tasks.into_iter().find(|task| task.id.0 == wanted) else {
                    return Err(Stop::Fault(ToolFault::NotFound {
                        what: "there is no such task".into(),
                    }));
                };
                card.title = format!("Delete “{}”", task.title);
                before.frozen = Some(Frozen {
                    operations: vec![Operation::Local {
                        change: Change::remove(&Record::Task(task.clone())),
                    }],
                    ..Frozen::default()
                });
                before.targets = vec![Target {
                    kind: Kind::Task,
                    id: task.id,
                    version: task.version,
                    label: task.title,
                }];
                Assessment::deletes(1)
            }
            // Tasks that no longer exist are silently skipped.
            "task.complete" => {
                let tasks = cx
                    .records
                    .tasks(&Default::default())
                    .await
                    .unwrap_or_default();
                let wanted = call.args()["ids"].as_array().cloned().unwrap_or_default();
                before.targets = tasks
                    .into_iter()
                    .filter(|task| wanted.contains(&json!(task.id)))
                    .map(|task| Target {
                        kind: Kind::Task,
                        id: task.id,
                        version: task.version,
                        label: task.title,
                    })
                    .collect();
                card.title = format!("Complete {} tasks", before.targets.len());
                Assessment {
                    count: before.targets.len(),
                    ..Assessment::reversible()
                }
            }
            "remote.do" => Assessment {
                risk: Risk::ReachesPeople,
                ..Assessment::reversible()
            },
            "remote.file" => {
                before.frozen = Some(Frozen {
                    operations: vec![remote(call.args())],
                    ..Frozen::default()
                });
                Assessment::reversible()
            }
            "email.send" => {
                card.title = format!("Send a mail to {}", call.args()["to"]);
                Assessment {
                    risk: Risk::ReachesPeople,
                    ask: None,
                    count: 1,
                    reaching: vec!["/to/0".into()],
                    looked_up: Vec::new(),
                    carries_out: None,
                    target: None,
                    guessed: false,
                }
            }
            "mcp.board.move" => Assessment {
                risk: Risk::ReachesPeople,
                ..Assessment::reversible()
            },
            "task.list" | "email.search" | "slow.read" | "odd.fail" | "odd.panic" => {
                Assessment::read()
            }
            _ => Assessment::reversible(),
        };
        Ok(Observed {
            call,
            before,
            assessment,
            card,
        })
    }

    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop> {
        self.note(call);
        let call = call.get();
        let args = &call.args;
        match call.tool.as_str() {
            "task.list" => {
                let tasks = cx
                    .records
                    .tasks(&Default::default())
                    .await
                    .unwrap_or_default();
                let titles: Vec<String> = tasks.iter().map(|task| task.title.clone()).collect();
                Ok(Outcome::Read(Answer {
                    output: json!({
                        "tasks": tasks.iter().map(|task| json!({"id": task.id})).collect::<Vec<_>>(),
                        "count": tasks.len(),
                    }),
                    say: format!("Open: {}.", titles.join(", ")),
                    referents: tasks
                        .into_iter()
                        .map(|task| Referent {
                            kind: Kind::Task,
                            id: task.id,
                            instance: None,
                            label: task.title,
                            people: Vec::new(),
                        })
                        .collect(),
                    ..Answer::default()
                }))
            }
            "email.search" => Ok(Outcome::Read(Answer {
                output: json!({"mails": [
                    {"id": "mail_0123456789ab", "from": "kim@evil.example", "subject": "Buy now"},
                ], "count": 1}),
                say: "1 mail: Buy now.".into(),
                taint: Taint::Tainted,
                ..Answer::default()
            })),
            "task.create" | "note.create" | "slow.write" => {
                if call.tool == "slow.write" {
                    self.wait().await;
                }
                let id = cx.new_id(Kind::Task);
                let title = text(args, "title");
                let mut task = make::task(&id.0, &title, None);
                task.version = 0;
                Ok(Outcome::Effects {
                    operations: vec![Operation::Local {
                        change: Change::add(Record::Task(task)),
                    }],
                    answer: Answer {
                        output: json!({"id": id}),
                        say: format!("Added “{title}”."),
                        ..Answer::default()
                    },
                    undoes: None,
                })
            }
            "task.delete" => {
                let target = &call.before.targets[0];
                let mut task = make::task(&target.id.0, &target.label, None);
                task.version = target.version;
                Ok(Outcome::Effects {
                    operations: vec![Operation::Local {
                        change: Change::remove(&Record::Task(task)),
                    }],
                    answer: Answer {
                        say: format!("Deleted “{}”.", target.label),
                        ..Answer::default()
                    },
                    undoes: None,
                })
            }
            "task.complete" => Ok(Outcome::Read(Answer {
                say: format!("Completed {}.", call.before.targets.len()),
                ..Answer::default()
            })),
            "email.send" | "email.draft" => Ok(mail(call, cx)),
            "slow.read" => {
                self.wait().await;
                Ok(Outcome::Read(Answer::default()))
            }
            "file.save" => Ok(Outcome::Effects {
                operations: vec![Operation::File {
                    file: SaveFile {
                        mail: "mail_1".into(),
                        index: 0,
                        sha256: "0".repeat(64),
                        bytes: 1,
                        path: format!("/tmp/{}.pdf", text(args, "id")),
                    },
                }],
                answer: Answer {
                    say: format!("Saved “{}.pdf”.", text(args, "id")),
                    ..Answer::default()
                },
                undoes: None,
            }),
            "remote.do" | "remote.file" => Ok(Outcome::Effects {
                operations: vec![remote(args)],
                answer: Answer {
                    say: format!("Did {}.", text(args, "id")),
                    ..Answer::default()
                },
                undoes: None,
            }),
            "mcp.board.move" => Ok(Outcome::Read(Answer::default())),
            "odd.panic" => panic!("as told"),
            _ => Err(Stop::Fault(ToolFault::Failed {
                what: "the thing is broken".into(),
                hint: "Mend it.".into(),
            })),
        }
    }
}

impl Tools {
    fn note(&self, call: &Approved<Call>) {
        let mut ran = self.ran.lock().unwrap_or_else(PoisonError::into_inner);
        ran.push((call.permit().clone(), call.get().clone()));
    }

    async fn wait(&self) {
        self.begun.add_permits(1);
        if let Ok(permit) = self.gate.acquire().await {
            permit.forget();
        }
    }
}

fn mail(call: &Call, cx: &Cx) -> Outcome {
    let send = call.tool == "email.send";
    let to: Vec<Address> = call.args["to"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|email| Address {
            name: String::new(),
            email: email.into(),
        })
        .collect();
    let id = cx.new_id(Kind::Outbox);
    let at = cx.now.timestamp();
    let item = OutboxItem {
        id,
        message_id: String::new(),
        to,
        cc: Vec::new(),
        bcc: Vec::new(),
        subject: text(&call.args, "subject"),
        body: text(&call.args, "body"),
        in_reply_to: None,
        forward_of: None,
        state: if send {
            OutboxState::Queued
        } else {
            OutboxState::Draft
        },
        mime: None,
        not_before: None,
        created: at,
        updated: at,
        version: 0,
    };
    let say = if send {
        "The mail waits in the outbox."
    } else {
        "The mail is kept as a draft."
    };
    Outcome::Effects {
        operations: vec![Operation::Local {
            change: Change::add(Record::Outbox(item)),
        }],
        answer: Answer {
            say: say.into(),
            ..Answer::default()
        },
        undoes: None,
    }
}
