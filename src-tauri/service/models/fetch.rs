//! Model files from the internet: lists them, asks servers about them, and fetches them once a person has agreed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_api::event::Ended;
use adjutant_api::models::{
    AgreedTo, FetchingView, KnownModelView, ModelFileView, ModelFilesView, ModelOfferView,
};
use adjutant_api::{EventBody, Fault, Reply};
use adjutant_domain::faults::sentence;
use adjutant_domain::job::{Ended as JobEnded, Job, Progress, retry_at};
use adjutant_domain::ports::Clock;
use adjutant_engine::{NotDone, Reporter, Worker};
use adjutant_models::fetch::{
    Download, FetchFault, Offer, Sha256Sum, SumFrom, catalogue, load, offer,
};
use adjutant_models::file;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::usage;
use crate::network::Network;
use crate::service::broadcast::Broadcast;
use crate::service::{Service, Sink, store_fault};

/// Number of progress steps reported; finer ones would not be visible.
const STEPS: u64 = 1_000;

/// The file being fetched; there is only one at a time.
#[derive(Default)]
pub(in crate::service) struct Fetching(Mutex<Option<Now>>);

struct Now {
    view: FetchingView,
    stop: CancellationToken,
}

impl Fetching {
    fn now(&self) -> MutexGuard<'_, Option<Now>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin<'a>(
        &'a self,
        view: FetchingView,
        broadcast: &'a Broadcast,
    ) -> Result<Turn<'a>, Fault> {
        let mut now = self.now();
        if now.is_some() {
            return Err(fault(&FetchFault::Busy));
        }
        let stop = CancellationToken::new();
        *now = Some(Now {
            view,
            stop: stop.clone(),
        });
        Ok(Turn {
            fetching: self,
            broadcast,
            stop,
            // Reported if the turn is dropped before it completes.
            fault: Some(stopped()),
        })
    }
}

/// The right to fetch, released when dropped. The drop also broadcasts how it ended, since others may be waiting for
/// their turn or for the file.
struct Turn<'a> {
    fetching: &'a Fetching,
    broadcast: &'a Broadcast,
    stop: CancellationToken,
    /// Why it ended early.
    fault: Option<Fault>,
}

impl Turn<'_> {
    /// Records the progress. Returns it if the change is worth reporting.
    fn at(&self, done: u64) -> Option<FetchingView> {
        let mut now = self.fetching.now();
        let view = &mut now.as_mut()?.view;
        let step = |bytes: u64| bytes.saturating_mul(STEPS) / view.total.max(1);
        let told = step(view.done) != step(done) || done == view.total;
        view.done = done;
        told.then(|| view.clone())
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let ended = self.fetching.now().take();
        // Broadcast after releasing, so that a listener can start the next fetch at once.
        if let Some(Now { view, .. }) = ended {
            self.broadcast.tell(EventBody::Progress {
                what: view.file,
                done: view.done,
                total: Some(view.total),
                ended: Some(Ended {
                    fault: self.fault.take(),
                }),
            });
        }
    }
}

/// Returns the files that can be fetched.
pub(in crate::service) fn files(service: &Service) -> Reply {
    let folder = folder(service);
    let known = catalogue()
        .iter()
        .map(|entry| {
            let file = Download::read(&entry.name, None).map(|wanted| wanted.file);
            let path = file.ok().map(|file| folder.join(file));
            KnownModelView {
                name: entry.name.clone(),
                title: entry.title.clone(),
                by: entry.by.clone(),
                good_for: entry.good_for.clone(),
                licence: entry.licence.clone(),
                page: entry.page.to_string(),
                host: entry.url.host_str().unwrap_or_default().to_owned(),
                path: path
                    .filter(|path| path.is_file())
                    .map(|path| path.display().to_string()),
            }
        })
        .collect();
    Reply::ModelFiles {
        files: ModelFilesView {
            unable: file::ready().err().map(|wrong| wrong.to_string()),
            folder: folder.display().to_string(),
            known,
            fetching: service.fetching.now().as_ref().map(|now| now.view.clone()),
        },
    }
}

/// Asks a server about a file.
pub(in crate::service) async fn offered(
    service: &Service,
    what: &str,
    sha256: Option<&str>,
) -> Result<Reply, Fault> {
    let offer = ask(service, what, sha256).await?;
    Ok(Reply::ModelOffer {
        offer: ModelOfferView {
            title: offer.wanted.title.clone(),
            file: offer.wanted.file.clone(),
            host: offer.host.clone(),
            bytes: offer.bytes,
            have: offer.have,
            licence: offer.wanted.licence.clone(),
            page: offer.wanted.page.as_ref().map(ToString::to_string),
            sum: offer.sum.map(|(sum, _)| sum.to_string()),
            sum_from: match offer.sum {
                Some((_, SumFrom::Person)) => "person",
                Some((_, SumFrom::Server)) => "server",
                None => "nobody",
            }
            .into(),
            path: offer.path.display().to_string(),
            here: offer.here,
        },
    })
}

