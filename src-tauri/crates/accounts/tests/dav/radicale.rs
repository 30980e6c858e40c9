//! A Radicale server for one test, on the loopback interface, with a temporary folder of its own. Users are `u1` to
//! `u999` with the password `secret`, and `p1` to `p999` with [`PLANTED`].

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::certificate::Certificate;

/// A password that tests search for where it must not appear.
pub const PLANTED: &str = "planted-dav-password";

pub struct Radicale {
    child: Child,
    folder: TempDir,
    pub port: u16,
    pub certificate: Certificate,
}

/// Returns the program where `scripts/setup` installed it, or the system's.
#[expect(clippy::disallowed_methods, reason = "where scripts/setup puts tools")]
fn program() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let tools = cache.map(|cache| cache.join("adjutant/tools/bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = tools.into_iter().chain(std::env::split_paths(&path));
    let found =
        folders.find_map(|folder| Some(folder.join("radicale")).filter(|file| file.exists()));
    found.unwrap_or_else(|| panic!("Radicale is not installed: run scripts/setup test"))
}

impl Radicale {
    pub fn start() -> Self {
        // Radicale waits for the disk at every change; a folder in memory avoids that.
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() {
            memory
        } else {
            Path::new("/tmp")
        };
        let folder = tempfile::Builder::new()
            .prefix("adj-dav")
            .tempdir_in(place)
            .unwrap();
        let mut users = String::new();
        for user in 1..1_000 {
            writeln!(users, "u{user}:secret\np{user}:{PLANTED}").unwrap();
        }
        let file = |name: &str| folder.path().join(name);
        std::fs::write(file("users"), users).unwrap();
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let config = format!(
            "[server]\nhosts = 127.0.0.1:{port}\nmax_connections = 64\n[auth]\ntype = htpasswd\nhtpasswd_filename = {}\nhtpasswd_encryption = plain\ndelay = 0\n\
             [storage]\nfilesystem_folder = {}\n[web]\ntype = none\n[rights]\ntype = owner_only\n[logging]\nlevel = info\n",
            file("users").display(),
            file("data").display(),
        );
        std::fs::write(file("config"), config).unwrap();
        let mut child = Command::new(program())
            .arg("--config")
            .arg(file("config"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("server ready") {
            line.clear();
            let read = said.read_line(&mut line).unwrap();
            assert!(read > 0, "Radicale ended before it was ready");
        }
        // Without a reader of its output, Radicale would block.
        std::thread::Builder::new()
            .spawn(move || std::io::copy(&mut said, &mut std::io::sink()))
            .unwrap();
        Self {
            child,
            folder,
            port,
            certificate: Certificate::of("localhost"),
        }
    }

    /// Returns another client of a user. It is independent code, so it does not share mistakes with the code under
    /// test.
    pub fn other(&self, user: &str) -> Other {
        Other {
            port: self.port,
            user: user.to_owned(),
            password: if user.starts_with('p') {
                PLANTED
            } else {
                "secret"
            },
        }
    }

    /// Returns the folder with a collection's files.
    pub fn files(&self, path: &str) -> PathBuf {
        let root = self.folder.path().join("data/collection-root");
        root.join(path.trim_matches('/'))
    }

    /// Forgets every sync token issued for a user's collections.
    pub fn forget_tokens(&self, user: &str) {
        for collection in std::fs::read_dir(self.files(user)).unwrap() {
            let marks = collection
                .unwrap()
                .path()
                .join(".Radicale.cache/sync-token");
            if Path::new(&marks).exists() {
                std::fs::remove_dir_all(marks).unwrap();
            }
        }
    }
}

impl Drop for Radicale {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Another client with access to a user's collections.
pub struct Other {
    port: u16,
    user: String,
    password: &'static str,
}

/// A reply of the server.
pub struct HttpReply {
    pub status: u16,
    head: String,
    pub body: String,
}

impl HttpReply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (own, value) = line.split_once(':')?;
            own.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Other {
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> HttpReply {
        use base64::Engine as _;
        let pair = format!("{}:{}", self.user, self.password);
        let pair = base64::engine::general_purpose::STANDARD.encode(pair);
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Basic {pair}\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let all = String::from_utf8(all).unwrap();
        let (head, body) = all.split_once("\r\n\r\n").unwrap();
        HttpReply {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Writes a resource and returns its ETag.
    pub fn put(&self, path: &str, text: &str) -> String {
        let kind = if path.ends_with("vcf") {
            "text/vcard"
        } else {
            "text/calendar"
        };
        let said = self.ask("PUT", path, &format!("Content-Type: {kind}\r\n"), text);
        assert!(
            matches!(said.status, 201 | 204),
            "{path}: {} {}",
            said.status,
            said.body
        );
        said.header("etag").unwrap().to_owned()
    }

    pub fn get(&self, path: &str) -> Option<String> {
        let said = self.ask("GET", path, "", "");
        (said.status == 200).then_some(said.body)
    }

    pub fn delete(&self, path: &str) {
        assert_eq!(self.ask("DELETE", path, "", "").status, 200);
    }

    /// Creates a calendar for one kind of component.
    pub fn calendar(&self, name: &str, component: &str, title: &str) -> String {
        let path = format!("/{}/{name}/", self.user);
        let body = format!(
            r##"<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/"><D:set><D:prop><D:displayname>{title}</D:displayname><A:calendar-color>#FF8000FF</A:calendar-color><C:supported-calendar-component-set><C:comp name="{component}"/></C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>"##
        );
        let said = self.ask("MKCALENDAR", &path, "", &body);
        assert_eq!(said.status, 201, "{}", said.body);
        path
    }

    pub fn address_book(&self, name: &str, title: &str) -> String {
        let path = format!("/{}/{name}/", self.user);
        let body = format!(
            r#"<D:mkcol xmlns:D="DAV:" xmlns:R="urn:ietf:params:xml:ns:carddav"><D:set><D:prop><D:resourcetype><D:collection/><R:addressbook/></D:resourcetype><D:displayname>{title}</D:displayname></D:prop></D:set></D:mkcol>"#
        );
        let said = self.ask("MKCOL", &path, "", &body);
        assert_eq!(said.status, 201, "{}", said.body);
        path
    }
}
