//! `memory.forget`

use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Memory;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::same;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer;
use super::find::MemoryFilter;
use crate::effect::{CardDraft, Prepared, failed};
use crate::registry::{Acting, spec};
use crate::removal::removal;
use crate::select::{Ids, Which, targets};
use crate::words;

/// The tool `memory.forget`: forgets what is remembered.
pub(super) struct Forget;

/// Arguments of `memory.forget`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The memory.
    id: Option<Ids>,
    /// Several memories.
    ids: Option<Ids>,
    /// Or: which memories, by description.
    target: Option<MemoryFilter>,
}

#[async_trait]
impl Acting for Forget {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "memory.forget",
            Domain::Memory,
            Risk::Destroys,
            "Forgets something, with everything that was known about it before.",
            &[
                "forget that",
                "forget my",
                "forget what I told you about",
                "don’t remember that",
                "erase … from your memory",
                "delete the memory",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let chosen = targets(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        let rows = with_past(chosen.clone(), cx).await?;
        let what = match chosen.as_slice() {
            [one] => words::quoted(&one.key),
            many => words::plural(many.len(), "memory"),
        };
        let card = CardDraft::new(
            format!("Forget {what}"),
            "Forget",
            "It is also removed from search. Answers already given stay. Can be undone from Activity.",
        );
        let answer = answer(&chosen, chosen.len(), format!("Forgotten: {what}."), cx);
        Ok(removal(&rows, card, answer, cx))
    }
}

/// Adds what was known earlier under the same keys.
async fn with_past(chosen: Vec<Memory>, cx: &Cx) -> Result<Vec<Memory>, Stop> {
    let mut rows = chosen.clone();
    for one in &chosen {
        let past = cx
            .records
            .memories(&Filter::all().and(Test::Called(one.key.clone())))
            .await
            .map_err(failed)?;
        for row in past {
            if same(&row.key, &one.key)
                && row.valid_to.is_some()
                && !rows.iter().any(|other| other.id == row.id)
            {
                rows.push(row);
            }
        }
    }
    Ok(rows)
}
