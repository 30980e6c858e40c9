//! Reads and writes one resource and interprets the server's replies.

use adjutant_domain::operation::{Ended, Etag, RemoteFault, Why};
use adjutant_interchange::revise::NotRevised;
use adjutant_net::{NetFault, Url};

use super::client::{Client, Reply};
use super::xml::{Node, Resource, conditions};
use crate::net;

/// A resource as the server has it now.
pub(super) struct There {
    pub(super) etag: Option<Etag>,
    pub(super) text: String,
}

/// How a write ended.
pub(super) enum Written {
    Done(Option<Etag>),
    /// The resource is not in the expected state, or not there (404, 410, 412).
    NotAsSeen,
    Other(Ended),
}

impl Client {
    /// Fetches a resource as it is now; `None` if it does not exist.
    pub(super) async fn look(&self, url: &Url) -> Result<Option<There>, RemoteFault> {
        let reply = self.send("GET", url, &[], None).await;
        let reply = reply.map_err(|fault| net::unread(&fault))?;
        match reply.code() {
            404 | 410 => Ok(None),
            200 if !reply.is_page() => {
                let text = reply
                    .exact_text()
                    .ok_or_else(|| unwritten(NotRevised::Unreadable))?;
                Ok(Some(There {
                    etag: reply.etag(),
                    text: text.to_owned(),
                }))
            }
            200 => Err(not_the_server()),
            _ => Err(self.refused(&reply)),
        }
    }

    pub(super) async fn put(
        &self,
        url: &Url,
        media: &str,
        condition: (&'static str, &str),
        text: String,
    ) -> Written {
        let media = format!("{media}; charset=utf-8");
        let headers = [("content-type", media.as_str()), condition];
        self.written(self.send("PUT", url, &headers, Some(text)).await)
    }

    /// Overwrites a resource if it is in the state `etag`; in any state if `etag` is `None`.
    pub(super) async fn replace(
        &self,
        url: &Url,
        media: &str,
        etag: Option<&Etag>,
        text: String,
    ) -> Written {
        let state = etag.map_or("*", |etag| etag.0.as_str());
        self.put(url, media, ("if-match", state), text).await
    }

    pub(super) async fn remove(&self, url: &Url, etag: Option<&Etag>) -> Written {
        let headers: Vec<_> = etag
            .iter()
            .map(|etag| ("if-match", etag.0.as_str()))
            .collect();
        self.written(self.send("DELETE", url, &headers, None).await)
    }

    /// Interprets the result of a write.
    pub(super) fn written(&self, sent: Result<Reply, NetFault>) -> Written {
        let unknown = |why| Written::Other(Ended::Unknown { why });
        let reply = match sent {
            Ok(reply) => reply,
            Err(fault) => return unsent(&fault),
        };
        match reply.code() {
            200 | 201 | 204 if !reply.is_page() => Written::Done(reply.etag()),
            207 => self.parts(&reply),
            404 | 410 | 412 => Written::NotAsSeen,
            100..=299 => unknown(Why::Unreadable),
            // A proxy or the server itself may have carried out the change before failing.
            500 | 502 | 504 | 520..=599 => unknown(Why::NoReply),
            _ => Written::Other(Ended::Refused {
                fault: self.why_refused(&reply),
            }),
        }
    }

    /// Interprets a multistatus reply to a write: done if no part failed.
    fn parts(&self, reply: &Reply) -> Written {
        let Some(root) = Node::read(&reply.text()) else {
            return Written::Other(Ended::Unknown {
                why: Why::Unreadable,
            });
        };
        let failed = Resource::all(&root)
            .iter()
            .filter_map(|one| one.status)
            .find(|status| *status >= 300);
        match failed {
            None => Written::Done(reply.etag()),
            Some(404 | 410 | 412) => Written::NotAsSeen,
            Some(status) => Written::Other(Ended::Refused {
                fault: RemoteFault::Refused {
                    what: format!("the server could not do all of it ({status})"),
                },
            }),
        }
    }

    /// Returns why the server refused a change, described by the failed precondition if it names one.
    fn why_refused(&self, reply: &Reply) -> RemoteFault {
        let fault = self.refused(reply);
        if !matches!(fault, RemoteFault::Refused { .. }) {
            return fault;
        }
        let conditions = conditions(&reply.text());
        let said = conditions.iter().find_map(|one| words(one));
        said.map_or(fault, |what| RemoteFault::Refused {
            what: what.to_owned(),
        })
    }
}

/// Interprets a missing reply: either nothing was sent, or the outcome is unknown.
fn unsent(fault: &NetFault) -> Written {
    let why = match fault {
        NetFault::Cut { .. } | NetFault::TimedOut { .. } => Why::NoReply,
        NetFault::TooLarge { .. } => Why::Unreadable,
        NetFault::Offline { .. }
        | NetFault::Malformed { .. }
        | NetFault::Unreachable { .. }
        | NetFault::NotListening { .. }
        | NetFault::Untrusted { .. }
        | NetFault::Redirected { .. }
        | NetFault::NotPublic { .. }
        | NetFault::SetUp { .. } => {
            return Written::Other(Ended::Refused {
                fault: net::unread(fault),
            });
        }
    };
    Written::Other(Ended::Unknown { why })
}

/// Describes a failed precondition (RFC 4791, 6352, 3744, 4331).
fn words(condition: &str) -> Option<&'static str> {
    Some(match condition {
        "no-uid-conflict" => "the server has it already, under another name",
        "max-resource-size" => "the server says that it is too large",
        "max-attendees-per-instance" => "the server says that these are too many guests",
        "max-instances" => "the server says that it repeats too often",
        "min-date-time" | "max-date-time" => "the server does not take dates that far away",
        "supported-calendar-component" => "this calendar does not take such records",
        "valid-calendar-data" | "valid-calendar-object-resource" | "valid-address-data" => {
            "the server did not understand it"
        }
        "need-privileges" => "you may not change anything there",
        "quota-not-exceeded" | "sufficient-disk-space" => "the server has no room left",
        "allowed-organizer-scheduling-object-change"
        | "allowed-attendee-scheduling-object-change" => {
            "the server does not let you change this part of an invitation"
        }
        "unique-scheduling-object-resource" => "the server has this invitation already",
        _ => return None,
    })
}

fn not_the_server() -> RemoteFault {
    RemoteFault::Refused {
        what: "a web page answered, not the server: your network may want you to sign in"
            .to_owned(),
    }
}

pub(super) fn unwritten(why: NotRevised) -> RemoteFault {
    RemoteFault::Refused {
        what: why.to_string(),
    }
}
