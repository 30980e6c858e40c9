//! Tests of what other programs get: shared data, proposals that wait, and nothing else.

use adjutant_api::programs::{ProgramAct, ProgramAction, ProgramAnswer, ProgramTool};
use adjutant_api::reply::Applied;
use adjutant_api::rows::{ApprovalRow, Rows};
use adjutant_api::{Fault, Reply, Request, Topic};
use adjutant_domain::gate::Channel;
use serde_json::{Value, json};

use super::profile;
use crate::service::{Frame, Service, Sink, config, show, turns};

async fn ask(service: &Service, request: Request) -> Result<Reply, Fault> {
    let (sink, mut frames) = Sink::new();
    service.handle(request, Channel::Window, &sink).await;
    drop(sink);
    let mut answer = None;
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Reply(reply) => answer = Some(Ok(*reply)),
            Frame::Fault(fault) => answer = Some(Err(fault)),
            Frame::Event(_) | Frame::End => {}
        }
    }
    answer.expect("an answer")
}

fn of(request: ProgramAct) -> Request {
    Request::Programs { request }
}

async fn call_as(
    service: &Service,
    program: &str,
    tool: &str,
    args: Value,
) -> Result<ProgramAnswer, Fault> {
    let request = ProgramAct::Call {
        program: program.into(),
        tool: tool.into(),
        args,
    };
    ask(service, of(request)).await.map(|reply| match reply {
        Reply::ProgramAnswered { answer } => answer,
        other => panic!("{other:?}"),
    })
}

async fn call(service: &Service, tool: &str, args: Value) -> Result<ProgramAnswer, Fault> {
    call_as(service, "Claude Code", tool, args).await
}

async fn proposed(service: &Service, tool: &str, args: Value) -> ProgramAction {
    match call(service, tool, args).await.expect("it waits") {
        ProgramAnswer::Waits { action, .. } => action,
        other => panic!("{other:?}"),
    }
}

async fn code(service: &Service, tool: &str, args: Value) -> String {
    call(service, tool, args).await.expect_err("refused").code
}

async fn tools(service: &Service) -> Vec<ProgramTool> {
    match ask(service, of(ProgramAct::Tools {})).await {
        Ok(Reply::ProgramTools { tools }) => tools,
        other => panic!("{other:?}"),
    }
}

async fn share(service: &Service, kinds: &str) {
    let set = config::set(service, "mcp.serve.share", Some(kinds)).await;
    set.expect("set");
}

async fn rows(service: &Service, what: Topic) -> Rows {
    match ask(service, Request::show(what)).await {
        Ok(Reply::Rows { rows, .. }) => rows,
        other => panic!("{other:?}"),
    }
}

async fn card(service: &Service, id: &str) -> ApprovalRow {
    match rows(service, Topic::Approvals).await {
        Rows::Approvals(rows) => rows.into_iter().find(|row| row.id == id).expect("a card"),
        other => panic!("{other:?}"),
    }
}

async fn events(service: &Service) -> usize {
    match rows(service, Topic::Events).await {
        Rows::Events(rows) => rows.len(),
        other => panic!("{other:?}"),
    }
}

fn lunch() -> Value {
    json!({"summary": "Lunch", "start": "2030-03-05T12:00:00+01:00[Europe/Paris]"})
}

#[tokio::test]
async fn offers_and_reads_only_shared_data() {
    let (_home, service) = profile().await;
    let names: Vec<String> = tools(&service)
        .await
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    let family = |name: &str| names.iter().any(|one| one.starts_with(name));
    assert!(
        family("calendar.") && family("task.") && family("approval.status"),
        "{names:?}"
    );
    for closed in ["email.", "memory.", "note.", "contact.", "file.", "recall."] {
        assert!(!family(closed), "{closed} {names:?}");
    }
    assert_eq!(
        code(&service, "memory.search", json!({"text": "x"})).await,
        "not_shared"
    );
    assert_eq!(
        code(&service, "email.search", json!({})).await,
        "not_shared"
    );
    for unknown in [
        "file.read",
        "undo",
        "outbox.draft",
        "memory.use",
        "config",
        "",
        "calendar.nothing",
    ] {
        assert_eq!(
            code(&service, unknown, json!({})).await,
            "unknown_tool",
            "{unknown}"
        );
    }
    share(&service, "memory").await;
    assert_eq!(
        code(&service, "calendar.list", json!({})).await,
        "not_shared"
    );
    let read = call(&service, "memory.search", json!({"text": "coffee"})).await;
    assert!(matches!(read, Ok(ProgramAnswer::Read { .. })), "{read:?}");
    share(&service, "").await;
    let left = tools(&service).await;
    assert_eq!(left.len(), 1, "nothing but how proposals stand");
}

