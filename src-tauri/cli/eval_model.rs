//! `eval route --model`: if the embedded engine is unsure, asks the profile's models to route the message, through the
//! same chain and limits as in a turn. Prints the possible cost first and the actual cost at the end.

use std::io::Write as _;
use std::path::Path;

use adjutant::sentences::Sentences;
use adjutant::session::Session;
use adjutant_api::reply::RoutedByModel;
use adjutant_api::usage::EstimateView;
use adjutant_api::{Fault, Reply, Request, SaidBefore};
use adjutant_domain::model::tokens;
use adjutant_engine::stages::route::is_sure;
use adjutant_settings::Money;
use adjutant_understanding::route::{Domain, Prediction, Route, RouteKind};
use futures::StreamExt as _;
use serde_json::{Value, json};

use super::eval::{self, Summary};
use crate::args::Suite;
use crate::{End, print, progress, reply, unexpected};

/// Maximum number of concurrent requests: a home server handles few, and providers reject many.
const AT_ONCE_MAX: usize = 4;
/// Number of requests from which a run counts as large and needs confirmation.
const LARGE: usize = 20;
/// Template of the progress bar: requests made, total, and remaining time.
const BAR: &str = "{bar:30} {pos}/{len} {eta}";

/// The parameters of a run.
pub(crate) struct Run<'a> {
    pub(crate) input: &'a Path,
    pub(crate) output: &'a Path,
    pub(crate) sentences: Option<&'a Sentences>,
    /// Whether the person agreed to the possible cost.
    pub(crate) yes: bool,
    pub(crate) json: bool,
}

/// Checks that a suite uses a model.
///
/// # Errors
/// Returns a fault if it does not.
pub(crate) fn plays_a_part(suite: Suite) -> Result<(), Fault> {
    let does = match suite {
        Suite::Route => return Ok(()),
        Suite::When => "only the embedded engine reads times",
        Suite::Confirm => "only the embedded engine reads yes and no",
        Suite::Repair => "it reads what a model has already printed",
        Suite::Own => "it measures the embedded engine",
    };
    Err(Fault {
        code: "usage".into(),
        message: format!("This suite uses no model: {does}."),
        hint: "Leave out --model; only `eval route` takes it.".into(),
    })
}

/// Predicts all cases of a file, writes them in the same order, and prints a summary.
pub(crate) async fn run(session: &Session, run: &Run<'_>) -> Result<End, Fault> {
    let cases: Vec<Case> = eval::cases(run.input)?
        .map(|case| Ok(Case::read(case?, run.sentences)))
        .collect::<Result<_, Fault>>()?;
    let unsure: Vec<usize> = (0..cases.len()).filter(|at| !cases[*at].sure).collect();
    let mut asked = ModelReplies::default();
    // Check before spending money.
    eval::may_be_written(run.output)?;
    if unsure.is_empty() {
        print::aside("The embedded engine is sure of every case, so no model was asked.");
    } else {
        answers(session).await?;
        let estimate = estimate(session, &cases).await?;
        asked.currency.clone_from(&estimate.currency);
        tell(&estimate);
        if unsure.len() >= LARGE && print::on_terminal() && !run.yes && !agreed() {
            print::aside("Nothing was asked.");
            return Ok(End::Failed);
        }
        asked.routes = ask(session, &cases, &unsure, run.json).await;
    }
    let mut out = eval::created(run.output)?;
    let mut summary = Summary::default();
    for (at, case) in cases.iter().enumerate() {
        let prediction = asked.prediction(at, case, &mut summary);
        eval::write(&mut out, run.output, &case.line, prediction)?;
    }
    out.flush()
        .map_err(|error| eval::io_fault(run.output, &error))?;
    summary.print(run.json);
    Ok(asked.tell(unsure.len()))
}

/// A case with the embedded engine's prediction.
struct Case {
    line: Value,
    route: Route,
    micros: u64,
    sure: bool,
}

impl Case {
    fn read(line: Value, sentences: Option<&Sentences>) -> Self {
        let (route, micros) = eval::timed(|| eval::embedded_route(&line, sentences));
        let sure = is_sure(&route, line["text"].as_str().unwrap_or_default(), false);
        Self {
            line,
            route,
            micros,
            sure,
        }
    }

    fn request(&self) -> Request {
        let before = eval::said_before(&self.line).into_iter();
        Request::RouteByModel {
            text: self.line["text"].as_str().unwrap_or_default().to_owned(),
            history: before
                .map(|said| SaidBefore {
                    by_person: said.by_person,
                    text: said.text.to_owned(),
                })
                .collect(),
        }
    }

    fn said_tokens(&self) -> u64 {
        let before = eval::said_before(&self.line);
        let before: u64 = before.iter().map(|said| tokens::estimate(said.text)).sum();
        before + tokens::estimate(self.line["text"].as_str().unwrap_or_default())
    }
}

