//! Interprets Google's refusals. The status alone is not enough: 403 can be a missing permission, a rate limit or a
//! quota.

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{RemoteFault, SignedOut};
use adjutant_net::{HeaderMap, Incoming, StatusCode};
use jiff::Timestamp;
use serde::Deserialize;

use crate::http;
use crate::oauth::Bearer;

/// Maximum number of characters shown of Google's own message.
const WORDS_CHARS_MAX: usize = 200;

/// The reason given in a refusal; empty fields if its body is unreadable.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RefusalReason {
    /// Google's reason code, such as `rateLimitExceeded`.
    pub(super) reason: String,
    /// Google's message.
    pub(super) message: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: Detail,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Detail {
    message: String,
    status: String,
    errors: Vec<Cause>,
    details: Vec<Cause>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cause {
    reason: String,
}

impl RefusalReason {
    /// Reads at most `bytes_max` bytes of a refusal's body. Ignores a body that breaks off: the refusal stands anyway.
    pub(super) async fn read(mut reply: Incoming, bytes_max: usize) -> Self {
        let mut body = Vec::new();
        let reading = async {
            while let Ok(Some(piece)) = reply.chunk().await {
                body.extend_from_slice(&piece);
                if body.len() > bytes_max {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(http::BODY_WITHIN, reading).await;
        Self::of(&body)
    }

    fn of(body: &[u8]) -> Self {
        let Ok(Refusal { error }) = serde_json::from_slice::<Refusal>(body) else {
            return Self::default();
        };
        // The details name the cause if the list of errors is generic or missing.
        let causes = error.details.into_iter().chain(error.errors);
        let mut causes = causes.map(|cause| cause.reason);
        let reason = causes.find(|reason| !reason.is_empty());
        Self {
            reason: clean(&reason.unwrap_or(error.status)),
            message: clean(&error.message),
        }
    }

    /// Drops the text if the server repeated the token in it.
    pub(super) fn without(self, bearer: &Bearer) -> Self {
        match self.message.contains(bearer.expose()) || self.reason.contains(bearer.expose()) {
            true => Self::default(),
            false => self,
        }
    }
}

/// Maps a refusal to a fault.
pub(super) fn of(
    status: StatusCode,
    headers: &HeaderMap,
    said: &RefusalReason,
    account: &AccountId,
    now: Timestamp,
) -> RemoteFault {
    let refused = |what: &str| RemoteFault::Refused {
        what: what.to_owned(),
    };
    let reason = said.reason.as_str();
    match (status.as_u16(), reason) {
        (
            403 | 429,
            "rateLimitExceeded"
            | "userRateLimitExceeded"
            | "quotaExceeded"
            | "dailyLimitExceeded"
            | "RATE_LIMIT_EXCEEDED"
            | "RESOURCE_EXHAUSTED",
        ) => http::refused(StatusCode::TOO_MANY_REQUESTS, headers, account, now),
        (401 | 403, "accountDisabled" | "accountDeleted") => RemoteFault::NotSignedIn {
            account: account.clone(),
            why: SignedOut::Disabled,
        },
        (403, "domainPolicy") => refused(
            "the administrator of your account has switched this service off or does not allow programs to use it; ask the administrator",
        ),
        (403, "insufficientPermissions" | "ACCESS_TOKEN_SCOPE_INSUFFICIENT") => {
            refused("you did not allow this when you signed in; sign in again and allow it")
        }
        (403, "accessNotConfigured" | "SERVICE_DISABLED") => refused(
            "this service of Google is not switched on for your client id; switch it on in the Google Cloud console",
        ),
        (400 | 403 | 409, _) if !said.message.is_empty() => RemoteFault::Refused {
            what: format!(
                "Google says: {} ({status})",
                said.message,
                status = status.as_u16()
            ),
        },
        _ => http::refused(status, headers, account, now),
    }
}

/// Makes a server's text safe to show: replaces control characters and limits the length.
fn clean(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let short: String = plain.take(WORDS_CHARS_MAX).collect();
    short.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(status: u16, body: &str) -> RemoteFault {
        let said = RefusalReason::of(body.as_bytes());
        let status = StatusCode::from_u16(status).unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", "30".parse().unwrap());
        of(
            status,
            &headers,
            &said,
            &"acc_1".into(),
            Timestamp::UNIX_EPOCH,
        )
    }

    fn body(reason: &str) -> String {
        format!(
            r#"{{"error":{{"code":403,"message":"No.","errors":[{{"domain":"d","reason":"{reason}"}}]}}}}"#
        )
    }

    #[test]
    fn the_three_meanings_of_403_are_told_apart() {
        let limited = RemoteFault::Limited {
            retry_after_seconds: Some(30),
        };
        for reason in [
            "rateLimitExceeded",
            "userRateLimitExceeded",
            "quotaExceeded",
        ] {
            assert_eq!(meant(403, &body(reason)), limited, "{reason}");
        }
        let RemoteFault::Refused { what } = meant(403, &body("insufficientPermissions")) else {
            unreachable!()
        };
        assert!(what.contains("sign in again"), "{what}");
        assert!(matches!(
            meant(403, &body("accountDisabled")),
            RemoteFault::NotSignedIn {
                why: SignedOut::Disabled,
                ..
            }
        ));
        let RemoteFault::Refused { what } = meant(403, &body("domainPolicy")) else {
            unreachable!()
        };
        assert!(what.contains("ask the administrator"), "{what}");
        let scope = r#"{"error":{"code":403,"message":"m","status":"PERMISSION_DENIED","errors":[{"reason":"forbidden"}],
            "details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}}"#;
        assert_eq!(
            meant(403, scope),
            meant(403, &body("insufficientPermissions"))
        );
        let RemoteFault::Refused { what } = meant(403, &body("forbiddenForNonOrganizer")) else {
            unreachable!()
        };
        assert_eq!(what, "Google says: No. (403)");
    }

    #[test]
    fn statuses_mean_what_they_say_whatever_the_body_is() {
        for body in ["", "<html>", "[]", "{\"error\":\"x\"}", &body("x")] {
            assert_eq!(meant(404, body), RemoteFault::Gone);
            assert_eq!(meant(410, body), RemoteFault::Gone);
            assert_eq!(meant(412, body), RemoteFault::Conflict { current: None });
            assert!(matches!(meant(401, body), RemoteFault::NotSignedIn { .. }));
            assert!(matches!(meant(429, body), RemoteFault::Limited { .. }));
            assert!(matches!(meant(500, body), RemoteFault::Refused { .. }));
        }
    }
}
