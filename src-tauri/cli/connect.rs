//! `models add`: adds or changes a connection. Options that are not given keep their values.

use std::collections::BTreeMap;
use std::path::Path;

use adjutant::session::Session;
use adjutant_api::models::{ConnectionDraft, ConnectionView, ModelView, SecretText};
use adjutant_api::{Fault, Reply, Request};
use adjutant_net::Url;

use crate::args::ConnectArgs;
use crate::models::show;
use crate::secrets::{Secrets, secrets};
use crate::{End, estimate, reply, unexpected};

/// The kind of a new connection if none is given.
const USUAL_KIND: &str = "compatible";
/// The kind of a connection to a model file.
const FILE_KIND: &str = "file";

/// Adds a connection or changes an existing one.
pub(crate) async fn add(session: &Session, args: ConnectArgs, json: bool) -> Result<End, Fault> {
    let Reply::Models { models } = reply(session, Request::Models {}).await? else {
        return Err(unexpected());
    };
    let name = args.name.trim();
    let before = models
        .connections
        .iter()
        .find(|one| one.name == name && !one.from_environment);
    let mut secrets = secrets(&args)?;
    let key = secrets.key.take();
    let file = args.gguf.as_deref().map(file).transpose()?;
    let connection = match file {
        Some((address, model)) => of_file(&args, address, model),
        None => draft(&args, secrets, before),
    };
    if connection.models.is_empty() {
        return Err(Fault {
            code: "usage".into(),
            message: "A connection needs a model.".into(),
            hint: "Choose one with --model.".into(),
        });
    }
    estimate::tell_vectors(session, &connection).await;
    let asked = Request::ConnectModel { connection, key };
    let connected = reply(session, asked).await;
    show(connected.map_err(|fault| of_option(fault, &args))?, json)
}

/// Adds the option concerned to the fault of a field.
fn of_option(fault: Fault, args: &ConnectArgs) -> Fault {
    let option = match fault.code.as_str() {
        "name" => "NAME",
        "kind" => "--kind",
        "address" if args.gguf.is_some() => "--gguf",
        "address" => "--url",
        "key" => "--key",
        "model" => "--model",
        "headers" => "--header or --header-env",
        "proxy" => "--proxy",
        "unencrypted" => "--unencrypted",
        _ => return fault,
    };
    let about = format!("Check {option}.");
    Fault {
        code: "usage".into(),
        message: fault.message,
        hint: match fault.hint.as_str() {
            "" => about,
            hint => format!("{hint} {about}"),
        },
    }
}

/// Combines the given options with the existing connection.
fn draft(args: &ConnectArgs, secrets: Secrets, before: Option<&ConnectionView>) -> ConnectionDraft {
    let given = |typed: &Option<String>, kept: Option<&String>| {
        typed.as_ref().or(kept).cloned().unwrap_or_default()
    };
    let kind = args
        .kind
        .as_ref()
        .or(before.map(|one| &one.kind))
        .map_or(USUAL_KIND, String::as_str);
    // Another kind of provider has another address and other models.
    let place = before.filter(|one| one.kind == kind);
    let tiers = [
        ("standard", &args.model),
        ("fast", &args.fast),
        ("deep", &args.deep),
    ];
    let models = tiers
        .into_iter()
        .filter_map(|(tier, typed)| {
            let kept = place.and_then(|one| one.models.get(tier));
            let id = given(typed, kept.map(|model| &model.id));
            (!id.is_empty()).then(|| (tier.to_owned(), model(id, args, kept)))
        })
        .collect();
    let base_url = given(&args.url, place.map(|one| &one.base_url));
    let mut headers = secrets.headers;
    // Stored headers stay but are sent to no other address.
    let same = before.filter(|one| !args.no_headers && same_place(&one.base_url, &base_url));
    if !headers.is_empty() {
        for name in same.iter().flat_map(|one| &one.headers) {
            let known = headers.keys().any(|typed| typed.eq_ignore_ascii_case(name));
            if !known {
                headers.insert(name.clone(), SecretText(String::new()));
            }
        }
    }
    let embedding = given(
        &args.embedding,
        place.and_then(|one| one.embedding.as_ref()),
    );
    ConnectionDraft {
        name: args.name.clone(),
        kind: kind.to_owned(),
        base_url,
        models,
        embedding: (!embedding.is_empty()).then_some(embedding),
        headers,
        no_headers: args.no_headers.then_some(true),
        unencrypted: args.unencrypted.then_some(true),
        proxy: given(&secrets.proxy, before.and_then(|one| one.proxy.as_ref())),
    }
}

