//! The web: one search, and one page. Both tools only read, but send words to somebody else to do so; what comes back
//! is foreign text.

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

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![any(search::Search), any(read::Read)]
}

/// Turns a fault of a source into a [`Stop`] with the words for the person.
fn stopped(fault: &SourceFault) -> Stop {
    ToolFault::Refused {
        why: UserFault::from(fault),
    }
    .into()
}

/// Returns the assessment of a call that sends `text` to `whom` and only reads what is public.
fn carries_out(whom: &str, text: &str) -> Assessment {
    Assessment::asks_outside(CarriesOut {
        to: whom.to_owned(),
        texts: vec![text.to_owned()],
        public_answer: true,
        stays_there: false,
    })
}

/// Returns foreign text in which nothing is a link, a picture or a tag.
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
