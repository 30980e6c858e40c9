//! `show`: rows as stored.

use adjutant_api::convert::{accounts, records, turns};
use adjutant_api::rows::{EgressRow, Rows};
use adjutant_api::{Fault, Topic};
use adjutant_domain::ids::{ConversationId, RecordId};
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::{
    ContactFilter, EventFilter, MailFilter, MemoryFilter, NoteFilter, OutboxFilter, Records as _,
    Sort, TaskFilter, TurnLog as _, Window,
};
use adjutant_domain::record::{Folder, Kind, Record};
use jiff::{ToSpan as _, tz::TimeZone};

use super::{Service, sources, store_fault, undo_availability, usage};

/// What is asked for, besides the topic.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) id: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) limit: Option<usize>,
    pub(super) text: Option<String>,
}

/// Every folder: `show mail` hides nothing.
pub(super) const ALL_FOLDERS: [Folder; 5] = [
    Folder::Inbox,
    Folder::Sent,
    Folder::Archive,
    Folder::Trash,
    Folder::Junk,
];

pub(super) async fn rows(service: &Service, what: Topic, asked: &Asked) -> Result<Rows, Fault> {
    let zone = service.zone();
    let window = window(asked, &zone)?;
    if let Some(rows) = one(service, what, asked, &zone).await? {
        return Ok(rows);
    }
    let store = &service.store;
    let text = asked.text.clone();
    let limit = asked.limit;
    Ok(match what {
        Topic::Tasks => {
            let filter = TaskFilter {
                text,
                due: window,
                limit,
                ..TaskFilter::default()
            };
            let tasks = store.tasks(&filter).await.map_err(store_fault)?;
            Rows::Tasks(
                tasks
                    .iter()
                    .map(|task| records::task(task, &zone))
                    .collect(),
            )
        }
        Topic::Events => {
            let filter = EventFilter {
                window,
                text,
                limit,
                ..EventFilter::default()
            };
            Rows::Events(if window == Window::default() {
                store
                    .events(&filter)
                    .await
                    .map_err(store_fault)?
                    .iter()
                    .map(records::event)
                    .collect()
            } else {
                let shown = store.occurrences(&filter).await.map_err(store_fault)?;
                let unexpanded = store.unexpanded(&filter).await.map_err(store_fault)?;
                let shown = shown.iter().map(records::occurrence);
                shown
                    .chain(unexpanded.iter().map(records::unexpanded))
                    .collect()
            })
        }
        Topic::Notes => {
            let notes = store
                .notes(&NoteFilter {
                    text,
                    limit,
                    ..NoteFilter::default()
                })
                .await
                .map_err(store_fault)?;
            Rows::Notes(
                notes
                    .iter()
                    .map(|note| records::note(note, &zone))
                    .collect(),
            )
        }
        Topic::Memories => {
            let filter = MemoryFilter {
                text,
                set_aside: true,
                limit,
                ..MemoryFilter::default()
            };
            let memories = store.memories(&filter).await.map_err(store_fault)?;
            Rows::Memories(
                memories
                    .iter()
                    .map(|memory| records::memory(memory, &zone))
                    .collect(),
            )
        }
        Topic::PastMemories => {
            let filter = MemoryFilter {
                text,
                past: true,
                set_aside: true,
                ..MemoryFilter::default()
            };
            let memories = store.memories(&filter).await.map_err(store_fault)?;
            Rows::Memories(
                memories
                    .iter()
                    .filter(|memory| memory.valid_to.is_some())
                    .take(limit.unwrap_or(usize::MAX))
                    .map(|memory| records::memory(memory, &zone))
                    .collect(),
            )
        }
        Topic::Mail => {
            let filter = MailFilter {
                window,
                text,
                folders: ALL_FOLDERS.to_vec(),
                sort: Sort::Descending,
                limit,
                ..MailFilter::default()
            };
            let mails = store.mails(&filter).await.map_err(store_fault)?;
            Rows::Mail(
                mails
                    .iter()
                    .map(|mail| records::mail(mail, &zone, false))
                    .collect(),
            )
        }
        Topic::Outbox => {
            let items = store
                .outbox(&OutboxFilter {
                    text,
                    limit,
                    ..OutboxFilter::default()
                })
                .await
                .map_err(store_fault)?;
            Rows::Outbox(
                items
                    .iter()
                    .map(|item| records::outbox(item, &zone))
                    .collect(),
            )
        }
        Topic::Contacts => {
            let contacts = store
                .contacts(&ContactFilter { name: text, limit })
                .await
                .map_err(store_fault)?;
            Rows::Contacts(contacts.iter().map(records::contact).collect())
        }
        Topic::Approvals => {
            let now = service.now().timestamp();
            let actions = store.actions(None, limit).await.map_err(store_fault)?;
            let mut rows: Vec<_> = actions
                .iter()
                .map(|action| turns::approval(action, now, &zone))
                .collect();
            for row in &mut rows {
                sources::fill_in(service, row).await;
            }
            Rows::Approvals(rows)
        }
        Topic::Plans => {
            let all = store.turns(None, limit).await.map_err(store_fault)?;
            Rows::Plans(
                all.iter()
                    .filter_map(|turn| turns::plan(turn, &zone))
                    .collect(),
            )
        }
        Topic::Conversations => {
            let all = store.conversations(limit).await.map_err(store_fault)?;
            Rows::Conversations(
                all.iter()
                    .filter(|one| {
                        !matches!(
                            one.id.as_str(),
                            adjutant_engine::DIRECT | adjutant_engine::BACKGROUND
                        )
                    })
                    .map(|one| turns::conversation(one, &zone))
                    .collect(),
            )
        }
        Topic::Messages => messages(service, asked, &zone).await?,
        Topic::Jobs => {
            let all = store.jobs(limit).await.map_err(store_fault)?;
            Rows::Jobs(all.iter().map(|job| records::job(job, &zone)).collect())
        }
        Topic::Activity => {
            let effects = store.effects(limit).await.map_err(store_fault)?;
            Rows::Activity(undo_availability::rows(service, &effects, &zone).await?)
        }
        Topic::Usage => usage::rows(service, asked, window, &zone).await?,
        Topic::Accounts => {
            let all = store.accounts().await.map_err(store_fault)?;
            let all = all.iter().take(limit.unwrap_or(usize::MAX));
            Rows::Accounts(all.map(accounts::account).collect())
        }
        Topic::Collections => {
            let all = store.collections().await.map_err(store_fault)?;
            let all = all.iter().take(limit.unwrap_or(usize::MAX));
            Rows::Collections(all.map(accounts::collection).collect())
        }
        Topic::Egress => {
            let all = store.egress(limit).await.map_err(store_fault)?;
            Rows::Egress(
                all.into_iter()
                    .map(|one| EgressRow {
                        id: one.id.to_string(),
                        at: records::at(one.at, &zone),
                        host: one.who,
                        reason: one.why,
                        bytes_out: one.bytes_out,
                        bytes_in: one.bytes_in,
                    })
                    .collect(),
            )
        }
    })
}

