//! Connects, chooses and tests language models.

mod draft;
mod fetch;
mod route;

use adjutant_api::models::{
    AgreementRow, ComparisonsView, ConnectionDraft, ConnectionView, DifferenceRow, FoundModelView,
    FoundServerView, KindView, ModelCheck, ModelOutcome, ModelTestView, ModelView, ModelsView,
    SecretText, SideView,
};
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::sentence;
use adjutant_domain::model::{ModelFault, ModelTool, Purpose, Tier};
use adjutant_domain::moment::rfc3339;
use adjutant_domain::ports::SecretFault;
use adjutant_engine::context::prompts::{ChatProbe, Echo, StructureProbe, ToolsProbe};
use adjutant_engine::shadow::{Compared, Side};
use adjutant_engine::stages::Failed;
use adjutant_models::discover::{FoundModel, USUAL_PLACES, discover, models};
use adjutant_models::file;
use adjutant_models::probe::{ProbeAsks, Verdict};
use adjutant_models::{Connection, ModelChoice, ProviderKind};
use adjutant_prompts::{PromptFault, RequestOptions, request, schema_of};
use adjutant_store::Store;
use secrecy::SecretString;

use super::store_fault;
use crate::models::{Connected, Models, NotKept, Outcome};
use draft::{Drafted, check_encrypted, filled, read};
pub(super) use fetch::{Fetcher, Fetching, fetch, files, offered, stop};
pub(super) use route::route;

/// Maximum number of differences shown.
const DIFFERENCES_SHOWN: usize = 20;
/// The word that a tested model is asked to say.
const PROBE_WORD: &str = "marigold";

/// Returns the connected models.
pub(super) async fn show(room: &Models) -> Reply {
    shown(room, room.note()).await
}

/// Describes what a change could not delete from the keyring.
fn left_behind(fault: &SecretFault) -> String {
    format!(
        "{} Secrets of the connection may still be in it. Remove the entries named “adjutant” with the keyring's own program.",
        sentence(&fault.to_string())
    )
}

/// Returns the connected models, with a note about a change.
async fn shown(room: &Models, note: Option<String>) -> Reply {
    // Read the keys first, since the reply shows which are available.
    room.unlocked().await;
    let outcomes = room.outcomes().await.unwrap_or_else(|fault| {
        tracing::warn!(%fault, "how the models fared could not be read");
        Vec::new()
    });
    Reply::Models {
        models: ModelsView {
            connections: room.all().iter().map(view).collect(),
            kinds: kinds().map(kind_view).collect(),
            answering: room.answering(),
            offline: room.is_offline(),
            last: outcomes.into_iter().map(outcome).collect(),
            note,
        },
    }
}

/// Finds model servers on this computer.
pub(super) async fn find(room: &Models) -> Reply {
    let servers = discover(&room.net(), &USUAL_PLACES)
        .await
        .into_iter()
        .map(|server| FoundServerView {
            label: server.label,
            kind: word(server.kind),
            base_url: server.base_url.to_string(),
            models: server.models.iter().map(found).collect(),
        })
        .collect();
    Reply::FoundModels { servers }
}

/// Lists the models of a provider.
pub(super) async fn list(
    room: &Models,
    draft: ConnectionDraft,
    key: Option<SecretText>,
) -> Result<Reply, Fault> {
    let Drafted {
        mut connection,
        mut secrets,
        ..
    } = read(draft, &room.all())?;
    if let Some(key) = key.and_then(filled) {
        let name = Connection::key_name(&connection.name);
        connection.key = Some(name.clone());
        secrets.insert(name, key);
    }
    check_encrypted(&connection)?;
    let keys = room.keys(std::slice::from_ref(&connection), &secrets).await;
    let list = models(&connection, &room.net(), &keys)
        .await
        .map_err(|fault| list_fault(&fault))?;
    Ok(Reply::ModelList {
        models: list.iter().map(found).collect(),
    })
}

/// Returns the connection that a draft describes, without storing it.
pub(super) fn drafted(room: &Models, draft: ConnectionDraft) -> Result<Connection, Fault> {
    read(draft, &room.all()).map(|drafted| drafted.connection)
}

/// Stores a connection.
pub(super) async fn connect(
    room: &Models,
    draft: ConnectionDraft,
    key: Option<SecretText>,
) -> Result<Reply, Fault> {
    let Drafted {
        mut connection,
        secrets,
        moved,
    } = read(draft, &room.all())?;
    if connection.models.is_empty() {
        return Err(at("model", "A connection needs a model.", "Choose one."));
    }
    if let Some(path) = connection.file() {
        let facts = file::look(&path)
            .await
            .map_err(|wrong| at("address", &wrong.to_string(), ""))?;
        for choice in connection.models.values_mut() {
            // For a local model file, use the values of the runtime.
            choice.context_tokens = facts.window;
            choice.tools = false;
        }
    }
    let mut keyed = connection.clone();
    if let Some(SecretText(text)) = &key {
        let name = Connection::key_name(&connection.name);
        keyed.key = (!text.trim().is_empty()).then_some(name);
    }
    check_encrypted(&keyed)?;
    let key = key.map(|SecretText(text)| SecretString::from(text));
    let moved = (moved && key.is_none()).then(|| {
        "The connection has a new address, and the key and headers of the old one are not sent there. If the new one needs them, enter them again.".to_owned()
    });
    let stayed = room
        .connect(connection, key, secrets)
        .await
        .map_err(not_kept)?;
    let notes: Vec<String> = moved
        .into_iter()
        .chain(stayed.as_ref().map(left_behind))
        .collect();
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    Ok(shown(room, note).await)
}

