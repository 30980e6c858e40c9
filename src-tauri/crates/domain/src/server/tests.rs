use serde_json::json;

use super::*;
use crate::risk::Risk;

fn offered(name: &str, description: &str) -> OfferedTool {
    OfferedTool {
        name: name.into(),
        title: String::new(),
        description: description.into(),
        schema: json!({"type": "object"}),
        hints: Hints::default(),
    }
}

fn server() -> Server {
    Server {
        name: ServerName::parse("time").expect("a name"),
        reach: Reach::Command {
            command: "mcp-server-time".into(),
            args: vec!["--zone".into(), "Europe/New York's".into()],
            env: BTreeMap::new(),
            secrets: Vec::new(),
        },
        state: ServerState::On,
        tools: Vec::new(),
        about: About::default(),
        added: Timestamp::UNIX_EPOCH,
    }
}

fn look_at_all(server: &mut Server) {
    let pins = server.tools.iter().map(|tool| &tool.offered);
    let pins = pins.map(|one| (one.name.clone(), one.pin())).collect();
    server.accept(&pins);
}

fn states(server: &Server) -> Vec<(&str, ToolState, Risk)> {
    let of = |tool: &'_ ServerTool| (tool.state(), tool.risk());
    let tools = server.tools.iter();
    tools
        .map(|tool| (tool.offered.name.as_str(), of(tool).0, of(tool).1))
        .collect()
}

#[test]
fn a_changed_tool_needs_acceptance_and_is_no_longer_lowered() {
    let mut server = server();
    assert!(server.offers(vec![
        offered("now", "Tells the time."),
        offered("set", "Sets it.")
    ]));
    assert!(
        server
            .tools
            .iter()
            .all(|tool| tool.state() == ToolState::New)
    );
    look_at_all(&mut server);
    server.tools[0].lowered = true;
    assert!(!server.offers(vec![
        offered("now", "Tells the time."),
        offered("set", "Sets it.")
    ]));
    assert_eq!(
        states(&server),
        [
            ("now", ToolState::Accepted, Risk::Read),
            ("set", ToolState::Accepted, Risk::Spends)
        ]
    );
    assert!(server.offers(vec![offered("now", "Deletes the time.")]));
    assert_eq!(
        states(&server),
        [
            ("now", ToolState::Changed, Risk::Spends),
            ("set", ToolState::Gone, Risk::Spends)
        ]
    );
    // The present definition is not the one that the person looked at.
    let old = BTreeMap::from([("now".to_owned(), offered("now", "Tells the time.").pin())]);
    server.accept(&old);
    assert_eq!(server.tools[0].state(), ToolState::Changed);
    look_at_all(&mut server);
    assert_eq!(
        states(&server),
        [("now", ToolState::Accepted, Risk::Spends)]
    );
}

#[test]
fn a_servers_own_risk_can_only_raise_the_risk() {
    let mut tool = ServerTool::from(offered("wipe", "Wipes."));
    for (read_only, destructive, lowered) in [
        (None, None, Risk::Read),
        (Some(true), None, Risk::Read),
        (Some(true), Some(true), Risk::Read),
        (Some(false), None, Risk::RemoteReversible),
        (Some(false), Some(false), Risk::RemoteReversible),
        (None, Some(true), Risk::Destroys),
        (Some(false), Some(true), Risk::Destroys),
    ] {
        tool.offered.hints = Hints {
            read_only,
            destructive,
            open_world: None,
        };
        tool.accepted = Some(tool.offered.clone());
        tool.lowered = false;
        assert_eq!(tool.risk(), Risk::Spends);
        tool.lowered = true;
        assert_eq!(tool.risk(), lowered, "{:?}", tool.offered.hints);
    }
}

#[test]
fn names_are_short_and_plain() {
    for (text, name) in [
        ("My Server", Some("my-server")),
        ("2nd", Some("nd")),
        ("@scope/server-files", Some("scope-server-files")),
        ("日本", None),
        ("", None),
    ] {
        let near = ServerName::near(text);
        assert_eq!(near.as_ref().map(ServerName::as_str), name, "{text}");
    }
    for text in ["", "Time", "a.b", "mcp:x", "-a", "a b", &"a".repeat(33)] {
        assert_eq!(ServerName::parse(text), Err(NotAName), "{text}");
    }
    let name = ServerName::parse("git").expect("a name");
    assert_eq!(ServerName::of_account(&name.account()), Some(name.clone()));
    assert_eq!(ServerName::of_account(&AccountId::local()), None);
    assert_eq!(tool_name(&name, "git_log"), "mcp.git.git_log");
    let (dotted, slashed) = (tool_name(&name, "git.log"), tool_name(&name, "git/log"));
    assert!(dotted.starts_with("mcp.git.git_log_"));
    assert_ne!(dotted, slashed);
}

#[test]
fn formats_a_command_as_typed() {
    assert_eq!(
        server().reach.line(),
        r"mcp-server-time --zone 'Europe/New York'\''s'"
    );
}
