//! Lists of records for front ends: one part and the total count.

use adjutant_api::convert::records;
use adjutant_api::rows::Rows;
use adjutant_api::{Fault, Reply};
use adjutant_domain::filter::{Filter, Time};
use adjutant_domain::ids::ActionId;
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Kind, OutboxItem};

use super::{Service, store_fault};

/// Returns the part of a list that a filter selects, with the total number of matching rows.
pub(super) async fn reply(service: &Service, kind: Kind, list: Filter) -> Result<Reply, Fault> {
    let rows = rows(service, kind, &list).await?;
    let total = total(service, kind, &list, &rows).await?;
    Ok(Reply::Rows { rows, total })
}

/// Returns the total number of rows. `None` for an open-ended list of events, whose occurrences are not counted.
async fn total(
    service: &Service,
    kind: Kind,
    list: &Filter,
    rows: &Rows,
) -> Result<Option<u64>, Fault> {
    if list.offset == 0 && list.limit.is_none_or(|limit| rows.len() < limit) {
        return Ok(Some(rows.len() as u64));
    }
    if kind == Kind::Event && !list.window(Time::Happens).is_open() {
        return Ok(None);
    }
    let total = service.store.total(kind, list).await;
    total.map(Some).map_err(store_fault)
}

async fn rows(service: &Service, kind: Kind, list: &Filter) -> Result<Rows, Fault> {
    let (store, zone) = (&service.store, service.zone());
    let order = service.settings().core.date_order();
    Ok(match kind {
        Kind::Task => {
            let rows = store.tasks(list).await.map_err(store_fault)?;
            Rows::Tasks(
                rows.iter()
                    .map(|row| records::task(row, &zone, order))
                    .collect(),
            )
        }
        Kind::Event if list.window(Time::Happens).is_open() => {
            let rows = store.events(list).await.map_err(store_fault)?;
            Rows::Events(rows.iter().map(|row| records::event(row, order)).collect())
        }
        Kind::Event => {
            let shown = store.occurrences(list).await.map_err(store_fault)?;
            let unexpanded = store.unexpanded(list).await.map_err(store_fault)?;
            let shown = shown.iter().map(|one| records::occurrence(one, order));
            let unexpanded = unexpanded.iter().map(|one| records::unexpanded(one, order));
            Rows::Events(shown.chain(unexpanded).collect())
        }
        Kind::Note => {
            let rows = store.notes(list).await.map_err(store_fault)?;
            Rows::Notes(rows.iter().map(|row| records::note(row, &zone)).collect())
        }
        Kind::Mail => {
            let rows = store.mails(list).await.map_err(store_fault)?;
            Rows::Mail(records::mails(&rows, &zone, false))
        }
        Kind::Outbox => {
            let rows = store.outbox(list).await.map_err(store_fault)?;
            outgoing(service, &rows).await?
        }
        Kind::Contact => {
            let rows = store.contacts(list).await.map_err(store_fault)?;
            Rows::Contacts(rows.iter().map(records::contact).collect())
        }
        Kind::Memory => {
            let rows = store.memories(list).await.map_err(store_fault)?;
            let rows = rows.iter().map(|row| records::memory(row, &zone));
            Rows::Memories(rows.collect())
        }
    })
}

/// Returns outgoing mails and approved ones that wait, with the reason and end of the wait.
pub(super) async fn outgoing(service: &Service, items: &[OutboxItem]) -> Result<Rows, Fault> {
    let zone = service.zone();
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        let mut row = records::outbox(item, &zone);
        if row.id.starts_with(ActionId::PREFIX) {
            let action = service.store.action(&row.id.as_str().into()).await;
            if let Some(action) = action.map_err(store_fault)? {
                let signed_out = service.engine.signed_out(&action).await;
                let signed_out = signed_out.map_err(store_fault)?;
                row.waits = records::wait(&action, signed_out, &zone);
            }
        }
        rows.push(row);
    }
    Ok(Rows::Outbox(rows))
}
