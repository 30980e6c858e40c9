//! Checks the keyring and the models: which connections respond, with which key, for which tier. Prints no keys and
//! makes no requests that cost money.

use std::collections::BTreeMap;

use adjutant_api::reply::Check;
use adjutant_domain::model::{ModelFault, Tier};
use adjutant_engine::stages::Failed;
use adjutant_models::discover::roll_call;
use adjutant_models::{Connection, ModelChoice};

use super::{OPTIONAL, line};
use crate::models::{Connected, Models};

/// Minimum number of tokens for a plan: instructions, time, the person and a reserve (1000), the reply (2000), and the
/// most needed tools.
const PLAN_WINDOW_TOKENS: u32 = 4_000;
/// Number of available models named when the chosen one is missing.
const NAMED_MAX: usize = 5;

/// Returns the lines for the keyring, which accounts may need as well, and for the models.
pub(super) async fn checks(room: &Models, accounts_need_it: bool) -> Vec<Check> {
    room.unlocked().await;
    let all = room.all();
    let models_need_it = all
        .iter()
        .any(|one| !one.from_environment && !one.connection.secrets().is_empty());
    let mut checks = vec![keyring(room, models_need_it || accounts_need_it).await];
    if let Some(problem) = room.environment_problem() {
        checks.push(line(
            "Model quick",
            "broken",
            problem,
            "Correct or remove ADJUTANT_MODEL_URL and ADJUTANT_MODEL in the environment.",
        ));
    }
    if all.is_empty() {
        checks.push(line(
            "Models",
            OPTIONAL,
            "none is connected; Adjutant works without one",
            "Find one on this computer in Settings, Models (`adjutant models find`).",
        ));
        return checks;
    }
    let connections: Vec<Connection> = all.iter().map(|one| one.connection.clone()).collect();
    let keys = room.keys(&connections, &BTreeMap::new()).await;
    let answers = roll_call(&connections, &room.net(), &keys).await;
    let told = all.iter().zip(answers);
    checks.extend(told.map(|(one, answer)| connection(room.is_offline(), one, answer)));
    checks
}

/// Without a keyring, everything that needs neither a password nor a key still works.
async fn keyring(room: &Models, is_needed: bool) -> Check {
    match room.keyring().await {
        Ok(()) => line(
            "Keyring",
            "ok",
            "it works; passwords of accounts and keys of models are kept there",
            "",
        ),
        Err(why) => line(
            "Keyring",
            if is_needed { "broken" } else { OPTIONAL },
            format!("{why}; passwords of accounts and keys of models are kept only there"),
            KEYRING_HINT,
        ),
    }
}

const KEYRING_HINT: &str = if cfg!(target_os = "linux") {
    "Start and unlock a keyring (GNOME Keyring, KWallet) in this session. Accounts without a password and models on this computer need none; the key of a model can be given for one run in ADJUTANT_MODEL_KEY."
} else {
    "Unlock the system's keyring and try again. Accounts without a password and models on this computer need none; the key of a model can be given for one run in ADJUTANT_MODEL_KEY."
};

fn connection(offline: bool, one: &Connected, answer: Result<Vec<String>, ModelFault>) -> Check {
    let connection = &one.connection;
    let name = format!("Model {}", connection.name);
    let what = describe(connection);
    if offline && !connection.is_local() {
        return line(
            &name,
            "missing",
            format!("{what}; not asked, because Adjutant is offline"),
            "Start Adjutant online (without `--offline`) to use it, or connect a model on this computer.",
        );
    }
    match (answer, &one.problem) {
        (Ok(there), _) => match gone(connection, &there) {
            Some(id) => line(
                &name,
                "broken",
                format!("{what}; it answers, but has no model {id}"),
                &instead(connection, &there),
            ),
            None => line(
                &name,
                "ok",
                format!("{what}; it answers"),
                &small_window(connection)
                    .or_else(|| one.unpriced())
                    .unwrap_or_default(),
            ),
        },
        // Some gateways list no models but still answer; a test shows whether this one does.
        (Err(ModelFault::NoSuchModel { .. } | ModelFault::Refused { .. }), None) => line(
            &name,
            "ok",
            format!("{what}; a server answers there but does not list its models"),
            &format!(
                "Test in Settings, Models whether it works (`adjutant models test {}`).",
                quoted(&connection.name)
            ),
        ),
        (Err(fault), _) => {
            let why = match &fault {
                ModelFault::Unreachable { why, .. } if !why.is_empty() => format!(" ({why})"),
                _ => String::new(),
            };
            let failed = Failed::Model(fault);
            let sentence = failed.sentence();
            line(
                &name,
                "broken",
                format!("{what}; {}{why}", sentence.trim_end_matches('.')),
                failed.hint(),
            )
        }
    }
}

