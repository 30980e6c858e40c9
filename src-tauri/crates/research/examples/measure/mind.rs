//! Stand-ins for a model: none, nonsense, or a perfect planner that reads sub-questions from a file.

use std::collections::HashMap;
use std::error::Error;

use adjutant_research::StageContext;
use serde_json::{Value, json};

pub enum Mind {
    Embedded,
    Nonsense,
    Planner(HashMap<String, Vec<String>>),
}

impl Mind {
    pub fn read(name: Option<&str>) -> Result<Self, Box<dyn Error>> {
        let file = match name {
            None | Some("embedded") => return Ok(Self::Embedded),
            Some("nonsense") => return Ok(Self::Nonsense),
            Some(file) => file,
        };
        let mut chains = HashMap::new();
        for line in std::fs::read_to_string(file)?.lines() {
            let chain: Value = serde_json::from_str(line)?;
            let steps = chain["steps"].as_array().into_iter().flatten();
            let queries = steps
                .filter_map(|step| step["query"].as_str())
                .map(str::to_owned);
            chains.insert(
                chain["qid"].as_str().unwrap_or_default().to_owned(),
                queries.collect(),
            );
        }
        Ok(Self::Planner(chains))
    }

    pub const fn thinks(&self) -> bool {
        !matches!(self, Self::Embedded)
    }

    /// Returns the reply to a stage; `asked` counts the queries given so far.
    pub fn reply(&self, question: &str, context: &StageContext, asked: &mut usize) -> Value {
        match self {
            Self::Embedded => Value::Null,
            Self::Nonsense => nonsense(context),
            Self::Planner(chains) => match context {
                StageContext::Kickoff { objective } => json!({
                    "strategy": "step by step",
                    "questions": [{"name": "all", "question": objective, "goal": "an answer"}]
                }),
                StageContext::Search { .. } => {
                    let query = chains.get(question).and_then(|chain| chain.get(*asked));
                    *asked += 1;
                    query.map_or(Value::Null, |query| json!({"query": query}))
                }
                _ => Value::Null,
            },
        }
    }
}

fn nonsense(context: &StageContext) -> Value {
    match context {
        StageContext::Kickoff { .. } => {
            json!({"strategy": "purple", "questions": [{"name": "x", "question": "why are marbles loud", "goal": "soup"}]})
        }
        StageContext::Search { .. } => json!({"query": "marble soup lantern"}),
        StageContext::Reflect { .. } => {
            json!({"thought": "marbles", "delta": "progress", "done": true})
        }
        StageContext::Evaluate { .. } => {
            json!({"action": "spawn_new", "reasoning": "soup", "questions": [{"name": "x", "question": "is soup a lantern", "goal": "no"}]})
        }
        StageContext::Document { .. } => {
            json!({"answer": "42 marbles", "key_findings": [{"text": "a", "quote": "b c d", "source": "nowhere"}], "confidence": "high", "recommendation": "promising"})
        }
        StageContext::Synthesise { .. } => {
            json!({"answer": "Atlantis", "summary": "It is Atlantis.", "claims": [{"text": "Atlantis", "quote": "the city of Atlantis", "source": "https://nowhere.example"}]})
        }
        StageContext::Intake { .. } => Value::String("soup".to_owned()),
    }
}
