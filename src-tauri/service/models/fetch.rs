//! Model files from elsewhere: what there is, what a server says of one, and fetching it once a person has agreed.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use adjutant_api::event::Ended;
use adjutant_api::models::{
    AgreedTo, FetchingView, KnownModelView, ModelFileView, ModelFilesView, ModelOfferView,
};
use adjutant_api::{EventBody, Fault, Reply};
use adjutant_domain::faults::sentence;
use adjutant_models::fetch::{
    FetchFault, Offer, Sha256Sum, SumFrom, Wanted, catalogue, load, offer,
};
use adjutant_models::file;
use tokio_util::sync::CancellationToken;

use super::usage;
use crate::service::broadcast::Broadcast;
use crate::service::{Service, Sink};

/// Steps in which progress is told; more would be for nobody's eye.
const STEPS: u64 = 1_000;

/// What is being fetched, one file at a time.
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
            // What ends in any other way was not waited for to its end.
            fault: Some(stopped()),
        })
    }
}

/// The right to fetch, given back when dropped; how it ended is told to everybody then, because others wait for their turn
/// and for the file.
struct Turn<'a> {
    fetching: &'a Fetching,
    broadcast: &'a Broadcast,
    stop: CancellationToken,
    /// Why it ended too early.
    fault: Option<Fault>,
}

impl Turn<'_> {
    /// How far it is now; none where that is not worth telling.
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
        // Told once it is over: whoever hears of it may fetch the next one at once.
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

/// What can be fetched.
pub(in crate::service) fn files(service: &Service) -> Reply {
    let folder = folder(service);
    let known = catalogue()
        .iter()
        .map(|entry| {
            let file = Wanted::read(&entry.name, None).map(|wanted| wanted.file);
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

/// What a server says of a file.
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

/// Fetches a file, unless it is another one than the person was shown.
pub(in crate::service) async fn fetch(
    service: &Service,
    what: &str,
    sha256: Option<&str>,
    agreed: &AgreedTo,
    out: &Sink,
) -> Result<Reply, Fault> {
    let offer = ask(service, what, sha256).await?;
    let now = AgreedTo {
        bytes: offer.bytes,
        licence: offer.wanted.licence.clone(),
        sum: offer.sum.map(|(sum, _)| sum.to_string()),
    };
    if *agreed != now {
        return Err(fault(&FetchFault::Changed));
    }
    let view = FetchingView {
        file: offer.wanted.file.clone(),
        done: offer.have,
        total: offer.bytes,
    };
    let mut turn = service.fetching.begin(view, &service.broadcast)?;
    let mut progress = |done: u64| {
        if let Some(at) = turn.at(done) {
            let told = EventBody::Progress {
                what: at.file,
                done: at.done,
                total: Some(at.total),
                ended: None,
            };
            out.note(told.clone());
            service.broadcast.tell(told);
        }
    };
    let net = service.network.client();
    let loaded = tokio::select! {
        loaded = load(&offer, &net, &mut progress) => loaded.map_err(|why| fault(&why)),
        () = turn.stop.cancelled() => Err(stopped()),
        () = service.stop.cancelled() => Err(stopped()),
        () = out.closed() => Err(stopped()),
    };
    turn.fault = loaded.as_ref().err().cloned();
    let loaded = loaded?;
    Ok(Reply::ModelFile {
        file: ModelFileView {
            path: loaded.path.display().to_string(),
            checked: loaded.checked,
        },
    })
}

/// Stops fetching, if something is fetched.
pub(in crate::service) fn stop(service: &Service) -> Reply {
    if let Some(now) = service.fetching.now().as_ref() {
        now.stop.cancel();
    }
    Reply::Ok {}
}

async fn ask(service: &Service, what: &str, sha256: Option<&str>) -> Result<Offer, Fault> {
    // What could not be run is not fetched.
    file::ready().map_err(|wrong| usage(&wrong.to_string(), ""))?;
    let sum = sha256
        .map(str::trim)
        .filter(|sum| !sum.is_empty())
        .map(Sha256Sum::read)
        .transpose()
        .map_err(|wrong| usage(&wrong.to_string(), ""))?;
    let wanted = Wanted::read(what, sum).map_err(|why| fault(&why))?;
    offer(wanted, &folder(service), &service.network.client())
        .await
        .map_err(|why| fault(&why))
}

/// Beside the other models of this computer: profiles share them.
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
        hint: "Ask for it again: it goes on where it stopped.".into(),
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
