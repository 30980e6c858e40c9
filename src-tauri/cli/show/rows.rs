//! The table columns of each topic.

use adjutant_api::rows::{
    AccountRow, AccountState, CollectionKind, CollectionRow, ImportCount, ImportRow, OutboxRow,
    OutboxWait, QuestionsRow, Rows, UndoState,
};
use adjutant_api::usage::{CallRow, UsageRow};
use adjutant_api::words::WaitsFor;

use super::when::When;
use crate::print::{Column, Fit, table as lay_out};

/// Creates a column that stays whole on a narrow terminal.
const fn whole(name: &'static str) -> Column {
    Column {
        name,
        fit: Fit::Whole,
    }
}

/// Creates a column that is cut on a narrow terminal.
const fn cut(name: &'static str) -> Column {
    Column {
        name,
        fit: Fit::Cut,
    }
}

/// Creates a column that may be left out on a narrow terminal.
const fn spare(name: &'static str) -> Column {
    Column {
        name,
        fit: Fit::Spare,
    }
}

/// Returns the rows as a table.
pub(super) fn table(rows: &Rows, when: &When) -> String {
    match rows {
        Rows::Tasks(all) => of(
            &[
                whole("id"),
                whole("status"),
                whole("due"),
                whole("priority"),
                cut("title"),
                spare("repeats"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.status.to_string(),
                    row.due
                        .as_deref()
                        .map(|due| when.moment(due))
                        .unwrap_or_default(),
                    unless(row.priority.as_str(), "medium"),
                    row.title.clone(),
                    row.repeats.clone().unwrap_or_default(),
                ]
            },
        ),
        Rows::Events(all) => of(
            &[
                whole("id"),
                whole("when"),
                cut("title"),
                spare("location"),
                spare("repeats"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    when.range(&row.start, &row.end),
                    row.summary.clone(),
                    row.location.clone(),
                    row.repeats.clone().unwrap_or_default(),
                ]
            },
        ),
        Rows::Notes(all) => of(
            &[whole("id"), whole("changed"), cut("title"), spare("tags")],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    when.moment(&row.updated),
                    row.title.clone(),
                    row.tags.join(", "),
                ]
            },
        ),
        Rows::Memories(all) => of(
            &[whole("id"), whole("source"), cut("about"), cut("fact")],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.source.to_string(),
                    row.key.clone(),
                    row.value.clone(),
                ]
            },
        ),
        Rows::Mail(all) => of(
            &[
                whole("id"),
                whole("date"),
                whole("folder"),
                cut("from"),
                cut("subject"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    when.moment(&row.date),
                    row.folder.to_string(),
                    if row.from_name.is_empty() {
                        row.from.clone()
                    } else {
                        row.from_name.clone()
                    },
                    row.subject.clone(),
                ]
            },
        ),
        Rows::Outbox(all) => of(
            &[
                whole("id"),
                cut("state"),
                whole("until"),
                cut("to"),
                cut("subject"),
            ],
            all,
            |row| {
                let wait = row.waits.as_ref();
                vec![
                    row.id.clone(),
                    wait.map_or_else(|| row.state.to_string(), what_for),
                    wait.map(|wait| when.moment(&wait.until))
                        .unwrap_or_default(),
                    row.to.join(", "),
                    row.subject.clone(),
                ]
            },
        ),
        Rows::Contacts(all) => of(
            &[whole("id"), cut("name"), cut("emails"), spare("phones")],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.name.clone(),
                    row.emails.join(", "),
                    row.phones.join(", "),
                ]
            },
        ),
        Rows::Approvals(all) => of(
            &[whole("id"), whole("state"), whole("expires"), cut("what")],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.state.to_string(),
                    when.moment(&row.expires),
                    row.shown.title.clone(),
                ]
            },
        ),
        Rows::Grants(all) => of(
            &[
                whole("id"),
                whole("state"),
                whole("until"),
                whole("used"),
                whole("tool"),
                cut("target"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.state.words().to_owned(),
                    when.moment(&row.expires),
                    row.uses.to_string(),
                    row.tool.clone(),
                    row.target.clone(),
                ]
            },
        ),
        Rows::Questions(all) => questions(all),
        Rows::Plans(all) => of(
            &[whole("id"), whole("state"), whole("at"), cut("request")],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.state.clone(),
                    when.moment(&row.at),
                    row.request.clone(),
                ]
            },
        ),
        Rows::Conversations(all) => of(
            &[
                whole("id"),
                whole("changed"),
                whole("messages"),
                whole("pinned"),
                cut("title"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    when.moment(&row.updated),
                    row.messages.to_string(),
                    if row.pinned { "yes" } else { "" }.to_owned(),
                    row.title.clone(),
                ]
            },
        ),
        Rows::Messages(all) => of(&[whole("at"), whole("role"), cut("text")], all, |row| {
            vec![when.moment(&row.at), row.role.clone(), row.text.clone()]
        }),
        Rows::Jobs(all) => of(
            &[
                whole("id"),
                spare("kind"),
                whole("at"),
                whole("state"),
                cut("title"),
                cut("why"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.kind.as_str().to_owned(),
                    when.moment(&row.at),
                    unless(row.state.as_str(), "waiting"),
                    row.title.clone(),
                    row.why.clone().unwrap_or_default(),
                ]
            },
        ),
        Rows::Research(all) => of(
            &[
                whole("id"),
                whole("state"),
                spare("answered"),
                spare("credits"),
                cut("objective"),
                cut("answer"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    row.state.as_str().to_owned(),
                    format!("{}/{}", row.answered, row.questions),
                    row.credits.to_string(),
                    row.objective.clone(),
                    row.answer.clone().unwrap_or_default(),
                ]
            },
        ),
        Rows::Activity(all) => of(
            &[
                whole("id"),
                whole("at"),
                whole("outcome"),
                whole("undo"),
                cut("what"),
            ],
            all,
            |row| {
                vec![
                    row.id.clone(),
                    when.moment(&row.at),
                    unless(&row.outcome, "succeeded"),
                    row.undo.map(undo_text).unwrap_or_default().to_owned(),
                    row.say.clone(),
                ]
            },
        ),
        Rows::Accounts(all) => accounts(all),
        Rows::Collections(all) => collections(all),
        Rows::Egress(all) => of(
            &[
                whole("at"),
                cut("host"),
                cut("reason"),
                whole("bytes out"),
                whole("bytes in"),
            ],
            all,
            |row| {
                vec![
                    when.moment(&row.at),
                    row.host.clone(),
                    row.reason.clone(),
                    row.bytes_out.to_string(),
                    row.bytes_in.to_string(),
                ]
            },
        ),
        Rows::Imports(all) => imports(all, when),
        Rows::Usage(all) => usage(all, when),
        Rows::Calls(all) => calls(all, when),
    }
}

