//! `show`: state, as stored.

use adjutant::session::Session;
use adjutant_api::rows::Rows;
use adjutant_api::{Fault, Reply, Request};

use crate::{End, print, reply, unexpected};

/// Shows the rows of one topic.
pub(crate) async fn run(session: &Session, request: Request, json: bool) -> Result<End, Fault> {
    let Reply::Rows { rows } = reply(session, request).await? else {
        return Err(unexpected());
    };
    let list = rows.to_list();
    if json {
        print::json(&list);
    } else if list.is_empty() {
        print::aside("Nothing there.");
    } else {
        print::line(&print::table(columns(&rows), &list));
        if let Rows::Approvals(waiting) = &rows {
            for one in waiting.iter().filter(|one| one.state == "pending") {
                print::line(&format!(
                    "\n{} (expires {}):\n{}",
                    one.id,
                    one.expires,
                    print::card(&one.shown)
                ));
                print::line(&format!(
                    "  adjutant approve {} --digest {}",
                    one.id, one.digest
                ));
            }
        }
        if let Rows::Plans(plans) = &rows {
            for one in plans.iter().filter(|one| one.state == "waiting") {
                print::line(&format!("\n{}: {}", one.id, print::plain(&one.request)));
                for step in &one.steps {
                    let say = print::plain(&step.say);
                    print::line(&format!("  {}: {say} ({})", step.key, step.status));
                }
                print::line(&format!("  adjutant plan leave-out {} STEP", one.id));
            }
        }
    }
    Ok(End::Finished)
}

fn columns(rows: &Rows) -> &'static [&'static str] {
    match rows {
        Rows::Tasks(_) => &["id", "status", "due", "priority", "title", "rrule"],
        Rows::Events(_) => &[
            "id",
            "start",
            "end",
            "summary",
            "location",
            "attendees",
            "rrule",
        ],
        Rows::Notes(_) => &["id", "updated", "title", "tags"],
        Rows::Memories(_) => &["id", "category", "key", "value", "source"],
        Rows::Mail(_) => &["id", "date", "folder", "from", "subject"],
        Rows::Outbox(_) => &["id", "state", "to", "subject"],
        Rows::Contacts(_) => &["id", "name", "emails", "phones"],
        Rows::Approvals(_) => &["id", "state", "tool", "risk", "shown", "expires"],
        Rows::Plans(_) => &["id", "state", "at", "request"],
        Rows::Conversations(_) => &["id", "updated", "messages", "title"],
        Rows::Messages(_) => &["at", "role", "text"],
        Rows::Jobs(_) => &["id", "kind", "at", "state", "title"],
        Rows::Activity(_) => &["id", "at", "tool", "outcome", "undo", "say"],
        Rows::Egress(_) => &["at", "host", "reason", "bytes_out", "bytes_in"],
        Rows::Usage(_) => &[
            "day", "stage", "model", "purpose", "calls", "failed", "input", "output", "cost",
            "currency",
        ],
        Rows::Calls(_) => &[
            "at", "stage", "model", "state", "input", "output", "cost", "currency", "first_ms",
            "ms", "prompt", "fault",
        ],
    }
}
