//! Tests of requests: the format of each provider, what is left out because a model does not accept it, and what is
//! never sent.

use std::collections::BTreeMap;

use adjutant_domain::model::{ModelFault, ReplyShape, Role, Stage, StopReason, Tier};
use adjutant_models::{Key, ProviderKind, connect};
use adjutant_net::{NetClient, NetSettings};
use serde_json::json;

use crate::replies::{SAID, good, head, json_reply};
use crate::support::{
    KEY, Record, Scripted, Step, connection, hear, keys, message, model, net, plan_schema, request,
    tools,
};

#[tokio::test]
async fn leaves_out_and_remembers_unsupported_fields() {
    let (media, body, _) = good(ProviderKind::Compatible);
    let fine = vec![head("200 OK", media, ""), Step::Send(body)];
    let refuse = |why: &str| json_reply("400 Bad Request", "", &json!({"error": {"message": why}}));
    let server = Scripted::start(vec![
        refuse("stream_options: Extra inputs are not permitted"),
        refuse("'response_format' of type json_schema is not supported"),
        refuse("test-model does not support tools"),
        fine.clone(),
        fine,
    ])
    .await;
    let model = model(&connection(ProviderKind::Compatible, &server.base));
    let mut planned = request(Stage::Plan, "plan it");
    planned.tools = tools();
    planned.reply = ReplyShape::Json {
        schema: plan_schema(),
    };
    let heard = hear(&*model, planned.clone()).await;
    assert_eq!((heard.fault, heard.text.as_str()), (None, SAID));
    let first = server.body(0);
    assert_eq!(first["response_format"]["json_schema"]["name"], "plan");
    assert_eq!(first["response_format"]["json_schema"]["strict"], true);
    assert_eq!(first["tools"][0]["function"]["name"], "task_list");
    let last = server.body(3);
    for gone in ["stream_options", "response_format", "tools"] {
        assert_eq!(last.get(gone), None, "{gone}");
    }
    let system = last["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.contains("\"additionalProperties\":false"),
        "{system}"
    );
    assert!(!model.profile().tools && !model.profile().structure);
    hear(&*model, planned).await;
    assert_eq!(server.asked.lock().unwrap().len(), 5, "known by now");
}

#[tokio::test]
async fn sends_each_provider_its_own_format() {
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let server = Scripted::start(vec![vec![head("200 OK", media, ""), Step::Send(body)]]).await;
        let mut connection = connection(kind, &server.base);
        connection.headers.insert("x-gateway".into());
        let mut planned = request(Stage::Plan, "plan it");
        planned
            .messages
            .insert(0, message(Role::Assistant, "Welcome."));
        planned.reply = ReplyShape::Json {
            schema: plan_schema(),
        };
        hear(&*model(&connection), planned.clone()).await;
        planned.tools = tools();
        hear(&*model(&connection), planned).await;
        let head = server.head(0);
        assert!(head.contains("x-adjutant-stage: plan"), "{head}");
        assert!(head.contains("x-gateway: abc"), "{head}");
        let (plain, with_tools) = (server.body(0), server.body(1));
        let name = |value: &serde_json::Value| assert_eq!(value, "plan", "{kind:?}");
        match kind {
            ProviderKind::Compatible | ProviderKind::OpenAi => {
                assert!(head.starts_with("post /v1/chat/completions "), "{head}");
                assert!(
                    head.contains(&format!("authorization: bearer {KEY}")),
                    "{head}"
                );
                name(&plain["response_format"]["json_schema"]["name"]);
                assert_eq!(plain["stream_options"]["include_usage"], true);
                let limit = if kind == ProviderKind::OpenAi {
                    "max_completion_tokens"
                } else {
                    "max_tokens"
                };
                assert_eq!(plain[limit], 500);
                assert_eq!(plain["messages"][0]["role"], "system");
            }
            ProviderKind::Anthropic => {
                assert!(head.starts_with("post /v1/messages "), "{head}");
                assert!(head.contains(&format!("x-api-key: {KEY}")), "{head}");
                assert!(head.contains("anthropic-version: 2023-06-01"), "{head}");
                name(&plain["tool_choice"]["name"]);
                name(&plain["tools"][0]["name"]);
                assert_eq!(
                    plain["messages"][0]["role"], "user",
                    "it has to begin with the person"
                );
                assert_eq!(with_tools["tool_choice"]["type"], "any");
                assert_eq!(with_tools["tools"][0]["name"], "task_list");
            }
            ProviderKind::Gemini => {
                assert!(
                    head.starts_with(
                        "post /v1beta/models/test-model:streamgeneratecontent?alt=sse "
                    ),
                    "{head}"
                );
                assert!(head.contains(&format!("x-goog-api-key: {KEY}")), "{head}");
                name(&plain["generationConfig"]["responseJsonSchema"]["title"]);
                assert_eq!(
                    with_tools["toolConfig"]["functionCallingConfig"]["mode"],
                    "ANY"
                );
                name(&with_tools["tools"][0]["functionDeclarations"][2]["name"]);
            }
            ProviderKind::Ollama => {
                assert!(head.starts_with("post /api/chat "), "{head}");
                name(&plain["format"]["title"]);
                assert_eq!(plain["options"]["num_ctx"], 8192);
                assert_eq!(with_tools["tools"][1]["function"]["name"], "task_create");
            }
            ProviderKind::File => panic!("a file is no server"),
        }
    }
}

