//! A request and what has been received of its answer, so that another holder can continue it.

use adjutant_api::programs::ProgramAct;
use adjutant_api::{EventBody, Fault, Request, WireEvent};

use crate::service::{Frame, everything_changed};

/// A request whose answer is not complete.
pub(super) struct Pending {
    request: Request,
    /// Whether the reply has arrived.
    replied: bool,
    /// Sequence number of the last event received.
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

    /// Returns the request for the next holder; a subscription continues after the last event received.
    pub(super) fn request(&self) -> Request {
        match &self.request {
            Request::Subscribe { conversation, from } => Request::Subscribe {
                conversation: conversation.clone(),
                from: (*from).max(self.heard.saturating_add(1)),
            },
            other => other.clone(),
        }
    }

    /// Returns the frame to pass on to the caller, or `None` to drop it. A second reply means that a subscription was
    /// resumed; if it covers the whole profile, an event that everything changed stands in for the changes missed in
    /// between.
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

    /// Whether part of the answer has arrived, so that the next holder may repeat it.
    pub(super) fn has_begun(&self) -> bool {
        self.replied
    }

    /// Whether the request may be sent again although a holder may already have carried it out.
    pub(super) fn is_repeatable(&self) -> bool {
        match &self.request {
            Request::Subscribe { .. } | Request::Notify {} | Request::FetchModelFile { .. } => true,
            Request::Show { .. }
            | Request::MailPage { .. }
            | Request::MailInvitation { .. }
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

    /// Returns the fault for a request that may or may not have been carried out.
    pub(super) fn unknown(&self) -> Fault {
        let hint = match &self.request {
            Request::Ask { conversation, .. } => format!(
                "Check the conversation before you ask again (`adjutant show messages {conversation}`)."
            ),
            _ => "Check Activity before you try again (`adjutant show activity`).".into(),
        };
        Fault {
            code: "holder".into(),
            message: "The Adjutant that had this profile open ended before it answered. It is not known whether this was done."
                .into(),
            hint,
        }
    }
}

/// Returns an event that belongs to no turn.
fn no_turn(body: EventBody) -> WireEvent {
    WireEvent {
        body,
        turn: String::new(),
        seq: 0,
        conversation: String::new(),
    }
}
