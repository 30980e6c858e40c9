//! A day with Adjutant, in order: one request of every kind that the window sends, with turns that answer, ask, wait,
//! fail and are undone.

use crate::holder::{Profile, Running};
use crate::requests::{
    MAIN, apply, approve, ask, card_of, data, draft, effect_of, id_of, listening, one, question_of,
    rows, said, set, steps_of, subscribed, told,
};
use crate::server::{CUT, HOLD};
use crate::{accounts, research, tools};
use adjutant_api::models::{AgreedTo, ConnectionDraft};
use adjutant_api::{EventBody, OutboxAct, PlanChange, Reply, Request, SaidBefore, Topic};
use serde_json::json;

/// Number of topics above which a change counts as a change of everything.
const EVERYTHING: usize = 10;

/// End of the standing grant, within a year of the day.
const UNTIL: &str = "2026-06-01";

/// Runs the day, with the models and files of `server`.
pub async fn live(profile: &mut Profile, server: &str) {
    let news = subscribed(profile, "").await;
    let reminders = listening(profile).await;
    begin(profile).await;
    read_and_write(profile).await;
    questions(profile).await;
    batches(profile).await;
    plans(profile).await;
    standing(profile).await;
    by_hand(profile).await;
    reminded(profile, reminders).await;
    mail_on_its_way(profile).await;
    memories(profile).await;
    models(profile, server).await;
    model_files(profile, server).await;
    accounts::live(profile, server).await;
    tools::of_others(profile).await;
    research::keys(profile).await;
    research::asked(profile).await;
    look(profile).await;
    end(profile).await;
    // Erasing changes every topic at once.
    told(
        profile,
        news,
        |event| matches!(event, EventBody::Changed { kinds } if kinds.len() > EVERYTHING),
    )
    .await;
}

async fn begin(profile: &mut Profile) {
    profile.ask(Request::Status {}).await;
    let documents = data("");
    let documents = documents.trim_end_matches('/');
    for (key, value) in [
        ("owner.name", "Mara Lindqvist"),
        ("owner.emails", "mara@northwind.example"),
        ("folders", documents),
    ] {
        set(profile, key, Some(value)).await;
    }
    set(profile, "hold_seconds", Some("never")).await;
    set(profile, "hold_seconds", Some("20")).await;
    let files = [
        "work.ics",
        "people.vcf",
        "inbox.mbox",
        "tasks.csv",
        "notes",
        "broken.ics",
    ];
    let paths = files.map(data).to_vec();
    profile.ask(Request::Import { paths }).await;
    profile
        .ask(Request::Import {
            paths: vec![data("nowhere.ics")],
        })
        .await;
    profile.ask(Request::Status {}).await;
}

async fn read_and_write(profile: &mut Profile) {
    ask(profile, "what events are on today?").await;
    let reminded = ask(profile, "remind me tomorrow at 9 to call the bank").await;
    let effect = effect_of(&reminded);
    profile.ask(Request::Undo { id: effect.clone() }).await;
    profile.ask(Request::Undo { id: effect }).await;
    ask(profile, "remind me on Friday at 9 to book the London train").await;
    ask(profile, "what does the lease mail say?").await;
    ask(profile, "what files do I have about Lisbon?").await;
    ask(profile, "when am I free today?").await;
    for text in ["when am I free today", "what is 18 % of 2450", "remind me"] {
        let text = text.into();
        profile.ask(Request::Glance { text }).await;
    }
    // No search engine is set up yet.
    ask(profile, "research the best train to London").await;
    let story = ask(profile, "tell me a story").await;
    let text = Some("tell me a short story".into());
    for (turn, text) in [(story.turn(), text), ("nowhere".into(), None)] {
        profile
            .ask(Request::Retry {
                turn,
                text,
                tier: None,
            })
            .await;
    }
    // There is no such task: the step fails, but the turn does not.
    ask(profile, "complete the dragon task").await;
}

async fn questions(profile: &mut Profile) {
    let asked = ask(profile, "email Ana saying lunch is at one").await;
    let (question, value) = question_of(&asked);
    let waiting = profile
        .ask(Request::Answer {
            id: question.clone(),
            value: value.clone(),
        })
        .await;
    profile
        .ask(Request::Answer {
            id: question,
            value,
        })
        .await;
    let (id, digest, args) = card_of(&waiting);
    let mut edited = args;
    edited["subject"] = json!("Lunch");
    edited["cc"] = json!(["ana.ruiz@northwind.example"]);
    let shown = profile
        .ask(Request::Edit {
            id: id.clone(),
            args: edited,
            call: None,
        })
        .await;
    // The digest of the first card no longer approves anything.
    profile.ask(Request::Approve { id, digest }).await;
    approve(profile, &shown).await;
    let reply = ask(
        profile,
        "reply to the mail from Hannah saying \"I will sign it tomorrow.\"",
    )
    .await;
    approve(profile, &reply).await;
    // The other address is known only from the mail.
    let all = "reply to all on the mail from Hannah saying \"Thank you both.\"";
    ask(profile, all).await;
}

