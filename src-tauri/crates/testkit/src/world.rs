//! A profile with its ports, as a tool call sees it.

use std::sync::Arc;

use adjutant_domain::ports::{AllStored, Cx};
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::{Contact, Event, Mail, Memory, Note, OutboxItem, Record, Task};
use adjutant_domain::settings::Settings;
use jiff::Zoned;

use crate::ports::SeededEntropy;
use crate::records::MemoryRecords;

/// A profile in memory at a fixed time.
pub struct World {
    /// Its records.
    pub records: Arc<MemoryRecords>,
    /// Context passed to tools.
    pub cx: Cx,
}

impl World {
    /// Creates an empty profile at `now`, a time with its zone in brackets. The owner is `Me <me@home.example>`.
    #[must_use]
    #[expect(clippy::panic, reason = "a test gave a bad value")]
    pub fn at(now: &str) -> Self {
        let now: Zoned = now.parse().unwrap_or_else(|error| panic!("{now}: {error}"));
        let records = Arc::new(MemoryRecords::new(now.time_zone().clone()));
        let mut settings = Settings::default();
        settings.owner.name = "Me".into();
        settings.owner.emails = vec!["me@home.example".into()];
        Self {
            cx: Cx {
                now,
                records: Arc::clone(&records) as _,
                mails: Arc::new(AllStored),
                lookup: Arc::new(adjutant_domain::ports::NoLookup),
                entropy: Arc::new(SeededEntropy::new(1)),
                settings: Arc::new(settings),
            },
            records,
        }
    }

    /// Changes settings of the world.
    #[must_use]
    pub fn with_settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = (*self.cx.settings).clone();
        change(&mut settings);
        self.cx.settings = Arc::new(settings);
        self
    }

    /// Adds a row that the person wrote on this computer.
    #[must_use]
    pub fn with_own(self, row: impl IntoRecord) -> Self {
        let record = row.into_record();
        let own = Provenance::clean(Author::Person);
        self.records.written(record.id(), own);
        self.records.put(record);
        self
    }

    /// Adds a row. Mail and events count as foreign text.
    #[must_use]
    pub fn with(self, row: impl IntoRecord) -> Self {
        self.records.put(row.into_record());
        self
    }
}

/// Rows that can be turned into a [`Record`].
pub trait IntoRecord {
    /// Returns the record.
    fn into_record(self) -> Record;
}

macro_rules! into_record {
    ($($row:ident => $variant:ident),*) => {
        $(impl IntoRecord for $row {
            fn into_record(self) -> Record {
                Record::$variant(self)
            }
        })*
    };
}

into_record!(Task => Task, Event => Event, Note => Note, Contact => Contact, Mail => Mail, OutboxItem => Outbox, Memory => Memory);
