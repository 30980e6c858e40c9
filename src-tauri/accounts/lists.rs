//! Leaves mailing lists with a one-click request (RFC 8058), without involving an account.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    Attempt, Ended, Key, LeaveList, Receipt, Reconciled, RemoteFault, RemoteOp, Why,
};
use adjutant_domain::ports::{Clock, RemoteExecutor};
use adjutant_net::{
    AddressFrom, Follow, HeaderValue, Method, NetClient, NetFault, Outgoing, StatusCode, Url,
};
use async_trait::async_trait;

use crate::network::Network;

/// Time allowed for the list's reply.
const WITHIN: Duration = Duration::from_secs(20);
/// Maximum size of the reply in bytes; only the status is used.
const REPLY_BYTES_MAX: u64 = 64 * 1024;
/// Request body defined by RFC 8058.
const FORM: &[u8] = b"List-Unsubscribe=One-Click";

/// Carries out operations that need no account.
pub(super) struct Lists {
    pub(super) network: Arc<Network>,
    pub(super) clock: Arc<dyn Clock>,
}

#[async_trait]
impl RemoteExecutor for Lists {
    async fn apply(&self, op: &RemoteOp, _: &Key) -> Ended {
        let RemoteOp::LeaveList(list) = op else {
            return refused("this computer is not a provider that can be asked");
        };
        match leave(&self.network.client(), list, AddressFrom::Outside).await {
            Ok(()) => Ended::Done {
                receipt: Receipt::Remote {
                    account: AccountId::local(),
                    remote_id: None,
                    etag: None,
                    accepted: Vec::new(),
                    refused: Vec::new(),
                    at: self.clock.now().timestamp(),
                },
            },
            Err(ended) => ended,
        }
    }

    async fn check(&self, _: &RemoteOp) -> Result<(), RemoteFault> {
        Ok(())
    }

    async fn reconcile(&self, _: &RemoteOp, _: &Attempt) -> Reconciled {
        // There is no way to ask a list who is subscribed.
        Reconciled::CannotTell
    }
}

fn refused(what: &str) -> Ended {
    Ended::Refused {
        fault: RemoteFault::Refused { what: what.into() },
    }
}

/// Sends the request. It contains nothing about the person except what is in the address.
async fn leave(net: &NetClient, list: &LeaveList, from: AddressFrom) -> Result<(), Ended> {
    let url =
        Url::parse(&list.url).map_err(|_| refused("the address of the list cannot be read"))?;
    let mut request = Outgoing::new(Method::POST, url, "leave a mailing list");
    request.headers.insert(
        "content-type",
        HeaderValue::from_static("application/x-www-form-urlencoded"),
    );
    request.body = Some(FORM.into());
    request.follow = Follow::Nowhere;
    request.from = from;
    request.within = WITHIN;
    request.reply_bytes_max = REPLY_BYTES_MAX;
    let reply = net.send(request).await.map_err(|fault| unsent(&fault))?;
    said(reply.status()).map_or(Ok(()), Err)
}

/// Interprets the list's status; `None` for success.
fn said(status: StatusCode) -> Option<Ended> {
    let what = match status.as_u16() {
        200..=299 => return None,
        300..=399 => "the list can only be left on its web page",
        404 | 410 => "the list no longer knows this address",
        429 => {
            return Some(Ended::Refused {
                fault: RemoteFault::Limited {
                    retry_after_seconds: None,
                },
            });
        }
        500..=599 => {
            return Some(Ended::Unknown {
                why: Why::Unreadable,
            });
        }
        _ => "the list refused the request",
    };
    Some(refused(&format!("{what} ({})", status.as_u16())))
}

/// Interprets a missing reply.
fn unsent(fault: &NetFault) -> Ended {
    match fault {
        NetFault::Offline { .. } | NetFault::Unreachable { .. } | NetFault::NotListening { .. } => {
            Ended::Refused {
                fault: RemoteFault::Unreachable,
            }
        }
        // The request may have arrived.
        NetFault::TimedOut { .. } | NetFault::Cut { .. } | NetFault::TooLarge { .. } => {
            Ended::Unknown { why: Why::NoReply }
        }
        _ => refused(&fault.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_of_a_list_means_something() {
        let of = |status| said(StatusCode::from_u16(status).unwrap_or_default());
        assert_eq!(of(200), None);
        assert_eq!(of(202), None);
        for status in [301, 302, 400, 401, 403, 404, 410] {
            let ended = of(status);
            let told = matches!(&ended, Some(Ended::Refused { fault: RemoteFault::Refused { what } }) if what.contains(&status.to_string()));
            assert!(told, "{status}: {ended:?}");
        }
        assert!(matches!(
            of(429),
            Some(Ended::Refused {
                fault: RemoteFault::Limited { .. }
            })
        ));
        assert!(matches!(of(503), Some(Ended::Unknown { .. })));
    }

    #[test]
    fn a_request_that_may_have_arrived_is_unknown() {
        let host = || "list.example".to_owned();
        let unknown = |fault: NetFault| matches!(unsent(&fault), Ended::Unknown { .. });
        assert!(unknown(NetFault::Cut { host: host() }));
        assert!(unknown(NetFault::TimedOut {
            host: host(),
            waited: WITHIN
        }));
        assert!(!unknown(NetFault::Offline { host: host() }));
        assert!(!unknown(NetFault::NotPublic { host: host() }));
    }
}
