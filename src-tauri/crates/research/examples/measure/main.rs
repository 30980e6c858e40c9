//! Runs the machine over a closed corpus, in process, and prints one line of JSON a question for `research_score.py`.
//!
//! `measure CORPUS QUESTIONS [--half even|odd] [--merge N] [--snippet N] [--texts FILE] [--mind embedded|nonsense|FILE]`
//!
//! The search is the BM25 of the research server: k1 1.2, b .75, over title and text, with snippets of about 200
//! characters or of `--snippet N`. Each line of `--texts FILE` is `{"id","text"}`: what an extractor made of a whole
//! page, used when the page is opened. `--merge N` joins N passages into each page, which makes retrieval harder.
//! `--mind FILE` asks the sub-questions of a file such as `gold_chain.jsonl` in place of a model; `nonsense` replies
//! with nonsense.

mod engine;
mod mind;

use std::error::Error;
use std::fs;

use adjutant_research::{Brief, Command, Hit, Input, Limits, Page, Run, WrittenBy};
use engine::Engine;
use mind::Mind;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|one| one == name)?;
        arguments.get(at + 1).cloned()
    };
    let [corpus, questions, ..] = arguments.as_slice() else {
        return Err("give the corpus and the questions".into());
    };
    let merge = option("--merge").map_or(Ok(1), |text| text.parse())?;
    let snippet = option("--snippet").map_or(Ok(engine::SNIPPET_CHARS), |text| text.parse())?;
    let mut engine = Engine::new(&fs::read_to_string(corpus)?, merge, snippet)?;
    if let Some(texts) = option("--texts") {
        engine.set_texts(&fs::read_to_string(texts)?)?;
    }
    let mind = Mind::read(option("--mind").as_deref())?;
    for (at, line) in fs::read_to_string(questions)?.lines().enumerate() {
        let skip = match option("--half").as_deref() {
            Some("even") => at % 2 == 1,
            Some("odd") => at % 2 == 0,
            _ => false,
        };
        if !skip {
            let question: Value = serde_json::from_str(line)?;
            println!("{}", one(&engine, &mind, &question)?);
        }
    }
    Ok(())
}

/// Researches one question and returns its line of output.
fn one(engine: &Engine, mind: &Mind, question: &Value) -> Result<Value, Box<dyn Error>> {
    let text = question["question"].as_str().unwrap_or_default();
    let id = question["qid"].as_str().unwrap_or_default();
    let criteria = ["an answer with its sources".to_owned()];
    let brief = Brief::draft(text, "to know", &criteria)
        .clear()
        .map_err(|missing| format!("{id} lacks {missing:?}"))?;
    let by = if mind.thinks() {
        WrittenBy::Model
    } else {
        WrittenBy::Embedded
    };
    let mut run = Run::new(&brief, Limits::default(), by);
    let (mut queries, mut pages) = (Vec::new(), Vec::new());
    let mut todo: std::collections::VecDeque<Command> = run.next(Input::Begin).into();
    let mut asked = 0;
    while let Some(command) = todo.pop_front() {
        let input = match command {
            Command::Search(step) => {
                queries.push(step.query.clone());
                let hits = engine.search(&step.query, step.limit as usize);
                let hits = hits.into_iter().map(|at| Hit {
                    address: engine.address(at),
                    title: engine.pages[at].title.clone(),
                    snippet: engine.snippet(&step.query, at),
                });
                Input::Searched {
                    key: step.key,
                    hits: hits.collect(),
                    credits: 1,
                }
            }
            Command::Open(step) => {
                pages.push(step.address.clone());
                let page = engine.open(&step.address).ok_or("no such page")?;
                Input::Opened {
                    key: step.key,
                    page: Box::new(Page {
                        title: page.title.clone(),
                        text: page.text.clone(),
                        sha256: page.id.clone(),
                        fetched_at: jiff::Timestamp::UNIX_EPOCH,
                        cut: false,
                    }),
                    credits: 0,
                }
            }
            Command::Ask(step) => {
                let reply = mind.reply(id, &step.context, &mut asked);
                Input::Replied {
                    key: step.key,
                    reply,
                    credits: 1,
                }
            }
            Command::Save { .. } | Command::Cancel(_) | Command::Finish(_) => continue,
        };
        todo.extend(run.next(input));
    }
    let report = run.report().ok_or("no report")?;
    let claims: Vec<Value> = report
        .claims
        .iter()
        .map(|claim| json!({"text": claim.text, "quote": claim.quote, "source": claim.source}))
        .collect();
    Ok(json!({
        "qid": id, "queries": queries, "pages": engine.whole(&pages), "claims": claims,
        "answer": report.answer.as_ref().map_or("", |answer| answer.text.as_str()),
        "confidence": report.confidence, "limitations": report.limitations,
    }))
}
