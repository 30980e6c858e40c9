//! `calc.evaluate`

use std::sync::Arc;

use adjutant_domain::gate::Risk;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::{Calculator, Cx};
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::clock::clock;
use super::elapsed::{End, Unit, elapsed};
use crate::registry::{Reading, spec};
use crate::select::{People, bad};

/// Maximum characters of one calculation.
const TEXT_CHARS_MAX: usize = 1_000;

/// The tool `calc.evaluate`: computes arithmetic and times between moments.
pub(super) struct Evaluate {
    pub(super) calculator: Arc<dyn Calculator>,
}

/// Arguments of `calc.evaluate`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The arithmetic, in words or signs.
    text: Option<String>,
    /// Instead of it: how long it is from this moment or event on; from now on when only `to` is given.
    from: Option<End>,
    /// How long it is until this moment or event; until now when only `from` is given.
    to: Option<End>,
    /// The unit of that answer.
    unit: Option<Unit>,
    /// Instead of both: what time it is for this person.
    person: Option<People>,
    /// The moment of that; now if missing.
    at: Option<Moment>,
}

#[async_trait]
impl Reading for Evaluate {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let usual = spec(
            "calc.evaluate",
            Domain::Calc,
            Risk::Read,
            "Computes numbers, percentages, units, dates and time zones.",
            &[
                "what is 15 % of",
                "how much is",
                "calculate",
                "convert … to",
                "how many … in",
                "days until",
                "what time is it in",
                "plus",
                "divided by",
                "square root of",
            ],
        );
        ToolSpec {
            judges: true,
            glances: true,
            ..usual
        }
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        if let Some(person) = &args.person {
            return clock(person, args.at.as_ref(), cx).await;
        }
        let Some(text) = args.text else {
            let (from, to) = (args.from.as_ref(), args.to.as_ref());
            let (say, minutes) = elapsed(from, to, args.unit, cx)?;
            return Ok(answer(json!({"minutes": minutes, "say": say}), say));
        };
        if args.from.is_some() || args.to.is_some() {
            return Err(bad("Either a text or the ends of a time, not both."));
        }
        if text.chars().count() > TEXT_CHARS_MAX {
            return Err(bad(format!(
                "A calculation has at most {TEXT_CHARS_MAX} characters."
            )));
        }
        let done = self.calculator.evaluate(&text, &cx.now, &cx.settings)?;
        let output = json!({
            "text": done.text, "result": done.result, "number": done.number, "say": done.say,
        });
        Ok(answer(output, done.say))
    }
}

fn answer(output: Value, say: String) -> Answer {
    Answer {
        output,
        say,
        referents: Vec::new(),
        taint: Taint::Clean,
        used_memories: Vec::new(),
    }
}
