//! Tests on real database files.

mod accounts;
mod calendar;
mod calls;
mod cancelled;
mod collections;
mod compared;
mod conversations;
mod documents;
mod drafts;
mod effects;
mod files;
mod full_disk;
mod grants;
mod import;
mod jobs;
mod kept;
mod lists;
mod log;
mod names;
mod provenance;
mod research;
mod search;
mod spoken;
mod turns;
mod undone;
mod whole_mails;

use std::path::Path;
use std::sync::Arc;

use adjutant_domain::canonical::Digest;
use adjutant_domain::change::Change;
use adjutant_domain::conversation::{EffectCommit, Turn, TurnEnd, TurnState};
use adjutant_domain::focus::Focus;
use adjutant_domain::gate::{ActionState, Card, PendingAction, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::record::{
    Address, Contact, Event, Folder, Mail, Memory, MemorySource, Note, OutboxItem, OutboxState,
    Priority, Task, TaskStatus,
};
use adjutant_domain::source::Taint;
use jiff::Timestamp;
use serde_json::json;

use crate::{Store, StoreOptions};

pub(crate) fn open(folder: &Path) -> Arc<Store> {
    Store::open(folder, StoreOptions::default()).expect("a profile")
}

/// Returns an empty profile in a temporary folder.
pub(crate) fn fresh() -> (tempfile::TempDir, Arc<Store>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    (folder, store)
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

pub(crate) fn moment(text: &str) -> Moment {
    text.parse().expect("a moment")
}

pub(crate) fn noon() -> Timestamp {
    at("2026-01-12T12:00:00Z")
}

pub(crate) fn task(id: &str, title: &str) -> Task {
    Task {
        id: id.into(),
        title: title.into(),
        notes: String::new(),
        due: None,
        remind_at: None,
        priority: Priority::Medium,
        status: TaskStatus::Open,
        rrule: None,
        start: None,
        tags: Vec::new(),
        place: None,
        completed_at: None,
        created: noon(),
        updated: noon(),
        version: 0,
    }
}

pub(crate) fn note(id: &str, title: &str, body: &str) -> Note {
    Note {
        id: id.into(),
        title: title.into(),
        body: body.into(),
        tags: vec!["home".into()],
        created: noon(),
        updated: noon(),
        version: 0,
    }
}

pub(crate) fn event(id: &str, summary: &str, start: &str, end: &str) -> Event {
    Event {
        id: id.into(),
        uid: format!("{id}@test"),
        recurrence_id: None,
        following: false,
        calendar: "home".into(),
        summary: summary.into(),
        description: String::new(),
        location: String::new(),
        start: moment(start),
        end: moment(end),
        attendees: Vec::new(),
        organizer: None,
        rrule: None,
        rdates: Vec::new(),
        exdates: Vec::new(),
        cancelled: false,
        transparent: false,
        sequence: 0,
        created: noon(),
        updated: noon(),
        version: 0,
    }
}

pub(crate) fn who(name: &str, email: &str) -> Address {
    Address {
        name: name.into(),
        email: email.into(),
    }
}

pub(crate) fn mail(id: &str, from: Address, subject: &str, text: &str) -> Mail {
    Mail {
        id: id.into(),
        message_id: format!("{id}@test"),
        folder: Folder::Inbox,
        from,
        to: vec![who("Me", "me@example.org")],
        cc: Vec::new(),
        reply_to: Vec::new(),
        subject: subject.into(),
        date: noon(),
        text: text.into(),
        in_reply_to: None,
        references: Vec::new(),
        attachments: Vec::new(),
        labels: Vec::new(),
        read: false,
        starred: false,
        size: 10,
        updated: noon(),
        version: 0,
    }
}

pub(crate) fn contact(id: &str, name: &str, email: &str) -> Contact {
    Contact {
        id: id.into(),
        uid: format!("{id}-uid"),
        name: name.into(),
        nicknames: Vec::new(),
        emails: vec![email.into()],
        phones: Vec::new(),
        organisation: String::new(),
        relation: String::new(),
        birthday: String::new(),
        notes: String::new(),
        created: noon(),
        updated: noon(),
        version: 0,
    }
}

pub(crate) fn memory(id: &str, key: &str, value: &str) -> Memory {
    Memory {
        id: id.into(),
        category: "fact".into(),
        key: key.into(),
        value: value.into(),
        source: MemorySource::Said,
        origin: value.into(),
        confidence: 0.9,
        valid_from: noon(),
        valid_to: None,
        uses: 0,
        last_used: None,
        created: noon(),
        updated: noon(),
        version: 0,
    }
}

pub(crate) fn draft(id: &str, to: &str, subject: &str) -> OutboxItem {
    OutboxItem {
        id: id.into(),
        message_id: String::new(),
        to: vec![who("", to)],
        cc: Vec::new(),
        bcc: Vec::new(),
        subject: subject.into(),
        body: "Hello".into(),
        in_reply_to: None,
        forward_of: None,
        state: OutboxState::Draft,
        mime: None,
        not_before: None,
        created: noon(),
        updated: noon(),
        version: 0,
    }
}

pub(crate) fn turn(id: &str, text: &str) -> Turn {
    Turn {
        id: id.into(),
        conversation: "main".into(),
        text: text.into(),
        at: noon(),
        instead_of: None,
        state: TurnState::Open,
        route: None,
        plan: None,
        answer: None,
    }
}

pub(crate) fn end(turn: &str, state: TurnState, answer: &str) -> TurnEnd {
    TurnEnd {
        turn: turn.into(),
        conversation: "main".into(),
        state,
        route: None,
        plan: None,
        answer: (!answer.is_empty()).then(|| answer.to_owned()),
        pending: Vec::new(),
        actions: Vec::new(),
        sets_aside: None,
        focus: Focus::default(),
        taint: Taint::Clean,
        private: false,
        at: noon(),
        journal: Vec::new(),
        tools: Default::default(),
    }
}

pub(crate) fn effect(id: &str, turn: &str, change: Change) -> EffectCommit {
    EffectCommit {
        id: id.into(),
        turn: turn.into(),
        step: "s1".into(),
        conversation: "main".into(),
        tool: "test.tool".into(),
        args: json!({"a": 1}),
        say: "It was done.".into(),
        change,
        claim: None,
        settles_claim: true,
        unasked: Vec::new(),
        undoes: None,
        at: noon(),
        plan: None,
        journal: Vec::new(),
    }
}

pub(crate) fn action(id: &str, turn: &str, state: ActionState) -> PendingAction {
    PendingAction {
        id: id.into(),
        conversation: "main".into(),
        turn: turn.into(),
        step: "s1".into(),
        tool: "event.delete".into(),
        calls: Vec::new(),
        card: Card {
            title: "Delete an event".into(),
            verb: "Delete".into(),
            account: None,
            notes: Vec::new(),
            facts: Vec::new(),
            items: Vec::new(),
            body: None,
            attachments: Vec::new(),
            undo: "Can be undone".into(),
            digest_line: String::new(),
            icon: adjutant_domain::tool::Icon::Delete,
        },
        risk: Risk::Destroys,
        taint: Taint::Clean,
        why: None,
        grant: None,
        unasked: None,
        nonce: "n".into(),
        digest: Digest("0".repeat(64)),
        created: noon(),
        expires: at("2026-01-12T12:15:00Z"),
        state,
        channel: None,
        not_before: None,
        waits_until: None,
        superseded_by: None,
    }
}
