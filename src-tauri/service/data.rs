//! Export, erasure and sample data.

use std::path::Path;

use adjutant_api::convert::{records, turns};
use adjutant_api::{Fault, Reply};
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Kind, Record};
use adjutant_engine::Op;
use adjutant_interchange::write::{ExportFault, Exporter};
use serde_json::{Value, json};

use super::import::by_kind;
use super::{Service, keyring_notes, research, servers, store_fault};
use crate::profile::place::SAMPLE_PROFILE;
use crate::profile::{self, Options};
use crate::sample;

/// Number of records read from storage at a time.
const PAGE: usize = 500;

/// Exports everything into a new folder.
pub(super) async fn export(service: &Service, dir: &str) -> Result<Reply, Fault> {
    // Block erasure meanwhile, or half of the data would look like all of it.
    let _whole = service.whole.read().await;
    let path = Path::new(dir).to_path_buf();
    let mut export = Exporter::new(&path).map_err(|fault| export_fault(&fault))?;
    for kind in Kind::ALL {
        let mut after = None;
        loop {
            let page = service
                .store
                .page(kind, after, PAGE)
                .await
                .map_err(store_fault)?;
            let ids: Vec<_> = page.records.iter().map(|one| one.id().clone()).collect();
            let written = service.store.provenance(&ids).await.map_err(store_fault)?;
            for record in &page.records {
                let source = match record {
                    Record::Mail(mail) => service
                        .store
                        .mail_source(&mail.id)
                        .await
                        .map_err(store_fault)?,
                    _ => None,
                };
                export
                    .put(record, source.as_deref(), written.get(record.id()))
                    .map_err(|fault| export_fault(&fault))?;
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
    }
    for (name, lines) in extras(service).await? {
        export
            .put_all(name, lines)
            .map_err(|fault| export_fault(&fault))?;
    }
    let files = export.finish().map_err(|fault| export_fault(&fault))?;
    Ok(Reply::Exported {
        dir: dir.to_owned(),
        files,
    })
}

/// Returns the data without a format of its own: conversations, activity, approvals, settings, the ledger.
async fn extras(service: &Service) -> Result<Vec<(&'static str, Vec<Value>)>, Fault> {
    let zone = service.zone();
    let now = service.now().timestamp();
    let store = &service.store;
    let conversations = store.turns(None, None).await.map_err(store_fault)?;
    let effects = store.effects(None).await.map_err(store_fault)?;
    let actions = store.actions(None, None).await.map_err(store_fault)?;
    let egress = store.egress(None).await.map_err(store_fault)?;
    let settings = store.settings().await.map_err(store_fault)?;
    Ok(vec![
        (
            "conversations.jsonl",
            conversations
                .iter()
                .rev()
                .map(|turn| {
                    json!({
                        "conversation": turn.conversation, "turn": turn.id, "at": records::at(turn.at, &zone),
                        "you": turn.text, "adjutant": turn.answer, "plan": turn.plan,
                    })
                })
                .collect(),
        ),
        ("activity.jsonl", effects.iter().map(|effect| json!(turns::activity(effect, &zone))).collect()),
        ("approvals.jsonl", actions.iter().map(|action| json!(turns::approval(action, now, &zone))).collect()),
        ("research.jsonl", research::everything(service).await?),
        ("egress.jsonl", egress.iter().map(|entry| json!(entry)).collect()),
        ("settings.jsonl", settings.into_iter().map(|(key, value)| json!({ "key": key, "value": value })).collect()),
    ])
}

fn export_fault(fault: &ExportFault) -> Fault {
    Fault {
        code: "export".into(),
        message: adjutant_domain::faults::sentence(&fault.to_string()),
        hint: match fault {
            ExportFault::NotEmpty(_) => String::new(),
            ExportFault::Io { .. } | ExportFault::Record(_) => {
                "Nothing in the profile was changed.".into()
            }
        },
    }
}

/// Deletes everything in the profile. If leftovers prevent a fully fresh state, returns a fault after all is deleted.
pub(super) async fn erase(service: &Service) -> Result<Reply, Fault> {
    let mut whole = service.whole.write().await;
    // Nothing that is running or waiting may store anything after the deletion.
    let rest = service.engine.quiesce().await;
    let noted = keyring_notes::noted(service).await?;
    // Count first: storage completes the erasure even if this request is dropped.
    *whole += 1;
    let (unfinished, left) = match service.accounts.erased(service.store.erase()).await {
        Ok(erased) => erased,
        Err(fault) => {
            *whole -= 1;
            return Err(store_fault(fault));
        }
    };
    service.engine.forget_everything();
    drop((rest, whole));
    // Reset settings before waiting for the keyring, so that changes made meanwhile apply to the new ones.
    let (layers, _) =
        adjutant_settings::Layers::new(crate::locale::system(), [], crate::environment::all());
    let settings = layers.all();
    service.take_layers(layers);
    let keys = service.models.erased(settings).await;
    let secrets = servers::erased(service).await.map(|what| {
        (
            what,
            "Remove the entries named “adjutant” with the keyring's own program.",
        )
    });
    super::programs::erased(service).await;
    let noted = keyring_notes::remove(service, noted).await.map(|fault| {
        (
            format!("keys of search engines or the token of other programs may still be in the keyring ({fault})"),
            "Remove the entries named “adjutant” with the keyring's own program.",
        )
    });
    let files = unfinished.map(|fault| {
        (
            format!("its files could not be cleaned up ({fault})"),
            "Erase again to finish this.",
        )
    });
    let keys = keys.map(|fault| {
        (
            format!("keys of models may still be in the keyring ({fault})"),
            "Remove the entries named “adjutant” with the keyring's own program.",
        )
    });
    let passwords = left.keyring.map(|fault| {
        (
            format!("passwords of accounts may still be in the keyring ({fault})"),
            "Remove the entries named “adjutant” with the keyring's own program.",
        )
    });
    let signed_in = left.signed_in.into_iter().map(|(label, fault)| {
        let why = adjutant_accounts::problem(&fault, adjutant_accounts::Attempted::Connecting).what;
        (
            format!(
                "the sign-in of {label} was not revoked at its provider ({})",
                why.trim_end_matches('.')
            ),
            "Remove Adjutant's access in the settings of that account, under connected apps.",
        )
    });
    let parts = files.into_iter().chain(keys).chain(passwords);
    let parts = parts.chain(secrets).chain(noted);
    let left: Vec<(String, &str)> = parts.chain(signed_in).collect();
    if left.is_empty() {
        return Ok(Reply::Ok {});
    }
    let (what, mut hints): (Vec<String>, Vec<&str>) = left.into_iter().unzip();
    hints.dedup();
    Err(Fault {
        code: "erased_in_part".into(),
        message: format!("The profile is erased, but {}.", what.join(", and ")),
        hint: hints.join(" "),
    })
}

/// Creates the sample profile unless it already exists.
pub(super) async fn load_sample(service: &Service) -> Result<Reply, Fault> {
    let options = Options {
        profile: Some(SAMPLE_PROFILE.into()),
        ..service.options.clone()
    };
    let reply = Ok(Reply::Profile {
        name: SAMPLE_PROFILE.into(),
    });
    if service.place.name() == SAMPLE_PROFILE {
        return reply;
    }
    let sample = service.place.sibling(SAMPLE_PROFILE);
    let sample = sample.map_err(|fault| not_opened(&fault))?;
    let dir = sample.make().map_err(|fault| not_opened(&fault))?;
    let hold = profile::hold(&dir).map_err(|error| not_opened(&error))?;
    let Some(hold) = hold else {
        return Err(Fault {
            code: "held".into(),
            message: "Another Adjutant has the sample profile open.".into(),
            hint: "Use it there, or close it first.".into(),
        });
    };
    // Boxed, because opening a profile contains this future.
    let there = Box::pin(Service::open(&sample, &options, Some(hold))).await?;
    let result = fill(&there).await;
    there.close().await;
    result.and(reply)
}

fn not_opened(why: &dyn std::fmt::Display) -> Fault {
    Fault {
        code: "profile".into(),
        message: format!("The sample profile cannot be opened: {why}."),
        hint: "Make the profiles' folder writable, or free some space.".into(),
    }
}

pub(super) async fn fill(service: &Service) -> Result<(), Fault> {
    if service
        .store
        .count(Kind::Event)
        .await
        .map_err(store_fault)?
        > 0
    {
        return Ok(());
    }
    let (name, email) = sample::OWNER;
    super::config::set(service, "owner.name", Some(name)).await?;
    super::config::set(service, "owner.emails", Some(email)).await?;
    let all = sample::records(&service.now(), &*service.entropy);
    for batch in by_kind(all).into_values() {
        service
            .store
            .import("sample data", batch)
            .await
            .map_err(store_fault)?;
    }
    // The engine handles these messages like any others: effects get receipts, and proposals wait on their cards.
    for text in sample::SAID {
        let op = Op::Ask {
            conversation: "main".into(),
            text: text.into(),
            tier: None,
        };
        super::turns::apply(service, op).await?;
    }
    Ok(())
}