/// Checks that a model can be asked.
async fn answers(session: &Session) -> Result<(), Fault> {
    let Reply::Models { models } = reply(session, Request::Models {}).await? else {
        return Err(unexpected());
    };
    if models.answering.is_some() {
        return Ok(());
    }
    let problem = models.connections.into_iter().find_map(|one| one.problem);
    Err(Fault {
        code: "no_model".into(),
        message: problem.unwrap_or_else(|| "No model is connected.".into()),
        hint: "Connect one with `adjutant models add`, or leave out --model to use only the embedded engine."
            .into(),
    })
}

async fn estimate(session: &Session, cases: &[Case]) -> Result<EstimateView, Fault> {
    let unsure = cases.iter().filter(|case| !case.sure);
    let request = Request::EstimateRoutes {
        messages: unsure.clone().count() as u64,
        said_tokens: unsure.map(Case::said_tokens).sum(),
    };
    match reply(session, request).await? {
        Reply::Estimated { estimate } => Ok(estimate),
        _ => Err(unexpected()),
    }
}

fn tell(estimate: &EstimateView) {
    for row in &estimate.requests {
        print::aside(&format!(
            "{} requests to {}, up to {} tokens in and {} out each: at most {} {}, usually much less.",
            row.times, row.model, row.input, row.output, estimate.at_most, estimate.currency
        ));
    }
    if let Some(unpriced) = &estimate.unpriced {
        print::aside(unpriced);
    }
}

fn agreed() -> bool {
    print::aside("Send these requests? Type “yes” to start:");
    print::says_yes()
}

/// Asks models about the unsure cases, a few concurrently. Returns the replies and durations in the order of `unsure`.
async fn ask(
    session: &Session,
    cases: &[Case],
    unsure: &[usize],
    as_json: bool,
) -> Vec<(usize, Result<RoutedByModel, Fault>, u64)> {
    let bar = progress::bar(BAR, as_json);
    if let Some(bar) = &bar {
        bar.set_length(unsure.len() as u64);
    }
    let one = async |at: usize| {
        let (replied, micros) = eval::timed_while(reply(session, cases[at].request())).await;
        if let Some(bar) = &bar {
            bar.inc(1);
        }
        let routed = match replied {
            Ok(Reply::RoutedByModel { routed }) => Ok(routed),
            Ok(_) => Err(unexpected()),
            Err(fault) => Err(fault),
        };
        (at, routed, micros)
    };
    let requests = futures::stream::iter(unsure.iter().copied()).map(one);
    let replies = requests.buffered(AT_ONCE_MAX).collect().await;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    replies
}

/// The models' replies.
#[derive(Default)]
struct ModelReplies {
    /// Sorted by the position of the case.
    routes: Vec<(usize, Result<RoutedByModel, Fault>, u64)>,
    currency: String,
}

impl ModelReplies {
    /// Returns the prediction for a case: the model's if it was asked. If it gave none, predicts conversation, as in a
    /// turn.
    fn prediction(&self, at: usize, case: &Case, summary: &mut Summary) -> Value {
        let place = self.routes.binary_search_by_key(&at, |(at, ..)| *at);
        let asked = place.ok().map(|place| &self.routes[place]);
        let micros = case.micros + asked.map_or(0, |(.., micros)| *micros);
        let mut value = match asked {
            Some((_, Ok(routed), _)) => json!({
                "type": routed.r#type,
                "domains": routed.domains,
                "is_followup": routed.is_followup,
                "confidence": routed.confidence,
                "by": routed.by,
            }),
            Some((_, Err(_), _)) => json!(Prediction::from(Route {
                kind: RouteKind::Chat,
                domains: Vec::new(),
                ..case.route.clone()
            })),
            None => json!(Prediction::from(case.route.clone())),
        };
        let domains: Vec<Domain> =
            serde_json::from_value(value["domains"].clone()).unwrap_or_default();
        summary.count(&eval::route_label(&domains));
        summary.micros.push(micros);
        value["micros"] = micros.into();
        value
    }

    /// Prints what was asked, what it cost, and why some requests failed.
    fn tell(&self, wanted: usize) -> End {
        let routed = self
            .routes
            .iter()
            .filter_map(|(_, routed, _)| routed.as_ref().ok());
        let (mut answered, mut cost) = (0, 0_u64);
        for one in routed {
            answered += 1;
            cost = cost.saturating_add(one.cost_micros);
        }
        if wanted > 0 {
            print::aside(&format!(
                "A model answered {answered} of {wanted}, for {} {}.",
                Money::from_micros(cost),
                self.currency
            ));
        }
        let mut faults = self
            .routes
            .iter()
            .filter_map(|(_, routed, _)| routed.as_ref().err());
        let Some(fault) = faults.next() else {
            return End::Finished;
        };
        print::error(&format!(
            "The others count as conversation, as in a turn. The first of them failed: {fault}"
        ));
        if answered == 0 {
            End::Failed
        } else {
            End::Finished
        }
    }
}
