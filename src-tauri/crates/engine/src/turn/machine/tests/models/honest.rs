//! Tests that a model writing an answer cannot act: false claims are corrected, and it may ask for a plan.

use super::*;
use crate::respond::claims::NOTHING_DONE;
use crate::stages::WayOut;

fn chat() -> Route {
    route(RouteKind::Chat, &[], 0.95)
}

/// Returns the final answer and the pieces streamed before it.
fn told(world: &World) -> (String, Vec<(String, bool)>) {
    let answer = world.closed.as_ref().and_then(|end| end.answer.clone());
    let tokens = world.events.iter().filter_map(|event| match event {
        TurnEvent::Token { text, restart } => Some((text.clone(), *restart)),
        _ => None,
    });
    (answer.unwrap_or_default(), tokens.collect())
}

#[test]
fn a_claim_without_an_effect_is_corrected_before_it_is_shown() {
    let claim = "Done! The email has been sent to Bob.";
    let corrected = format!("{NOTHING_DONE}\n\n{claim}");
    let mut world = asked(chat());
    assert_eq!(world.stages(|_| text(claim)), ["respond"]);
    assert_eq!(told(&world).0, corrected);

    // While streaming, Adjutant's own line is shown before the word that turns the sentence into a claim.
    let mut world = asked(chat());
    let ask = world.question().expect("an answer");
    for piece in ["Sure. ", "Your mail ", "has been ", "sent ", "to Bob."] {
        world.feed(Input::Piece { text: piece.into() });
    }
    world.reply(ask, text("Sure. Your mail has been sent to Bob."));
    while world.one() {}
    let (answer, tokens) = told(&world);
    let mut shown = String::new();
    for (token, restart) in tokens {
        if restart {
            shown.clear();
        }
        shown.push_str(&token);
        let honest = shown.starts_with(NOTHING_DONE) || !shown.contains("sent");
        assert!(honest, "{shown}");
    }
    assert_eq!(shown, answer);
    assert!(answer.starts_with(NOTHING_DONE), "{answer}");

    let mut world = asked(chat());
    world.stages(|_| text("I can help you write one."));
    assert_eq!(told(&world).0, "I can help you write one.");
}

#[test]
fn plans_when_the_model_sees_a_request_in_conversation() {
    let mut world = asked(chat());
    let mut offered = Vec::new();
    let stages = world.stages(|ask| match ask {
        StageRequest::Respond { way_out, .. } => {
            offered.push(*way_out);
            match way_out {
                WayOut::Plan => Ok(StageReply::NeedsPlan),
                WayOut::None => text("Written down."),
            }
        }
        _ => planned(vec![step("s1", "write.a", &[])]),
    });
    assert_eq!(stages, ["respond", "plan", "respond"]);
    assert_eq!(offered, [WayOut::Plan, WayOut::None], "once in a turn");
    assert_eq!(world.states(), ["s1 done"]);

    // If the planner finds nothing to do, the turn ends as conversation instead of looping.
    let mut world = asked(chat());
    let stages = world.stages(|ask| match ask {
        StageRequest::Respond {
            way_out: WayOut::Plan,
            ..
        } => Ok(StageReply::NeedsPlan),
        StageRequest::Respond { .. } => text("Hello."),
        _ => planned(Vec::new()),
    });
    assert_eq!(stages, ["respond", "plan", "respond"]);
    assert_eq!(told(&world).0, "Hello.");
}