/// One row by its id, where the topic has ids of its own. `None`: no id was given.
async fn one(
    service: &Service,
    what: Topic,
    asked: &Asked,
    zone: &TimeZone,
) -> Result<Option<Rows>, Fault> {
    let Some(id) = asked.id.as_deref() else {
        return Ok(None);
    };
    let store = &service.store;
    let missing = || Fault {
        code: "not_found".into(),
        message: format!("There is no “{id}” there."),
        hint: "Look at the list (`adjutant show` without an id).".into(),
    };
    let kind = match what {
        Topic::Tasks => Kind::Task,
        Topic::Events => Kind::Event,
        Topic::Notes => Kind::Note,
        Topic::Memories | Topic::PastMemories => Kind::Memory,
        Topic::Mail => Kind::Mail,
        Topic::Outbox => Kind::Outbox,
        Topic::Contacts => Kind::Contact,
        Topic::Approvals => {
            let action = store
                .action(&id.into())
                .await
                .map_err(store_fault)?
                .ok_or_else(missing)?;
            let mut row = turns::approval(&action, service.now().timestamp(), zone);
            sources::fill_in(service, &mut row).await;
            return Ok(Some(Rows::Approvals(vec![row])));
        }
        Topic::Activity => {
            let effect = store
                .effect(&id.into())
                .await
                .map_err(store_fault)?
                .ok_or_else(missing)?;
            return Ok(Some(Rows::Activity(
                undo_availability::rows(service, std::slice::from_ref(&effect), zone).await?,
            )));
        }
        Topic::Plans => {
            let all = store.turns(None, None).await.map_err(store_fault)?;
            let row = all
                .iter()
                .filter_map(|turn| turns::plan(turn, zone))
                .find(|row| row.id == id || row.turn == id)
                .ok_or_else(missing)?;
            return Ok(Some(Rows::Plans(vec![row])));
        }
        Topic::Conversations => {
            let all = store.conversations(None).await.map_err(store_fault)?;
            let row = all.iter().find(|one| one.id.0 == id).ok_or_else(missing)?;
            return Ok(Some(Rows::Conversations(vec![turns::conversation(
                row, zone,
            )])));
        }
        Topic::Jobs => {
            let job = store.job(&id.into()).await.map_err(store_fault)?;
            let job = job.ok_or_else(missing)?;
            return Ok(Some(Rows::Jobs(vec![records::job(&job, zone)])));
        }
        Topic::Accounts => {
            let all = store.accounts().await.map_err(store_fault)?;
            let row = all.iter().find(|one| one.id.0 == id).ok_or_else(missing)?;
            return Ok(Some(Rows::Accounts(vec![accounts::account(row)])));
        }
        Topic::Collections => {
            let all = store.collections().await.map_err(store_fault)?;
            let row = all.iter().find(|one| one.id.0 == id).ok_or_else(missing)?;
            return Ok(Some(Rows::Collections(vec![accounts::collection(row)])));
        }
        Topic::Messages | Topic::Egress | Topic::Usage => return Ok(None),
    };
    let record = store
        .get(kind, &RecordId(id.to_owned()))
        .await
        .map_err(store_fault)?
        .ok_or_else(missing)?;
    Ok(Some(match &record {
        Record::Task(task) => Rows::Tasks(vec![records::task(task, zone)]),
        Record::Event(event) => Rows::Events(vec![records::event(event)]),
        Record::Note(note) => Rows::Notes(vec![records::note(note, zone)]),
        Record::Memory(memory) => Rows::Memories(vec![records::memory(memory, zone)]),
        Record::Mail(mail) => Rows::Mail(vec![records::mail(mail, zone, true)]),
        Record::Outbox(item) => Rows::Outbox(vec![records::outbox(item, zone)]),
        Record::Contact(contact) => Rows::Contacts(vec![records::contact(contact)]),
    }))
}

