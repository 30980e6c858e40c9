//! A keyring for one test: an unlocked gnome-keyring on a D-Bus of its own that exits with the test.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// Configuration of a bus that starts no services. A keyring started by it would ask for a password on a screen.
const BUS: &str = r#"<busconfig><type>session</type><listen>unix:dir=FOLDER</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"#;
/// Maximum number of checks whether the keyring has appeared on the bus.
const LOOKS: usize = 1_000;

pub struct Keyring {
    bus: Child,
    keyring: Child,
    address: String,
    _folder: TempDir,
}

impl Keyring {
    pub fn start() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("adj-ring")
            .tempdir_in("/tmp")
            .unwrap();
        let config = folder.path().join("bus.conf");
        let here = folder.path().display().to_string();
        std::fs::write(&config, BUS.replace("FOLDER", &here)).unwrap();
        let mut bus = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", config.display()))
            .args(["--nofork", "--print-address=1"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon: {error}: run scripts/setup test"));
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        let address = address.trim().to_owned();
        let mut keyring = Command::new("gnome-keyring-daemon")
            .args(["--foreground", "--unlock", "--components=secrets"])
            .env("DBUS_SESSION_BUS_ADDRESS", &address)
            .env("HOME", folder.path())
            .env("XDG_DATA_HOME", folder.path())
            .env("XDG_RUNTIME_DIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("gnome-keyring: {error}: run scripts/setup test"));
        let mut password = keyring.stdin.take().unwrap();
        password.write_all(b"of the keyring").unwrap();
        drop(password);
        let started = Self {
            bus,
            keyring,
            address,
            _folder: folder,
        };
        assert!(started.comes(), "the keyring did not come to its bus");
        started
    }

    /// Waits until it is ready, and returns whether it was in time. It takes its name on the bus before it answers and
    /// before its collection exists.
    #[expect(
        clippy::disallowed_methods,
        reason = "gnome-keyring tells nobody when it is ready"
    )]
    fn comes(&self) -> bool {
        (0..LOOKS).any(|_| {
            thread::sleep(Duration::from_millis(10));
            self.is_there()
        })
    }

    /// Returns whether it answers and has a collection for entries.
    pub fn is_there(&self) -> bool {
        let default = ["org.freedesktop.Secret.Service.ReadAlias", "string:default"];
        let said = self.ask("/org/freedesktop/secrets", &default);
        said.is_some_and(|said| said.contains("/org/freedesktop/secrets/"))
    }

    /// Returns the address that a program needs to find it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the names of the entries of a home folder, sorted.
    pub fn entries(&self, home: &Path) -> Vec<String> {
        let search = [
            "org.freedesktop.Secret.Service.SearchItems",
            "dict:string:string:service,adjutant",
        ];
        let found = self.ask("/org/freedesktop/secrets", &search).unwrap();
        let mut names = Vec::new();
        for line in found.lines() {
            let Some(path) = line.trim().strip_prefix("object path \"") else {
                continue;
            };
            let get = [
                "org.freedesktop.DBus.Properties.Get",
                "string:org.freedesktop.Secret.Item",
                "string:Attributes",
            ];
            let said = self
                .ask(path.trim_end_matches('"'), &get)
                .unwrap_or_default();
            // The user of an entry is the folder of its profile followed by the entry's name.
            let begin = format!("string \"{}/", home.display());
            names.extend(said.lines().filter_map(|line| {
                let (_, rest) = line.split_once(&begin)?;
                let (_, name) = rest.trim_end_matches('"').rsplit_once("/")?;
                Some(name.to_owned())
            }));
        }
        names.sort();
        names
    }

    /// Sends it a message and returns the reply; `None` if it refuses or is not there.
    fn ask(&self, path: &str, message: &[&str]) -> Option<String> {
        let output = Command::new("dbus-send")
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .args([
                "--session",
                "--print-reply",
                "--dest=org.freedesktop.secrets",
                path,
            ])
            .args(message)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        output.status.success().then_some(said)
    }
}

impl Drop for Keyring {
    fn drop(&mut self) {
        for child in [&mut self.keyring, &mut self.bus] {
            drop(child.kill());
            drop(child.wait());
        }
    }
}
