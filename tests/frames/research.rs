//! A research that is asked for and not begun.

use adjutant_api::{Request, ResearchAct, Topic};

use crate::holder::Profile;
use crate::requests::{research_of, rows};

/// The key of a search engine that is forgotten, and one that there is not.
pub async fn keys(profile: &mut Profile) {
    for key in ["web.brave.key", "web.searxng.key"] {
        let key = key.into();
        profile.ask(Request::SecretSet { key, value: None }).await;
    }
}

/// Asked for what is missing, up to the question whether it shall begin; it does not, so nothing is looked for.
pub async fn asked(profile: &mut Profile) {
    let act = |act: ResearchAct| Request::Research { act };
    profile
        .ask(act(ResearchAct::Show {
            id: "nowhere".into(),
        }))
        .await;
    let begun = profile
        .ask(act(ResearchAct::Start {
            objective: "What does the lease say about heating?".into(),
            why: String::new(),
            success: Vec::new(),
            sources: None,
            deeper: None,
            weekly: false,
        }))
        .await;
    let id = research_of(&begun);
    for text in ["To decide something", "A short answer", "Not yet"] {
        profile
            .ask(act(ResearchAct::Answer {
                id: id.clone(),
                text: text.into(),
            }))
            .await;
    }
    profile.ask(act(ResearchAct::Show { id })).await;
    rows(profile, Topic::Research).await;
}
