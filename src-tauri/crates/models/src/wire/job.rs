//! The first half of a call: sends the request until the model accepts it.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::tokens;
use adjutant_domain::model::{ModelFault, ModelRequest, ReplyShape};
use adjutant_net::{Bytes, HeaderMap, HeaderValue, Incoming, Method, NetFault, Outgoing, reach};

use super::body::{self, Frames};
use super::faults::{REFUSAL_BYTES_MAX, Refusal};
use super::spelling::Spelling;
use super::target::{Access, Feature, Target};
use super::{DialectRequest, Framing, Reader};
use crate::tiers::{SinceStart, Ticks as _, Until};

/// Largest reply in bytes for each token it may have: providers wrap each token in some hundred bytes.
const REPLY_BYTES_PER_TOKEN: u64 = 1024;
/// Number of bytes a reply may always have.
const REPLY_BYTES_MIN: u64 = 4 * 1024 * 1024;
/// Time limit for reading a refusal.
const REFUSAL_WITHIN: Duration = Duration::from_secs(10);
/// Highest number of times a request is sent: once, and again without each feature that the model does not support.
const SENT_MAX: usize = 4;

/// A connection closed since its last use reveals that within one round trip.
const STALE_WITHIN: Duration = Duration::from_secs(1);

/// Header that tells a server on this computer what a request is for.
const STAGE_HEADER: &str = "x-adjutant-stage";

/// A request and the model it is sent to.
pub(crate) struct Job {
    pub target: Arc<Target>,
    pub request: Arc<ModelRequest>,
    pub spelling: Spelling,
}

impl Job {
    /// Sends the request until the model accepts it, leaving out the features it reports as unsupported. The time
    /// limit for the first piece applies to all of this.
    pub async fn open(&self, begins: Until) -> Result<(Frames, Box<dyn Reader>), ModelFault> {
        let target = &*self.target;
        let mut left_out = Vec::new();
        for _ in 0..SENT_MAX {
            let ask = self.ask(&left_out);
            if target.dialect.drops_what_is_too_long() && self.is_too_long(ask.context_tokens) {
                return Err(ModelFault::TooLong {
                    model: target.id().to_owned(),
                });
            }
            let reply = self
                .send(&ask, begins)
                .await
                .map_err(|fault| self.net_fault(fault, begins))?;
            if reply.status().is_success() {
                // Only a success proves that the feature was the reason.
                left_out.iter().for_each(|feature| target.lacks(*feature));
                let reader = target.dialect.reader(&ask);
                let frames = self.frames(reply, begins).await?;
                return Ok((frames, reader));
            }
            let refusal = read_refusal(reply, &target.access).await;
            match refusal.complains_about() {
                Some(feature) if ask.sends(feature) => left_out.push(feature),
                _ => return Err(refusal.fault(target.id())),
            }
        }
        Err(ModelFault::Refused {
            model: target.id().to_owned(),
            why: "it accepts neither tools nor a schema".to_owned(),
        })
    }

    /// Sends the request, and once more if its connection was stale. If it was cut off after some work, trying again
    /// is left to the chain: the work may have been charged already, and another model may do better.
    async fn send(&self, ask: &DialectRequest<'_>, begins: Until) -> Result<Incoming, NetFault> {
        let target = &*self.target;
        let net = &target.access.net;
        let watch = SinceStart::new();
        let local = reach::is_loopback(&target.access.base);
        let mut sent = net.send(self.outgoing(ask, begins)).await;
        if matches!(sent, Err(NetFault::Cut { .. }))
            && was_stale(local, target.has_answered(), watch.elapsed())
        {
            sent = net.send(self.outgoing(ask, begins)).await;
        }
        if sent.is_ok() {
            target.answers();
        }
        sent
    }

    /// Returns the model fault for a network fault. After a timeout, the wait counts from the beginning of the call.
    fn net_fault(&self, fault: NetFault, begins: Until) -> ModelFault {
        match fault {
            NetFault::TimedOut { .. } => ModelFault::Stalled {
                model: self.target.id().to_owned(),
                waited: begins.within,
            },
            fault => self.target.net_fault(fault),
        }
    }

    /// Whether the request does not fit, by our estimate.
    fn is_too_long(&self, context_tokens: u32) -> bool {
        tokens::estimate_request(&self.request) > u64::from(context_tokens)
    }