/// Returns advice if a model's context window is too small for a plan.
fn small_window(connection: &Connection) -> Option<String> {
    let mut models = connection.models.values();
    let small = models.find(|model| model.context_tokens < PLAN_WINDOW_TOKENS)?;
    Some(format!(
        "The context window of {} is set to {} tokens, but a plan takes about {PLAN_WINDOW_TOKENS}. Correct it in Settings, Models (`--context-tokens`), or choose a model with a larger one.",
        small.id, small.context_tokens
    ))
}

/// Describes the address of a connection, which models serve which tiers, and whether it has a key.
fn describe(connection: &Connection) -> String {
    let tiers: Vec<String> = connection
        .models
        .iter()
        .map(|(tier, choice)| format!("{}: {}", tier.name(), choice.id))
        .chain(
            connection
                .embedding
                .iter()
                .map(|id| format!("vectors: {id}")),
        )
        .collect();
    let place = if connection.is_local() {
        "on this computer"
    } else {
        "not on this computer"
    };
    let key = if connection.key.is_some() {
        "with a key"
    } else {
        "without a key"
    };
    let proxy = match &connection.proxy {
        Some(proxy) if !connection.is_local() => format!(", through {proxy}"),
        _ => String::new(),
    };
    format!(
        "{} {place}{proxy}, {key}, {}",
        connection.base_url,
        tiers.join(", ")
    )
}

/// Returns the first chosen model that the server does not list. An empty list proves nothing.
fn gone<'a>(connection: &'a Connection, there: &[String]) -> Option<&'a str> {
    let chosen = Tier::ALL
        .into_iter()
        .filter_map(|tier| connection.models.get(&tier))
        .map(|ModelChoice { id, .. }| id)
        .chain(&connection.embedding)
        .map(String::as_str);
    // Ollama lists `name:latest` for `name`, and Gemini may prefix names with their folder.
    let is_there = |id: &str| {
        let id = id.strip_prefix("models/").unwrap_or(id);
        there
            .iter()
            .any(|one| one == id || one.strip_suffix(":latest") == Some(id))
    };
    if there.is_empty() {
        return None;
    }
    let mut chosen = chosen;
    chosen.find(|id| !is_there(id))
}

fn instead(connection: &Connection, there: &[String]) -> String {
    let some: Vec<&str> = there.iter().take(NAMED_MAX).map(String::as_str).collect();
    format!(
        "In Settings, Models, choose one that it has, such as {} (`adjutant models add {} --kind … --model …`).",
        some.join(", "),
        quoted(&connection.name)
    )
}

fn quoted(name: &str) -> String {
    if name.contains(' ') {
        format!("\"{name}\"")
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_models::ProviderKind;

    fn with(id: &str) -> Connection {
        let base = Connection::address("http://127.0.0.1:11434").expect("an address");
        Connection::new("home", ProviderKind::Ollama, base, ModelChoice::named(id))
    }

    #[test]
    fn a_model_is_looked_for_by_the_name_its_server_gives_it() {
        let there = ["qwen3:latest".to_owned(), "llama3:8b".to_owned()];
        assert_eq!(gone(&with("qwen3"), &there), None);
        assert_eq!(gone(&with("models/llama3:8b"), &there), None);
        assert_eq!(gone(&with("llama3"), &there), Some("llama3"));
        assert_eq!(gone(&with("anything"), &[]), None);
        let mut vectors = with("qwen3");
        vectors.embedding = Some("nomic".into());
        assert_eq!(gone(&vectors, &there), Some("nomic"));
    }

    #[test]
    fn a_window_without_room_for_a_plan_is_told() {
        let mut connection = with("qwen3");
        assert_eq!(small_window(&connection), None);
        for model in connection.models.values_mut() {
            model.context_tokens = 2_048;
        }
        let told = small_window(&connection).expect("it is told");
        assert!(
            told.contains("2048") && told.contains("--context-tokens"),
            "{told}"
        );
    }
}
