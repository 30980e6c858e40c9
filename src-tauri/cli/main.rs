//! `adjutant`, the command line: the same engine without a window, with one file per command.

mod accounts;
mod args;
mod browser;
mod by_hand;
mod chat;
mod connect;
mod data;
mod estimate;
mod eval;
mod eval_model;
mod grants;
mod mcp_serve;
mod models;
mod outgoing;
mod own;
mod print;
mod progress;
mod research;
mod run;
mod secrets;
mod servers;
mod show;
mod turn;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use adjutant::sentences::Sentences;
use adjutant::session::{Options, Session};
use adjutant_api::{Fault, Reply, Request};
use clap::Parser as _;

use args::{
    AccountsCommand, Cli, Command, ConfigCommand, JobAct, McpCommand, ModelsCommand, Suite, What,
};

/// Exit codes of commands (CONTRACTS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The command finished.
    Finished = 0,
    /// The command failed.
    Failed = 1,
    /// The command was called incorrectly.
    Usage = 2,
    /// The turn waits for approval.
    NeedsApproval = 3,
    /// The turn waits for an answer.
    NeedsAnswer = 4,
    /// The command was interrupted.
    Interrupted = 130,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error),
    };
    let as_json = cli.common.json;
    observe();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            let fault = Fault {
                code: "system".into(),
                message: format!("Adjutant cannot start: {error}."),
                hint: "Close other programs and try again.".into(),
            };
            print::fault(&fault, as_json);
            return ExitCode::FAILURE;
        }
    };
    let end = runtime.block_on(run_command(cli)).unwrap_or_else(|fault| {
        print::fault(&fault, as_json);
        if fault.code == "usage" {
            End::Usage
        } else {
            End::Failed
        }
    });
    // All necessary writes are done. Threads that are still blocked (on typed input or a locked keyring) must not delay
    // the exit.
    runtime.shutdown_background();
    if std::io::stdout().flush().is_err() {
        return ExitCode::FAILURE;
    }
    ExitCode::from(end as u8)
}

/// Reports invalid arguments. Also prints help and version, which clap returns as errors.
fn not_understood(error: &clap::Error) -> ExitCode {
    let as_json = std::env::args_os().any(|arg| arg == "--json");
    if error.use_stderr() && as_json {
        print::fault(&args::fault_of(error), true);
    } else if error.print().is_err() {
        return ExitCode::FAILURE;
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(End::Usage as u8))
}

/// Sends logs to standard error; `RUST_LOG` sets their level.
#[expect(
    clippy::disallowed_methods,
    reason = "the log filter is read once, at the start"
)]
fn observe() {
    let filter = std::env::var("RUST_LOG").unwrap_or_default();
    let setup = adjutant_observe::Setup {
        filter,
        ..adjutant_observe::Setup::default()
    };
    if let Err(problem) = adjutant_observe::init(&setup) {
        print::error(&format!("Adjutant cannot write logs: {problem}."));
    }
}

async fn run_command(cli: Cli) -> Result<End, Fault> {
    let Cli { common, command } = cli;
    if let Command::Eval {
        suite,
        input,
        output,
        embedded: _,
        model,
        yes,
        sentences,
    } = command
    {
        if model {
            eval_model::plays_a_part(suite)?;
        }
        let sentences = if sentences {
            Some(eval::sentences(&common)?)
        } else {
            None
        };
        let (Some(input), Some(output), true) = (&input, &output, model) else {
            return evaluate(suite, input, output, sentences.as_ref(), common.json).await;
        };
        let run = eval_model::Run {
            input,
            output,
            sentences: sentences.as_ref(),
            yes,
            json: common.json,
        };
        let session = Session::open(&common.options()).await?;
        let end = eval_model::run(&session, &run).await;
        leave(&session).await;
        return end;
    }
    let session = Session::open(&common.options()).await?;
    if session.service().is_some_and(|service| service.read_only()) {
        print::aside("This profile is read-only: you can see everything but change nothing.");
    }
    if session.passes_environment_over() {
        print::aside(
            "Another Adjutant has this profile open, so its models answer. The model settings in your environment are ignored.",
        );
    }
    let end = dispatch(&session, &common.options(), command, common.json).await;
    leave(&session).await;
    end
}

