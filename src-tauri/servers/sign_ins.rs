//! Pending sign-ins at servers.

use adjutant_accounts::oauth::Answering;
use adjutant_domain::server::ServerName;
use adjutant_mcp::{Registered, SignInPlace};
use tokio_util::sync::CancellationToken;

/// Maximum number of pending sign-ins; a new one cancels the oldest.
const WAITING_MAX: usize = 4;

/// A pending sign-in.
pub(super) struct Waiting {
    pub(super) id: String,
    pub(super) server: ServerName,
    pub(super) place: SignInPlace,
    pub(super) client: Registered,
    /// `None` while somebody awaits it.
    pub(super) answering: Option<Answering>,
    pub(super) stop: CancellationToken,
}

/// A sign-in being awaited.
pub(super) struct Taken {
    pub(super) place: SignInPlace,
    pub(super) client: Registered,
    pub(super) answering: Answering,
    pub(super) stop: CancellationToken,
}

/// Pending sign-ins, oldest first.
#[derive(Default)]
pub(super) struct SignIns(Vec<Waiting>);

impl SignIns {
    pub(super) fn begin(&mut self, waiting: Waiting) {
        if self.0.len() >= WAITING_MAX {
            self.0.remove(0).stop.cancel();
        }
        self.0.push(waiting);
    }

    pub(super) fn take(&mut self, server: &ServerName, id: &str) -> Option<Taken> {
        let mut all = self.0.iter_mut();
        let found = all.find(|one| one.id == id && one.server == *server)?;
        Some(Taken {
            answering: found.answering.take()?,
            place: found.place.clone(),
            client: found.client.clone(),
            stop: found.stop.clone(),
        })
    }

    pub(super) fn cancel(&mut self, id: &str) {
        if let Some(at) = self.0.iter().position(|one| one.id == id) {
            self.0.remove(at).stop.cancel();
        }
    }
}