/// Fetches a file, unless it differs from what the person was shown.
pub(in crate::service) async fn fetch(
    service: &Service,
    what: &str,
    sha256: Option<&str>,
    agreed: &AgreedTo,
    out: &Sink,
) -> Result<Reply, Fault> {
    let offer = ask(service, what, sha256).await?;
    if *agreed != as_agreed(&offer) {
        return Err(fault(&FetchFault::Changed));
    }
    let terms = Terms {
        what: what.to_owned(),
        sha256: sha256.map(str::to_owned),
        agreed: agreed.clone(),
    };
    let terms = serde_json::to_value(terms).unwrap_or_default();
    let file = offer.wanted.file.clone();
    let job = Job::fetch_model(&file, offer.bytes, terms, service.now().timestamp());
    let fetcher = Fetcher::of(service);
    let done = service.engine.work_on(job, |reporter| async move {
        let noted = |told: EventBody| out.note(told);
        let fetched = tokio::select! {
            fetched = fetcher.load(&offer, &reporter, noted) => fetched,
            () = out.closed() => Err(stopped()),
        };
        (fetcher.ended(fetched.as_ref().map(|_| ())), fetched)
    });
    match done.await {
        Ok(fetched) => Ok(Reply::ModelFile { file: fetched? }),
        Err(NotDone::Busy) => Err(fault(&FetchFault::Busy)),
        Err(NotDone::Stopped) => Err(stopped()),
        Err(NotDone::NotStored(fault)) => Err(store_fault(fault)),
    }
}

/// What the person agreed to, stored with the job so that it can resume later.
#[derive(Serialize, Deserialize)]
struct Terms {
    what: String,
    sha256: Option<String>,
    agreed: AgreedTo,
}

/// Fetches files for requests and for the job runner.
#[derive(Clone)]
pub(in crate::service) struct Fetcher {
    network: Arc<Network>,
    folder: PathBuf,
    fetching: Arc<Fetching>,
    broadcast: Arc<Broadcast>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
}

impl Fetcher {
    pub(in crate::service) fn of(service: &Service) -> Self {
        Self {
            network: service.network.clone(),
            folder: folder(service),
            fetching: service.fetching.clone(),
            broadcast: service.broadcast.clone(),
            clock: service.clock.clone(),
            stop: service.stop.clone(),
        }
    }

    /// Fetches the file as agreed. Reports progress to `note` and to all followers of the profile.
    async fn load(
        &self,
        offer: &Offer,
        reporter: &Reporter,
        note: impl Fn(EventBody) + Sync,
    ) -> Result<ModelFileView, Fault> {
        let view = FetchingView {
            file: offer.wanted.file.clone(),
            done: offer.have,
            total: offer.bytes,
        };
        let mut turn = self.fetching.begin(view, &self.broadcast)?;
        let mut progress = |done: u64| {
            if let Some(at) = turn.at(done) {
                reporter.at(Progress {
                    done: at.done,
                    total: at.total,
                });
                let told = EventBody::Progress {
                    what: at.file,
                    done: at.done,
                    total: Some(at.total),
                    ended: None,
                };
                note(told.clone());
                self.broadcast.tell(told);
            }
        };
        let net = self.network.client();
        let loaded = tokio::select! {
            loaded = load(offer, &net, &mut progress) => loaded.map_err(|why| fault(&why)),
            () = turn.stop.cancelled() => Err(stopped()),
            () = self.stop.cancelled() => Err(stopped()),
        };
        turn.fault = loaded.as_ref().err().cloned();
        let loaded = loaded?;
        Ok(ModelFileView {
            path: loaded.path.display().to_string(),
            checked: loaded.checked,
        })
    }

    /// Returns how the job ended. If Adjutant was closed, it resumes at the next start. If the person stopped it or
    /// must agree again, it waits for them. Other failures pause it too, but [`Self::go_on`] retries
    /// after a network failure.
    fn ended(&self, fetched: Result<(), &Fault>) -> JobEnded {
        let Err(why) = fetched else {
            return JobEnded::Done;
        };
        let now = self.clock.now().timestamp();
        if self.stop.is_cancelled() {
            return JobEnded::Again {
                at: now,
                why: "Adjutant was closed.".to_owned(),
            };
        }
        JobEnded::Paused {
            why: format!("{} {}", why.message, why.hint),
        }
    }

