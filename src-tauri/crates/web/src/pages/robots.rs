//! Obeys the rules of sites for programs (`robots.txt`, RFC 9309), fetched once a day per site.

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

/// The user agent name that rules can address.
const AGENT: &str = "Adjutant";
/// How long rules are kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// How long a failure to fetch them is kept.
const FAILED_FOR: SignedDuration = SignedDuration::from_secs(60);
/// Maximum number of sites whose rules are kept.
const SITES_MAX: usize = 500;
/// Maximum number of bytes read of the rules (RFC 9309, 2.5).
pub(super) const BYTES_MAX: usize = 500 * 1024;
/// Default pause between two requests to a host.
const PAUSE: Duration = Duration::from_millis(500);

/// The rules of a site; `None` inside if it has none.
#[derive(Clone)]
pub(super) struct Rules(Option<Arc<Robot>>);

impl Rules {
    pub(super) fn allows(&self, url: &Url) -> bool {
        let Some(robot) = &self.0 else { return true };
        // The rules are foreign text: if evaluating them panics, treat the address as forbidden.
        catch_unwind(AssertUnwindSafe(|| robot.allowed(url.as_str()))).unwrap_or(false)
    }

    /// Returns the pause between two requests; none by default for the person's own servers.
    pub(super) fn pause(&self, is_own: bool) -> Duration {
        let asked = self.0.as_ref().and_then(|robot| robot.delay);
        let asked = asked.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        let asked = asked.map(|seconds| Duration::from_secs_f32(seconds.min(60.0)));
        let usual = if is_own { Duration::ZERO } else { PAUSE };
        asked.unwrap_or(usual).max(usual).min(hosts::PAUSE_MAX)
    }
}

type SiteRules = Result<Rules, SourceFault>;

/// The cached rules of sites.
#[derive(Default)]
pub(super) struct Robots(Mutex<HashMap<String, (Timestamp, SiteRules)>>);

impl Robots {
    pub(super) fn known(&self, url: &Url, now: Timestamp) -> Option<SiteRules> {
        let sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, known) = sites.get(&site(url))?;
        let holds = if known.is_ok() { KEPT } else { FAILED_FOR };
        // `abs` keeps entries from lasting forever if the clock is set back.
        let age = now.duration_since(*at).abs();
        (age < holds).then(|| known.clone())
    }

    pub(super) fn keep(&self, url: &Url, asked: SiteRules, now: Timestamp) -> SiteRules {
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

/// Fetches the rules of a site. A site without rules allows everything; one whose rules cannot be fetched is avoided.
pub(super) async fn ask(net: &NetClient, url: &Url, reach: Reach, now: Timestamp) -> SiteRules {
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
