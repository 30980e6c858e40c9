//! `models`: connects, chooses and tests language models.

mod fetch;

use adjutant::session::Session;
use adjutant_api::models::{FoundServerView, ModelTestView, ModelsView};
use adjutant_api::{Fault, Reply, Request};

use crate::args::ModelsCommand;
use crate::{End, connect, estimate, print, reply, unexpected};

/// Runs a command.
pub(crate) async fn run(
    session: &Session,
    command: ModelsCommand,
    json: bool,
) -> Result<End, Fault> {
    match command {
        ModelsCommand::List => show(reply(session, Request::Models {}).await?, json),
        ModelsCommand::Find => find(session, json).await,
        ModelsCommand::Fetch { what, sha256, yes } => match what {
            Some(what) => fetch::fetch(session, what, sha256, yes, json).await,
            None => fetch::list(session, json).await,
        },
        ModelsCommand::Add(args) => connect::add(session, *args, json).await,
        ModelsCommand::Remove { name } => show(
            reply(session, Request::DisconnectModel { name }).await?,
            json,
        ),
        ModelsCommand::Prefer { name } => {
            show(reply(session, Request::PreferModel { name }).await?, json)
        }
        ModelsCommand::Compare { name: None } => compare(session, json).await,
        ModelsCommand::Compare { name: Some(name) } => {
            estimate::comparison(session, name, json).await
        }
        ModelsCommand::Test { name, tier } => test(session, name, tier, json).await,
    }
}

/// Prints the connections.
pub(crate) fn show(reply: Reply, json: bool) -> Result<End, Fault> {
    let Reply::Models { models } = reply else {
        return Err(unexpected());
    };
    if json {
        print::json(&models);
    } else {
        connections(&models);
        if let Some(note) = &models.note {
            print::aside(note);
        }
    }
    Ok(End::Finished)
}

fn connections(models: &ModelsView) {
    if models.connections.is_empty() {
        print::line("No model is connected. Adjutant works without one, and can do more with one.");
        print::aside(
            "Find one on this computer with `adjutant models find`, or connect one with `adjutant models add`.",
        );
        return;
    }
    for (n, one) in models.connections.iter().enumerate() {
        let place = if one.local {
            "on this computer"
        } else {
            "not on this computer"
        };
        print::line(&format!(
            "{}. {} ({}, {place})",
            n + 1,
            one.name,
            one.base_url
        ));
        for (tier, model) in &one.models {
            print::line(&format!("   {tier}: {}", model.id));
        }
        if let Some(problem) = &one.problem {
            print::line(&format!("   {problem}"));
        }
    }
    match &models.answering {
        Some(model) => print::line(&format!("Usual requests go to {model}.")),
        None => print::line("None of them is available now."),
    }
}

async fn find(session: &Session, json: bool) -> Result<End, Fault> {
    let Reply::FoundModels { servers } = reply(session, Request::FindModels {}).await? else {
        return Err(unexpected());
    };
    if json {
        print::json(&servers);
        return Ok(End::Finished);
    }
    if servers.is_empty() {
        print::line("No model server was found on this computer.");
        print::aside(
            "Adjutant looks for Ollama, LM Studio, llama.cpp and vLLM on their usual ports. Start one and try again.",
        );
    }
    for server in &servers {
        found(server);
    }
    Ok(End::Finished)
}

fn found(server: &FoundServerView) {
    print::line(&format!("{} ({})", server.label, server.base_url));
    for model in &server.models {
        let note = if model.embeds { ", for vectors" } else { "" };
        print::line(&format!("   {}{note}", model.id));
    }
    if let Some(model) = server.models.iter().find(|model| !model.embeds) {
        print::line(&format!(
            "   adjutant models add {} --kind {} --url {} --model {}",
            server.label.to_lowercase().replace([' ', '.'], ""),
            server.kind,
            server.base_url,
            model.id
        ));
    }
}

async fn compare(session: &Session, json: bool) -> Result<End, Fault> {
    let Reply::Comparisons { comparisons } = reply(session, Request::Comparisons {}).await? else {
        return Err(unexpected());
    };
    if json {
        print::json(&comparisons);
        return Ok(End::Finished);
    }
    if comparisons.agreement.is_empty() {
        print::line("Nothing has been compared yet.");
        print::aside(
            "Connect a second model and see what a comparison would cost with `adjutant models compare NAME`. Then run `adjutant config set models.shadow NAME`: Adjutant asks that model as well, without using its replies.",
        );
    }
    for one in &comparisons.agreement {
        print::line(&format!(
            "{} {}: the same in {} of {}",
            one.candidate, one.stage, one.same, one.of
        ));
    }
    for one in &comparisons.differences {
        print::line(&format!(
            "  {}: {} {}, {} {}",
            one.stage, one.live.model, one.live.gist, one.candidate.model, one.candidate.gist
        ));
    }
    Ok(End::Finished)
}

async fn test(
    session: &Session,
    name: String,
    tier: Option<String>,
    json: bool,
) -> Result<End, Fault> {
    let Reply::ModelTest { test } = reply(session, Request::TestModel { name, tier }).await? else {
        return Err(unexpected());
    };
    if json {
        print::json(&test);
    } else {
        report(&test);
    }
    let answers = test
        .checks
        .iter()
        .any(|check| check.what == "chat" && check.verdict == "works");
    if answers {
        return Ok(End::Finished);
    }
    print::error(&format!(
        "{} does not answer properly. The lines above say what happened and what to do.",
        test.model
    ));
    Ok(End::Failed)
}

fn report(test: &ModelTestView) {
    print::line(&test.model);
    for check in &test.checks {
        let verdict = check.verdict.replace('_', " ");
        let why = if check.say.is_empty() { "" } else { ": " };
        print::line(&format!("  {:<11} {verdict}{why}{}", check.what, check.say));
    }
    if let Some(ms) = test.first_ms {
        print::line(&format!("  first words after {ms} ms"));
    }
    if let Some(speed) = test.tokens_per_second {
        print::line(&format!("  {speed:.0} tokens per second"));
    }
}
