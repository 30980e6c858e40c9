//! The tools: one folder for each family, one file for each tool.
//!
//! A tool reads through the ports and returns an answer, or the change it wants made; it has no other way to act. An
//! acting tool works out everything it does before the gate decides ([`effect`]), so that the card shows exactly what
//! runs. The tools themselves choose the records that are meant, in one vocabulary ([`select`]).

pub mod address;
pub mod calc;
pub mod calendar;
pub mod contact;
#[cfg(test)]
mod contract;
pub mod effect;
pub mod email;
pub mod file;
mod labels;
pub mod memory;
pub mod note;
mod places;
mod provenance;
pub mod providers;
pub mod recall;
pub mod recurring;
pub mod registry;
mod removal;
pub mod research;
pub mod select;
pub mod task;
#[cfg(test)]
mod testing;
pub mod web;
pub mod words;

use std::sync::Arc;

use adjutant_domain::ports::Calculator;
use adjutant_domain::tool::AnyTool;

pub use email::SavedFiles;
pub use registry::Registry;

/// Returns every tool, in the order of `adjutant tools`. A new family is one line here.
#[must_use]
pub fn all(
    calculator: Arc<dyn Calculator>,
    accounts: Arc<dyn providers::Providers>,
) -> Vec<Arc<dyn AnyTool>> {
    [
        task::tools(),
        calendar::tools(Arc::clone(&accounts) as Arc<dyn providers::OthersTimes>),
        email::tools(accounts),
        note::tools(),
        memory::tools(),
        contact::tools(),
        file::tools(),
        recall::tools(),
        web::tools(),
        calc::tools(calculator),
        research::tools(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
