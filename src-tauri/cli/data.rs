//! Import, export, erasure, tools, settings, doctor and explain.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};

use adjutant::session::Session;
use adjutant_api::reply::Rejected;
use adjutant_api::rows::Rows;
use adjutant_api::usage::EstimateView;
use adjutant_api::{Fault, Reply, Request, Topic};
use serde_json::json;

use crate::{End, print, progress, reply, secrets, unexpected};

/// Template of the progress bar: files read, total, and current file.
const BAR: &str = "{bar:30} {pos}/{len} {msg}";

/// Imports files, with a progress bar on a terminal.
pub(crate) async fn import(
    session: &Session,
    paths: &[PathBuf],
    as_json: bool,
) -> Result<End, Fault> {
    let paths = paths.iter().map(|path| absolute(path)).collect();
    let request = Request::Import { paths };
    let Reply::Imported { report } = progress::follow(session, request, BAR, as_json).await? else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&report);
    } else {
        for count in &report.counts {
            print::line(&format!(
                "{}: {} new, {} changed, {} unchanged",
                count.topic, count.added, count.changed, count.same
            ));
        }
        if report.counts.is_empty() {
            print::line("Nothing was imported.");
        }
    }
    for refused in &report.rejected {
        print::aside(&format!("Not imported: {}", not_taken(refused)));
    }
    if report.rejected.is_empty() {
        return Ok(End::Finished);
    }
    let taken: u64 = report
        .counts
        .iter()
        .map(|count| count.added + count.changed + count.same)
        .sum();
    let left = match report.rejected.len() {
        1 => "1 was not imported. Correct it".to_owned(),
        many => format!("{many} were not imported. Correct them"),
    };
    let held = match taken {
        // Scripts must learn that nothing was imported.
        0 => {
            return Err(Fault {
                code: "nothing_imported".into(),
                message: format!("{left} and import again."),
                hint: String::new(),
            });
        }
        1 => "1 item is stored, ".to_owned(),
        many => format!("{many} items are stored, "),
    };
    print::error(&format!(
        "{held}{left} and import again; nothing is added twice."
    ));
    Ok(End::Failed)
}

/// Describes a rejected item and the reason, as a sentence; a whole file is named by its path alone.
fn not_taken(refused: &Rejected) -> String {
    let reason = refused.reason.trim_end_matches('.');
    match (refused.file.as_str(), refused.item.as_str()) {
        ("", item) => format!("{item} {reason}."),
        (file, "file") => format!("{file} {reason}."),
        (file, item) => format!("{file}, {item}: {reason}."),
    }
}

/// Exports everything to a folder.
pub(crate) async fn export(session: &Session, dir: &Path, as_json: bool) -> Result<End, Fault> {
    let Reply::Exported { dir, files } =
        reply(session, Request::Export { dir: absolute(dir) }).await?
    else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&json!({ "dir": dir, "files": files }));
    } else {
        print::line(&format!("Exported {} files to {dir}.", files.len()));
    }
    Ok(End::Finished)
}

/// Deletes everything in the profile after a typed confirmation.
pub(crate) async fn erase(session: &Session, yes: bool, as_json: bool) -> Result<End, Fault> {
    if !yes {
        if !std::io::stdin().is_terminal() {
            return Err(Fault {
                code: "usage".into(),
                message: "Erasing deletes everything in this profile for good.".into(),
                hint: "Add --yes to do it without being asked.".into(),
            });
        }
        print::aside("This deletes everything in this profile for good. Type “erase” to continue:");
        let mut typed = String::new();
        let read = std::io::stdin().lock().read_line(&mut typed);
        if read.is_err() || typed.trim() != "erase" {
            return Err(Fault {
                code: "refused".into(),
                message: "Nothing was deleted.".into(),
                hint: String::new(),
            });
        }
    }
    let Reply::Ok {} = reply(session, Request::Erase {}).await? else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&json!({ "erased": true }));
    } else {
        print::line("Everything in this profile is gone.");
    }
    Ok(End::Finished)
}

/// Lists the tools.
pub(crate) async fn tools(session: &Session, as_json: bool) -> Result<End, Fault> {
    let Reply::Tools { tools } = reply(session, Request::Tools {}).await? else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&tools);
    } else {
        let column = |name, fit| print::Column { name, fit };
        let columns = [
            column("name", print::Fit::Whole),
            column("risk", print::Fit::Whole),
            column("description", print::Fit::Cut),
        ];
        let rows = tools.iter().map(|tool| {
            vec![
                tool.name.clone(),
                tool.risk.to_string(),
                tool.description.clone(),
            ]
        });
        print::line(&print::table(&columns, &rows.collect::<Vec<_>>()));
    }
    Ok(End::Finished)
}

/// Shows or changes settings.
pub(crate) async fn config(
    session: &Session,
    request: Request,
    as_json: bool,
) -> Result<End, Fault> {
    let one = matches!(request, Request::ConfigGet { .. });
    let Reply::Config { settings } = reply(session, request).await? else {
        return Err(unexpected());
    };
    match settings.as_slice() {
        _ if as_json => print::json(&settings),
        [setting] if one => print::line(&setting.value),
        all => {
            for setting in all {
                print::line(&format!(
                    "# {}\n{} = {}",
                    setting.help, setting.key, setting.value
                ));
            }
        }
    }
    Ok(End::Finished)
}