/// Removes a connection.
pub(super) async fn disconnect(room: &Models, name: &str) -> Result<Reply, Fault> {
    known(room, name)?;
    let stayed = room.disconnect(name).await.map_err(not_kept)?;
    Ok(shown(room, stayed.as_ref().map(left_behind)).await)
}

/// Moves a connection to the front.
pub(super) async fn prefer(room: &Models, name: &str) -> Result<Reply, Fault> {
    known(room, name)?;
    room.prefer(name).await.map_err(not_kept)?;
    Ok(show(room).await)
}

/// Returns how the candidate compares with the live models.
pub(super) async fn comparisons(store: &Store) -> Result<Reply, Fault> {
    let (agreement, differences) = store
        .comparisons(DIFFERENCES_SHOWN)
        .await
        .map_err(store_fault)?;
    let side = |side: Side| SideView {
        model: side.model,
        gist: side.gist,
    };
    Ok(Reply::Comparisons {
        comparisons: ComparisonsView {
            agreement: agreement
                .into_iter()
                .map(|one| AgreementRow {
                    candidate: one.candidate,
                    stage: one.stage,
                    of: one.of,
                    same: one.same,
                })
                .collect(),
            differences: differences
                .into_iter()
                .filter_map(|what| serde_json::from_value::<Compared>(what).ok())
                .map(|one| DifferenceRow {
                    turn: one.turn.map(|turn| turn.0),
                    stage: one.stage.name().into(),
                    live: side(one.live),
                    candidate: side(one.candidate),
                })
                .collect(),
        },
    })
}

/// Tests a connection and stores what was learned about it.
pub(super) async fn test(room: &Models, name: &str, tier: Option<&str>) -> Result<Reply, Fault> {
    let tier = match tier {
        None => Tier::Standard,
        Some(word) => tier_of(word)?,
    };
    let kept = room.all();
    let one = kept
        .into_iter()
        .find(|one| one.connection.name == name)
        .ok_or_else(unknown)?;
    let asks = asks(tier).map_err(|fault| Fault {
        code: "internal".into(),
        message: sentence(&fault.to_string()),
        hint: String::new(),
    })?;
    let report = room.test(&one, tier, asks).await;
    if !one.from_environment {
        let mut learned = one.connection.clone();
        for (of, choice) in &mut learned.models {
            if *of == tier || one.connection.models.len() == 1 {
                *choice = report.learned(choice);
            }
        }
        room.learn(&one.connection, learned)
            .await
            .map_err(not_kept)?;
    }
    let check = |what: &str, verdict: &Verdict| {
        let (verdict, say) = match verdict {
            Verdict::Works => ("works", String::new()),
            Verdict::Missing { why } => ("missing", sentence(why)),
            Verdict::Failed { fault } => ("failed", advice(fault)),
            Verdict::NotTried => ("not_tried", String::new()),
        };
        ModelCheck {
            what: what.into(),
            verdict: verdict.into(),
            say,
        }
    };
    Ok(Reply::ModelTest {
        test: ModelTestView {
            model: report.model.clone(),
            checks: vec![
                check("chat", &report.chat),
                check("stream", &report.stream),
                check("tools", &report.tools),
                check("structure", &report.structure),
                check("embeddings", &report.embeddings),
            ],
            first_ms: report.first_ms,
            tokens_per_second: report.tokens_per_second,
            cost_micros: report.cost_micros,
        },
    })
}

fn asks(tier: Tier) -> Result<ProbeAsks, PromptFault> {
    let ask = || RequestOptions {
        tier,
        purpose: Purpose::Foreground,
        turn: None,
    };
    let word = PROBE_WORD.to_owned();
    let tool = ModelTool {
        name: "probe.say".into(),
        description: "Says a word.".into(),
        schema: schema_of::<Echo>(),
    };
    let mut tools = request(&ToolsProbe { word: word.clone() }, ask(), Vec::new())?;
    tools.tools.push(tool);
    Ok(ProbeAsks {
        chat: request(&ChatProbe { word: word.clone() }, ask(), Vec::new())?,
        tools,
        structure: request(&StructureProbe { word }, ask(), Vec::new())?,
    })
}

