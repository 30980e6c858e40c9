//! Maps faults of the network to faults of an account.

use adjutant_domain::operation::RemoteFault;
use adjutant_net::NetFault;

/// Maps the fault of a read-only request, or of a connection over which nothing was sent yet.
pub(crate) fn unread(fault: &NetFault) -> RemoteFault {
    match fault {
        NetFault::Offline { .. }
        | NetFault::Unreachable { .. }
        | NetFault::NotListening { .. }
        | NetFault::Cut { .. } => RemoteFault::Unreachable,
        NetFault::TimedOut { .. } => RemoteFault::TimedOut,
        NetFault::Untrusted {
            host,
            why,
            fingerprint,
        } => RemoteFault::Untrusted {
            host: host.clone(),
            why: why.clone(),
            fingerprint: fingerprint.to_string(),
        },
        NetFault::Malformed { .. }
        | NetFault::TooLarge { .. }
        | NetFault::Redirected { .. }
        | NetFault::NotPublic { .. }
        | NetFault::SetUp { .. } => RemoteFault::Refused {
            what: fault.to_string(),
        },
    }
}
