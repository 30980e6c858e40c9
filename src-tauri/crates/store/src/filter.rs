//! Turns a [`Filter`] into a query, as far as all kinds of rows share it. What is specific to one kind is in its
//! table's module.

use adjutant_domain::filter::{Field, Filter, Match, Order, Role, Test};
use rusqlite::Connection;

use crate::candidates;
use crate::condition::Condition;
use crate::fault::{Fault, Result};
use crate::people::PeopleField;
use crate::row::Row;
use crate::text::Join;

/// Returns the matching rows, in order, starting at the offset.
pub(crate) fn list<R: Row>(connection: &Connection, filter: &Filter) -> Result<Vec<R>> {
    let condition = condition::<R>(filter)?;
    candidates::list(connection, &condition, order::<R>(filter.order)?, filter)
}

/// Returns the number of matching rows.
pub(crate) fn total<R: Row>(connection: &Connection, filter: &Filter) -> Result<u64> {
    candidates::total::<R>(connection, &condition::<R>(filter)?)
}

/// Returns the conditions that a filter sets for rows of a kind.
pub(crate) fn condition<R: Row>(filter: &Filter) -> Result<Condition> {
    let mut condition = Condition::default();
    for test in &filter.tests {
        add::<R>(&mut condition, test)?;
    }
    R::always(&mut condition, filter);
    Ok(condition)
}

/// Returns the SQL order for rows of a kind, or a fault if the kind does not know this order.
pub(crate) fn order<R: Row>(order: Order) -> Result<&'static str> {
    R::order(order).ok_or_else(|| unknown::<R>(&format!("the order {order:?}")))
}

fn add<R: Row>(condition: &mut Condition, test: &Test) -> Result<()> {
    match test {
        Test::Ids(ids) => condition.ids(ids)?,
        Test::Words { field, text, how } => {
            let join = match how {
                Match::All => Join::All,
                Match::Loose => Join::Loose,
                Match::Beginnings => Join::AllBeginnings,
                Match::Ranked => return Err(unknown::<R>("ranked words")),
            };
            let columns = columns::<R>(*field).ok_or_else(|| unknown::<R>("this field"))?;
            condition.words(R::TABLE, text, columns, join);
            // Adds what only this kind requires for words.
            R::test(condition, test);
        }
        Test::With(role, who) => people::<R>(condition, *role, who)?,
        _ if R::test(condition, test) => {}
        _ => return Err(unknown::<R>(&format!("{test:?}"))),
    }
    Ok(())
}

/// Returns the columns of the word index that a field stands for; an empty slice means all, `None` that the kind has
/// no such field.
fn columns<R: Row>(field: Field) -> Option<&'static [&'static str]> {
    let columns: &'static [&'static str] = match field {
        Field::Anywhere => return Some(&[]),
        Field::Title if R::WORDS.contains(&"title") => &["title"],
        Field::Title => &["subject"],
        Field::Names if R::WORDS.contains(&"people") => &["people"],
        Field::Names => &["names"],
        Field::Organisation => &["more"],
    };
    R::WORDS.contains(&columns[0]).then_some(columns)
}

fn people<R: Row>(condition: &mut Condition, role: Role, who: &[String]) -> Result<()> {
    let Some(table) = R::PEOPLE else {
        return Err(unknown::<R>("people"));
    };
    let fields: &[PeopleField] = match role {
        Role::From => &[PeopleField::From],
        Role::To => &[PeopleField::To],
        Role::Either => &[PeopleField::From, PeopleField::To],
    };
    match table.owners(fields, who) {
        Some((sql, values)) => condition.set(sql, values),
        None => condition.nothing(),
    }
    Ok(())
}

fn unknown<R: Row>(what: &str) -> Fault {
    let kind = R::KIND.word();
    Fault::other(format!(
        "a list of the kind “{kind}” knows nothing of {what}"
    ))
}
