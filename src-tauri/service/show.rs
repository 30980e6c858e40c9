//! `show`: returns stored rows.

use std::collections::BTreeSet;

use adjutant_api::convert::accounts::{collection, collections};
use adjutant_api::convert::{records, turns};
use adjutant_api::rows::{EgressRow, PlanRow, Rows};
use adjutant_api::topic::Only;
use adjutant_api::{Fault, Reply, Topic};
use adjutant_domain::conversation::{ConversationFilter, Turn};
use adjutant_domain::filter::{Field, Filter, Match, Order, Role, RowFlag, Test, Time, Window};
use adjutant_domain::ids::{ConversationId, RecordId};
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Kind, Record};
use jiff::{ToSpan as _, tz::TimeZone};

use super::{
    Service, accounts, conversations, grants, import, lists, mail, missing, questions, research,
    sources, store_fault, undo_availability, usage,
};

/// The parameters of a request besides its topic.
#[derive(Clone, Debug, Default)]
pub(super) struct ShowParams {
    pub(super) id: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) limit: Option<usize>,
    pub(super) offset: usize,
    pub(super) text: Option<String>,
    pub(super) only: Only,
}

pub(super) async fn reply(
    service: &Service,
    what: Topic,
    asked: &ShowParams,
) -> Result<Reply, Fault> {
    let zone = service.zone();
    let window = window(asked, &zone)?;
    if let Some(rows) = one(service, what, asked, &zone).await? {
        return Ok(Reply::Rows { rows, total: None });
    }
    let text = asked.text.as_deref();
    let part = Filter::all().at_most(asked.limit).after(asked.offset);
    let words = part.clone().words(text);
    let talks = ConversationFilter {
        archived: None,
        words: asked.text.clone(),
        limit: asked.limit,
        offset: asked.offset,
    };
    let limit = asked.limit.map(|limit| limit.saturating_add(asked.offset));
    let asked = &ShowParams {
        limit,
        ..asked.clone()
    };
    let store = &service.store;
    let rows = match what {
        Topic::Tasks => {
            let done = asked.only.done;
            let when = if done == Some(true) {
                Time::Completed
            } else {
                Time::Due
            };
            let list = words.is(RowFlag::Done, done).within(when, window);
            return lists::reply(service, Kind::Task, list).await;
        }
        Topic::Events => {
            let list = words.with(Role::From, asked.only.people.clone());
            return lists::reply(service, Kind::Event, list.within(Time::Happens, window)).await;
        }
        Topic::Notes => {
            return lists::reply(service, Kind::Note, words.within(Time::Changed, window)).await;
        }
        Topic::Memories | Topic::PastMemories => {
            let best = text.map_or(part.clone(), |text| part.clone().best(text));
            let list = best.is(RowFlag::Current, Some(what == Topic::Memories));
            return lists::reply(service, Kind::Memory, list).await;
        }
        Topic::Mail => {
            let list = words
                .within(Time::Dated, window)
                .and(Test::Folders(mail::folders(&asked.only)))
                .is(RowFlag::Read, asked.only.unread.then_some(false))
                .with(Role::Either, asked.only.people.clone())
                .ordered(Order::Latest);
            let reply = lists::reply(service, Kind::Mail, list).await?;
            return mail::with_writers(service, reply, asked.only.unread).await;
        }
        Topic::Thread => mail::thread(service, asked.id.as_deref().unwrap_or_default()).await?,
        Topic::Outbox => {
            return lists::reply(service, Kind::Outbox, words.within(Time::Changed, window)).await;
        }
        Topic::Contacts => {
            let list = part.words_in(Field::Names, Match::Beginnings, text);
            return lists::reply(service, Kind::Contact, list).await;
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
            questions::mark_floods(service, &mut rows).await?;
            Rows::Approvals(rows)
        }
        Topic::Grants => Rows::Grants(grants::rows(service).await?),
        Topic::Questions => Rows::Questions(questions::rows(service, window).await?),
        Topic::Plans => {
            let all = store.turns(None, limit).await.map_err(store_fault)?;
            Rows::Plans(plans(&all, &zone))
        }
        Topic::Conversations => return conversations::reply(service, false, talks).await,
        Topic::ArchivedConversations => return conversations::reply(service, true, talks).await,
        Topic::Messages => messages(service, asked, &zone).await?,
        Topic::Jobs => {
            let all = store.jobs(limit).await.map_err(store_fault)?;
            Rows::Jobs(all.iter().map(|job| records::job(job, &zone)).collect())
        }
        Topic::Research => Rows::Research(research::rows(service, limit).await?),
        Topic::Activity => {
            let effects = store.effects(limit).await.map_err(store_fault)?;
            Rows::Activity(undo_availability::rows(service, &effects, &zone).await?)
        }
        Topic::Usage => usage::rows(service, asked, window, &zone).await?,
        Topic::Accounts => {
            let mut all = accounts::rows(service).await?;
            all.truncate(limit.unwrap_or(usize::MAX));
            Rows::Accounts(all)
        }
        Topic::Collections => {
            let all = store.collections().await.map_err(store_fault)?;
            let mut rows = collections(&all);
            rows.truncate(limit.unwrap_or(usize::MAX));
            Rows::Collections(rows)
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
        Topic::Imports => Rows::Imports(import::rows(service, limit, &zone).await?),
    };
    Ok(Reply::Rows {
        rows: rows.after(asked.offset),
        total: None,
    })
}

/// Returns each plan once, as its latest turn left it, since a waiting plan continues in later turns. `all` must have
/// the latest turn first.
fn plans(all: &[Turn], zone: &TimeZone) -> Vec<PlanRow> {
    let mut seen = BTreeSet::new();
    all.iter()
        .filter_map(|turn| turns::plan(turn, zone))
        .filter(|row| seen.insert(row.id.clone()))
        .collect()
}

async fn one(
    service: &Service,
    what: Topic,
    asked: &ShowParams,
    zone: &TimeZone,
) -> Result<Option<Rows>, Fault> {
    let Some(id) = asked.id.as_deref() else {
        return Ok(None);
    };
    let store = &service.store;
    let missing = || missing(id);
    let kind = match what {
        Topic::Tasks => Kind::Task,
        Topic::Events => Kind::Event,
        Topic::Notes => Kind::Note,
        Topic::Memories | Topic::PastMemories => Kind::Memory,
        Topic::Mail => return Ok(Some(mail::whole(service, id).await?)),
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
            let mut rows = vec![row];
            questions::mark_floods(service, &mut rows).await?;
            return Ok(Some(Rows::Approvals(rows)));
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
        Topic::Conversations | Topic::ArchivedConversations => {
            let found = store.conversation(&id.into()).await.map_err(store_fault)?;
            let row = turns::conversation(&found.ok_or_else(missing)?, zone);
            return Ok(Some(Rows::Conversations(vec![row])));
        }
        Topic::Jobs => {
            let job = store.job(&id.into()).await.map_err(store_fault)?;
            let job = job.ok_or_else(missing)?;
            return Ok(Some(Rows::Jobs(vec![records::job(&job, zone)])));
        }
        Topic::Research => {
            let row = research::one(service, id).await?.row;
            return Ok(Some(Rows::Research(vec![row])));
        }
        Topic::Accounts => {
            let all = accounts::rows(service).await?.into_iter();
            let row = all.into_iter().find(|row| row.id == id);
            return Ok(Some(Rows::Accounts(vec![row.ok_or_else(missing)?])));
        }
        Topic::Collections => {
            let all = store.collections().await.map_err(store_fault)?;
            let row = all.iter().find(|one| one.id.0 == id).ok_or_else(missing)?;
            return Ok(Some(Rows::Collections(vec![collection(row, &all)])));
        }
        Topic::Grants => {
            let mut rows = grants::rows(service).await?;
            rows.retain(|row| row.id == id);
            let found = (!rows.is_empty()).then_some(Rows::Grants(rows));
            return found.map(Some).ok_or_else(missing);
        }
        Topic::Messages
        | Topic::Thread
        | Topic::Egress
        | Topic::Imports
        | Topic::Usage
        | Topic::Questions => {
            return Ok(None);
        }
    };
    let record = store
        .get(kind, &RecordId(id.to_owned()))
        .await
        .map_err(store_fault)?
        .ok_or_else(missing)?;
    let order = service.settings().core.date_order();
    Ok(Some(match &record {
        Record::Task(task) => Rows::Tasks(vec![records::task(task, zone, order)]),
        Record::Event(event) => Rows::Events(vec![records::event(event, order)]),
        Record::Note(note) => Rows::Notes(vec![records::note(note, zone)]),
        Record::Memory(memory) => Rows::Memories(vec![records::memory(memory, zone)]),
        Record::Mail(_) => return Ok(None),
        Record::Outbox(item) => lists::outgoing(service, std::slice::from_ref(item)).await?,
        Record::Contact(contact) => Rows::Contacts(vec![records::contact(contact)]),
    }))
}

async fn messages(service: &Service, asked: &ShowParams, zone: &TimeZone) -> Result<Rows, Fault> {
    let id = asked.id.as_deref().ok_or_else(|| Fault {
        code: "usage".into(),
        message: "This list needs the ID of a conversation.".into(),
        hint: "Add the ID.".into(),
    })?;
    let id = ConversationId(id.to_owned());
    let there = service.store.conversation(&id).await.map_err(store_fault)?;
    if there.is_none() {
        return Ok(Rows::Messages(Vec::new()));
    }
    let turns = service.store.turns_with_words(&id, asked.limit).await;
    let mut all = turns.map_err(store_fault)?;
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

/// Parses `--from` and `--to`, which are dates or times. A date given as `--to` includes that day.
fn window(asked: &ShowParams, zone: &TimeZone) -> Result<Window, Fault> {
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
