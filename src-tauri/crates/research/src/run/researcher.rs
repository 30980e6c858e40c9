//! The researcher of a question: it searches and reflects in turn, and ends with its document.

use super::machine::{Ended, Outcome};
use super::replies;
use super::{Run, Status};
use crate::document::{
    Delta, Entry, Hit, PageRef, Phase, QuestionId, QuestionState, Reflection, WrittenBy,
};
use crate::embedded;
use crate::stage::{Stage, StageContext};
use crate::step::{Command, Event, Fault, FaultKind, Input, OpenStep, SearchStep, StepKey};

/// Maximum searches in a row that may fail before a question is given up.
const FAILED_IN_A_ROW_MAX: usize = 3;
/// Maximum bytes of an address, a title and a snippet; results with longer addresses are dropped.
const ADDRESS_BYTES_MAX: usize = 2_000;
const TITLE_BYTES_MAX: usize = 300;
const SNIPPET_BYTES_MAX: usize = 1_000;
/// Maximum bytes of a page's text that are read.
const TEXT_BYTES_MAX: usize = 400_000;

impl Run {
    /// Begins to work on a question.
    pub(super) fn start_question(&mut self, id: &QuestionId, outcome: &mut Outcome) {
        if let Some(question) = self.question_mut(id) {
            question.state = QuestionState::Running;
            outcome.events.push(Event::QuestionStarted {
                question_id: id.clone(),
                name: question.name.clone(),
                goal: question.goal.clone(),
            });
        }
        self.choose(id, outcome);
    }

    /// Handles the result of a researcher's step.
    pub(super) fn researcher_step(
        &mut self,
        id: &QuestionId,
        command: &Command,
        ended: Ended,
        outcome: &mut Outcome,
    ) {
        match command {
            Command::Search(step) => self.searched(id, &step.query, ended, outcome),
            Command::Open(step) => self.opened(id, &step.address, ended, outcome),
            Command::Ask(step) => {
                let reply = match ended {
                    Ended::Done(Input::Replied { reply, .. }) => Some(reply),
                    _ => None,
                };
                match step.stage {
                    Stage::Search => {
                        let query = reply.and_then(|reply| replies::query(&self.view(id), reply));
                        self.search(id, query, outcome);
                    }
                    Stage::Reflect => {
                        let reply =
                            reply.and_then(|reply| replies::reflection(&self.view(id), reply));
                        self.reflected(id, reply, outcome);
                    }
                    _ => self.documented(id, reply, outcome),
                }
            }
            Command::Save { .. } | Command::Cancel(_) | Command::Finish(_) => {}
        }
    }

    /// Begins the next search of a question, or writes its document if it has searched often enough.
    fn choose(&mut self, id: &QuestionId, outcome: &mut Outcome) {
        let Some(question) = self.question_mut(id) else {
            return;
        };
        question.phase = Phase::Choosing;
        let number = question.queries().count() + 1;
        if number > self.limits.cycles as usize {
            return self.write_document(id, outcome);
        }
        let view = self.search_view(id);
        if !self.ask(
            &format!("{id}/choose/{number}"),
            Stage::Search,
            view,
            outcome,
        ) {
            self.search(id, None, outcome);
        }
    }

    /// Begins a search: the query a model proposed if it is new, else the one the embedded researcher chooses.
    fn search(&mut self, id: &QuestionId, proposed: Option<String>, outcome: &mut Outcome) {
        let proposed = proposed.filter(|query| !self.queries.contains(&embedded::query_key(query)));
        let Some(query) = proposed.or_else(|| embedded::next_query(&self.view(id))) else {
            return self.write_document(id, outcome);
        };
        let keep = if self.by == WrittenBy::Model {
            self.limits.prices.stage
        } else {
            0
        };
        if let Err(cut) = self.reserve(self.limits.prices.search, keep) {
            return self.cut(cut, outcome);
        }
        self.queries.insert(embedded::query_key(&query));
        let Some(question) = self.question_mut(id) else {
            return;
        };
        question.phase = Phase::Searching;
        question.memory.push(Entry::Search {
            query: query.clone(),
        });
        let key = StepKey(format!("{id}/search/{}", question.queries().count()));
        let credits = self.limits.prices.search;
        let step = SearchStep {
            key: key.clone(),
            researcher: id.clone(),
            query,
            limit: self.limits.results,
            credits,
        };
        self.begin(key, Command::Search(step), credits, outcome);
    }