    async fn go_on(&self, job: Job, reporter: Reporter) -> JobEnded {
        let Ok(terms) = serde_json::from_value::<Terms>(job.data.clone()) else {
            return JobEnded::Paused {
                why: "What you agreed to can no longer be read. Ask for the file again.".to_owned(),
            };
        };
        let offered = wanted(&terms.what, terms.sha256.as_deref());
        let offer = match offered {
            Ok(wanted) => offer(wanted, &self.folder, &self.network.client()).await,
            Err(why) => return self.ended(Err(&why)),
        };
        match offer {
            Ok(offer) if terms.agreed == as_agreed(&offer) => {
                let fetched = self.load(&offer, &reporter, |_| ()).await;
                match self.ended(fetched.as_ref().map(|_| ())) {
                    // Nobody is waiting, so retry after a network failure.
                    JobEnded::Paused { why } if fetched.is_err_and(|why| why.code == "fetch") => {
                        let at = retry_at(job.attempts, self.clock.now().timestamp());
                        JobEnded::Again { at, why }
                    }
                    ended => ended,
                }
            }
            Ok(_) => self.ended(Err(&fault(&FetchFault::Changed))),
            Err(why) => JobEnded::Again {
                at: retry_at(job.attempts, self.clock.now().timestamp()),
                why: fault(&why).message,
            },
        }
    }
}

impl Worker for Fetcher {
    fn work(&self, job: Job, reporter: Reporter) -> BoxFuture<'static, JobEnded> {
        let fetcher = self.clone();
        Box::pin(async move { fetcher.go_on(job, reporter).await })
    }
}

fn as_agreed(offer: &Offer) -> AgreedTo {
    AgreedTo {
        bytes: offer.bytes,
        licence: offer.wanted.licence.clone(),
        sum: offer.sum.map(|(sum, _)| sum.to_string()),
    }
}

/// Stops the current fetch, if any.
pub(in crate::service) fn stop(service: &Service) -> Reply {
    if let Some(now) = service.fetching.now().as_ref() {
        now.stop.cancel();
    }
    Reply::Ok {}
}

async fn ask(service: &Service, what: &str, sha256: Option<&str>) -> Result<Offer, Fault> {
    let wanted = wanted(what, sha256)?;
    offer(wanted, &folder(service), &service.network.client())
        .await
        .map_err(|why| fault(&why))
}

fn wanted(what: &str, sha256: Option<&str>) -> Result<Download, Fault> {
    // Do not fetch what cannot be run.
    file::ready().map_err(|wrong| usage(&wrong.to_string(), ""))?;
    let sum = sha256
        .map(str::trim)
        .filter(|sum| !sum.is_empty())
        .map(Sha256Sum::read)
        .transpose()
        .map_err(|wrong| usage(&wrong.to_string(), ""))?;
    Download::read(what, sum).map_err(|why| fault(&why))
}

/// Returns the folder beside this computer's other models, shared by all profiles.
fn folder(service: &Service) -> PathBuf {
    service.place.home().join("models").join("gguf")
}

fn fault(why: &FetchFault) -> Fault {
    let code = match why {
        FetchFault::Unknown(_) | FetchFault::Address | FetchFault::NotEncrypted => "usage",
        FetchFault::Full { .. } => "disk_full",
        FetchFault::Busy => "busy",
        _ => "fetch",
    };
    Fault {
        code: code.into(),
        message: sentence(&why.to_string()),
        hint: why.hint().into(),
    }
}

fn stopped() -> Fault {
    Fault {
        code: "stopped".into(),
        message: "Fetching was stopped.".into(),
        hint: "Ask for it again to continue where it stopped.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(file: &str) -> FetchingView {
        FetchingView {
            file: file.into(),
            done: 0,
            total: 8,
        }
    }

    #[test]
    fn everybody_hears_how_fetching_ended_once_it_is_over() {
        let (fetching, broadcast) = (Fetching::default(), Broadcast::default());
        let mut following = broadcast.follow();
        let mut ended = || match following.try_recv() {
            Ok(EventBody::Progress {
                what,
                ended: Some(ended),
                ..
            }) => (what, ended.fault.map(|fault| fault.code)),
            other => panic!("{other:?}"),
        };
        let mut whole = fetching
            .begin(view("a.gguf"), &broadcast)
            .expect("its turn");
        let busy = fetching.begin(view("b.gguf"), &broadcast).err();
        assert_eq!(busy.map(|fault| fault.code), Some("busy".into()));
        whole.fault = None;
        drop(whole);
        assert_eq!(ended(), ("a.gguf".to_owned(), None));

        let mut failed = fetching
            .begin(view("b.gguf"), &broadcast)
            .expect("its turn");
        failed.fault = Some(fault(&FetchFault::Changed));
        drop(failed);
        assert_eq!(ended(), ("b.gguf".to_owned(), Some("fetch".into())));
        // Whoever waited for it is gone.
        drop(
            fetching
                .begin(view("c.gguf"), &broadcast)
                .expect("its turn"),
        );
        assert_eq!(ended(), ("c.gguf".to_owned(), Some("stopped".into())));
    }
}
