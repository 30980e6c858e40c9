//! The web: one search, and one page. Both only read, and both hand words to somebody else for it; what comes back is text
//! of others.

mod read;
mod search;

#[cfg(test)]
pub(crate) mod contract;

use std::sync::Arc;

use adjutant_domain::faults::{ToolFault, UserFault};
use adjutant_domain::gate::Assessment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::SourceFault;
use adjutant_domain::risk::CarriesOut;
use adjutant_domain::tool::AnyTool;

use crate::registry::any;

/// The tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![any(search::Search), any(read::Read)]
}

/// A fault of a source, as the person is told.
fn stopped(fault: &SourceFault) -> Stop {
    ToolFault::Refused {
        why: UserFault::from(fault),
    }
    .into()
}

/// The judgement of a call that hands `text` to `whom` and only reads what everybody can read.
fn carries_out(whom: &str, text: &str) -> Assessment {
    Assessment::asks_outside(CarriesOut {
        to: whom.to_owned(),
        texts: vec![text.to_owned()],
        public_answer: true,
        stays_there: false,
    })
}

/// Text of others inside an answer: nothing in it is a link, a picture or a tag.
fn inert(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '[' => '(',
            ']' => ')',
            '<' => '‹',
            '>' => '›',
            '`' => '\'',
            c => c,
        })
        .collect()
}
