//! An unprivileged Dovecot server for one test, on the loopback interface. Every user name is an account with the
//! password `secret`.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::certificate::Certificate;

/// User id of nobody, which the server runs as if the test runs as root.
const NOBODY: u32 = 65_534;

pub struct Dovecot {
    child: Child,
    folder: TempDir,
    /// Unencrypted port, for the door and for inspecting mailboxes.
    pub plain: u16,
    /// Port with encryption from the first byte.
    pub tls: u16,
    pub certificate: Certificate,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn output(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Returns the program. Distributions install it in a folder for servers, which may not be in the path.
fn program() -> &'static str {
    let places = [
        "/usr/sbin/dovecot",
        "/usr/bin/dovecot",
        "/usr/local/sbin/dovecot",
    ];
    let found = places.into_iter().find(|place| Path::new(place).exists());
    found.unwrap_or_else(|| panic!("Dovecot is not installed: run scripts/setup test"))
}

impl Dovecot {
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// Starts the server with additional lines of configuration.
    pub fn start_with(more: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("adj-imap")
            .tempdir_in("/tmp")
            .unwrap();
        let path = folder.path().display().to_string();
        let is_root = folder.path().metadata().unwrap().uid() == 0;
        let (user, group, uid, gid) = match is_root {
            true => (
                "nobody".to_owned(),
                output("id", &["-gn", "nobody"]),
                NOBODY,
                NOBODY,
            ),
            false => (
                output("id", &["-un"]),
                output("id", &["-gn"]),
                folder.path().metadata().unwrap().uid(),
                folder.path().metadata().unwrap().gid(),
            ),
        };
        let (plain, tls) = (free_port(), free_port());
        let certificate = Certificate::of("localhost");
        let conf = format!(
            "base_dir = {path}/run\nstate_dir = {path}/run\nlog_path = /dev/stderr\nlisten = 127.0.0.1\nprotocols = imap\n\
            ssl = yes\nssl_cert = <{path}/cert.pem\nssl_key = <{path}/key.pem\n\
            default_internal_user = {user}\ndefault_internal_group = {group}\ndefault_login_user = {user}\n\
            service imap-login {{\n chroot =\n inet_listener imap {{\n port = {plain}\n }}\n inet_listener imaps {{\n port = {tls}\n }}\n}}\n\
            service anvil {{\n chroot =\n unix_listener anvil-auth-penalty {{\n mode = 0\n }}\n}}\n\
            mail_max_userip_connections = 100\nauth_mechanisms = plain login\nauth_failure_delay = 0\ndisable_plaintext_auth = no\n\
            passdb {{\n driver = static\n args = password=secret\n}}\n\
            userdb {{\n driver = static\n args = uid={uid} gid={gid} home={path}/mail/%u\n}}\n\
            first_valid_uid = 1\nmail_location = maildir:~/\nmail_fsync = never\n\
            namespace inbox {{\n inbox = yes\n separator = /\n {}}}\n{more}\n",
            ["Sent", "Archive", "Trash", "Junk", "Drafts"].iter().fold(
                String::new(),
                |mut all, name| {
                    write!(
                        all,
                        "mailbox {name} {{\n special_use = \\{name}\n auto = create\n }}\n"
                    )
                    .unwrap();
                    all
                }
            )
        );
        for (name, text) in [
            ("conf", &conf),
            ("cert.pem", &certificate.pem),
            ("key.pem", &certificate.key_pem),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        for name in ["run", "mail"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let mut command = Command::new(program());
        command.args(["-F", "-c", &format!("{path}/conf")]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if is_root {
            for name in ["", "run", "mail", "conf", "cert.pem", "key.pem"] {
                chown(folder.path().join(name), Some(NOBODY), Some(NOBODY)).unwrap();
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("starting up") {
            line.clear();
            assert!(
                said.read_line(&mut line).unwrap() > 0,
                "Dovecot ended before it was ready"
            );
            assert!(!line.contains("Fatal"), "{line}");
        }
        // Without a reader of its output, Dovecot would block.
        std::thread::Builder::new()
            .spawn(move || std::io::copy(&mut said, &mut std::io::sink()))
            .unwrap();
        Self {
            child,
            folder,
            plain,
            tls,
            certificate,
        }
    }

    /// Returns another client of an account.
    pub fn other(&self, user: &str) -> Other {
        Other::new(self.plain, user)
    }

    /// Removes the UIDs of a mailbox, so that the server assigns new ones.
    pub fn renumber(&self, user: &str) {
        let mail = self.folder.path().join("mail").join(user);
        for file in std::fs::read_dir(mail).unwrap() {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            if name == "dovecot-uidlist" || name.starts_with("dovecot.index") {
                std::fs::remove_file(file.path()).unwrap();
            }
        }
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        drop(Command::new("kill").arg(pid).status());
        drop(self.child.wait());
    }
}

/// Another mail client. It is independent code, so it does not share mistakes with the code under test.
pub struct Other {
    stream: BufReader<TcpStream>,
    tag: u32,
}

impl Other {
    pub fn new(port: u16, user: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let mut other = Self {
            stream: BufReader::new(stream),
            tag: 0,
        };
        other.ask(&format!("LOGIN {user} secret"));
        other
    }

    /// Sends a request and returns every line of the reply. Panics if the server refuses it.
    pub fn ask(&mut self, command: &str) -> Vec<String> {
        let said = self.try_ask(command);
        let last = said.last().unwrap();
        assert!(last.contains(" OK "), "{command:.80}: {last}");
        said
    }

    fn try_ask(&mut self, command: &str) -> Vec<String> {
        self.tag += 1;
        let tag = format!("x{}", self.tag);
        let stream = self.stream.get_mut();
        stream
            .write_all(format!("{tag} {command}\r\n").as_bytes())
            .unwrap();
        let mut said = Vec::new();
        loop {
            let mut line = Vec::new();
            self.stream.read_until(b'\n', &mut line).unwrap();
            assert!(!line.is_empty(), "Dovecot hung up at {command:.80}");
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if let Some(length) = text
                .strip_suffix('}')
                .and_then(|text| text.rsplit_once('{'))
            {
                let mut literal = vec![0; length.1.parse().unwrap()];
                self.stream.read_exact(&mut literal).unwrap();
                said.push(String::from_utf8_lossy(&literal).into_owned());
            }
            let is_last = text.starts_with(&format!("{tag} "));
            said.push(text);
            if is_last {
                return said;
            }
        }
    }

    /// Adds a mail and returns its UID.
    pub fn append(&mut self, mailbox: &str, flags: &str, mime: &str) -> u32 {
        let command = format!(
            "APPEND \"{mailbox}\" ({flags}) {{{}+}}\r\n{mime}",
            mime.len()
        );
        let said = self.ask(&command);
        // x1 OK [APPENDUID 1 7] Append completed
        let uid = said
            .last()
            .unwrap()
            .split(']')
            .next()
            .unwrap()
            .rsplit(' ')
            .next()
            .unwrap();
        uid.parse().unwrap()
    }

    pub fn store(&mut self, mailbox: &str, uid: u32, what: &str) {
        self.ask(&format!("SELECT \"{mailbox}\""));
        self.ask(&format!("UID STORE {uid} {what}"));
    }

    pub fn expunge(&mut self, mailbox: &str, uid: u32) {
        self.store(mailbox, uid, "+FLAGS (\\Deleted)");
        self.ask(&format!("UID EXPUNGE {uid}"));
    }

    /// Returns the subjects in a mailbox, each with its flags.
    pub fn mails(&mut self, mailbox: &str) -> Vec<(String, String)> {
        self.ask(&format!("EXAMINE \"{mailbox}\""));
        let said = self.ask("UID FETCH 1:* (FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])");
        let mut mails = Vec::new();
        let mut subject = String::new();
        for line in said {
            if let Some(value) = line.strip_prefix("Subject: ") {
                value.trim().clone_into(&mut subject);
            } else if let Some((_, rest)) = line.split_once("FLAGS (") {
                let flags = rest.split(')').next().unwrap().replace("\\Recent", "");
                mails.push((String::new(), flags.trim().to_owned()));
            }
            if line == ")" && !subject.is_empty() {
                mails.last_mut().unwrap().0 = std::mem::take(&mut subject);
            }
        }
        mails
    }
}
