//! Decides by hand about mail on its way out.

use adjutant_api::{Fault, OutboxAct, Reply};
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Kind, OutboxState, Record};
use adjutant_engine::{Op, OutboxAct as Act};
use serde_json::json;

use super::{Service, store_fault, turns};

/// Carries out what the person decided. Sending a draft goes through the gate, like any other mail.
pub(super) async fn decide(
    service: &Service,
    id: RecordId,
    act: OutboxAct,
) -> Result<Reply, Fault> {
    let act = match act {
        OutboxAct::SendNow => Act::SendNow,
        OutboxAct::CheckAgain => Act::CheckAgain,
        OutboxAct::ToDraft => Act::ToDraft,
    };
    if act == Act::SendNow {
        let found = service.store.get(Kind::Outbox, &id).await;
        match found.map_err(store_fault)? {
            Some(Record::Outbox(mail)) if mail.state == OutboxState::Draft => {
                let tool = "email.send".to_owned();
                let args = json!({ "draft": id });
                return turns::apply(service, Op::Apply { tool, args }).await;
            }
            Some(Record::Outbox(mail)) if mail.state == OutboxState::Sent => {
                return Err(Fault {
                    code: "sent".into(),
                    message: format!(
                        "“{}” has been sent already; nothing was done.",
                        mail.subject
                    ),
                    hint: "Activity shows when it left.".into(),
                });
            }
            _ => {}
        }
    }
    turns::apply(service, Op::Outbox { id, act }).await
}
