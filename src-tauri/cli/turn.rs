//! Follows a turn: prints its events as they arrive and how it ends. Ctrl-C stops the turn but not the program; pressed
//! again, it ends the program too.

use std::time::Duration;

use adjutant::service::Frame;
use adjutant::session::Session;
use adjutant_api::event::ResultLine;
use adjutant_api::words::StepStatus;
use adjutant_api::{EventBody, Fault, Reply, Request, WireEvent};

use crate::{End, print, reply, unexpected};

/// Delay after which a waiting person is told what the turn is doing.
const SLOW_AFTER: Duration = Duration::from_secs(2);

/// Sends a request that leads to a turn and follows it to its end.
pub(crate) async fn follow(session: &Session, request: Request, json: bool) -> Result<End, Fault> {
    follow_turn(session, request, json)
        .await
        .map(|(end, _)| end)
}

/// Like [`follow`], but in a chat, where the next typed line is the reply.
pub(crate) async fn follow_in_talk(
    session: &Session,
    request: Request,
    json: bool,
) -> Result<End, Fault> {
    let told = ShownTurn {
        in_talk: true,
        ..ShownTurn::default()
    };
    let turn = follow_with(session, request, json, told).await;
    turn.map(|(end, _)| end)
}

/// Like [`follow`], but also returns the turn's id.
pub(crate) async fn follow_turn(
    session: &Session,
    request: Request,
    json: bool,
) -> Result<(End, Option<String>), Fault> {
    follow_with(session, request, json, ShownTurn::default()).await
}

async fn follow_with(
    session: &Session,
    request: Request,
    json: bool,
    mut told: ShownTurn,
) -> Result<(End, Option<String>), Fault> {
    let conversation = match &request {
        Request::Ask { conversation, .. } => Some(conversation.clone()),
        _ => None,
    };
    let mut frames = session.call(request).await;
    let mut turn: Option<String> = None;
    let mut end = None;
    let (mut stopping, mut deaf) = (false, false);
    told.shows_pieces = print::shows_pieces();
    loop {
        let frame = tokio::select! {
            frame = frames.recv() => frame,
            () = tokio::time::sleep(SLOW_AFTER), if !json && told.may_say_status() => {
                told.say_status();
                continue;
            }
            pressed = tokio::signal::ctrl_c(), if !deaf => {
                deaf = pressed.is_err();
                if deaf {
                    continue;
                }
                let interruption = interruption(turn.as_deref(), conversation.as_deref());
                let Some(interruption) = interruption.filter(|_| !stopping) else {
                    return Ok((End::Interrupted, turn));
                };
                stopping = true;
                if let Err(fault) = reply(session, interruption).await {
                    print::error(&fault.to_string());
                }
                continue;
            }
        };
        match frame {
            Some(Frame::Reply(reply)) => {
                if let Reply::Turn { turn: id, .. } = *reply {
                    turn = Some(id);
                }
            }
            Some(Frame::Fault(fault)) => return Err(fault),
            Some(Frame::Event(event)) => {
                if json {
                    print::json(&event);
                } else {
                    told.tell(&event);
                }
                end = ending(&event.body, conversation.is_some()).or(end);
            }
            Some(Frame::End) | None => break,
        }
    }
    end.map(|end| (end, turn)).ok_or_else(unexpected)
}

/// What was already shown of a running turn.
#[derive(Default)]
struct ShownTurn {
    /// Whether the person can type the reply next.
    in_talk: bool,
    /// The question and its choices; the answer of a waiting turn usually repeats them.
    asked: Vec<String>,
    /// The commands that approve and reject each card of the turn.
    cards: Vec<String>,
    /// The Markdown state of the streamed answer.
    markdown: print::Markdown,
    /// The answer so far; already on the screen if pieces are shown.
    answer: String,
    shows_pieces: bool,
    status: Option<String>,
}

impl ShownTurn {
    /// Shows what is new in an event.
    fn tell(&mut self, event: &WireEvent) {
        if let EventBody::Question { text, choices, .. } = &event.body {
            self.asked.push(text.clone());
            let labels = choices.iter().enumerate();
            let labels = labels.map(|(at, choice)| {
                let detail = choice.detail.iter().map(|detail| format!(", {detail}"));
                format!("{}. {}{}", at + 1, choice.label, detail.collect::<String>())
            });
            self.asked.extend(labels);
            return;
        }
        if !self.streams(&event.body) {
            say(event);
        }
        if let EventBody::ApprovalNeeded { id, digest, .. } = &event.body {
            let commands = format!(
                "  To approve: adjutant approve {id} --digest {digest}\n  To reject:  adjutant reject {id}"
            );
            if !self.in_talk {
                print::line(&commands);
            }
            self.cards.push(commands);
        }
        if let EventBody::Waiting { answer, .. } = &event.body {
            for line in self.asked.drain(..).filter(|line| !answer.contains(line)) {
                print::answer(&line);
            }
            self.say_how_to_decide();
        }
    }

    /// Tells how to decide. In a chat, the next line decides a single card; a yes to several would be ambiguous.
    fn say_how_to_decide(&mut self) {
        let cards = std::mem::take(&mut self.cards);
        match cards.as_slice() {
            _ if !self.in_talk => {}
            [_] => print::line(
                "Type “yes” to approve it, “no” to reject it, or say what should be different.",
            ),
            several => several.iter().for_each(|commands| print::line(commands)),
        }
    }