fn imports(all: &[ImportRow], when: &When) -> String {
    let sum = |row: &ImportRow, part: fn(&ImportCount) -> u64| {
        row.counts.iter().map(part).sum::<u64>().to_string()
    };
    of(
        &[
            whole("at"),
            cut("file"),
            whole("new"),
            whole("changed"),
            whole("there"),
            whole("refused"),
        ],
        all,
        |row| {
            vec![
                when.moment(&row.at),
                row.file.clone(),
                sum(row, |one| one.added),
                sum(row, |one| one.changed),
                sum(row, |one| one.same),
                row.refused.to_string(),
            ]
        },
    )
}

fn accounts(all: &[AccountRow]) -> String {
    let columns = [
        whole("id"),
        whole("kind"),
        cut("label"),
        cut("addresses"),
        whole("state"),
    ];
    of(&columns, all, |row| {
        let state = match row.state {
            AccountState::Ready => "",
            AccountState::SignedOut => "signed out",
            AccountState::Off => "off",
        };
        vec![
            row.id.clone(),
            row.kind.clone(),
            row.label.clone(),
            row.addresses.join(", "),
            state.into(),
        ]
    })
}

fn collections(all: &[CollectionRow]) -> String {
    let columns = [
        whole("id"),
        whole("account"),
        whole("kind"),
        cut("name"),
        whole("access"),
    ];
    of(&columns, all, |row| {
        let kind = match row.kind {
            CollectionKind::Calendar => "calendar",
            CollectionKind::Mailbox => "mailbox",
            CollectionKind::TaskList => "task list",
            CollectionKind::AddressBook => "address book",
        };
        let access = match (row.writable, row.preferred) {
            (false, _) => "read only",
            (true, true) => "new ones go here",
            (true, false) => "",
        };
        vec![
            row.id.clone(),
            row.account.clone(),
            kind.into(),
            row.name.clone(),
            access.into(),
        ]
    }) + &stay_here(all)
}

