//! Tests over standard input and output: a program proposes an action, the person approves it, and it is carried out
//! once.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::serving::{adjutant, run};

/// A hand-written client for the 2025 revision.
struct Client {
    child: Child,
    writing: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Client {
    fn start(home: &Path) -> Self {
        let mut child = adjutant(home, &["mcp", "serve"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let writing = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut client = Self {
            child,
            writing,
            lines,
            next: 0,
        };
        let info = json!({"name": "A Test", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        let said = client.ask("initialize", hello);
        assert_eq!(said["result"]["serverInfo"]["name"], "adjutant");
        client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: Value) {
        writeln!(self.writing.as_ref().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let line = self.lines.next().unwrap().unwrap();
            let said: Value = serde_json::from_str(&line).unwrap();
            if said["id"] == id {
                return said;
            }
        }
    }

    fn call(&mut self, tool: &str, args: Value) -> Value {
        let said = self.ask("tools/call", json!({"name": tool, "arguments": args}));
        said["result"].clone()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.writing.take());
        assert!(
            self.child.wait().unwrap().success(),
            "it ends with its input"
        );
    }
}

fn list(home: &Path, what: &str) -> Vec<Value> {
    let output = run(home, &["--json", "show", what]);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_programs_proposal_waits_and_runs_once() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let mut client = Client::start(home);
    let lunch = json!({"summary": "Lunch", "start": "2030-03-05T12:00:00+01:00[Europe/Paris]"});
    let said = client.call("calendar_create", lunch);
    let id = said["structuredContent"]["id"].as_str().unwrap().to_owned();
    let words = said["content"][0]["text"].as_str().unwrap();
    assert!(
        words.contains(&format!("adjutant show approvals {id}")),
        "{words}"
    );
    assert!(list(home, "events").is_empty(), "nothing is done");

    // The program has the profile open; the person's own commands go through it and see the same.
    let waiting = list(home, "approvals");
    assert_eq!(waiting[0]["id"], id.as_str());
    let digest = waiting[0]["digest"].as_str().unwrap();
    let approve = ["approve", id.as_str(), "--digest", digest];
    assert!(run(home, &approve).status.success());
    assert!(!run(home, &approve).status.success(), "once");
    assert_eq!(list(home, "events").len(), 1);

    let told = client.call("approval_status", json!({"id": id}));
    assert_eq!(
        told["structuredContent"]["actions"][0]["state"],
        "succeeded"
    );
    let read = client.call(
        "calendar_list",
        json!({"from": "2030-03-05", "to": "2030-03-06"}),
    );
    assert!(read["content"].to_string().contains("Lunch"), "{read}");

    let closed = client.call("email_search", json!({}));
    assert_eq!(closed["isError"], true);
    assert!(
        closed["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("does not share mail")
    );
    for never in ["approve", "config_set", "erase", "undo", "import"] {
        let said = client.ask(
            "tools/call",
            json!({"name": never, "arguments": {"id": id}}),
        );
        assert_eq!(said["error"]["code"], -32602, "{said}");
    }
}
