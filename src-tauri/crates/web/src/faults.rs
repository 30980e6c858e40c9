//! Maps network faults and HTTP statuses to faults of a search or page.

use std::time::Duration;

use adjutant_domain::ports::SourceFault;
use adjutant_net::{HeaderMap, NetFault, StatusCode};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// Maximum wait accepted from a server.
const WAIT_MAX: Duration = Duration::from_hours(24);
/// Bytes per megabyte, for limits in messages.
const MB: u64 = 1024 * 1024;

/// Maps a network fault.
pub(crate) fn of_net(fault: NetFault) -> SourceFault {
    match fault {
        NetFault::Offline { host } => SourceFault::Offline { host },
        NetFault::Malformed { why } => SourceFault::BadAddress { address: why },
        NetFault::Unreachable { host, why } => SourceFault::Unreachable { host, why },
        NetFault::NotListening { host, port } => SourceFault::Unreachable {
            host,
            why: format!("it does not accept connections on port {port}"),
        },
        NetFault::Untrusted { host, why, .. } => SourceFault::Unreachable {
            host,
            why: format!("it could not prove its identity ({why})"),
        },
        NetFault::TimedOut { host, .. } => SourceFault::TimedOut { host },
        NetFault::Cut { host } => SourceFault::Unreachable {
            host,
            why: "the connection broke off".into(),
        },
        NetFault::TooLarge { host, limit_bytes } => SourceFault::TooLarge {
            what: format!("The answer of {host}"),
            limit_mb: limit_bytes.div_ceil(MB),
        },
        NetFault::Redirected { host } => SourceFault::Refused {
            host,
            why: "it points to another place, which is not followed".into(),
        },
        NetFault::NotPublic { host } => SourceFault::PrivateAddress { host },
        NetFault::SetUp { why } => SourceFault::Failed {
            what: format!("The network could not be set up: {why}."),
        },
    }
}

/// Maps a status with a universal meaning; `None` for success and for statuses whose meaning depends on the server.
pub(crate) fn of_status(
    host: &str,
    status: StatusCode,
    headers: &HeaderMap,
    now: Timestamp,
) -> Option<SourceFault> {
    let host = host.to_owned();
    let retry_after = retry_after(headers, now);
    match status.as_u16() {
        429 => Some(SourceFault::Limited { host, retry_after }),
        503 if retry_after.is_some() => Some(SourceFault::Limited { host, retry_after }),
        500..=599 => Some(SourceFault::Down { host }),
        _ => None,
    }
}

/// Returns the wait that a server requests, given in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get("retry-after")?.to_str().ok()?.trim();
    let wait = match value.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let at = DateTimeParser::new().parse_timestamp(value).ok()?;
            Duration::try_from(at.duration_since(now)).unwrap_or_default()
        }
    };
    Some(wait.min(WAIT_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_in_both_forms_and_bounded() {
        let now: Timestamp = "2026-03-02T12:00:00Z".parse().expect("an instant");
        let wait = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("retry-after", value.parse().expect("a value"));
            retry_after(&headers, now).map(|wait| wait.as_secs())
        };
        assert_eq!(wait("7"), Some(7));
        assert_eq!(wait("999999999"), Some(86_400));
        assert_eq!(wait("Mon, 02 Mar 2026 12:01:00 GMT"), Some(60));
        assert_eq!(wait("Mon, 02 Mar 2026 11:00:00 GMT"), Some(0));
        assert_eq!(wait("soon"), None);
        assert_eq!(wait("-1"), None);
    }
}