    fn searched(&mut self, id: &QuestionId, query: &str, ended: Ended, outcome: &mut Outcome) {
        let (hits, fault) = match ended {
            Ended::Done(Input::Searched { hits, .. }) => (bounded(hits, self.limits.results), None),
            Ended::Failed(fault) => (Vec::new(), Some(fault)),
            _ => (Vec::new(), Some(unknown())),
        };
        let results = u32::try_from(hits.len()).unwrap_or(u32::MAX);
        if let Some(fault) = &fault {
            self.note(format!("A search failed: {}", fault.said));
        }
        let gone = fault
            .as_ref()
            .is_some_and(|fault| fault.kind == FaultKind::NotConfigured);
        if let Some(question) = self.question_mut(id) {
            question.memory.push(Entry::Result {
                hits,
                fault: fault.map(|fault| fault.said),
            });
        }
        outcome.events.push(Event::QuestionSearchCompleted {
            question_id: id.clone(),
            queries: vec![query.to_owned()],
            results,
        });
        if gone {
            // Searches and reflections alternate here too: every search has its reflection.
            self.remember(
                id,
                Reflection {
                    thought: "There is no source to search.".to_owned(),
                    delta: Delta::DeadEnd,
                },
                outcome,
            );
            return self.write_document(id, outcome);
        }
        self.open_pages(id, outcome);
    }

    /// Opens the last results that are worth it. A page that the run has already opened is not fetched again.
    fn open_pages(&mut self, id: &QuestionId, outcome: &mut Outcome) {
        let wanted = embedded::choose_pages(&self.view(id));
        let (mut begun, price) = (0, self.limits.prices.page);
        for address in wanted {
            if let Some(entry) = self.tried(&address) {
                if let Some(question) = self.question_mut(id) {
                    question.memory.push(entry);
                }
                continue;
            }
            if self.is_opening(&address) {
                // Another researcher is fetching it; it can be chosen again once it has arrived.
                continue;
            }
            if let Err(cut) = self.reserve(price, 0) {
                return self.cut(cut, outcome);
            }
            let Some(question) = self.question_mut(id) else {
                return;
            };
            question.phase = Phase::Opening;
            begun += 1;
            let search = question.queries().count();
            let key = StepKey(format!("{id}/open/{search}/{begun}"));
            let step = OpenStep {
                key: key.clone(),
                researcher: id.clone(),
                address,
                credits: price,
            };
            self.begin(key, Command::Open(step), price, outcome);
        }
        if begun == 0 {
            self.reflect(id, outcome);
        }
    }

    /// Returns the entry of a page that the run has opened or failed to open.
    fn tried(&self, address: &str) -> Option<Entry> {
        let mut entries = self.questions.iter().flat_map(|one| &one.memory);
        let known = entries.find(|entry| match entry {
            Entry::Page { page } => page.address == address,
            Entry::Closed {
                address: closed, ..
            } => closed == address,
            _ => false,
        });
        known.cloned()
    }

    fn is_opening(&self, address: &str) -> bool {
        self.outstanding
            .values()
            .any(|one| matches!(&one.command, Command::Open(step) if step.address == address))
    }

    fn opened(&mut self, id: &QuestionId, address: &str, ended: Ended, outcome: &mut Outcome) {
        let entry = match ended {
            Ended::Done(Input::Opened { page, .. }) => {
                let text = readable(&page.text);
                if page.cut || text.len() < page.text.len() {
                    self.note(read_in_part(&page.title, address));
                }
                self.texts.insert(page.sha256.clone(), text.into());
                Entry::Page {
                    page: PageRef {
                        address: address.to_owned(),
                        title: adjutant_text::cut(&page.title, TITLE_BYTES_MAX).to_owned(),
                        sha256: page.sha256,
                        fetched_at: page.fetched_at,
                    },
                }
            }
            Ended::Failed(fault) => {
                self.note(format!("A page was not read: {}", fault.said));
                Entry::Closed {
                    address: address.to_owned(),
                    fault: fault.said,
                }
            }
            _ => Entry::Closed {
                address: address.to_owned(),
                fault: unknown().said,
            },
        };
        if let Some(question) = self.question_mut(id) {
            question.memory.push(entry);
        }
        let more = self
            .outstanding
            .values()
            .any(|one| matches!(&one.command, Command::Open(step) if step.researcher == *id));
        if !more {
            self.reflect(id, outcome);
        }
    }

    fn reflect(&mut self, id: &QuestionId, outcome: &mut Outcome) {
        let Some(question) = self.question_mut(id) else {
            return;
        };
        question.phase = Phase::Reflecting;
        let number = question.queries().count();
        let view = self.reflect_view(id);
        if !self.ask(
            &format!("{id}/reflect/{number}"),
            Stage::Reflect,
            view,
            outcome,
        ) {
            self.reflected(id, None, outcome);
        }
    }

