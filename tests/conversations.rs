//! Runs the Markdown conversations of `tests/conversations` against the whole engine. `tests/conversations/README.md`
//! describes the format.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

use adjutant::service::Frame;
use adjutant::session::{Options, Session};
use adjutant_api::{EventBody, Reply, Request, Topic};
use jiff::{ToSpan as _, Zoned};
use serde_json::Value;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_conversation_passes() {
    let dir = Path::new("tests/conversations");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("the folder of conversations")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("README.md")
        })
        .collect();
    files.sort();
    assert!(files.len() >= 8, "conversations are missing");
    let mut failures = Vec::new();
    for path in &files {
        let script = Script::read(path);
        if let Err(failure) = script.play().await {
            failures.push(format!(
                "{}: {failure}",
                path.file_name().expect("a name").to_string_lossy()
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} conversations fail:\n{}",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
}

/// One file.
struct Script {
    now: Zoned,
    given: Vec<(String, String)>,
    turns: Vec<Turn>,
}

/// One heading, with what must hold afterwards.
struct Turn {
    says: String,
    checks: Vec<(String, String)>,
}

impl Script {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let (mut now, mut given, mut turns) = (None, Vec::new(), Vec::<Turn>::new());
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) {
                let block: Vec<&str> = lines
                    .by_ref()
                    .take_while(|line| !line.starts_with("```"))
                    .collect();
                given.push((kind.to_owned(), block.join("\n") + "\n"));
            } else if let Some(at) = line.strip_prefix("now:") {
                now = Some(
                    at.trim()
                        .parse()
                        .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
                );
            } else if let Some(says) = line.strip_prefix("## ") {
                turns.push(Turn {
                    says: says.trim().to_owned(),
                    checks: Vec::new(),
                });
            } else if let (Some(check), Some(turn)) = (line.strip_prefix("- "), turns.last_mut()) {
                let (name, value) = check
                    .split_once(':')
                    .unwrap_or_else(|| panic!("{}: {line}", path.display()));
                turn.checks
                    .push((name.trim().to_owned(), value.trim().to_owned()));
            }
        }
        assert!(!turns.is_empty(), "{} says nothing", path.display());
        Self {
            now: now.unwrap_or_else(|| panic!("{} has no time", path.display())),
            given,
            turns,
        }
    }

    async fn play(&self) -> Result<(), String> {
        let home = tempfile::tempdir().expect("a folder");
        let mut options = Options {
            home: Some(home.path().to_path_buf()),
            now: Some(self.now.clone()),
            offline: true,
            ..Options::default()
        };
        let mut session = Session::open(&options)
            .await
            .map_err(|fault| fault.to_string())?;
        for (number, (kind, text)) in self.given.iter().enumerate() {
            let file = home.path().join(format!("given{number}.{kind}"));
            std::fs::write(&file, text).expect("a file");
            let reply = call(
                &session,
                Request::Import {
                    paths: vec![file.display().to_string()],
                },
            )
            .await?
            .1;
            let Some(Reply::Imported { report }) = reply else {
                return Err("nothing was imported".into());
            };
            if !report.rejected.is_empty() {
                return Err(format!("refused: {:?}", report.rejected));
            }
        }
        for turn in &self.turns {
            let events = match turn.says.trim_matches(['(', ')']) {
                _ if !turn.says.starts_with('(') => {
                    call(
                        &session,
                        Request::Ask {
                            conversation: "main".into(),
                            text: turn.says.clone(),
                            tier: None,
                        },
                    )
                    .await?
                    .0
                }
                "restart" => {
                    session.close().await;
                    // The profile is free once the session has ended.
                    drop(session);
                    session = Session::open(&options)
                        .await
                        .map_err(|fault| fault.to_string())?;
                    Vec::new()
                }
                "undo" => {
                    let latest = rows(&session, Topic::Activity).await?;
                    let id = latest
                        .iter()
                        .find(|row| row["undo"] == "available")
                        .or(latest.first())
                        .and_then(|row| row["id"].as_str())
                        .ok_or("nothing was done that could be undone")?;
                    call(&session, Request::Undo { id: id.to_owned() }).await?.0
                }
                "approve" | "reject" => {
                    let all = rows(&session, Topic::Approvals).await?;
                    let one = all.first().ok_or("no action was ever proposed")?;
                    let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
                    let request = if turn.says == "(approve)" {
                        Request::Approve {
                            id: text("id"),
                            digest: text("digest"),
                        }
                    } else {
                        Request::Reject { id: text("id") }
                    };
                    call(&session, request).await?.0
                }
                other => {
                    let minutes: i64 = other
                        .strip_prefix("wait ")
                        .and_then(|rest| rest.split(' ').next())
                        .and_then(|count| count.parse().ok())
                        .ok_or_else(|| format!("nobody can {other}"))?;
                    session.close().await;
                    drop(session);
                    options.now = options.now.map(|now| now.saturating_add(minutes.minutes()));
                    session = Session::open(&options)
                        .await
                        .map_err(|fault| fault.to_string())?;
                    Vec::new()
                }
            };
            for (name, value) in &turn.checks {
                check(&session, &events, name, value).await.map_err(|why| {
                    let last = events
                        .last()
                        .map(|event| serde_json::to_string(event).unwrap_or_default())
                        .unwrap_or_default();
                    format!(
                        "after “{}”: {name}: {value}: {why}\n      {}",
                        turn.says,
                        last.chars().take(700).collect::<String>()
                    )
                })?;
            }
        }
        session.close().await;
        Ok(())
    }
}