    fn ask(&self, left_out: &[Feature]) -> DialectRequest<'_> {
        let takes = |feature| self.target.takes(feature) && !left_out.contains(&feature);
        DialectRequest {
            request: &self.request,
            model: &self.target.model,
            context_tokens: self.target.profile().context_tokens,
            spelling: &self.spelling,
            tools: takes(Feature::Tools),
            structure: takes(Feature::Structure),
            usage: takes(Feature::Usage),
        }
    }

    fn outgoing(&self, ask: &DialectRequest<'_>, begins: Until) -> Outgoing {
        let target = &*self.target;
        let prepared = target.dialect.prepare(&target.access.base, ask);
        let mut headers = target.access.headers.clone();
        json_headers(&mut headers);
        if reach::is_loopback(&prepared.url) {
            headers.insert(
                STAGE_HEADER,
                HeaderValue::from_static(self.request.stage.name()),
            );
        }
        let tokens = u64::from(self.request.max_output_tokens);
        Outgoing {
            headers,
            body: Some(Bytes::from(prepared.body.to_string())),
            within: begins.left(),
            reply_bytes_max: tokens
                .saturating_mul(REPLY_BYTES_PER_TOKEN)
                .max(REPLY_BYTES_MIN),
            ..Outgoing::new(
                Method::POST,
                prepared.url,
                format!("model {} ({})", target.id(), self.request.stage.name()),
            )
        }
    }

    /// Returns the frames of a reply, even if the server does not stream.
    async fn frames(&self, reply: Incoming, begins: Until) -> Result<Frames, ModelFault> {
        let target = &*self.target;
        let kind = reply
            .headers()
            .get("content-type")
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .to_ascii_lowercase();
        if kind.starts_with("text/html") {
            // An HTML page: the address belongs to a website, or to a login in front of the server.
            return Err(ModelFault::NoSuchModel {
                model: target.id().to_owned(),
            });
        }
        let framing = target.dialect.framing();
        if framing == Framing::Events && kind.starts_with("application/json") {
            let whole = reply
                .bytes(begins.left())
                .await
                .map_err(|fault| self.net_fault(fault, begins))?;
            return Ok(body::single(String::from_utf8_lossy(&whole).into_owned()));
        }
        Ok(body::frames(reply, framing))
    }
}

/// Whether a request that was cut off before any reply used a connection that had been closed since its last use
/// (llama.cpp's server closes after each stream, proxies after a while). That shows at once, and only if there has
/// been a connection before. On this computer a new connection may be closed too, and trying again costs nothing.
fn was_stale(local: bool, answered_before: bool, took: Duration) -> bool {
    took < STALE_WITHIN && (local || answered_before)
}

impl DialectRequest<'_> {
    /// Whether this request uses a feature.
    fn sends(&self, feature: Feature) -> bool {
        match feature {
            Feature::Tools => self.has_tools(),
            Feature::Structure => {
                self.structure && matches!(self.request.reply, ReplyShape::Json { .. })
            }
            Feature::Usage => self.usage,
        }
    }
}

/// Reads as much of a refusal as helps to interpret it.
pub(crate) async fn read_refusal(mut reply: Incoming, access: &Access) -> Refusal {
    let mut said = Vec::new();
    let reading = async {
        while let Ok(Some(piece)) = reply.chunk().await {
            said.extend_from_slice(&piece);
            if said.len() as u64 >= REFUSAL_BYTES_MAX {
                break;
            }
        }
    };
    // What was read by then is enough, because the status is known already.
    let _ = tokio::time::timeout(REFUSAL_WITHIN, reading).await;
    Refusal::of_reply(reply.status(), reply.headers(), &said, access)
}

/// Sets the headers of every request that sends JSON.
pub(crate) fn json_headers(headers: &mut HeaderMap) {
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers
        .entry("accept")
        .or_insert(HeaderValue::from_static("*/*"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_connection_that_was_stale_is_tried_once_more() {
        let ms = Duration::from_millis;
        for (local, answered_before, took, again) in [
            (false, true, ms(80), true),
            (true, false, ms(3), true),
            // The provider worked on it for a while, or never was there before.
            (false, true, ms(50_000), false),
            (false, false, ms(80), false),
            (true, true, ms(50_000), false),
        ] {
            let told = was_stale(local, answered_before, took);
            assert_eq!(told, again, "{local} {answered_before} {took:?}");
        }
    }
}
