//! Changes one resource and finds out what became of the change. Events, tasks and contacts work alike: a new resource
//! gets a name chosen here, and an existing one is changed only in the state it was last seen in.

use adjutant_domain::operation::{
    Delivery, Ended, Etag, Key, Receipt, Reconciled, RemoteFault, RemoteId, Why,
};
use adjutant_interchange::revise::{NotRevised, Revised};
use adjutant_net::Url;

use super::client::Client;
use super::resource::{There, Written, unwritten};
use crate::operation_log::{Before, OperationLog};

/// Rewrites a resource, starting from its current text if there is any.
pub(super) type Write<'a> = dyn Fn(Option<&str>) -> Result<Revised, NotRevised> + Send + Sync + 'a;

/// Checks that a resource is the invitation that was seen. Returns the guests who are not told of the answer if so.
pub(super) type IsSeen<'a> = dyn Fn(&str) -> Option<Vec<Delivery>> + Send + Sync + 'a;

/// A change to one resource.
pub(super) struct Request<'a> {
    /// Where the resource is or will be.
    pub(super) url: Url,
    /// Where it moves to, if it moves.
    pub(super) moves_to: Option<Url>,
    /// `text/calendar` or `text/vcard`.
    pub(super) media: &'static str,
    /// The state it was last seen in.
    pub(super) etag: Option<&'a Etag>,
    /// The unaltered source of that state.
    pub(super) source: Option<&'a str>,
    pub(super) what: ChangeKind<'a>,
    /// People who should be notified but are not, because the server sends nothing.
    pub(super) untold: Vec<Delivery>,
}

