//! Reports changes in a profile to front ends and the engine.

use adjutant_api::EventBody;
use adjutant_domain::record::Kind;
use adjutant_store::Topic;

use super::Service;

impl Service {
    /// Subscribes to events about the whole profile: topics with changed rows, progress, reminders.
    #[must_use]
    pub fn changes(&self) -> Changes {
        Changes {
            rows: self.store.subscribe(),
            told: self.broadcast.follow(),
        }
    }

    pub(super) fn tell_engine_of_changes(&self) {
        let (engine, mut changes, stop) = (
            self.engine.clone(),
            self.store.subscribe(),
            self.stop.clone(),
        );
        self.tasks.spawn(async move {
            loop {
                let (kinds, jobs): (Vec<Kind>, bool) = tokio::select! {
                    () = stop.cancelled() => return,
                    changed = changes.recv() => match changed {
                        Ok(topics) => (
                            topics
                                .iter()
                                .filter_map(|topic| if let Topic::Records(kind) = topic { Some(*kind) } else { None })
                                .collect(),
                            topics.contains(&Topic::Jobs),
                        ),
                        Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => (Kind::ALL.to_vec(), true),
                        Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                    },
                };
                if jobs {
                    engine.jobs_changed();
                }
                if !kinds.is_empty() {
                    engine.records_changed(&kinds);
                }
            }
        });
    }
}

/// A stream of events about the whole profile.
pub struct Changes {
    rows: tokio::sync::broadcast::Receiver<std::collections::BTreeSet<Topic>>,
    told: tokio::sync::broadcast::Receiver<EventBody>,
}

impl Changes {
    /// Returns the next event for a window; `None` once the store is closed.
    pub async fn next(&mut self) -> Option<EventBody> {
        use tokio::sync::broadcast::error::RecvError;
        tokio::select! {
            rows = self.rows.recv() => match rows {
                Ok(topics) => Some(EventBody::Changed {
                    kinds: topics
                        .into_iter()
                        .map(|topic| topic_word(topic).to_owned())
                        .collect(),
                }),
                // Changes were missed, so everything must be read again.
                Err(RecvError::Lagged(_)) => Some(everything_changed()),
                Err(RecvError::Closed) => None,
            },
            told = self.told.recv() => match told {
                Ok(body) => Some(body),
                // The missed events may include the end of something.
                Err(RecvError::Lagged(_)) => Some(everything_changed()),
                Err(RecvError::Closed) => None,
            },
        }
    }
}

/// Returns the event for a reader that may have missed changes and must read everything again.
#[must_use]
pub fn everything_changed() -> EventBody {
    EventBody::Changed {
        kinds: ALL_TOPICS.map(str::to_owned).to_vec(),
    }
}

const ALL_TOPICS: [&str; 16] = [
    "tasks",
    "events",
    "notes",
    "contacts",
    "mail",
    "outbox",
    "memories",
    "conversations",
    "approvals",
    "activity",
    "settings",
    "egress",
    "imports",
    "usage",
    "jobs",
    "accounts",
];

/// Returns the name of a topic in requests and `changed` events.
pub(super) fn topic_word(topic: Topic) -> &'static str {
    match topic {
        Topic::Records(Kind::Task) => "tasks",
        Topic::Records(Kind::Event) => "events",
        Topic::Records(Kind::Note) => "notes",
        Topic::Records(Kind::Contact) => "contacts",
        Topic::Records(Kind::Mail) => "mail",
        Topic::Records(Kind::Outbox) => "outbox",
        Topic::Records(Kind::Memory) => "memories",
        Topic::Conversations => "conversations",
        Topic::Actions => "approvals",
        Topic::Effects => "activity",
        Topic::Settings => "settings",
        Topic::Egress => "egress",
        Topic::Imports => "imports",
        Topic::Calls => "usage",
        Topic::Jobs => "jobs",
        Topic::Research => "research",
        Topic::Accounts => "accounts",
        Topic::Servers => "servers",
    }
}