async fn batches(profile: &mut Profile) {
    // Several calls on one card, edited one by one.
    let waiting = ask(
        profile,
        "reply to all mails from The Ledger saying \"Please stop.\"",
    )
    .await;
    let (id, _, args) = card_of(&waiting);
    let mut one = args[1].clone();
    one["body"] = json!("Please stop, thank you.");
    profile
        .ask(Request::Edit {
            id: id.clone(),
            args: one.clone(),
            call: Some(1),
        })
        .await;
    profile
        .ask(Request::Edit {
            id,
            args: one,
            call: None,
        })
        .await;
    ask(profile, "archive all mail from The Ledger").await;
    let waiting = ask(profile, "delete all done tasks").await;
    let (id, _, _) = card_of(&waiting);
    profile.ask(Request::Reject { id: id.clone() }).await;
    profile.ask(Request::Reject { id: id.clone() }).await;
    let again = profile.ask(Request::AskAgain { id }).await;
    approve(profile, &again).await;
    let many = "email Hannah Voss saying \"I will be late.\" and email Ana Ruiz saying \"I will be late.\"";
    ask(profile, many).await;
}

async fn plans(profile: &mut Profile) {
    let both = "mark renew passport as done and move the pricing review to 3pm today";
    let waiting = ask(profile, both).await;
    approve(profile, &waiting).await;
    let two = "delete the note about Lisbon and cancel the dentist";
    let waiting = ask(profile, two).await;
    let turn = waiting.turn();
    let (first, last) = steps_of(&waiting);
    let moved = PlanChange::Move {
        step: last.clone(),
        before: Some(first.clone()),
    };
    profile
        .ask(Request::EditPlan {
            turn: turn.clone(),
            change: moved,
        })
        .await;
    let left_out = PlanChange::LeaveOut { step: last };
    let shown = profile
        .ask(Request::EditPlan {
            turn: turn.clone(),
            change: left_out,
        })
        .await;
    approve(profile, &shown).await;
    let over = PlanChange::LeaveOut { step: first };
    profile.ask(Request::EditPlan { turn, change: over }).await;
}

/// Gives a standing grant for an event of the person's own, in a conversation without foreign text.
async fn standing(profile: &mut Profile) {
    let say = |text: &str| Request::Ask {
        conversation: "standing".into(),
        text: text.into(),
        tier: None,
    };
    profile
        .ask(say("add rowing practice on Friday at 7am"))
        .await;
    let waiting = profile
        .ask(say("move rowing practice to 8am on Friday"))
        .await;
    let (id, digest, _) = card_of(&waiting);
    for until in ["2099-01-01", UNTIL] {
        profile
            .ask(Request::Grant {
                id: id.clone(),
                digest: digest.clone(),
                until: until.into(),
            })
            .await;
    }
    let grants = rows(profile, Topic::Grants).await;
    let id = grants[0]["id"].as_str().unwrap_or_default().to_owned();
    profile.ask(Request::RevokeGrant { id: id.clone() }).await;
    profile.ask(Request::RestoreGrant { id: id.clone() }).await;
    profile.ask(Request::RevokeGrant { id: id.clone() }).await;
    profile.ask(Request::RevokeGrant { id }).await;
    approve(profile, &waiting).await;
}

async fn by_hand(profile: &mut Profile) {
    let made = apply(profile, "task.create", json!({"title": "Water the plants"})).await;
    let task = id_of(&made);
    apply(
        profile,
        "task.update",
        json!({"id": task, "changes": {"priority": "low"}}),
    )
    .await;
    apply(profile, "task.complete", json!({"id": task})).await;
    apply(profile, "task.delete", json!({"id": task})).await;
    apply(
        profile,
        "note.create",
        json!({"title": "Alarm code", "body": "It changed."}),
    )
    .await;
    apply(profile, "calendar.list", json!({})).await;
    apply(profile, "task.create", json!({"title": 7})).await;
    apply(profile, "task.complete", json!({"id": "task_nowhere"})).await;
    apply(profile, "telepathy.send", json!({})).await;
}

