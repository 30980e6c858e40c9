//! Tests of providers that fall silent or never stop.

use super::*;
use crate::tiers::{Patience, Watched};

#[tokio::test(start_paused = true)]
async fn silence_is_a_fault_but_slowness_is_not() {
    let second = Duration::from_secs(1);
    let patience = Patience {
        first: 60 * second,
        between: 5 * second,
    };
    let slow = vec![
        ScriptedAct::Wait(59 * second),
        ScriptedAct::Think("hm"),
        ScriptedAct::Wait(4 * second),
        ScriptedAct::Say("a"),
        ScriptedAct::End(USED),
    ];
    let silent_at_once = vec![
        ScriptedAct::Wait(61 * second),
        ScriptedAct::Say("a"),
        ScriptedAct::End(USED),
    ];
    let silent_then = vec![
        ScriptedAct::Say("a"),
        ScriptedAct::Wait(6 * second),
        ScriptedAct::End(USED),
    ];
    let script = Script::new("lab/one", [slow, silent_at_once, silent_then]);
    let watched = Watched::new(script.clone(), patience);
    assert_eq!(all(&watched, request()).await.last(), Some(&end()));
    for waited in [patience.first, patience.between] {
        let stalled = Err(ModelFault::Stalled {
            model: "lab/one".into(),
            waited,
        });
        assert_eq!(all(&watched, request()).await.last(), Some(&stalled));
    }
    assert_eq!(script.dropped(), 2);
}

#[tokio::test]
async fn cuts_off_an_endless_answer() {
    let flood: &'static str = Box::leak("x".repeat(1024 * 1024).into_boxed_str());
    let script = Script::new("lab/flood", [vec![ScriptedAct::Say(flood); 64]]);
    let told = all(&Watched::new(script, Patience::default()), request()).await;
    assert!(matches!(told.last(), Some(Err(ModelFault::Broken { .. }))));
    assert!(told.len() <= 10, "{}", told.len());
}
