//! A research run that is requested but never starts.

use adjutant_api::{Request, ResearchAct, Topic};

use crate::holder::Profile;
use crate::requests::{research_of, rows};

/// Deletes the key of a search engine, and tries to delete a setting that does not exist.
pub async fn keys(profile: &mut Profile) {
    for key in ["web.brave.key", "web.searxng.key"] {
        let key = key.into();
        profile.ask(Request::SecretSet { key, value: None }).await;
    }
}

/// Answers the questions for what is missing, up to the confirmation. It is not given, so nothing is searched.
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
    for text in ["To decide something", "A short answer", "I am not sure"] {
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