#[tokio::test]
async fn a_proposal_is_marked_and_runs_once_approved() {
    let (_home, service) = profile().await;
    let action = proposed(&service, "calendar.create", lunch()).await;
    assert_eq!(action.state, "pending");
    assert_eq!(events(&service).await, 0, "nothing is done");
    let card = card(&service, &action.id).await;
    assert!(card.tainted);
    assert_eq!(card.conversation, "program.claude-code");
    assert!(
        card.shown.notes[0]
            .text
            .contains("the program Claude Code, not by you")
    );
    let sources = card
        .shown
        .facts
        .iter()
        .filter_map(|fact| fact.source.as_ref());
    assert!(
        sources.clone().count() > 0 && sources.clone().all(|one| one.kind == "found"),
        "{card:?}"
    );

    let again = call(&service, "calendar.create", lunch()).await;
    assert!(
        matches!(again, Ok(ProgramAnswer::Waits { already: true, .. })),
        "{again:?}"
    );
    let Rows::Conversations(listed) = rows(&service, Topic::Conversations).await else {
        panic!("conversations");
    };
    assert!(listed.is_empty(), "nobody spoke: {listed:?}");
    let speak = Request::Ask {
        conversation: card.conversation.clone(),
        text: "yes".into(),
        tier: None,
    };
    assert_eq!(
        ask(&service, speak).await.expect_err("refused").code,
        "not_spoken"
    );

    let approve = Request::Approve {
        id: card.id.clone(),
        digest: card.digest.clone(),
    };
    ask(&service, approve.clone()).await.expect("approved");
    assert_eq!(events(&service).await, 1);
    assert!(ask(&service, approve).await.is_err(), "once");
    assert_eq!(events(&service).await, 1);
    let own = json!({"id": card.id});
    let told = call(&service, "approval.status", own.clone())
        .await
        .expect("told");
    assert!(
        matches!(&told, ProgramAnswer::Actions { actions } if actions[0].state == "succeeded"),
        "{told:?}"
    );
    let other = call_as(&service, "another", "approval.status", own).await;
    assert_eq!(other.expect_err("not its own").code, "not_found");
}

#[tokio::test]
async fn a_programs_harmless_call_always_asks() {
    let (_home, service) = profile().await;
    let task = json!({"title": "Call the bank"});
    let action = proposed(&service, "task.create", task.clone()).await;
    let mine = Request::Apply {
        tool: "task.create".into(),
        args: json!({"title": "Milk"}),
    };
    let done = ask(&service, mine).await;
    assert!(
        matches!(
            done,
            Ok(Reply::Applied {
                outcome: Applied::Done { .. }
            })
        ),
        "{done:?}"
    );
    let reject = Request::Reject {
        id: action.id.clone(),
    };
    ask(&service, reject).await.expect("rejected");
    let again = Request::AskAgain { id: action.id };
    let op = turns::operation(&service, again, Channel::Window)
        .await
        .expect("an operation");
    let reply = turns::apply(&service, op).await.expect("a reply");
    let Reply::Applied {
        outcome: Applied::ApprovalNeeded { id },
    } = reply
    else {
        panic!("{reply:?}");
    };
    let card = card(&service, &id).await;
    assert!(card.tainted, "it stays the program's");
    assert_eq!(card.conversation, "program.claude-code");
}

