//! Interprets HTTP replies for all providers that use HTTP.

use std::time::Duration;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Etag, RemoteFault};
use adjutant_net::{HeaderMap, StatusCode};
use jiff::Timestamp;

/// Time allowed for the body of a reply once it has begun.
pub(crate) const BODY_WITHIN: Duration = Duration::from_secs(60);
/// Maximum `Retry-After` in seconds; longer ones are cut to this.
const RETRY_AFTER_MAX: u64 = 24 * 60 * 60;

/// Maps an unsuccessful status to a fault.
pub(crate) fn refused(
    status: StatusCode,
    headers: &HeaderMap,
    account: &AccountId,
    now: Timestamp,
) -> RemoteFault {
    let what = match status.as_u16() {
        401 => {
            return RemoteFault::not_signed_in(account.clone());
        }
        404 | 410 => return RemoteFault::Gone,
        412 => {
            return RemoteFault::Conflict {
                current: etag(headers),
            };
        }
        423 | 429 | 503 => {
            return RemoteFault::Limited {
                retry_after_seconds: retry_after(headers, now),
            };
        }
        400 | 415 | 422 => "the server did not understand the request",
        403 => "the server does not allow this",
        405 | 501 => "the server cannot do this",
        407 => "the proxy asks for a password",
        408 => return RemoteFault::TimedOut,
        409 => "the server says that the place for it does not exist",
        413 | 414 => "the server says that it is too large",
        507 => "the server has no room left",
        300..=399 => "the server points to another address",
        500..=599 => "the server has a problem of its own",
        _ => "the server gave an answer that Adjutant does not understand",
    };
    RemoteFault::Refused {
        what: format!("{what} ({})", status.as_u16()),
    }
}

/// Tells whether `host` is `domain` or a subdomain of it, ignoring case.
pub(crate) fn is_within(host: &str, domain: &str) -> bool {
    let (host, domain) = (host.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let inside = host.strip_suffix(&domain);
    inside.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Returns the `ETag` of a reply.
pub(crate) fn etag(headers: &HeaderMap) -> Option<Etag> {
    let text = headers.get("etag")?.to_str().ok()?.trim();
    (!text.is_empty()).then(|| Etag(text.to_owned()))
}

/// Returns `Retry-After` in seconds; the header holds a number or a date. A date counts from the server's own time if
/// the reply has it, because this computer's clock may be wrong.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<u64> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let date = |name: &str| {
        let at = httpdate::parse_http_date(text(name)?).ok()?;
        Timestamp::try_from(at).ok()
    };
    let seconds = text("retry-after")?.parse::<u64>().ok().or_else(|| {
        let since = date("date").unwrap_or(now);
        u64::try_from(date("retry-after")?.duration_since(since).as_secs()).ok()
    })?;
    Some(seconds.min(RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_net::HeaderValue;

    fn at(status: u16, headers: &[(&'static str, &'static str)]) -> RemoteFault {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                let name = adjutant_net::HeaderName::from_static(name);
                (name, HeaderValue::from_static(value))
            })
            .collect();
        let status = StatusCode::from_u16(status).unwrap_or_default();
        let now = "2026-01-12T12:00:00Z".parse().unwrap_or_default();
        refused(status, &headers, &"acc_1".into(), now)
    }

    #[test]
    fn every_status_means_something() {
        let limited = |seconds| RemoteFault::Limited {
            retry_after_seconds: seconds,
        };
        for (status, headers, expected) in [
            (404, &[][..], RemoteFault::Gone),
            (410, &[], RemoteFault::Gone),
            (412, &[], RemoteFault::Conflict { current: None }),
            (
                412,
                &[("etag", "\"7\"")],
                RemoteFault::Conflict {
                    current: Some(Etag("\"7\"".into())),
                },
            ),
            (429, &[], limited(None)),
            (429, &[("retry-after", "120")], limited(Some(120))),
            (
                503,
                &[("retry-after", "Mon, 12 Jan 2026 12:01:00 GMT")],
                limited(Some(60)),
            ),
            (
                503,
                &[("retry-after", "Mon, 12 Jan 2026 11:00:00 GMT")],
                limited(None),
            ),
            // This computer's clock is ten minutes ahead, or behind.
            (
                503,
                &[
                    ("retry-after", "Mon, 12 Jan 2026 11:51:00 GMT"),
                    ("date", "Mon, 12 Jan 2026 11:50:00 GMT"),
                ],
                limited(Some(60)),
            ),
            (
                503,
                &[
                    ("retry-after", "Mon, 12 Jan 2026 12:11:00 GMT"),
                    ("date", "Mon, 12 Jan 2026 12:10:00 GMT"),
                ],
                limited(Some(60)),
            ),
            (
                429,
                &[("retry-after", "99999999999")],
                limited(Some(86_400)),
            ),
            (429, &[("retry-after", "soon")], limited(None)),
            (408, &[], RemoteFault::TimedOut),
        ] {
            assert_eq!(at(status, headers), expected, "{status} {headers:?}");
        }
        assert!(matches!(at(401, &[]), RemoteFault::NotSignedIn { .. }));
        for status in [302, 400, 403, 405, 407, 409, 413, 415, 500, 501, 502, 507] {
            let fault = at(status, &[]);
            let told = matches!(&fault, RemoteFault::Refused { what } if what.contains(&status.to_string()));
            assert!(told, "{status}: {fault:?}");
        }
    }
}
