//! Storage of a profile: SQLite holds the records, and a full-text index beside it follows them and can be deleted.
//!
//! [`Store`] implements the ports `Records`, `TurnLog` and `Jobs` of the domain, and what else the app needs:
//! settings, jobs, import, paging for export, the egress ledger, upkeep. One thread writes, one transaction per job;
//! a few connections read. Only this crate contains SQL; `tables/` has one file per table.
//!
//! Instants are stored in microseconds; finer parts are truncated.

mod authors;
mod cancel;
mod candidates;
mod cells;
mod condition;
mod connection;
mod conversations;
mod crash;
mod deliver;
mod document_file;
mod documents;
mod drafts;
mod effect;
mod fault;
mod filter;
mod grants;
mod import;
mod jobs;
mod ledger;
mod migrations;
mod names;
mod occurrences;
mod outgoing;
mod past;
mod people;
mod places;
mod readers;
mod records;
mod research;
mod row;
mod rows;
mod search;
mod servers;
mod snippet;
mod store;
mod sync;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod turn_log;
mod tx;
mod upkeep;
mod whole_mails;
mod writer;

pub use connection::FILE;
pub use conversations::DELETED_KEPT;
pub use crash::{CRASH_POINTS, crash_point};
pub use deliver::PULLED_ROWS_MAX;
pub use drafts::DraftHere;
pub use effect::CHANGE_ROWS_MAX;
pub use occurrences::{OCCURRENCES_MAX, OPEN_RANGE_DAYS};
pub use past::PAST_MESSAGES_MAX;
pub use store::{Store, StoreOptions};
pub use tables::calls::CALL_ROWS_MAX;
pub use tables::compared::{Agreement, COMPARED_ROWS_MAX, Comparison};
pub use tables::drafts::DraftLink;
pub use tables::egress::{EGRESS_ROWS_MAX, Egress};
pub use tables::imports::{IMPORT_ROWS_MAX, Imported};
pub use tables::research_rows::{
    DocumentSave, DocumentVersion, ResearchClaim, ResearchPage, ResearchRun, ResearchState,
    StepBeginning, StepBegun, StepEnding,
};
pub use tables::spend::{SPEND_ROWS_MAX, SpendRow};
pub use tx::Topic;
pub use upkeep::{Counts, Page};
