//! `research`: starts, follows, answers, stops and exports research without a window.

mod words;

use adjutant::service::Frame;
use adjutant::session::Session;
use adjutant_api::research::{
    Deeper, ResearchAct, ResearchAnswer, ResearchFormat, ResearchSources, ResearchState,
    ResearchView,
};
use adjutant_api::{EventBody, Fault, Reply, Request};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{Format, ResearchCommand, Where};
use crate::{End, print, reply, unexpected};

/// Runs a command.
pub(crate) async fn run(
    session: &Session,
    command: ResearchCommand,
    json: bool,
) -> Result<End, Fault> {
    match command {
        ResearchCommand::Start {
            text,
            why,
            success,
            sources,
            deeper,
            weekly,
            detach,
        } => {
            let act = ResearchAct::Start {
                objective: text.join(" "),
                why: why.unwrap_or_default(),
                success,
                sources: sources.map(place),
                deeper: deeper.as_deref().map(deeper_of).transpose()?,
                weekly,
            };
            begun(session, act, detach, json).await
        }
        ResearchCommand::Answer { id, text, detach } => {
            let text = text.join(" ");
            begun(session, ResearchAct::Answer { id, text }, detach, json).await
        }
        ResearchCommand::List => {
            let request = Request::Show {
                what: adjutant_api::Topic::Research,
                id: None,
                from: None,
                to: None,
                limit: None,
                offset: None,
                text: None,
                only: None,
            };
            list(session, request, json).await
        }
        ResearchCommand::Show { id } => show(session, id, json).await,
        ResearchCommand::Stop { id } => {
            let view = view_of(asked(session, ResearchAct::Stop { id }).await?)?;
            told(&view, json);
            Ok(End::Finished)
        }
        ResearchCommand::Resume { id, detach } => {
            begun(session, ResearchAct::Resume { id }, detach, json).await
        }
        ResearchCommand::WriteNow { id } => {
            let act = ResearchAct::WriteNow { id };
            told(&view_of(asked(session, act).await?)?, json);
            Ok(End::Finished)
        }
        ResearchCommand::Repeat { id, off } => {
            let act = ResearchAct::Repeat { id, weekly: !off };
            told(&view_of(asked(session, act).await?)?, json);
            Ok(End::Finished)
        }
        ResearchCommand::Export { id, format } => export(session, id, format, json).await,
        ResearchCommand::Compare { before, after } => {
            let act = ResearchAct::Compare { before, after };
            let answer = asked(session, act).await?;
            match &answer {
                ResearchAnswer::Compared(_) if json => print::json(&answer),
                ResearchAnswer::Compared(compared) => print::line(&words::compared(compared)),
                _ => return Err(unexpected()),
            }
            Ok(End::Finished)
        }
    }
}

/// Prints everything about a research.
pub(crate) async fn show(session: &Session, id: String, json: bool) -> Result<End, Fault> {
    let view = view_of(asked(session, ResearchAct::Show { id }).await?)?;
    match json {
        true => print::json(&[&view]),
        false => print::line(&words::whole(&view)),
    }
    Ok(End::Finished)
}

async fn list(session: &Session, request: Request, json: bool) -> Result<End, Fault> {
    let Reply::Rows { rows, .. } = reply(session, request).await? else {
        return Err(unexpected());
    };
    let adjutant_api::rows::Rows::Research(rows) = rows else {
        return Err(unexpected());
    };
    if json {
        print::json(&rows);
    } else if rows.is_empty() {
        print::aside("No research yet. Start with `adjutant research start TEXT`.");
    } else {
        rows.iter().for_each(|row| print::line(&words::row(row)));
    }
    Ok(End::Finished)
}

async fn export(session: &Session, id: String, format: Format, json: bool) -> Result<End, Fault> {
    let format = match format {
        Format::Md => ResearchFormat::Md,
        Format::Html => ResearchFormat::Html,
        Format::Bib => ResearchFormat::Bib,
        Format::Csl => ResearchFormat::Csl,
        Format::Json => ResearchFormat::Json,
        Format::Pdf => {
            return Err(Fault {
                code: "usage".into(),
                message: "The terminal cannot make a PDF.".into(),
                hint: format!(
                    "In the window, choose “Print or save as PDF” in Research. Or run `adjutant research export {id} --format html > report.html` and print that file in a browser."
                ),
            });
        }
    };
    let file = asked(session, ResearchAct::Export { id, format }).await?;
    if json {
        print::json(&file);
        return Ok(End::Finished);
    }
    let ResearchAnswer::File { text, .. } = file else {
        return Err(unexpected());
    };
    print::line(text.trim_end());
    Ok(End::Finished)
}

