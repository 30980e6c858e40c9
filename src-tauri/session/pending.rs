//! A request and what was heard of its answer, so that another holder can go on with it.

use adjutant_api::programs::ProgramAct;
use adjutant_api::{EventBody, Fault, Request, WireEvent};

use crate::service::{Frame, everything_changed};

/// A request whose answer is not complete.
pub(super) struct Pending {
    request: Request,
    /// Its reply was heard.
    replied: bool,
    /// Number of the last event heard.
    heard: i64,
}

impl Pending {
    pub(super) fn new(request: Request) -> Self {
        Self {
            request,
            replied: false,
            heard: 0,
        }
    }

    /// The request for the next holder: a subscription goes on after the last event heard.
    pub(super) fn request(&self) -> Request {
        match &self.request {
            Request::Subscribe { conversation, from } => Request::Subscribe {
                conversation: conversation.clone(),
                from: (*from).max(self.heard.saturating_add(1)),
            },
            other => other.clone(),
        }
    }

    /// What whoever asked gets of a frame. A second reply is one to a subscription that goes on: changes in between were
    /// missed.
    pub(super) fn hear(&mut self, frame: Frame) -> Option<Frame> {
        match &frame {
            Frame::Reply(_) if self.replied => {
                let whole_profile = matches!(
                    &self.request,
                    Request::Subscribe { conversation, .. } if conversation.is_empty()
                );
                return whole_profile
                    .then(|| Frame::Event(Box::new(no_turn(everything_changed()))));
            }
            Frame::Reply(_) => self.replied = true,
            Frame::Event(event) => self.heard = self.heard.max(event.seq),
            Frame::Fault(_) | Frame::End => {}
        }
        Some(frame)
    }

    /// Whether some of the answer was heard, so that what comes next may repeat it.
    pub(super) fn has_begun(&self) -> bool {
        self.replied
    }

    /// Whether it may be asked again although a holder may have done it already.
    pub(super) fn is_repeatable(&self) -> bool {
        match &self.request {
            Request::Subscribe { .. } | Request::Notify {} | Request::FetchModelFile { .. } => true,
            Request::Show { .. }
            | Request::MailPage { .. }
            | Request::Search { .. }
            | Request::Explain { .. }
            | Request::Glance { .. }
            | Request::MemoryUses { .. }
            | Request::Repeats { .. }
            | Request::EstimateRoutes { .. }
            | Request::EstimateComparison { .. }
            | Request::EstimateVectors { .. }
            | Request::Tools {}
            | Request::Programs {
                request: ProgramAct::Tools {} | ProgramAct::Admit { .. },
            }
            | Request::ConfigList {}
            | Request::ConfigGet { .. }
            | Request::Doctor {}
            | Request::Status {}
            | Request::Scoreboard {}
            | Request::Timings {}
            | Request::Models {}
            | Request::FindModels {}
            | Request::ListModels { .. }
            | Request::ModelFiles {}
            | Request::OfferModelFile { .. }
            | Request::Comparisons {} => !self.replied,
            _ => false,
        }
    }

    /// The fault of a request of which nobody knows whether it was done.
    pub(super) fn unknown(&self) -> Fault {
        let hint = match &self.request {
            Request::Ask { conversation, .. } => format!(
                "Look at the conversation before you ask again (`adjutant show messages {conversation}`)."
            ),
            _ => {
                "Look at what was done in Activity before you try again (`adjutant show activity`)."
                    .into()
            }
        };
        Fault {
            code: "holder".into(),
            message: "The Adjutant that had this profile open was ended before it answered; it is not known whether this was done."
                .into(),
            hint,
        }
    }
}

/// An event that belongs to no turn.
fn no_turn(body: EventBody) -> WireEvent {
    WireEvent {
        body,
        turn: String::new(),
        seq: 0,
        conversation: String::new(),
    }
}