async fn messages(service: &Service, asked: &Asked, zone: &TimeZone) -> Result<Rows, Fault> {
    let id = asked.id.as_deref().ok_or_else(|| Fault {
        code: "usage".into(),
        message: "Messages belong to a conversation.".into(),
        hint: "Give its id.".into(),
    })?;
    let mut all = service
        .store
        .turns(Some(&ConversationId(id.to_owned())), asked.limit)
        .await
        .map_err(store_fault)?;
    all.reverse();
    let mut rows = Vec::new();
    for turn in &all {
        let said = |role, text: &str| adjutant_domain::conversation::Message {
            turn: turn.id.clone(),
            role,
            text: text.to_owned(),
            at: turn.at,
        };
        use adjutant_domain::conversation::Role;
        if !turn.text.is_empty() {
            rows.push(turns::message(&said(Role::User, &turn.text), zone));
        }
        if let Some(answer) = turn.answer.as_deref().filter(|answer| !answer.is_empty()) {
            rows.push(turns::message(&said(Role::Assistant, answer), zone));
        }
    }
    Ok(Rows::Messages(rows))
}

/// `--from` and `--to`: dates or times; a date as `--to` includes that day.
fn window(asked: &Asked, zone: &TimeZone) -> Result<Window, Fault> {
    let read = |text: &str| -> Result<Moment, Fault> {
        text.parse()
            .map_err(|error: adjutant_domain::moment::NotAMoment| Fault {
                code: "usage".into(),
                message: adjutant_domain::faults::sentence(&error.to_string()),
                hint: String::new(),
            })
    };
    let from = asked
        .from
        .as_deref()
        .map(read)
        .transpose()?
        .map(|moment| moment.starts(zone));
    let to = asked
        .to
        .as_deref()
        .map(read)
        .transpose()?
        .map(|moment| match &moment {
            Moment::Day(day) => Moment::Day(day.saturating_add(1.day())).starts(zone),
            Moment::At(_) => moment.starts(zone),
        });
    Ok(Window { from, to })
}