/// Shows an overdue reminder at once; tomorrow's waits.
async fn reminded(profile: &mut Profile, reminders: Running) {
    for (title, at) in [
        ("Stretch", "2026-01-13T09:23:00-05:00"),
        ("Call Raj", "2026-01-14T09:00:00-05:00"),
    ] {
        apply(
            profile,
            "task.create",
            json!({"title": title, "remind_at": at}),
        )
        .await;
    }
    told(profile, reminders, |event| {
        matches!(event, EventBody::Reminder { .. })
    })
    .await;
    let jobs = rows(profile, Topic::Jobs).await;
    for stoppable in [true, false] {
        let job = jobs
            .iter()
            .find(|job| job["stoppable"] == stoppable)
            .expect("such a job");
        let id = job["id"].as_str().expect("its id").to_owned();
        profile.ask(Request::StopJob { id }).await;
    }
}

async fn mail_on_its_way(profile: &mut Profile) {
    let outbox = rows(profile, Topic::Outbox).await;
    let held = outbox
        .iter()
        .find(|row| row["state"] == "held")
        .expect("a held mail");
    let id = held["id"].as_str().expect("its id").to_owned();
    for act in [
        OutboxAct::CheckAgain,
        OutboxAct::SendNow,
        OutboxAct::ToDraft,
    ] {
        profile
            .ask(Request::Outbox {
                id: id.clone(),
                act,
            })
            .await;
    }
    profile
        .ask(Request::Outbox {
            id: "out_nowhere".into(),
            act: OutboxAct::ToDraft,
        })
        .await;
}

async fn memories(profile: &mut Profile) {
    ask(profile, "remember that Raj works from London").await;
    ask(profile, "what do you remember about Raj?").await;
    let kept = rows(profile, Topic::Memories).await;
    let id = kept[0]["id"].as_str().expect("its id").to_owned();
    profile.ask(Request::MemoryUses { id: id.clone() }).await;
    profile
        .ask(Request::UseMemory {
            id: id.clone(),
            on: false,
        })
        .await;
    rows(profile, Topic::PastMemories).await;
    profile
        .ask(Request::UseMemory {
            id: id.clone(),
            on: true,
        })
        .await;
    apply(profile, "memory.forget", json!({ "id": id })).await;
    ask(profile, "remember that Raj drinks tea").await;
}

async fn models(profile: &mut Profile, server: &str) {
    profile.ask(Request::Models {}).await;
    profile
        .ask(Request::Explain {
            conversation: MAIN.into(),
            text: "remind me at 9".into(),
            tier: None,
        })
        .await;
    let lab = draft("Lab", &format!("http://{server}/v1"));
    let list = |connection: ConnectionDraft| Request::ListModels {
        connection,
        key: None,
    };
    profile.ask(list(lab.clone())).await;
    profile.ask(list(draft("Lab", "nowhere"))).await;
    let with_vectors = ConnectionDraft {
        embedding: Some("nomic-embed-text".into()),
        ..lab.clone()
    };
    profile
        .ask(Request::EstimateVectors {
            connection: with_vectors,
        })
        .await;
    let connect = |connection: ConnectionDraft| Request::ConnectModel {
        connection,
        key: None,
    };
    profile
        .ask(connect(draft("Cut", &format!("http://{server}{CUT}"))))
        .await;
    profile.ask(connect(lab)).await;
    profile.ask(connect(draft("quick", ""))).await;
    profile
        .ask(Request::TestModel {
            name: "Lab".into(),
            tier: None,
        })
        .await;
    profile
        .ask(Request::Explain {
            conversation: MAIN.into(),
            text: "tell me a story".into(),
            tier: None,
        })
        .await;
    profile
        .ask(Request::Repeats {
            start: "2026-01-13T10:00:00-05:00[America/New_York]".into(),
            rule: None,
            last: Some("2026-03-31".into()),
        })
        .await;
    profile
        .ask(Request::EstimateRoutes {
            messages: 3,
            said_tokens: 120,
        })
        .await;
    profile
        .ask(Request::EstimateComparison { name: "Lab".into() })
        .await;
    let history = vec![SaidBefore {
        by_person: true,
        text: "Good morning".into(),
    }];
    profile
        .ask(Request::RouteByModel {
            text: "tell me a story".into(),
            history,
        })
        .await;
    // The first connection breaks off, and the next one starts the answer over.
    let told = ask(profile, "tell me a story about a train").await;
    one(profile, Topic::Usage, &told.turn()).await;
    profile
        .ask(Request::PreferModel { name: "Lab".into() })
        .await;
    let mut told = profile
        .begin(said(&format!("tell me a story about {HOLD}")))
        .await;
    told.until(|event| matches!(event, EventBody::Token { .. }))
        .await;
    profile
        .ask(Request::Interrupt {
            turn: None,
            conversation: Some(MAIN.into()),
        })
        .await;
    told.until(|_| false).await;
    profile.end(told);
    profile.ask(Request::Comparisons {}).await;
    for name in ["Cut", "Cut", "Lab"] {
        profile
            .ask(Request::DisconnectModel { name: name.into() })
            .await;
    }
}