/// Tells whether two addresses belong to the same server.
fn same_place(one: &str, other: &str) -> bool {
    let origin = |text: &str| Some(Url::parse(text.trim()).ok()?.origin());
    origin(one).is_some_and(|one| origin(other) == Some(one))
}

/// Builds a connection to a model file, which needs no further options.
fn of_file(args: &ConnectArgs, address: String, id: String) -> ConnectionDraft {
    ConnectionDraft {
        name: args.name.clone(),
        kind: FILE_KIND.to_owned(),
        base_url: address,
        models: [("standard".to_owned(), model(id, args, None))].into(),
        embedding: None,
        headers: BTreeMap::new(),
        no_headers: Some(true),
        unencrypted: None,
        proxy: String::new(),
    }
}

/// Returns the absolute path of a model file and the model's name. Absolute, because another process may use it from
/// another folder.
fn file(given: &Path) -> Result<(String, String), Fault> {
    let whole = std::path::absolute(given).ok();
    let whole = whole.as_deref().and_then(Path::to_str);
    let name = given
        .file_stem()
        .map(|name| name.to_string_lossy().into_owned());
    whole.map(str::to_owned).zip(name).ok_or_else(|| Fault {
        code: "usage".into(),
        message: "Adjutant cannot use this path.".into(),
        hint: "Rename the file, and any folder with unusual characters in its name, using letters and digits. Then try again.".into(),
    })
}

/// Builds a model, keeping the stored properties if it is the same one; those of another model do not apply.
fn model(id: String, args: &ConnectArgs, kept: Option<&ModelView>) -> ModelView {
    let same = kept.filter(|model| model.id == id);
    let price = |typed: Option<f64>, kept: Option<u64>| typed.map(micros).or(kept).unwrap_or(0);
    let typed = (args.input_price, args.output_price);
    let free = args.free
        || typed == (Some(0.0), Some(0.0))
        || typed == (None, None) && same.is_some_and(|model| model.free == Some(true));
    ModelView {
        context_tokens: args
            .context_tokens
            .or(same.map(|model| model.context_tokens))
            .unwrap_or(0),
        tools: same.is_none_or(|model| model.tools),
        structure: same.is_none_or(|model| model.structure),
        free: free.then_some(true),
        input_micros_per_million: price(
            args.input_price,
            same.map(|model| model.input_micros_per_million),
        ),
        output_micros_per_million: price(
            args.output_price,
            same.map(|model| model.output_micros_per_million),
        ),
        id,
    }
}

