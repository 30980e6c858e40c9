//! MCP servers as tools of Adjutant, and Adjutant as a server of tools.

use std::collections::BTreeMap;

use adjutant_api::Request;
use adjutant_api::programs::ProgramAct;
use adjutant_api::servers::{ServerAct, ServerReach};
use serde_json::json;

use crate::holder::Profile;

/// Adds an MCP server and switches it off; another program then asks for the state of its proposals.
pub async fn of_others(profile: &mut Profile) {
    let name = || "trains".to_owned();
    let reach = ServerReach::Command {
        command: "mcp-trains".into(),
        args: vec!["--line".into(), "U2".into()],
        env: BTreeMap::new(),
    };
    let add = |name| ServerAct::Add {
        name,
        reach: reach.clone(),
        secrets: BTreeMap::new(),
    };
    for request in [
        ServerAct::List {},
        add("No Name".into()),
        add(name()),
        ServerAct::Set {
            name: name(),
            on: false,
        },
        ServerAct::Remove { name: name() },
    ] {
        profile.ask(Request::Servers { request }).await;
    }
    let request = ProgramAct::Call {
        program: "An editor".into(),
        tool: "approval.status".into(),
        args: json!({}),
    };
    profile.ask(Request::Programs { request }).await;
}