    /// Handles a reflection, of a model or else of the embedded researcher, and continues.
    fn reflected(
        &mut self,
        id: &QuestionId,
        reply: Option<(Reflection, bool)>,
        outcome: &mut Outcome,
    ) {
        let (reflection, done) = reply.unwrap_or_else(|| embedded::reflect(&self.view(id)));
        self.remember(id, reflection, outcome);
        let Some(question) = self.question(id) else {
            return;
        };
        let searches = question.queries().count();
        let failed = question
            .memory
            .iter()
            .rev()
            .filter_map(|entry| match entry {
                Entry::Result { fault, .. } => Some(fault.is_some()),
                _ => None,
            });
        let given_up = failed.take_while(|failed| *failed).count() >= FAILED_IN_A_ROW_MAX;
        if given_up || (done && searches >= self.limits.searches_min as usize) {
            self.write_document(id, outcome);
        } else {
            self.choose(id, outcome);
        }
    }

    fn remember(&mut self, id: &QuestionId, reflection: Reflection, outcome: &mut Outcome) {
        outcome.events.push(Event::QuestionReflection {
            question_id: id.clone(),
            thought: reflection.thought.clone(),
            delta: reflection.delta,
        });
        if let Some(question) = self.question_mut(id) {
            question.memory.push(Entry::Reflect(reflection));
        }
    }

    /// Has the document of a question written: by a model if possible.
    fn write_document(&mut self, id: &QuestionId, outcome: &mut Outcome) {
        if let Some(question) = self.question_mut(id) {
            question.phase = Phase::Documenting;
        }
        let view: StageContext = self.document_view(id);
        let nothing = self
            .question(id)
            .is_none_or(|question| question.pages().next().is_none());
        if nothing || !self.ask(&format!("{id}/document"), Stage::Document, view, outcome) {
            self.documented(id, None, outcome);
        }
    }

    fn documented(
        &mut self,
        id: &QuestionId,
        reply: Option<serde_json::Value>,
        outcome: &mut Outcome,
    ) {
        let reply = reply.and_then(|reply| replies::document(&self.view(id), reply));
        self.close_question(id, reply, outcome);
        if self.status == Status::Running
            && self
                .questions
                .iter()
                .all(|one| one.state == QuestionState::Done)
        {
            self.evaluate(outcome);
        }
    }

    /// Gives a question its document: a model's, or else the embedded one.
    pub(super) fn close_question(
        &mut self,
        id: &QuestionId,
        reply: Option<replies::Checked>,
        outcome: &mut Outcome,
    ) {
        let (mut document, dropped) = match reply {
            Some(checked) => (checked.document, checked.dropped),
            None => (embedded::document(&self.view(id)), 0),
        };
        self.dropped_claims = self.dropped_claims.saturating_add(dropped);
        let (min, cut) = (self.limits.searches_min as usize, self.cut);
        let Some(question) = self.question_mut(id) else {
            return;
        };
        let searches = question.queries().count();
        if let Some(cut) = cut {
            document.limitations.push(cut.said().to_owned());
        } else if searches < min {
            let word = if searches == 1 { "search" } else { "searches" };
            document.limitations.push(format!(
                "The sources were exhausted after {searches} {word}."
            ));
        }
        question.state = QuestionState::Done;
        question.phase = Phase::Done;
        outcome.events.push(Event::QuestionCompleted {
            question_id: id.clone(),
            confidence: document.confidence,
            recommendation: document.recommendation,
        });
        question.document = Some(document);
    }

    /// Gives every open question a document made from what it has found.
    pub(super) fn close_questions(&mut self, outcome: &mut Outcome) {
        let open: Vec<QuestionId> = self
            .questions
            .iter()
            .filter(|one| one.state != QuestionState::Done)
            .map(|one| one.id.clone())
            .collect();
        for id in open {
            self.close_question(&id, None, outcome);
        }
    }
}

/// Returns the part of a page's text that is read.
pub(super) fn readable(text: &str) -> &str {
    adjutant_text::cut(text, TEXT_BYTES_MAX)
}

/// Returns the note for a page that is longer than what was read of it.
fn read_in_part(title: &str, address: &str) -> String {
    let title = adjutant_text::cut(title, TITLE_BYTES_MAX);
    let name = if title.is_empty() { address } else { title };
    format!("Only the beginning of “{name}” was read, because it is too long.")
}

fn unknown() -> Fault {
    Fault {
        kind: FaultKind::Unreachable,
        said: "It is not clear how it ended, so it was not started again.".to_owned(),
    }
}

/// Returns results within their size limits, each address once.
fn bounded(hits: Vec<Hit>, limit: u32) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::new();
    for mut hit in hits {
        if kept.len() >= limit as usize {
            break;
        }
        let twice = kept.iter().any(|one| one.address == hit.address);
        if hit.address.is_empty() || hit.address.len() > ADDRESS_BYTES_MAX || twice {
            continue;
        }
        hit.title = adjutant_text::cut(&hit.title, TITLE_BYTES_MAX).to_owned();
        hit.snippet = adjutant_text::cut(&hit.snippet, SNIPPET_BYTES_MAX).to_owned();
        kept.push(hit);
    }
    kept
}