/// Changes a setting. A secret is typed, piped in or deleted, never an argument, where other users could read it.
pub(crate) async fn set(
    session: &Session,
    key: String,
    value: Option<String>,
    forget: bool,
    as_json: bool,
) -> Result<End, Fault> {
    let usage = |message: &str, hint: String| Fault {
        code: "usage".into(),
        message: message.into(),
        hint,
    };
    let is_secret = adjutant_settings::SECRETS.contains(&key.as_str());
    let request = match value {
        value if !is_secret && !forget => Request::ConfigSet { key, value },
        _ if !is_secret => {
            let hint = format!(
                "To reset this setting to its default, leave out the value: adjutant config set {key}"
            );
            return Err(usage("--forget works only for secrets.", hint));
        }
        Some(_) => {
            let message =
                "Do not give a key as an argument, because it stays in the shell's history.";
            let hint = format!(
                "Get a new key from its provider, because this one may now be in the history. Run `adjutant config set {key}` and paste the new one when asked, or pipe it in."
            );
            return Err(usage(message, hint));
        }
        None if forget => Request::SecretSet { key, value: None },
        None => {
            let value = Some(secrets::one("key")?);
            Request::SecretSet { key, value }
        }
    };
    config(session, request, as_json).await
}

/// Reports what works and what is missing.
pub(crate) async fn doctor(session: &Session, as_json: bool) -> Result<End, Fault> {
    let Reply::Doctor { checks } = reply(session, Request::Doctor {}).await? else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&checks);
    } else {
        for check in &checks {
            let hint = if check.hint.is_empty() {
                String::new()
            } else {
                format!("\n         {}", check.hint)
            };
            print::line(&format!(
                "{:<9}{}: {}{hint}",
                check.state, check.name, check.found
            ));
        }
    }
    let broken: Vec<&str> = checks
        .iter()
        .filter(|check| check.state == "broken")
        .map(|check| check.name.as_str())
        .collect();
    if broken.is_empty() {
        return Ok(End::Finished);
    }
    print::error(&format!(
        "Broken: {}. The lines above say what to do.",
        broken.join(", ")
    ));
    Ok(End::Failed)
}

/// Prints to standard error how a message is understood.
pub(crate) async fn explain(
    session: &Session,
    conversation: &str,
    text: &str,
    tier: Option<&str>,
) -> Result<(), Fault> {
    let request = Request::Explain {
        conversation: conversation.to_owned(),
        text: text.to_owned(),
        tier: tier.map(str::to_owned),
    };
    let Reply::Explained { reading } = reply(session, request).await? else {
        return Err(unexpected());
    };
    let domains = if reading.domains.is_empty() {
        "none".to_owned()
    } else {
        reading.domains.join(", ")
    };
    print::aside(&format!(
        "Route: {} ({domains}), confidence {:.2}",
        reading.r#type, reading.confidence
    ));
    for line in &reading.lines {
        let words = if line.words.is_empty() {
            String::new()
        } else {
            format!(" “{}”", line.words)
        };
        print::aside(&format!("  {}{words}: {}", line.what, line.value));
    }
    print::aside(&format!(
        "Reading: {}: {}",
        reading.reading, reading.request
    ));
    for step in &reading.steps {
        print::aside(&format!("  {step}"));
    }
    if let Some(estimate) = &reading.estimate {
        at_most(estimate);
    }
    Ok(())
}

/// Prints the maximum cost of a message before it is sent.
fn at_most(estimate: &EstimateView) {
    if estimate.requests.is_empty() {
        print::aside("Models: none needed.");
        return;
    }
    print::aside(&format!(
        "Models: at most {} {}; usually much less.",
        estimate.at_most, estimate.currency
    ));
    for row in &estimate.requests {
        print::aside(&format!(
            "  {} ({}): {}, up to {} × {} tokens in and {} out",
            row.stage, row.tier, row.model, row.times, row.input, row.output
        ));
    }
    if let Some(unpriced) = &estimate.unpriced {
        print::aside(&format!("  {unpriced}"));
    }
    if estimate.over_call_limit {
        print::aside(
            "  One of these may exceed models.spend.call. Then a cheaper model answers, or none.",
        );
    }
}

/// Prints to standard error which models a turn used, for what, with which prompt, and at what cost.
pub(crate) async fn explain_stages(session: &Session, turn: String) -> Result<(), Fault> {
    let request = Request::Show {
        what: Topic::Usage,
        id: Some(turn),
        from: None,
        to: None,
        limit: None,
        offset: None,
        text: None,
        only: None,
    };
    let Reply::Rows {
        rows: Rows::Calls(mut calls),
        ..
    } = reply(session, request).await?
    else {
        return Err(unexpected());
    };
    if calls.is_empty() {
        print::aside("Models: none asked.");
    }
    calls.sort_by_key(|call| call.id);
    for call in calls {
        let ms = call.ms.map_or_else(|| "…".to_owned(), |ms| ms.to_string());
        let first = call
            .first_ms
            .map(|ms| format!(", first after {ms} ms"))
            .unwrap_or_default();
        let fault = call
            .fault
            .map(|fault| format!(": {fault}"))
            .unwrap_or_default();
        let cost = if call.cost_micros > 0 {
            format!(", {} {}", call.cost, call.currency)
        } else {
            String::new()
        };
        print::aside(&format!(
            "Stage {}: {} ({}), {} tokens in, {} out{cost}, {ms} ms{first}, {}, {}{fault}",
            call.stage, call.model, call.tier, call.input, call.output, call.prompt, call.state
        ));
    }
    Ok(())
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path)
        .unwrap_or_else(|_| path.to_path_buf())
        .display()
        .to_string()
}