/// Says which new records go to none of the collections, on a line below the table.
fn stay_here(all: &[CollectionRow]) -> String {
    let kinds = [
        (CollectionKind::Calendar, "events"),
        (CollectionKind::TaskList, "tasks"),
        (CollectionKind::AddressBook, "contacts"),
    ];
    let goes = |kind| all.iter().any(|row| row.kind == kind && row.preferred);
    let stay: Vec<&str> = kinds
        .into_iter()
        .filter_map(|(kind, name)| (!goes(kind)).then_some(name))
        .collect();
    match stay.as_slice() {
        [] => String::new(),
        [one] => format!("\nNew {one} stay on this computer."),
        [first @ .., last] => format!(
            "\nNew {} and {last} stay on this computer.",
            first.join(", ")
        ),
    }
}

fn usage(all: &[UsageRow], when: &When) -> String {
    let columns = [
        whole("day"),
        whole("stage"),
        cut("model"),
        whole("purpose"),
        whole("calls"),
        whole("failed"),
        whole("tokens"),
        whole("cost"),
    ];
    of(&columns, all, |row| {
        vec![
            when.moment(&row.day),
            row.stage.clone(),
            row.model.clone(),
            unless(&row.purpose, "foreground"),
            row.calls.to_string(),
            unless(&row.failed.to_string(), "0"),
            format!("{} + {}", row.input, row.output),
            format!("{} {}", row.cost, row.currency),
        ]
    })
}

fn questions(all: &[QuestionsRow]) -> String {
    let columns = [
        whole("tool"),
        whole("asked"),
        whole("approved"),
        whole("at once"),
        whole("rejected"),
        whole("changed"),
        whole("expired"),
        whole("needless"),
    ];
    of(&columns, all, |row| {
        let some = |count: usize| unless(&count.to_string(), "0");
        vec![
            row.id.clone(),
            row.asked.to_string(),
            some(row.approved),
            some(row.at_once),
            some(row.rejected),
            some(row.changed),
            some(row.expired),
            some(row.needless),
        ]
    })
}

fn calls(all: &[CallRow], when: &When) -> String {
    let columns = [
        whole("at"),
        whole("stage"),
        cut("model"),
        whole("state"),
        whole("tokens"),
        whole("cost"),
        whole("ms"),
        cut("fault"),
    ];
    of(&columns, all, |row| {
        vec![
            when.moment(&row.at),
            row.stage.clone(),
            row.model.clone(),
            row.state.clone(),
            format!("{} + {}", row.input, row.output),
            format!("{} {}", row.cost, row.currency),
            row.ms.map(|ms| ms.to_string()).unwrap_or_default(),
            row.fault.clone().unwrap_or_default(),
        ]
    })
}

fn of<R>(columns: &[Column], rows: &[R], cells: impl Fn(&R) -> Vec<String>) -> String {
    lay_out(columns, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// Describes how far an effect can be undone.
pub(super) fn undo_text(undo: UndoState) -> &'static str {
    match undo {
        UndoState::Partly => "partly used",
        UndoState::PartlyChanged => "partly used, changed",
        UndoState::Available | UndoState::Changed | UndoState::Used => undo.as_str(),
    }
}

/// Returns the word, or nothing if it is the usual one.
fn unless(word: &str, usual: &str) -> String {
    if word == usual { "" } else { word }.to_owned()
}

/// Describes why and until when an approved mail waits; `None` if it does not wait.
pub(super) fn waits(row: &OutboxRow, when: &When) -> Option<String> {
    let wait = row.waits.as_ref()?;
    let until = when.moment(&wait.until);
    Some(format!("{}, until {until}", what_for(wait)))
}

/// Describes what an approved mail waits for.
fn what_for(wait: &OutboxWait) -> String {
    match (wait.why, &wait.account) {
        (WaitsFor::Hold, _) => "held".to_owned(),
        (WaitsFor::SignIn, Some(account)) => format!("waits for sign-in to {account}"),
        (WaitsFor::SignIn, None) => "waits for sign-in".to_owned(),
        (WaitsFor::Connection, _) => "no connection".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_about_new_records_has_a_line_of_its_own() {
        let trash = CollectionRow {
            id: "col_1".into(),
            account: "acc_1".into(),
            kind: CollectionKind::Mailbox,
            name: "Trash".into(),
            colour: None,
            writable: true,
            preferred: false,
        };
        let shown = collections(&[trash]);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 3, "{shown}");
        assert!(lines[1].ends_with("Trash"), "{shown}");
        assert_eq!(
            lines[2],
            "New events, tasks and contacts stay on this computer."
        );
    }
}