async fn call(
    session: &Session,
    request: Request,
) -> Result<(Vec<EventBody>, Option<Reply>), String> {
    let mut frames = session.call(request).await;
    let (mut events, mut reply) = (Vec::new(), None);
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Event(event) => events.push(event.body),
            Frame::Reply(all) => reply = Some(*all),
            Frame::Fault(fault) => {
                let (code, message, hint) = (fault.code, fault.message, fault.hint);
                events.push(EventBody::Error {
                    code,
                    message,
                    hint,
                });
            }
            Frame::End => break,
        }
    }
    Ok((events, reply))
}

async fn rows(session: &Session, what: Topic) -> Result<Vec<Value>, String> {
    let request = Request::show(what);
    match call(session, request).await?.1 {
        Some(Reply::Rows { rows, .. }) => Ok(rows.to_list()),
        _ => Err("show gave no rows".into()),
    }
}

async fn check(
    session: &Session,
    events: &[EventBody],
    name: &str,
    value: &str,
) -> Result<(), String> {
    match name {
        "ends" => {
            let end = match events.last() {
                Some(EventBody::Done { .. }) => "done",
                Some(EventBody::Waiting { approvals, .. }) if !approvals.is_empty() => {
                    "waits for approval"
                }
                Some(EventBody::Waiting { .. }) => "waits for an answer",
                Some(EventBody::Interrupted { .. }) => "interrupted",
                Some(EventBody::Error { .. }) => "error",
                _ => "nothing",
            };
            same(end, value)
        }
        "routed" => {
            let routed = events.iter().find_map(|event| match event {
                EventBody::Routed { domains, .. } => Some(if domains.is_empty() {
                    "nowhere".into()
                } else {
                    domains.join(", ")
                }),
                _ => None,
            });
            same(&routed.unwrap_or_default(), value)
        }
        "plan" => {
            let plan = events.iter().rev().find_map(|event| match event {
                EventBody::Plan { steps, .. } => Some(
                    steps
                        .iter()
                        .map(|step| step.tool.clone())
                        .collect::<Vec<_>>()
                        .join(", "),
                ),
                _ => None,
            });
            same(plan.as_deref().unwrap_or("none"), value)
        }
        "says" => has(&answer(events), value),
        "says not" => match has(&answer(events), value) {
            Ok(()) => Err(format!("it says: {}", answer(events))),
            Err(_) => Ok(()),
        },
        "asks" => {
            let asked: Vec<String> = events
                .iter()
                .filter_map(|event| match event {
                    EventBody::Question { text, choices, .. } => Some(format!(
                        "{text} {}",
                        choices
                            .iter()
                            .map(|one| one.label.clone())
                            .collect::<Vec<_>>()
                            .join(" ")
                    )),
                    _ => None,
                })
                .collect();
            has(&asked.join(" "), value)
        }
        "card" | "approvals" => {
            let waiting: Vec<Value> = rows(session, Topic::Approvals)
                .await?
                .into_iter()
                .filter(|row| row["state"] == "pending")
                .collect();
            if name == "approvals" {
                return same(&waiting.len().to_string(), value);
            }
            let cards: Vec<String> = waiting.iter().map(|row| row["shown"].to_string()).collect();
            has(&cards.join(" ").replace("\\n", " "), value)
        }
        "undoable" => {
            let all = rows(session, Topic::Activity).await?;
            same(
                &all.iter()
                    .filter(|row| row["undo"] == "available")
                    .count()
                    .to_string(),
                value,
            )
        }
        topic => {
            let (what, not_draft) = match topic {
                "tasks" => (Topic::Tasks, false),
                "events" => (Topic::Events, false),
                "notes" => (Topic::Notes, false),
                "memories" => (Topic::Memories, false),
                "mail" => (Topic::Mail, false),
                "contacts" => (Topic::Contacts, false),
                "outbox" => (Topic::Outbox, false),
                "outbox not draft" => (Topic::Outbox, true),
                other => return Err(format!("nobody can check {other}")),
            };
            let mut found = rows(session, what).await?;
            if not_draft {
                found.retain(|row| row["state"] != "draft");
            }
            let expected: Vec<Value> =
                serde_json::from_str(value).map_err(|error| error.to_string())?;
            fits(&found, &expected)
        }
    }
}

fn answer(events: &[EventBody]) -> String {
    events
        .iter()
        .rev()
        .find_map(|event| match event {
            EventBody::Done { answer, .. } | EventBody::Waiting { answer, .. } => {
                Some(answer.clone())
            }
            EventBody::Error { message, hint, .. } => Some(format!("{message} {hint}")),
            _ => None,
        })
        .unwrap_or_default()
}

fn same(found: &str, expected: &str) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("it is {found}"))
    }
}

fn has(found: &str, expected: &str) -> Result<(), String> {
    let flat = |text: &str| {
        text.to_lowercase()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    if flat(found).contains(&flat(expected)) {
        Ok(())
    } else {
        Err(format!("it says: {found}"))
    }
}

/// Checks that there are exactly as many rows as expected, and that each expected row matches a different one.
fn fits(found: &[Value], expected: &[Value]) -> Result<(), String> {
    let mut left: Vec<&Value> = found.iter().collect();
    for wanted in expected {
        let fields = wanted.as_object().ok_or("a row is an object")?;
        let place = left.iter().position(|row| {
            fields.iter().all(|(key, value)| match (&row[key], value) {
                (Value::String(a), Value::String(b)) => a.to_lowercase() == b.to_lowercase(),
                (a, b) => a == b,
            })
        });
        match place {
            Some(place) => drop(left.remove(place)),
            None => {
                return Err(format!(
                    "no row fits {wanted}; there are {}",
                    Value::from(found.to_vec())
                ));
            }
        }
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "there are more rows: {}",
            Value::from(found.to_vec())
        ))
    }
}
