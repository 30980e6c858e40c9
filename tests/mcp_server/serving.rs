//! The program while it serves.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::keyring::Keyring;

/// A program that serves over HTTP and ends with the test.
pub struct Serving {
    child: Child,
    pub address: String,
    pub token: Option<String>,
}

impl Serving {
    pub fn start(home: &Path, keyring: &Keyring, more: &[&str]) -> Self {
        let mut child = adjutant(home, &["--json", "mcp", "serve", "--http", "0"])
            .args(more)
            .env("DBUS_SESSION_BUS_ADDRESS", keyring.address())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut told)
            .unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        Self {
            child,
            address: told["address"].as_str().unwrap().to_owned(),
            token: told["token"].as_str().map(str::to_owned),
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub fn adjutant(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .arg("--home")
        .arg(home)
        .args(args)
        .env_remove("RUST_LOG")
        .env_remove("ADJUTANT_HOME");
    command
}

pub fn run(home: &Path, args: &[&str]) -> Output {
    adjutant(home, args).output().unwrap()
}