#[tokio::test]
async fn refuses_a_flood_of_proposals() {
    let (_home, service) = profile().await;
    for n in 0..10 {
        proposed(
            &service,
            "task.create",
            json!({"title": format!("Task {n}")}),
        )
        .await;
    }
    let more = json!({"title": "One more"});
    let full = call(&service, "task.create", more.clone())
        .await
        .expect_err("full");
    assert_eq!(full.code, "too_many");
    assert!(full.message.contains("10 of yours"), "{full:?}");
    // Programs with other names have their own limit, within the limit for all.
    let mut taken = 0;
    for n in 0..40 {
        let title = json!({"title": format!("Other {n}")});
        let name = format!("program {n}");
        taken += usize::from(call_as(&service, &name, "task.create", title).await.is_ok());
    }
    assert_eq!(taken, 20, "30 in all");
    let mut calls = 0;
    while call(&service, "calendar.list", json!({})).await.is_ok() {
        calls += 1;
        assert!(calls < 1_000, "reading has a limit too");
    }
}

#[tokio::test]
async fn asks_the_program_about_ambiguity_without_leaking_others() {
    let (_home, service) = profile().await;
    for day in ["05", "06"] {
        let args = json!({"summary": "Review", "start": format!("2030-03-{day}T09:00:00+01:00[Europe/Paris]")});
        let done = Request::Apply {
            tool: "calendar.create".into(),
            args,
        };
        ask(&service, done).await.expect("done");
    }
    let unclear = call(
        &service,
        "calendar.delete",
        json!({"target": {"text": "Review", "from": "2030-03-01", "to": "2030-04-01"}}),
    )
    .await;
    let fault = unclear.expect_err("unclear");
    assert!(
        ["question", "bad_arguments", "not_found"].contains(&fault.code.as_str()),
        "{fault:?}"
    );
    assert!(
        !fault.message.is_empty() && !fault.hint.is_empty(),
        "{fault:?}"
    );
    let bad = code(
        &service,
        "calendar.create",
        json!({"title": 7, "nonsense": true}),
    )
    .await;
    assert_eq!(bad, "bad_arguments");
    let Rows::Approvals(waiting) = rows(&service, Topic::Approvals).await else {
        panic!("approvals");
    };
    assert!(waiting.is_empty(), "nothing waits: {waiting:?}");
}

#[tokio::test]
async fn does_not_share_secrets_in_memories() {
    let (_home, service) = profile().await;
    share(&service, "memory").await;
    let keep = Request::Apply {
        tool: "memory.store".into(),
        args: json!({"category": "secret", "key": "door code", "value": "xyzzy-4711"}),
    };
    ask(&service, keep).await.expect("kept");
    let read = call(&service, "memory.search", json!({"text": "door code"})).await;
    let Ok(ProgramAnswer::Read { say, output, .. }) = read else {
        panic!("{read:?}");
    };
    assert!(
        !format!("{say} {output}").contains("xyzzy"),
        "{say} {output}"
    );
    assert!(
        format!("{say} {output}").contains("door code"),
        "it was found: {say}"
    );
}

#[tokio::test]
async fn shows_the_token_once_and_renewal_voids_the_old_one() {
    let (_home, service) = profile().await;
    let token = async |renew| match ask(&service, of(ProgramAct::Token { renew })).await {
        Ok(Reply::ProgramToken { token }) => token.map(|token| token.0),
        other => panic!("{other:?}"),
    };
    let admits = async |token: &str| {
        let sha256 = adjutant_domain::canonical::sha256(token.as_bytes()).0;
        ask(&service, of(ProgramAct::Admit { sha256 }))
            .await
            .is_ok()
    };
    assert!(!admits("").await);
    let first = token(false).await.expect("made");
    assert!(first.len() > 40);
    assert_eq!(token(false).await, None, "told once");
    assert!(admits(&first).await);
    let second = token(true).await.expect("made");
    assert!(admits(&second).await && !admits(&first).await);
    super::data::erase(&service).await.expect("erased");
    assert!(!admits(&second).await);
}

#[tokio::test]
async fn shows_approvals_of_programs_in_full() {
    let (_home, service) = profile().await;
    let action = proposed(&service, "task.create", json!({"title": "Milk"})).await;
    let asked = show::ShowParams {
        id: Some(action.id.clone()),
        ..show::ShowParams::default()
    };
    let shown = show::reply(&service, Topic::Approvals, &asked).await;
    let Ok(Reply::Rows {
        rows: Rows::Approvals(rows),
        ..
    }) = shown
    else {
        panic!("{shown:?}");
    };
    assert_eq!(rows[0].shown.notes[0].kind, "untrusted");
}
