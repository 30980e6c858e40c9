//! What sites ask of programs (`robots.txt`, RFC 9309), asked once a day for each site.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::ports::SourceFault;
use adjutant_net::NetClient;
use jiff::{SignedDuration, Timestamp};
use texting_robots::Robot;
use url::Url;

use super::{Reach, fetch, hosts};

/// The name by which sites can address this program.
const AGENT: &str = "Adjutant";
/// How long rules hold.
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// How long a failure to read them holds.
const FAILED_FOR: SignedDuration = SignedDuration::from_secs(60);
/// Sites whose rules are remembered.
const SITES_MAX: usize = 500;
/// Bytes of rules that are read (RFC 9309, 2.5).
pub(super) const BYTES_MAX: usize = 500 * 1024;
/// The pause between two requests to a host that asks for none.
const PAUSE: Duration = Duration::from_millis(500);

/// The rules of a site; none where it has no wishes.
#[derive(Clone)]
pub(super) struct Rules(Option<Arc<Robot>>);

impl Rules {
    pub(super) fn allows(&self, url: &Url) -> bool {
        let Some(robot) = &self.0 else { return true };
        // The rules are somebody else's text: what cannot be followed is obeyed.
        catch_unwind(AssertUnwindSafe(|| robot.allowed(url.as_str()))).unwrap_or(false)
    }

    /// The pause between two requests. A server of the person's own needs none.
    pub(super) fn pause(&self, is_own: bool) -> Duration {
        let asked = self.0.as_ref().and_then(|robot| robot.delay);
        let asked = asked.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        let asked = asked.map(|seconds| Duration::from_secs_f32(seconds.min(60.0)));
        let usual = if is_own { Duration::ZERO } else { PAUSE };
        asked.unwrap_or(usual).max(usual).min(hosts::PAUSE_MAX)
    }
}

type Known = Result<Rules, SourceFault>;

/// The rules of the sites that were asked.
#[derive(Default)]
pub(super) struct Robots(Mutex<HashMap<String, (Timestamp, Known)>>);

impl Robots {
    pub(super) fn known(&self, url: &Url, now: Timestamp) -> Option<Known> {
        let sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, known) = sites.get(&site(url))?;
        let holds = if known.is_ok() { KEPT } else { FAILED_FOR };
        // A clock that was set back does not make them hold forever.
        let age = now.duration_since(*at).abs();
        (age < holds).then(|| known.clone())
    }

    pub(super) fn keep(&self, url: &Url, asked: Known, now: Timestamp) -> Known {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sites.len() >= SITES_MAX {
            sites.clear();
        }
        sites.insert(site(url), (now, asked.clone()));
        asked
    }
}

fn site(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Asks a site for its rules. A site that says there are none has none; one that cannot say is left alone.
pub(super) async fn ask(net: &NetClient, url: &Url, reach: Reach, now: Timestamp) -> Known {
    let Ok(at) = url.join("/robots.txt") else {
        return Ok(Rules(None));
    };
    let bytes = match fetch::rules(net, &at, reach, now).await {
        Ok(bytes) => bytes,
        Err(
            SourceFault::Gone { .. }
            | SourceFault::Refused { .. }
            | SourceFault::TooLarge { .. }
            | SourceFault::NotText { .. },
        ) => return Ok(Rules(None)),
        Err(fault) => return Err(fault),
    };
    let read = tokio::task::spawn_blocking(move || {
        catch_unwind(AssertUnwindSafe(|| Robot::new(AGENT, &bytes).ok()))
    });
    let robot = read.await.ok().and_then(Result::ok).flatten();
    Ok(Rules(robot.map(Arc::new)))
}