/// The kind of change.
pub(super) enum ChangeKind<'a> {
    Create(Box<Write<'a>>),
    Update(Box<Write<'a>>),
    /// An answer to an invitation, which requires only that the resource is still the invitation that was seen.
    Respond(Box<Write<'a>>, Box<IsSeen<'a>>),
    Delete,
}

impl Client {
    /// Carries out a request.
    pub(super) async fn carry_out(
        &self,
        request: &Request<'_>,
        key: &Key,
        asked: &OperationLog,
    ) -> Ended {
        let ended = match &request.what {
            ChangeKind::Create(write) => self.create(request, write).await,
            ChangeKind::Update(write) => match &request.moves_to {
                Some(to) => self.relocate(request, to, write).await,
                None => self.update(request, write).await,
            },
            ChangeKind::Respond(write, is_seen) => self.respond(request, write, is_seen).await,
            ChangeKind::Delete => self.delete(request, key, asked).await,
        };
        ended.unwrap_or_else(|fault| Ended::Refused { fault })
    }

    async fn create(&self, request: &Request<'_>, write: &Write<'_>) -> Result<Ended, RemoteFault> {
        // What comes back is written as it was.
        let text = write(request.source).map_err(unwritten)?.text;
        let condition = ("if-none-match", "*");
        match self.put(&request.url, request.media, condition, text).await {
            Written::Done(etag) => Ok(self.settled(request, etag, write).await),
            Written::NotAsSeen => self.is_there_already(request, &request.url, write).await,
            Written::Other(ended) => Ok(ended),
        }
    }

    async fn update(&self, request: &Request<'_>, write: &Write<'_>) -> Result<Ended, RemoteFault> {
        let fetched;
        let (etag, source) = match (request.etag, request.source) {
            (Some(etag), Some(source)) => (Some(etag.clone()), source),
            (seen, _) => {
                fetched = self.look(&request.url).await?.ok_or(RemoteFault::Gone)?;
                if seen.is_some() && seen != fetched.etag.as_ref() {
                    return self.is_there_already(request, &request.url, write).await;
                }
                (fetched.etag.clone(), fetched.text.as_str())
            }
        };
        let text = write(Some(source)).map_err(unwritten)?.text;
        let written = self
            .replace(&request.url, request.media, etag.as_ref(), text)
            .await;
        match written {
            Written::Done(etag) => Ok(self.settled(request, etag, write).await),
            Written::NotAsSeen => self.is_there_already(request, &request.url, write).await,
            Written::Other(ended) => Ok(ended),
        }
    }

    /// Concludes a successful write. If the reply names no ETag, fetches it.
    async fn settled(&self, request: &Request<'_>, etag: Option<Etag>, write: &Write<'_>) -> Ended {
        let mut etag = etag;
        if etag.is_none()
            && let Ok(Some(there)) = self.look(&request.url).await
            && write(Some(&there.text)).is_ok_and(|revised| !revised.changed)
        {
            etag = there.etag;
        }
        self.done(request, &request.url, etag)
    }

    /// Concludes a failed precondition: the request is done if the resource already has the wanted content.
    async fn is_there_already(
        &self,
        request: &Request<'_>,
        url: &Url,
        write: &Write<'_>,
    ) -> Result<Ended, RemoteFault> {
        let there = self.look(url).await?.ok_or(RemoteFault::Gone)?;
        match write(Some(&there.text)) {
            Ok(revised) if !revised.changed => Ok(self.done(request, url, there.etag)),
            _ => Err(RemoteFault::Conflict {
                current: there.etag,
            }),
        }
    }

    async fn respond(
        &self,
        request: &Request<'_>,
        write: &Write<'_>,
        is_seen: &IsSeen<'_>,
    ) -> Result<Ended, RemoteFault> {
        let there = self.look(&request.url).await?.ok_or(RemoteFault::Gone)?;
        let Some(untold) = is_seen(&there.text) else {
            return Err(RemoteFault::Conflict {
                current: there.etag,
            });
        };
        let revised = write(Some(&there.text)).map_err(unwritten)?;
        let mut ended = if revised.changed {
            let etag = there.etag.as_ref();
            let written = self
                .replace(&request.url, request.media, etag, revised.text)
                .await;
            match written {
                Written::Done(etag) => self.settled(request, etag, write).await,
                Written::NotAsSeen => self.is_there_already(request, &request.url, write).await?,
                Written::Other(ended) => ended,
            }
        } else {
            self.done(request, &request.url, there.etag)
        };
        if let Ended::Done {
            receipt: Receipt::Remote { refused, .. },
        } = &mut ended
        {
            refused.extend(untold);
        }
        Ok(ended)
    }

    async fn delete(
        &self,
        request: &Request<'_>,
        key: &Key,
        asked: &OperationLog,
    ) -> Result<Ended, RemoteFault> {
        let before = asked.begin(key, self.now());
        if let Before::Done(receipt) = before {
            return Ok(Ended::Done { receipt });
        }
        let is_repeated = before != Before::Never;
        let written = self.remove(&request.url, request.etag).await;
        if matches!(&written, Written::Other(Ended::Refused { .. })) {
            asked.refused(key, &before);
        }
        let ended = match written {
            Written::Done(_) => self.done(request, &request.url, None),
            Written::Other(ended) => ended,
            Written::NotAsSeen => match self.look(&request.url).await? {
                Some(there) => {
                    asked.refused(key, &before);
                    return Err(RemoteFault::Conflict {
                        current: there.etag,
                    });
                }
                None if is_repeated => self.done(request, &request.url, None),
                None => {
                    asked.refused(key, &before);
                    return Err(RemoteFault::Gone);
                }
            },
        };
        if let Ended::Done { receipt } = &ended {
            asked.done(key, receipt);
        }
        Ok(ended)
    }

    /// Moves a resource into another collection and applies the remaining changes there.
    async fn relocate(
        &self,
        request: &Request<'_>,
        to: &Url,
        write: &Write<'_>,
    ) -> Result<Ended, RemoteFault> {
        let there = match self.look(to).await? {
            Some(there) => there,
            None => match self.bring(request, to).await? {
                Ok(there) => there,
                Err(ended) => return Ok(ended),
            },
        };
        let revised = write(Some(&there.text)).map_err(unwritten)?;
        let mut etag = there.etag.clone();
        if revised.changed {
            let current = there.etag.as_ref();
            etag = match self.replace(to, request.media, current, revised.text).await {
                Written::Done(etag) => etag,
                // The resource has moved, so this must not count as refused. A retry continues from here.
                Written::NotAsSeen | Written::Other(_) => {
                    return Ok(Ended::Unknown { why: Why::NoReply });
                }
            };
        }
        // If the server could only copy, the original is still there.
        if self
            .look(&request.url)
            .await
            .is_ok_and(|left| left.is_some())
        {
            match self.remove(&request.url, request.etag).await {
                Written::Done(_) | Written::NotAsSeen => {}
                Written::Other(_) => return Ok(Ended::Unknown { why: Why::NoReply }),
            }
        }
        Ok(self.done(request, to, etag))
    }

    /// Moves a resource, or copies it if the server cannot move, and returns it as it is at its new place.
    async fn bring(
        &self,
        request: &Request<'_>,
        to: &Url,
    ) -> Result<Result<There, Ended>, RemoteFault> {
        let there = self.look(&request.url).await?.ok_or(RemoteFault::Gone)?;
        if request
            .etag
            .is_some_and(|seen| there.etag.as_ref() != Some(seen))
        {
            return Err(RemoteFault::Conflict {
                current: there.etag,
            });
        }
        let state = there.etag.as_ref().map(|etag| etag.0.clone());
        let mut headers = vec![("destination", to.as_str()), ("overwrite", "F")];
        headers.extend(state.as_ref().map(|etag| ("if-match", etag.as_str())));
        let sent = self.send("MOVE", &request.url, &headers, None).await;
        let cannot = matches!(&sent, Ok(reply) if matches!(reply.code(), 405 | 501));
        let written = if cannot {
            let condition = ("if-none-match", "*");
            self.put(to, request.media, condition, there.text).await
        } else {
            self.written(sent)
        };
        match written {
            Written::Other(ended) => Ok(Err(ended)),
            Written::NotAsSeen => Err(RemoteFault::Conflict { current: None }),
            Written::Done(_) => match self.look(to).await {
                Ok(Some(there)) => Ok(Ok(there)),
                Ok(None) | Err(_) => Ok(Err(Ended::Unknown { why: Why::NoReply })),
            },
        }
    }

    /// Checks that a request's preconditions still hold. Changes nothing.
    pub(super) async fn holds(&self, request: &Request<'_>) -> Result<(), RemoteFault> {
        if matches!(request.what, ChangeKind::Create(_)) {
            // A new resource has no preconditions.
            return Ok(());
        }
        let there = self.look(&request.url).await?.ok_or(RemoteFault::Gone)?;
        let is_as_seen = match &request.what {
            ChangeKind::Respond(_, is_seen) => is_seen(&there.text).is_some(),
            _ => request
                .etag
                .is_none_or(|seen| there.etag.as_ref() == Some(seen)),
        };
        match is_as_seen {
            true => Ok(()),
            false => Err(RemoteFault::Conflict {
                current: there.etag,
            }),
        }
    }

    /// Finds out whether a request with an unknown outcome was carried out.
    pub(super) async fn look_for(&self, request: &Request<'_>) -> Reconciled {
        let place = request.moves_to.as_ref().unwrap_or(&request.url);
        let there = match self.look(place).await {
            Ok(there) => there,
            Err(fault) => return Reconciled::NotNow { fault },
        };
        let done = |etag| match self.done(request, place, etag) {
            Ended::Done { receipt } => Reconciled::Done { receipt },
            Ended::Refused { .. } | Ended::Unknown { .. } => Reconciled::CannotTell,
        };
        let (there, write) = match (&request.what, there) {
            (ChangeKind::Delete, None) => return done(None),
            (ChangeKind::Delete, Some(_)) | (_, None) => return Reconciled::NotDone,
            // The name was chosen here, so nobody else can have created it.
            (ChangeKind::Create(_), Some(there)) => return done(there.etag),
            (ChangeKind::Update(write) | ChangeKind::Respond(write, _), Some(there)) => {
                (there, write)
            }
        };
        let is_as_asked = write(Some(&there.text)).is_ok_and(|revised| !revised.changed);
        let is_as_seen = request.etag.is_some() && request.etag == there.etag.as_ref();
        match (&request.moves_to, &request.what) {
            (Some(_), _) if is_as_asked => match self.look(&request.url).await {
                Ok(None) => done(there.etag),
                Ok(Some(_)) => Reconciled::NotDone,
                Err(fault) => Reconciled::NotNow { fault },
            },
            (Some(_), _) => Reconciled::NotDone,
            _ if is_as_asked => done(there.etag),
            (None, ChangeKind::Respond(..)) => Reconciled::NotDone,
            _ if is_as_seen => Reconciled::NotDone,
            // Somebody else changed it, either before the request or after it was carried out.
            _ => Reconciled::CannotTell,
        }
    }

    fn done(&self, request: &Request<'_>, at: &Url, etag: Option<Etag>) -> Ended {
        Ended::Done {
            receipt: Receipt::Remote {
                account: self.account().clone(),
                remote_id: Some(RemoteId(at.path().to_owned())),
                etag,
                accepted: Vec::new(),
                refused: request.untold.clone(),
                at: self.now(),
            },
        }
    }
}