#[tokio::test]
async fn arguments_that_name_a_key_twice_stay_text() {
    let frames = concat!(
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"task_create\",\"arguments\":\"{\\\"title\\\":\\\"a\\\",\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"title\\\":\\\"b\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
        "data: [DONE]\n\n"
    );
    let server = Scripted::start(vec![vec![
        head("200 OK", "text/event-stream", ""),
        Step::Send(frames.as_bytes().to_vec()),
    ]])
    .await;
    let mut asked = request(Stage::Plan, "plan it");
    asked.tools = tools();
    let heard = hear(
        &*model(&connection(ProviderKind::Compatible, &server.base)),
        asked,
    )
    .await;
    assert_eq!(heard.stop, Some(StopReason::Tools));
    assert_eq!(
        heard.calls,
        [(
            "task.create".to_owned(),
            json!("{\"title\":\"a\",\"title\":\"b\"}")
        )]
    );
    assert!(heard.usage.estimated && heard.usage.input > 10 && heard.usage.output > 3);
}

#[tokio::test]
async fn refuses_requests_too_long_for_ollama() {
    let (media, body, _) = good(ProviderKind::Ollama);
    let server = Scripted::start(vec![vec![head("200 OK", media, ""), Step::Send(body)]]).await;
    let model = model(&connection(ProviderKind::Ollama, &server.base));
    let long = "many words ".repeat(10_000);
    let heard = hear(&*model, request(Stage::Respond, &long)).await;
    assert!(
        matches!(heard.fault, Some(ModelFault::TooLong { .. })),
        "{heard:?}"
    );
    assert!(server.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn reports_unreachable_servers_and_missing_keys() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for kind in ProviderKind::ALL {
        let connection = connection(kind, &base);
        let heard = hear(&*model(&connection), request(Stage::Respond, "hello")).await;
        assert!(
            matches!(heard.fault, Some(ModelFault::Unreachable { .. })),
            "{heard:?}"
        );
        let no_keys = BTreeMap::new();
        let Err(fault) = connect(&connection, Tier::Standard, &net(), &no_keys) else {
            panic!("connected without a key");
        };
        assert!(matches!(fault, ModelFault::Key { .. }));
    }
}

#[tokio::test]
async fn offline_asks_only_local_models_and_says_why() {
    let record = std::sync::Arc::new(Record::default());
    let offline = NetSettings {
        offline: true,
        ..NetSettings::default()
    };
    let net = NetClient::new(offline, record.clone());
    let (media, body, _) = good(ProviderKind::Ollama);
    let server = Scripted::start(vec![vec![head("200 OK", media, ""), Step::Send(body)]]).await;
    let here = connection(ProviderKind::Ollama, &server.base);
    let far = connection(ProviderKind::OpenAi, "https://api.openai.com/v1");
    let ask = async |connection| {
        let model = connect(connection, Tier::Standard, &net, &keys()).unwrap();
        hear(&*model, request(Stage::Respond, "hello")).await
    };
    assert_eq!(ask(&here).await.text, SAID);
    let fault = ask(&far).await.fault.unwrap();
    assert!(fault.to_string().contains("Adjutant is offline"), "{fault}");
    assert!(!fault.counts_against());
    let noted = record.0.lock().unwrap();
    assert_eq!(noted.len(), 1);
    assert!(
        noted[0].loopback && noted[0].why.contains("peer/test-model"),
        "{noted:?}"
    );
    assert!(
        noted[0].bytes_out > 200 && noted[0].bytes_in > 100,
        "{noted:?}"
    );
    assert!(!format!("{noted:?}").contains(KEY));
}

#[tokio::test]
async fn does_not_blame_a_feature_that_was_not_the_cause() {
    let say = |status: &str, why: &str| json_reply(status, "", &json!({"error": {"message": why}}));
    let server = Scripted::start(vec![
        // A failing server can say anything.
        say(
            "500 Internal Server Error",
            "unknown function in worker, contact support",
        ),
        say("404 Not Found", "No endpoints found that support tool use."),
        say("503 Service Unavailable", "try later"),
    ])
    .await;
    let model = model(&connection(ProviderKind::Compatible, &server.base));
    let mut asked = request(Stage::Plan, "plan it");
    asked.tools = tools();
    for sent in [1, 3] {
        let fault = hear(&*model, asked.clone()).await.fault;
        assert!(
            matches!(fault, Some(ModelFault::Broken { .. })),
            "{fault:?}"
        );
        assert_eq!(server.asked.lock().unwrap().len(), sent);
        assert!(model.profile().tools, "without an answer it is not known");
    }
    assert_eq!(server.body(2).get("tools"), None);
}

#[tokio::test]
async fn sends_a_key_unencrypted_only_with_permission() {
    let kind = ProviderKind::Compatible;
    for (address, plain) in [
        ("http://models.example/v1", true),
        ("http://192.168.1.5:8000/v1", true),
        ("http://localhost.example/v1", true),
        ("https://models.example/v1", false),
        ("http://127.0.0.1:1/v1", false),
        ("http://[::1]:1/v1", false),
        ("http://localhost:1/v1", false),
    ] {
        let made = |connection: &_| connect(connection, Tier::Standard, &net(), &keys());
        let mut connection = connection(kind, address);
        connection.key = None;
        assert!(
            made(&connection).is_ok(),
            "without a key {address} may be asked"
        );
        connection.key = Some("test".into());
        match made(&connection) {
            Err(ModelFault::Internal { why }) => {
                assert!(plain && why.contains("unencrypted"), "{why}")
            }
            other => assert!(!plain && other.is_ok(), "{address}"),
        }
        connection.unencrypted = true;
        assert!(made(&connection).is_ok(), "{address}");
    }
}

#[tokio::test]
async fn sends_the_password_of_a_proxy_only_to_that_proxy() {
    let kind = ProviderKind::Compatible;
    let (media, body, _) = good(kind);
    let proxy = Scripted::start(vec![vec![head("200 OK", media, ""), Step::Send(body)]]).await;
    let mut connection = connection(kind, "http://models.example/v1");
    connection.unencrypted = true;
    let address = proxy.base.replace("http://", "http://me@");
    connection.proxy = Some(address.trim_end_matches("/v1").to_owned());
    connection.proxy_password = true;
    let mut known = keys();
    assert!(matches!(
        connect(&connection, Tier::Standard, &net(), &known),
        Err(ModelFault::Internal { why }) if why.contains("password of the proxy")
    ));
    known.insert(connection.proxy_name(), Key::new("s3cret").unwrap());
    let model = connect(&connection, Tier::Standard, &net(), &known).unwrap();
    hear(&*model, request(Stage::Respond, "hello")).await;
    let head = proxy.head(0);
    assert!(
        head.starts_with("post http://models.example/v1/chat/completions "),
        "{head}"
    );
    // `me:s3cret` in Base64, in lower case as this server records it.
    assert!(
        head.contains("proxy-authorization: basic bwu6cznjcmv0"),
        "{head}"
    );
    let kept = serde_json::to_string(&connection).unwrap();
    assert!(!kept.contains("s3cret"), "{kept}");
}

#[tokio::test]
async fn reports_a_header_without_value_before_sending() {
    let server = Scripted::start(Vec::new()).await;
    let mut connection = connection(ProviderKind::Compatible, &server.base);
    connection.headers.insert("x-org".into());
    assert!(matches!(
        connect(&connection, Tier::Standard, &net(), &keys()),
        Err(ModelFault::Internal { why }) if why.contains("x-org") && why.contains("Settings, Models")
    ));
    assert_eq!(server.asked.lock().unwrap().len(), 0);
}
