//! Finds the transport fault behind an error.

use std::error::Error;

use adjutant_net::NetFault;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::clean;
use crate::fault::ServerFault;
use crate::http::HttpFault;
use crate::stdio::MESSAGE_BYTES_MAX;

/// Returns the transport fault in an error's chain of sources, at any depth.
pub(crate) fn transport_fault<'a>(
    error: &'a (dyn Error + 'static),
) -> Option<&'a StreamableHttpError<HttpFault>> {
    let mut source = Some(error);
    while let Some(current) = source {
        if let Some(fault) = current.downcast_ref() {
            return Some(fault);
        }
        source = current.source();
    }
    None
}

/// Converts the transport fault behind an error to a fault for the person.
pub(crate) fn found(error: &(dyn Error + 'static)) -> Option<ServerFault> {
    let flood = ServerFault::Flood {
        megabytes: MESSAGE_BYTES_MAX / 1024 / 1024,
    };
    let garbage = |what: &str| ServerFault::Garbage {
        what: clean::line(what, 200),
    };
    Some(match transport_fault(error)? {
        StreamableHttpError::Client(HttpFault::Net(NetFault::TooLarge { .. }))
        | StreamableHttpError::ResponseBodyTooLarge { .. } => flood,
        StreamableHttpError::Client(HttpFault::Net(fault)) => ServerFault::Net(fault.clone()),
        StreamableHttpError::Client(HttpFault::WantsSignIn) => ServerFault::WantsSignIn,
        StreamableHttpError::Client(HttpFault::Not(what)) => garbage(what),
        StreamableHttpError::HttpStatus(status) if status.status == 429 => {
            let after = status.retry_after.as_deref();
            ServerFault::Limited {
                retry_after_seconds: after.and_then(|text| text.parse().ok()),
            }
        }
        StreamableHttpError::HttpStatus(status) => ServerFault::Refused {
            what: format!("HTTP status {}", status.status),
        },
        StreamableHttpError::UnexpectedServerResponse(what) => garbage(what),
        StreamableHttpError::UnexpectedContentType(_)
        | StreamableHttpError::Deserialize(_)
        | StreamableHttpError::MissingSessionIdInResponse => {
            garbage("it answers with something else")
        }
        _ => return None,
    })
}