async fn model_files(profile: &mut Profile, server: &str) {
    let what = format!("http://{server}/small.gguf");
    profile.ask(Request::ModelFiles {}).await;
    let offered = profile
        .ask(Request::OfferModelFile {
            what: what.clone(),
            sha256: None,
        })
        .await;
    profile
        .ask(Request::OfferModelFile {
            what: "giant".into(),
            sha256: None,
        })
        .await;
    let Ok(Reply::ModelOffer { offer }) = offered.reply else {
        panic!("no offer: {:?}", offered.reply);
    };
    let agreed = AgreedTo {
        bytes: offer.bytes,
        licence: offer.licence,
        sum: offer.sum,
    };
    profile
        .ask(Request::FetchModelFile {
            what,
            sha256: None,
            agreed,
        })
        .await;
    profile.ask(Request::StopModelFile {}).await;
}

async fn look(profile: &mut Profile) {
    for topic in [
        Topic::Tasks,
        Topic::Notes,
        Topic::Memories,
        Topic::PastMemories,
        Topic::Mail,
        Topic::Outbox,
        Topic::Contacts,
        Topic::Approvals,
        Topic::Grants,
        Topic::Questions,
        Topic::Plans,
        Topic::Conversations,
        Topic::Jobs,
        Topic::Activity,
        Topic::Accounts,
        Topic::Collections,
        Topic::Egress,
        Topic::Imports,
        Topic::Usage,
    ] {
        rows(profile, topic).await;
    }
    let week = Request::Show {
        what: Topic::Events,
        id: None,
        from: Some("2026-01-12".into()),
        to: Some("2026-01-18".into()),
        limit: None,
        offset: None,
        text: None,
        only: None,
    };
    profile.ask(week).await;
    let mail = rows(profile, Topic::Mail).await;
    let with_text = mail[0]["id"].as_str().expect("its id");
    one(profile, Topic::Mail, with_text).await;
    for designed in mail.iter().filter_map(|mail| mail["id"].as_str()) {
        let (id, images) = (designed.to_owned(), None);
        profile.ask(Request::MailPage { id, images }).await;
        let id = designed.to_owned();
        profile.ask(Request::MailInvitation { id }).await;
    }
    one(profile, Topic::Messages, MAIN).await;
    for text in ["lease", "raj", "alarm", "train", "ana"] {
        let text = text.to_owned();
        profile.ask(Request::Search { text, limit: 20 }).await;
    }
    profile.ask(Request::FindModels {}).await;
    profile.ask(Request::Tools {}).await;
    profile.ask(Request::ConfigList {}).await;
    profile
        .ask(Request::ConfigGet {
            key: "time_zone".into(),
        })
        .await;
    profile.ask(Request::Doctor {}).await;
    profile.ask(Request::Scoreboard {}).await;
    profile.ask(Request::Timings {}).await;
    profile.ask(Request::RunDue {}).await;
}

async fn end(profile: &mut Profile) {
    let mut journal = subscribed(profile, MAIN).await;
    journal
        .until(|event| matches!(event, EventBody::Done { .. }))
        .await;
    profile.end(journal);
    let title = "The lease".to_owned();
    profile
        .ask(Request::RenameConversation {
            id: MAIN.into(),
            title,
        })
        .await;
    for on in [true, false] {
        let id = MAIN.to_owned();
        profile.ask(Request::PinConversation { id, on }).await;
    }
    let found = Request::Show {
        what: Topic::Conversations,
        id: None,
        from: None,
        to: None,
        limit: None,
        offset: None,
        text: Some("lease".into()),
        only: None,
    };
    profile.ask(found).await;
    for on in [true, false] {
        let id = MAIN.to_owned();
        profile.ask(Request::ArchiveConversation { id, on }).await;
        rows(profile, Topic::ArchivedConversations).await;
    }
    let id = || MAIN.to_owned();
    profile.ask(Request::DeleteConversation { id: id() }).await;
    profile.ask(Request::RestoreConversation { id: id() }).await;
    profile.ask(Request::RestoreConversation { id: id() }).await;
    profile.ask(Request::DeleteConversation { id: id() }).await;
    let dir = profile.path("exported");
    profile.ask(Request::Export { dir: dir.clone() }).await;
    profile.ask(Request::Export { dir }).await;
    profile.ask(Request::LoadSample {}).await;
    profile.ask(Request::Erase {}).await;
}
