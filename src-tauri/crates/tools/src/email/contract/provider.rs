//! Searching at the providers of accounts.

use adjutant_domain::faults::UserFault;
use adjutant_domain::filter::Window;
use adjutant_domain::ports::{Busy, FreeBusy};
use adjutant_domain::source::Taint;
use adjutant_testkit::make;
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::json;

use super::world;
use crate::providers::{AskedTimes, AtProvider, MailSearch, OthersTimes, Searched};
use crate::testing::{fault, observe, run};

/// Tells that Kim is busy on Friday from 13 to 14 o'clock in Berlin, and nothing of others.
#[async_trait]
impl OthersTimes for TwoProviders {
    async fn busy(&self, who: &[String], _: Window) -> Result<AskedTimes, UserFault> {
        let at = |text: &str| text.parse::<Timestamp>().unwrap_or_default();
        let known = who.iter().filter(|email| email.starts_with("kim@"));
        let known: Vec<String> = known.cloned().collect();
        let busy = known.iter().map(|who| Busy {
            who: who.clone(),
            start: at("2026-01-16T12:00:00Z"),
            end: at("2026-01-16T13:00:00Z"),
        });
        let told = FreeBusy {
            busy: busy.collect(),
            known,
        };
        let faults = Vec::new();
        Ok(AskedTimes { told, faults })
    }
}

/// Two accounts: one finds a mail that is here, twice, and one that is not; the other is out of reach.
pub(crate) struct TwoProviders;

#[async_trait]
impl MailSearch for TwoProviders {
    async fn search(&self, words: &str, _: usize) -> Result<Vec<Searched>, UserFault> {
        if words == "storage" {
            return Err(UserFault::new("x", "Storage cannot be read.", ""));
        }
        let old = make::mail(
            "mail_9",
            "Ada <ada@else.example>",
            "Old plans",
            "2019-01-10T08:00:00Z",
            "Lunch?",
        );
        let here = || AtProvider::Here("mail_1".into());
        let found = Ok(vec![here(), here(), AtProvider::There(Box::new(old))]);
        let found = match words {
            "nowhere" => Err("Signed out.".to_owned()),
            _ => found,
        };
        Ok(vec![
            Searched {
                account: "Work".into(),
                found,
            },
            Searched {
                account: "Home".into(),
                found: Err("The provider could not be reached.".into()),
            },
        ])
    }
}

#[tokio::test]
async fn mails_at_the_providers_are_those_here_and_those_that_were_not_read_yet() {
    let args = json!({"query": "lunch"});
    let ran = run(&world(), "email.search_provider", args).await;
    let ran = ran.expect("found");
    let out = &ran.answer.output;
    assert_eq!(out["ids"], json!(["mail_1"]), "once");
    assert_eq!(out["not_read_yet"][0]["subject"], "Old plans");
    let say = &ran.answer.say;
    for part in [
        "1 mail for “lunch”",
        "Lunch?",
        "not been read here yet",
        "“Old plans” from Ada",
        "Home was not searched: The provider could not be reached.",
    ] {
        assert!(say.contains(part), "{part}: {say}");
    }
    assert_eq!(ran.answer.taint, Taint::Tainted);
    let out = ran
        .observed
        .assessment
        .carries_out
        .expect("words that leave");
    assert_eq!(
        (out.texts, out.public_answer),
        (vec!["lunch".to_owned()], false)
    );
}

#[tokio::test]
async fn a_search_that_reaches_no_provider_says_so() {
    for (query, said) in [
        ("nowhere", "Work was not searched: Signed out."),
        ("storage", "Storage cannot be read."),
    ] {
        let args = json!({"query": query});
        let fault = fault(&world(), "email.search_provider", args).await;
        let fault = UserFault::from(&fault);
        assert!(fault.what.contains(said), "{fault:?}");
    }
    for query in [" ".to_owned(), "x".repeat(501)] {
        let (world, args) = (world(), json!({"query": query}));
        let observed = observe(&world, "email.search_provider", args).await;
        assert!(observed.is_err(), "{query:?}");
    }
}