fn view(one: &Connected) -> ConnectionView {
    let connection = &one.connection;
    ConnectionView {
        name: connection.name.clone(),
        kind: word(connection.kind),
        base_url: connection.base_url.to_string(),
        has_key: connection.key.is_some(),
        headers: connection.headers.iter().cloned().collect(),
        proxy: connection.proxy.clone(),
        unencrypted: connection.unencrypted.then_some(true),
        proxy_password: connection
            .proxy
            .is_some()
            .then_some(connection.proxy_password),
        models: connection
            .models
            .iter()
            .map(|(tier, choice)| (tier.name().to_owned(), model_view(choice)))
            .collect(),
        embedding: connection.embedding.clone(),
        local: connection.is_local(),
        from_environment: one.from_environment,
        problem: one.problem.as_ref().map(advice),
    }
}

fn outcome(outcome: Outcome) -> ModelOutcome {
    ModelOutcome {
        model: outcome.model,
        at: rfc3339(&outcome.at),
        fault: outcome.fault,
    }
}

fn model_view(choice: &ModelChoice) -> ModelView {
    ModelView {
        id: choice.id.clone(),
        context_tokens: choice.context_tokens,
        tools: choice.tools,
        structure: choice.structure,
        input_micros_per_million: choice.input_micros_per_million.unwrap_or(0),
        output_micros_per_million: choice.output_micros_per_million.unwrap_or(0),
        free: choice.free.then_some(true),
    }
}

fn found(model: &FoundModel) -> FoundModelView {
    FoundModelView {
        id: model.id.clone(),
        context_tokens: model.context_tokens,
        embeds: model.embeds == Some(true),
    }
}

/// Returns the kinds that can be connected. Includes model files only if the runtime for them is available.
fn kinds() -> impl Iterator<Item = ProviderKind> {
    let file = file::ready().is_ok().then_some(ProviderKind::File);
    ProviderKind::ALL.into_iter().chain(file)
}

fn kind_view(kind: ProviderKind) -> KindView {
    KindView {
        kind: word(kind),
        label: kind.label().into(),
        base_url: kind.usual_base().unwrap_or_default().into(),
    }
}

/// Returns the serialised name of a kind.
fn word(kind: ProviderKind) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Parses the tier that a message asks for, if any.
pub(super) fn chosen_tier(word: Option<&str>) -> Result<Option<Tier>, Fault> {
    word.map(tier_of).transpose()
}

fn tier_of(word: &str) -> Result<Tier, Fault> {
    Tier::ALL
        .into_iter()
        .find(|tier| tier.name() == word)
        .ok_or_else(|| {
            usage(
                &format!("“{word}” is not a tier."),
                "Choose fast, standard or deep.",
            )
        })
}

/// Returns what went wrong and what to do next.
fn advice(fault: &ModelFault) -> String {
    let failed = Failed::Model(fault.clone());
    format!("{} {}", failed.sentence(), failed.hint())
        .trim()
        .to_owned()
}

/// Converts the reason why a provider's models could not be listed. No particular model was requested yet, so a missing
/// model means that the address is not a provider's.
fn list_fault(fault: &ModelFault) -> Fault {
    let failed = Failed::Model(fault.clone());
    let field = match fault {
        ModelFault::Key { .. } => "key",
        ModelFault::Unreachable { .. }
        | ModelFault::Stalled { .. }
        | ModelFault::Cut { .. }
        | ModelFault::NoSuchModel { .. }
        | ModelFault::Broken { .. }
        | ModelFault::Unreadable { .. } => "address",
        _ => "model",
    };
    at(field, &failed.sentence(), failed.hint())
}

fn known(room: &Models, name: &str) -> Result<(), Fault> {
    let all = room.all();
    match all.iter().find(|one| one.connection.name == name) {
        Some(one) if one.from_environment => Err(from_environment()),
        Some(_) => Ok(()),
        None => Err(unknown()),
    }
}

/// Returns the fault for an unknown connection.
pub(super) fn unknown() -> Fault {
    Fault {
        code: "not_found".into(),
        message: "There is no connection with that name.".into(),
        hint: "See your connections in Settings, Models (`adjutant models`).".into(),
    }
}

fn from_environment() -> Fault {
    usage(
        "This connection comes from the environment.",
        "Change ADJUTANT_MODEL_URL, ADJUTANT_MODEL and ADJUTANT_MODEL_KEY, or use another name.",
    )
}

fn not_kept(fault: NotKept) -> Fault {
    match fault {
        NotKept::Store(fault) => store_fault(fault),
        NotKept::TooMany => usage(&sentence(&fault.to_string()), "Remove one first."),
        NotKept::Key(fault) => Fault {
            code: "keyring".into(),
            message: format!("The key was not stored: {fault}."),
            hint: "Start or unlock this computer's keyring and try again, or give the key in ADJUTANT_MODEL_KEY. Adjutant never writes keys to files.".into(),
        },
    }
}

/// Returns a fault of one field of a draft: `name`, `kind`, `address`, `key`, `model`, `headers` or `proxy`.
fn at(field: &str, message: &str, hint: &str) -> Fault {
    Fault {
        code: field.into(),
        message: message.into(),
        hint: hint.into(),
    }
}

fn usage(message: &str, hint: &str) -> Fault {
    Fault {
        code: "usage".into(),
        message: message.into(),
        hint: hint.into(),
    }
}
