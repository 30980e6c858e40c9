//! What stages and the embedded researcher are shown of a run: no more than isolation allows.

use super::Run;
use crate::document::{Entry, Question, QuestionId, QuestionState};
use crate::embedded::{self, Search, Sheet, View};
use crate::stage::{Foreign, QuestionView, ResultView, SearchView, StageContext};

/// Maximum bytes of one opened page's passages that a stage is shown.
const PASSAGE_BYTES_MAX: usize = 1_600;
/// Maximum searches of a question that a stage is shown; the latest ones count.
const SHOWN_SEARCHES_MAX: usize = 30;

impl Run {
    /// Returns everything the researcher of a question knows.
    pub(super) fn view(&self, id: &QuestionId) -> View<'_> {
        let mut view = View {
            objective: &self.objective,
            question: "",
            goal: "",
            searches: Vec::new(),
            closed: Vec::new(),
            taken: &self.queries,
            pages_max: self.limits.pages as usize,
            searches_min: self.limits.searches_min as usize,
        };
        let Some(question) = self.question(id) else {
            return view;
        };
        view.question = &question.question;
        view.goal = &question.goal;
        for entry in &question.memory {
            match (entry, view.searches.last_mut()) {
                (Entry::Search { query }, _) => view.searches.push(Search {
                    query,
                    hits: &[],
                    sheets: Vec::new(),
                    fault: None,
                    reflection: None,
                }),
                (Entry::Result { hits, fault }, Some(search)) => {
                    search.hits = hits;
                    search.fault = fault.as_deref();
                }
                (Entry::Page { page }, Some(search)) => {
                    if let Some(text) = self.texts.get(&page.sha256) {
                        search.sheets.push(Sheet { page, text });
                    }
                }
                (Entry::Closed { address, .. }, _) => view.closed.push(address),
                (Entry::Reflect(reflection), Some(search)) => {
                    search.reflection = Some(reflection);
                }
                (_, None) => {}
            }
        }
        view
    }

    pub(super) fn search_view(&self, id: &QuestionId) -> StageContext {
        let view = self.view(id);
        StageContext::Search {
            question: view.question.to_owned(),
            goal: view.goal.to_owned(),
            history: history(&view),
            queries: view
                .searches
                .iter()
                .map(|one| one.query.to_owned())
                .collect(),
        }
    }

    pub(super) fn reflect_view(&self, id: &QuestionId) -> StageContext {
        let view = self.view(id);
        let nothing = || SearchView {
            query: String::new(),
            results: Vec::new(),
            reflection: None,
        };
        StageContext::Reflect {
            objective: view.objective.to_owned(),
            question: view.question.to_owned(),
            goal: view.goal.to_owned(),
            last: view
                .searches
                .last()
                .map_or_else(nothing, |one| shown(&view, one)),
            searches: u32::try_from(view.searches.len()).unwrap_or(u32::MAX),
        }
    }

    pub(super) fn document_view(&self, id: &QuestionId) -> StageContext {
        let view = self.view(id);
        StageContext::Document {
            objective: view.objective.to_owned(),
            question: view.question.to_owned(),
            goal: view.goal.to_owned(),
            history: history(&view),
        }
    }

    pub(super) fn evaluate_view(&self) -> StageContext {
        StageContext::Evaluate {
            objective: self.objective.clone(),
            criteria: self.success_criteria.clone(),
            questions: self.questions.iter().map(question_view).collect(),
            decisions: self
                .brain_log
                .iter()
                .map(|one| one.reasoning.clone())
                .collect(),
            rounds_left: self.limits.rounds.saturating_sub(self.research_round),
        }
    }

    pub(super) fn synthesise_view(&self) -> StageContext {
        let done = self
            .questions
            .iter()
            .filter(|one| one.state == QuestionState::Done);
        StageContext::Synthesise {
            objective: self.objective.clone(),
            criteria: self.success_criteria.clone(),
            questions: done.map(question_view).collect(),
        }
    }
}

fn question_view(question: &Question) -> QuestionView {
    QuestionView {
        name: question.name.clone(),
        question: question.question.clone(),
        goal: question.goal.clone(),
        state: question.state,
        document: question.document.clone(),
    }
}

fn history(view: &View<'_>) -> Vec<SearchView> {
    let from = view.searches.len().saturating_sub(SHOWN_SEARCHES_MAX);
    view.searches[from..]
        .iter()
        .map(|one| shown(view, one))
        .collect()
}

/// Returns a search with its results; opened pages show the passages that are relevant to the question.
fn shown(view: &View<'_>, search: &Search<'_>) -> SearchView {
    let opened = search.sheets.iter().map(|sheet| ResultView {
        address: sheet.page.address.clone(),
        title: Foreign(sheet.page.title.clone()),
        passage: Foreign(embedded::passages(view, sheet, PASSAGE_BYTES_MAX)),
        opened: true,
    });
    let is_opened = |address: &str| {
        search
            .sheets
            .iter()
            .any(|sheet| sheet.page.address == address)
    };
    let others = search.hits.iter().filter(|hit| !is_opened(&hit.address));
    let others = others.map(|hit| ResultView {
        address: hit.address.clone(),
        title: Foreign(hit.title.clone()),
        passage: Foreign(hit.snippet.clone()),
        opened: false,
    });
    SearchView {
        query: search.query.to_owned(),
        results: opened.chain(others).collect(),
        reflection: search.reflection.cloned(),
    }
}