/// Closes the session. First serves commands that arrived from other processes, unless interrupted.
async fn leave(session: &Session) {
    tokio::select! {
        () = session.hand_over() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    session.close().await;
}

async fn dispatch(
    session: &Session,
    options: &Options,
    command: Command,
    json: bool,
) -> Result<End, Fault> {
    match command {
        Command::Ask {
            text,
            conversation,
            explain,
            tier,
        } => {
            let text = text.join(" ");
            let tier = tier.map(args::Tier::name);
            if explain {
                data::explain(session, &conversation, &text, tier).await?;
            }
            let request = Request::Ask {
                conversation,
                text,
                tier: tier.map(str::to_owned),
            };
            let asked = async {
                let (end, turn) = turn::follow_turn(session, request, json).await?;
                if let Some(turn) = turn.filter(|_| explain) {
                    data::explain_stages(session, turn).await?;
                }
                Ok(end)
            };
            outgoing::and_tell(session, json, asked).await
        }
        Command::Chat { conversation } => chat::run(session, &conversation, json).await,
        Command::Show {
            what: What::Research,
            id: Some(id),
            ..
        } => research::show(session, id, json).await,
        Command::Show {
            what,
            id,
            from,
            to,
            limit,
            after,
        } => {
            show::run(
                session,
                options,
                Request::Show {
                    what: what.into(),
                    id,
                    from,
                    to,
                    limit,
                    offset: after,
                    text: None,
                    only: None,
                },
                json,
            )
            .await
        }
        Command::Approve { id, digest } => {
            let approved = turn::follow(session, Request::Approve { id, digest }, json);
            outgoing::and_tell(session, json, approved).await
        }
        Command::Grants { command } => grants::run(session, options, command, json).await,
        Command::Stop => grants::stop(session, json).await,
        Command::Reject { id } => turn::follow(session, Request::Reject { id }, json).await,
        Command::Edit { id, args, call } => {
            turn::follow(session, Request::Edit { id, args, call }, json).await
        }
        Command::Again { id } => turn::follow(session, Request::AskAgain { id }, json).await,
        Command::Plan { change } => by_hand::plan(session, change, json).await,
        Command::Outbox { id, act } => by_hand::outbox(session, id, act, json).await,
        Command::Conversation { id, act } => by_hand::conversation(session, id, act, json).await,
        Command::Job {
            id,
            act: JobAct::Stop,
        } => by_hand::stop_job(session, id, json).await,
        Command::Search { text, limit } => {
            by_hand::search(session, text.join(" "), limit, json).await
        }
        Command::Undo { id } => turn::follow(session, Request::Undo { id }, json).await,
        Command::Import { paths } => data::import(session, &paths, json).await,
        Command::Export { dir } => data::export(session, &dir, json).await,
        Command::Erase { yes } => data::erase(session, yes, json).await,
        Command::Run { once } => run::run(session, once, json).await,
        Command::Research { command } => research::run(session, command, json).await,
        Command::Models { command } => {
            let command = command.unwrap_or(ModelsCommand::List);
            models::run(session, command, json).await
        }
        Command::Accounts { command } => {
            let command = command.unwrap_or(AccountsCommand::List);
            accounts::run(session, options, command, json).await
        }
        Command::Mcp {
            command: McpCommand::Servers(command),
        } => servers::run(session, command, json).await,
        Command::Mcp {
            command: McpCommand::Serve { http, new_token },
        } => mcp_serve::run(session, http, new_token, json).await,
        Command::Tools => data::tools(session, json).await,
        Command::Config {
            command: ConfigCommand::Get { key: Some(key) },
        } => data::config(session, Request::ConfigGet { key }, json).await,
        Command::Config {
            command: ConfigCommand::Get { key: None },
        } => data::config(session, Request::ConfigList {}, json).await,
        Command::Config {
            command: ConfigCommand::Set { key, value, forget },
        } => {
            estimate::tell_comparison(session, &key, value.as_deref()).await;
            data::set(session, key, value, forget, json).await
        }
        Command::Doctor => data::doctor(session, json).await,
        Command::Eval {
            suite,
            input,
            output,
            ..
        } => evaluate(suite, input, output, None, json).await,
    }
}

async fn evaluate(
    suite: Suite,
    input: Option<PathBuf>,
    output: Option<PathBuf>,
    sentences: Option<&Sentences>,
    json: bool,
) -> Result<End, Fault> {
    match (input, output) {
        (None, None) if suite == Suite::Own => own::run(json).await,
        (Some(input), Some(output)) if suite != Suite::Own => {
            eval::run(suite, &input, &output, sentences, json)
        }
        _ => Err(args::suite_without_its_files(suite)),
    }
}

/// Sends a request and returns its reply; ignores events.
pub(crate) async fn reply(session: &Session, request: Request) -> Result<Reply, Fault> {
    let mut frames = session.call(request).await;
    let mut result = None;
    while let Some(frame) = frames.recv().await {
        match frame {
            adjutant::service::Frame::Reply(reply) => result = Some(Ok(*reply)),
            adjutant::service::Frame::Fault(fault) => result = Some(Err(fault)),
            adjutant::service::Frame::Event(_) => {}
            adjutant::service::Frame::End => break,
        }
    }
    result.unwrap_or_else(|| Err(unexpected()))
}

/// Returns the fault for a reply of the wrong kind.
pub(crate) fn unexpected() -> Fault {
    Fault {
        code: "protocol".into(),
        message: "The answer was cut off.".into(),
        hint: "Try again. `adjutant doctor` shows whether something is wrong.".into(),
    }
}