/// Converts a price per million tokens, as providers list it, to millionths.
fn micros(price: f64) -> u64 {
    const MICROS: f64 = 1_000_000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked when read: a price lies between 0 and 100000"
    )]
    let micros = (price * MICROS).round() as u64;
    micros
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command, ModelsCommand};

    fn typed(words: &[&str]) -> ConnectArgs {
        let words = ["adjutant", "models", "add", "work"].iter().chain(words);
        match Cli::try_parse_from(words).unwrap().command {
            Command::Models {
                command: Some(ModelsCommand::Add(args)),
            } => *args,
            other => panic!("{other:?}"),
        }
    }

    fn drafted(
        words: &[&str],
        headers: &[&str],
        before: Option<&ConnectionView>,
    ) -> ConnectionDraft {
        let args = typed(words);
        let secrets = Secrets {
            key: None,
            headers: headers
                .iter()
                .map(|name| ((*name).to_owned(), SecretText("new".into())))
                .collect(),
            proxy: args.proxy.clone(),
        };
        draft(&args, secrets, before)
    }

    fn priced(id: &str) -> ModelView {
        ModelView {
            id: id.into(),
            context_tokens: 32_000,
            tools: false,
            structure: true,
            free: None,
            input_micros_per_million: 3_000_000,
            output_micros_per_million: 15_000_000,
        }
    }

    fn kept() -> ConnectionView {
        ConnectionView {
            name: "work".into(),
            kind: "open_ai".into(),
            base_url: "https://gateway.example/v1".into(),
            has_key: true,
            headers: vec!["x-org".into()],
            unencrypted: None,
            proxy: Some("http://me@proxy.example:3128/".into()),
            proxy_password: Some(true),
            models: [("standard", "big"), ("fast", "small")]
                .map(|(tier, id)| (tier.to_owned(), priced(id)))
                .into(),
            embedding: Some("vectors".into()),
            local: false,
            from_environment: false,
            problem: None,
        }
    }

    #[test]
    fn what_is_not_given_stays() {
        let draft = drafted(&["--key"], &[], Some(&kept()));
        let before = kept();
        assert_eq!(
            (draft.kind, draft.base_url, draft.proxy),
            (before.kind, before.base_url, before.proxy.unwrap())
        );
        assert_eq!(draft.models, before.models);
        assert_eq!(draft.embedding, before.embedding);
        // No header at all leaves those that are there.
        assert!(draft.headers.is_empty());
        assert_eq!(draft.no_headers, None);
    }

    #[test]
    fn what_is_given_changes_and_nothing_else() {
        let draft = drafted(
            &[
                "--model",
                "bigger",
                "--fast",
                "",
                "--output-price",
                "20",
                "--proxy",
                "",
            ],
            &["X-Team"],
            Some(&kept()),
        );
        // What was learned of another model does not hold for this one.
        let new = ModelView {
            id: "bigger".into(),
            context_tokens: 0,
            tools: true,
            structure: true,
            free: None,
            input_micros_per_million: 0,
            output_micros_per_million: 20_000_000,
        };
        assert_eq!(draft.models, [("standard".to_owned(), new)].into());
        assert_eq!(draft.proxy, "");
        let headers: Vec<(&str, &str)> = draft
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.0.as_str()))
            .collect();
        assert_eq!(headers, [("X-Team", "new"), ("x-org", "")]);
    }

    #[test]
    fn a_model_in_the_world_can_cost_nothing() {
        let free = |words: &[&str], before: Option<&ConnectionView>| {
            let models = drafted(words, &[], before).models;
            models["standard"].free
        };
        assert_eq!(free(&["--model", "m", "--free"], None), Some(true));
        let zero = ["--model", "m", "--input-price", "0", "--output-price", "0"];
        assert_eq!(free(&zero, None), Some(true));
        assert_eq!(free(&["--model", "m"], None), None);
        let mut before = kept();
        for model in before.models.values_mut() {
            model.free = Some(true);
        }
        assert_eq!(free(&["--key"], Some(&before)), Some(true), "it stays so");
        assert_eq!(free(&["--input-price", "2"], Some(&before)), None);
        assert_eq!(free(&["--model", "other"], Some(&before)), None);
    }

    #[test]
    fn another_kind_is_somewhere_else() {
        let draft = drafted(&["--kind", "gemini"], &[], Some(&kept()));
        assert_eq!(
            (draft.kind.as_str(), draft.base_url.as_str()),
            ("gemini", "")
        );
        assert!(draft.models.is_empty() && draft.embedding.is_none());
        let draft = drafted(
            &["--kind", "gemini", "--model", "flash"],
            &[],
            Some(&kept()),
        );
        let tiers: Vec<&String> = draft.models.keys().collect();
        assert_eq!(
            tiers,
            ["standard"],
            "models of another provider are not asked there"
        );
        let draft = drafted(&["--model", "m"], &[], None);
        assert_eq!(
            (draft.kind.as_str(), draft.base_url.as_str()),
            (USUAL_KIND, "")
        );
    }

    #[test]
    fn headers_of_one_place_are_not_asked_for_at_another() {
        let names = |words: &[&str], typed: &[&str]| -> Vec<String> {
            let draft = drafted(words, typed, Some(&kept()));
            draft.headers.into_keys().collect()
        };
        let near = ["--url", "https://gateway.example/v2"];
        assert_eq!(names(&near, &["x-new"]), ["x-new", "x-org"]);
        let elsewhere = ["--url", "https://other.example/v1"];
        assert_eq!(names(&elsewhere, &["x-new"]), ["x-new"]);
        assert_eq!(names(&["--kind", "gemini"], &["x-new"]), ["x-new"]);
        // In one step: these and no others.
        assert_eq!(names(&["--no-headers"], &["x-new"]), ["x-new"]);
        assert!(typed(&["--no-headers", "--header", "x-new"]).no_headers);
    }

    #[test]
    fn a_fault_names_the_option_it_is_about() {
        let told = |code: &str, words: &[&str]| {
            let fault = Fault {
                code: code.into(),
                message: "It is wrong.".into(),
                hint: "Mend it.".into(),
            };
            let told = of_option(fault, &typed(words));
            (told.code, told.hint)
        };
        let usage = |hint: &str| ("usage".to_owned(), hint.to_owned());
        assert_eq!(told("address", &[]), usage("Mend it. Check --url."));
        assert_eq!(
            told("address", &["--gguf", "/m.gguf"]),
            usage("Mend it. Check --gguf.")
        );
        let other = ("keyring".to_owned(), "Mend it.".to_owned());
        assert_eq!(told("keyring", &[]), other);
    }
}