/// Starts or resumes a research and follows it, unless it asks something first.
async fn begun(
    session: &Session,
    act: ResearchAct,
    detach: bool,
    json: bool,
) -> Result<End, Fault> {
    let view = view_of(asked(session, act).await?)?;
    if view.asks.is_some() {
        told(&view, json);
        return Ok(End::NeedsAnswer);
    }
    if detach {
        told(&view, json);
        return Ok(End::Finished);
    }
    if !json {
        print::line(&words::begun(&view));
    }
    follow(session, &view.row.id, json).await
}

/// Follows a research until its report, or until it waits for something.
async fn follow(session: &Session, id: &str, json: bool) -> Result<End, Fault> {
    let act = ResearchAct::Follow { id: id.to_owned() };
    let mut frames = session.call(Request::Research { act }).await;
    let bar = (!json && print::on_terminal()).then(spinner);
    let mut answer = Err(unexpected());
    loop {
        let frame = tokio::select! {
            frame = frames.recv() => frame,
            _ = tokio::signal::ctrl_c() => {
                if let Some(bar) = bar {
                    bar.finish_and_clear();
                }
                print::aside(&format!(
                    "It continues while Adjutant runs, or with `adjutant research resume {id}`."
                ));
                return Ok(End::Interrupted);
            }
        };
        match frame {
            Some(Frame::Event(event)) if json => print::json(&event),
            Some(Frame::Event(event)) => {
                step(bar.as_ref(), &event.body);
                if let Some(bar) = bar.as_ref().filter(|_| words::moves_on(&event.body)) {
                    let act = ResearchAct::Show { id: id.to_owned() };
                    if let Ok(ResearchAnswer::Run { run }) = asked(session, act).await {
                        bar.set_prefix(words::standing(&run));
                    }
                }
            }
            Some(Frame::Reply(whole)) => answer = Ok(*whole),
            Some(Frame::Fault(fault)) => {
                answer = Err(fault);
                break;
            }
            Some(Frame::End) | None => break,
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let Reply::Research { found } = answer? else {
        return Err(unexpected());
    };
    let view = view_of(found)?;
    told(&view, json);
    Ok(match view.row.state {
        ResearchState::Failed | ResearchState::Paused => End::Failed,
        ResearchState::Asking => End::NeedsAnswer,
        _ => End::Finished,
    })
}

/// Creates a spinner that shows progress and remaining time before the current step.
fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{spinner} {prefix}{wide_msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Shows an event as one line: in place on a terminal, otherwise below the previous one.
fn step(bar: Option<&ProgressBar>, body: &EventBody) {
    let Some(line) = words::event(body) else {
        return;
    };
    match bar {
        Some(bar) => {
            bar.set_message(print::one_line(&line));
            bar.tick();
        }
        None => print::aside(&line),
    }
}

fn told(view: &ResearchView, json: bool) {
    match json {
        true => print::json(view),
        false => print::line(&words::whole(view)),
    }
}

fn place(one: Where) -> ResearchSources {
    match one {
        Where::Web => ResearchSources::Web,
        Where::Own => ResearchSources::Own,
        Where::Both => ResearchSources::Both,
    }
}

fn deeper_of(text: &str) -> Result<Deeper, Fault> {
    let parts = text.split_once(':');
    let read = parts.and_then(|(id, claim)| {
        let claim = claim.parse().ok()?;
        let id = id.to_owned();
        Some(Deeper { id, claim })
    });
    read.ok_or_else(|| Fault {
        code: "usage".into(),
        message: format!("“{text}” does not name a claim."),
        hint: "Give the ID of the research and the number of the claim, such as res_1:2.".into(),
    })
}

async fn asked(session: &Session, act: ResearchAct) -> Result<ResearchAnswer, Fault> {
    match reply(session, Request::Research { act }).await? {
        Reply::Research { found } => Ok(found),
        _ => Err(unexpected()),
    }
}

fn view_of(answer: ResearchAnswer) -> Result<ResearchView, Fault> {
    match answer {
        ResearchAnswer::Run { run } => Ok(*run),
        _ => Err(unexpected()),
    }
}
