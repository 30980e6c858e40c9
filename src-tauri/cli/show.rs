//! `show`: prints stored rows. A list is a table; a single row, given by its id, is shown in full.

mod rows;
pub(crate) mod when;
mod whole;

use std::collections::BTreeSet;

use adjutant::session::{Options, Session};
use adjutant_api::rows::{ApprovalRow, EventRow, PlanRow, Rows};
use adjutant_api::words::ApprovalState;
use adjutant_api::{Fault, Reply, Request};

use crate::{End, outgoing, print, progress, reply, unexpected};
use when::When;

/// Shows the rows of one topic.
pub(crate) async fn run(
    session: &Session,
    options: &Options,
    request: Request,
    json: bool,
) -> Result<End, Fault> {
    let one = matches!(&request, Request::Show { id: Some(_), .. });
    let passed_over = match &request {
        Request::Show { offset, .. } => offset.unwrap_or_default(),
        _ => 0,
    };
    let asked = progress::waited("Waiting for the result", json, reply(session, request));
    let Reply::Rows { rows, total } = asked.await? else {
        return Err(unexpected());
    };
    let list = rows.to_list();
    if json {
        print::json(&list);
    } else if list.is_empty() {
        print::aside("Nothing there.");
    } else {
        let when = When::of(session, options).await?;
        match whole::of(&rows, &when).filter(|_| one) {
            Some(whole) => print::line(&whole),
            None => print::line(&rows::table(&rows, &when)),
        }
        match &rows {
            Rows::Approvals(all) => waiting_cards(all, one, &when),
            Rows::Plans(all) => all.iter().for_each(waiting_plan),
            Rows::Events(all) => all.iter().for_each(unexpanded),
            Rows::Outbox(all) => outgoing::tell(session, all),
            _ => {}
        }
        let shown = passed_over + list.len();
        if let Some(total) = total.filter(|total| *total > shown as u64) {
            print::aside(&format!(
                "{shown} of {total} so far. Use --after {shown} for the rest."
            ));
        }
    }
    Ok(End::Finished)
}

/// Prints the waiting cards. If too many of one kind wait, prints a notice with their number instead; each of them can
/// be shown by its id.
fn waiting_cards(all: &[ApprovalRow], one: bool, when: &When) {
    let mut told = BTreeSet::new();
    for row in all {
        let Some(count) = row.flood.filter(|_| !one) else {
            waiting_card(row, when);
            continue;
        };
        if told.insert((&row.tool, &row.account)) {
            print::line(&format!(
                "\n{count} of {} wait. So many at once can be a mistake or an attack: look at each before you approve.\n  adjutant show approvals ID, for each of them above",
                row.tool
            ));
        }
    }
}

/// Prints the card of a waiting action and the commands for it.
fn waiting_card(row: &ApprovalRow, when: &When) {
    if row.state != ApprovalState::Pending {
        return;
    }
    let expires = when.moment(&row.expires);
    let card = print::card(&row.shown);
    print::line(&format!("\n{} (expires {expires}):\n{card}", row.id));
    if !row.why.is_empty() {
        print::line(&format!("  {}", row.why));
    }
    print::line(&format!(
        "  adjutant approve {} --digest {}",
        row.id, row.digest
    ));
    print::line(&format!("  adjutant reject {}", row.id));
    if let Some(grant) = &row.grant {
        let target = print::one_line(&grant.target);
        print::line(&format!(
            "  adjutant grants add {} --digest {} --until DATE   (always allow {}: {target})",
            row.id, row.digest, grant.tool
        ));
    }
}

/// Notes a series whose instances in the range are not all known.
fn unexpanded(row: &EventRow) {
    if let Some(reason) = &row.unexpanded {
        let title = print::one_line(&row.summary);
        print::line(&format!(
            "\n{title} may have more dates than are shown: {reason}."
        ));
    }
}

/// Prints the steps of a waiting plan and the command for it.
fn waiting_plan(row: &PlanRow) {
    if row.state != "waiting" {
        return;
    }
    print::line(&format!("\n{}: {}", row.id, print::one_line(&row.request)));
    for step in &row.steps {
        let say = print::one_line(&step.say);
        print::line(&format!("  {}: {say} ({})", step.key, step.status));
    }
    print::line(&format!("  adjutant plan leave-out {} STEP", row.id));
}