    /// Streams pieces of the answer on a terminal; a pipe gets the whole answer at the end. Returns whether nothing is
    /// left to show of the event.
    fn streams(&mut self, body: &EventBody) -> bool {
        match body {
            EventBody::Status { text } => self.status = Some(text.clone()),
            EventBody::Token { text, restart } => {
                if *restart && !self.answer.is_empty() {
                    self.answer.clear();
                    if self.shows_pieces {
                        print::end_of_pieces(&mut self.markdown);
                        print::line("…");
                    }
                }
                self.answer.push_str(text);
                if self.shows_pieces {
                    print::piece(text, &mut self.markdown);
                }
            }
            EventBody::Done { answer, .. } | EventBody::Waiting { answer, .. }
                if self.shows_pieces && !self.answer.is_empty() =>
            {
                // If the streamed pieces equal the final answer, nothing is left to show.
                let shown = self.answer.trim_end() == answer.trim_end();
                print::end_of_pieces(&mut self.markdown);
                self.answer.clear();
                return shown;
            }
            // The answer already told how far the turn came and that it was stopped.
            EventBody::Interrupted { .. } if !self.answer.is_empty() => {
                let answer = std::mem::take(&mut self.answer);
                if self.shows_pieces {
                    print::end_of_pieces(&mut self.markdown);
                } else {
                    print::answer(&answer);
                }
                return true;
            }
            EventBody::Error { .. } if self.shows_pieces && !self.answer.is_empty() => {
                self.answer.clear();
                print::end_of_pieces(&mut self.markdown);
            }
            _ => {}
        }
        false
    }

    fn may_say_status(&self) -> bool {
        self.status.is_some()
            && (self.answer.is_empty() || !self.shows_pieces)
            && print::on_terminal()
    }

    fn say_status(&mut self) {
        if let Some(status) = self.status.take() {
            print::aside(&format!("{status} …"));
        }
    }
}

/// Builds the request that stops only the followed turn. While the turn's id is unknown, stops its conversation. `None`
/// if neither is known, since a request without either would stop everything.
fn interruption(turn: Option<&str>, conversation: Option<&str>) -> Option<Request> {
    match (turn, conversation) {
        (None, None) => None,
        (Some(turn), _) => Some(Request::Interrupt {
            turn: Some(turn.to_owned()),
            conversation: None,
        }),
        (None, Some(conversation)) => Some(Request::Interrupt {
            turn: None,
            conversation: Some(conversation.to_owned()),
        }),
    }
}

/// Suggests what to say instead of what was not understood.
fn could_say(near: &[String]) -> String {
    let near: Vec<String> = near.iter().map(|one| format!("“{one}”")).collect();
    match near.as_slice() {
        [] => String::new(),
        near => format!("You could say {}.", near.join(" or ")),
    }
}

/// Returns how an event ends a command. An answer to what was `asked` ends well also if it says that there is nothing to
/// do; a decision whose action was not carried out does not.
fn ending(body: &EventBody, asked: bool) -> Option<End> {
    match body {
        EventBody::Done { results, .. } if !asked && results.iter().any(is_not_done) => {
            Some(End::Failed)
        }
        EventBody::Done { .. } => Some(End::Finished),
        EventBody::Waiting { approvals, .. } if !approvals.is_empty() => Some(End::NeedsApproval),
        EventBody::Waiting { .. } => Some(End::NeedsAnswer),
        EventBody::Interrupted { .. } => Some(End::Interrupted),
        EventBody::Error { .. } => Some(End::Failed),
        _ => None,
    }
}

/// Whether a step failed, or may have.
fn is_not_done(result: &ResultLine) -> bool {
    matches!(result.status, StepStatus::Failed | StepStatus::Unknown)
}

/// Prints an event for a person.
fn say(event: &WireEvent) {
    match &event.body {
        EventBody::Plan { request, steps, .. }
            if steps.len() > 1 && steps.iter().all(|step| step.status == StepStatus::Next) =>
        {
            print::aside(&format!("Understood as: {request}"));
            for (number, step) in steps.iter().enumerate() {
                print::aside(&format!("  {}. {}", number + 1, step.say));
            }
        }
        EventBody::ApprovalNeeded { id, shown, .. } => {
            print::line(&format!("Waiting for you ({id}):\n{}", print::card(shown)));
        }
        EventBody::Done { answer, near, .. } if !answer.is_empty() => {
            print::answer([answer.as_str(), &could_say(near)].join(" ").trim_end())
        }
        EventBody::Waiting { answer, .. } if !answer.is_empty() => print::answer(answer),
        EventBody::Interrupted { results } => {
            print::line("Stopped.");
            for result in results
                .iter()
                .filter(|result| result.status == StepStatus::Done)
            {
                print::line(&format!("  Already done: {}", result.say));
            }
        }
        EventBody::Error { message, hint, .. } => {
            print::error(format!("{message} {hint}").trim_end())
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_turn_that_is_followed_is_stopped() {
        let stopped = |turn, conversation| match interruption(turn, conversation) {
            Some(Request::Interrupt { turn, conversation }) => Some((turn, conversation)),
            Some(other) => panic!("{other:?}"),
            None => None,
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(stopped(Some("t"), Some("main")), Some((text("t"), None)));
        assert_eq!(stopped(None, Some("main")), Some((None, text("main"))));
        // A request that names nothing stops everything, also what others have asked.
        assert_eq!(stopped(None, None), None);
    }

    #[test]
    fn a_stopped_answer_is_told_once() {
        let token = |text: &str| EventBody::Token {
            text: text.into(),
            restart: false,
        };
        let interrupted = EventBody::Interrupted {
            results: Vec::new(),
        };
        for shows_pieces in [true, false] {
            let mut told = ShownTurn {
                shows_pieces,
                ..ShownTurn::default()
            };
            assert!(!told.streams(&interrupted), "nothing was told of it yet");
            told.streams(&token("A dragon … Stopped here by you."));
            assert!(told.streams(&interrupted), "it would be told a second time");
            assert!(told.answer.is_empty());
        }
    }
}
