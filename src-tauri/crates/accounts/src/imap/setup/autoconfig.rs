//! Reads a domain's own mail server settings (Thunderbird autoconfiguration, an XML file at the domain).

use std::time::Duration;

use adjutant_net::{AddressFrom, Follow, Method, NetClient, Outgoing, Url};
use quick_xml::XmlVersion;
use quick_xml::events::Event;
use quick_xml::reader::Reader;

use super::Proposal;
use crate::imap::server::{Protocol, Server};

/// Maximum size of the file in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024;
/// Time allowed for each of its two locations.
const WITHIN: Duration = Duration::from_secs(8);
/// Maximum nesting depth of elements.
const DEPTH_MAX: usize = 16;

/// Asks a domain for its servers; `None` if it names none that are usable.
pub(super) async fn ask(net: &NetClient, domain: &str, address: &str) -> Option<Proposal> {
    for place in [
        format!("https://autoconfig.{domain}/mail/config-v1.1.xml"),
        format!("https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml"),
    ] {
        let Ok(mut url) = Url::parse(&place) else {
            continue;
        };
        if url.path().starts_with("/mail/") {
            url.query_pairs_mut().append_pair("emailaddress", address);
        }
        if let Some(found) = fetch(net, url).await.and_then(|text| read(&text, address)) {
            return Some(found);
        }
    }
    None
}

async fn fetch(net: &NetClient, url: Url) -> Option<String> {
    let mut request = Outgoing::new(Method::GET, url, "finding the servers of a mail address");
    request.follow = Follow::Anywhere;
    request.from = AddressFrom::Outside;
    request.within = WITHIN;
    request.reply_bytes_max = FILE_BYTES_MAX;
    let reply = net.send(request).await.ok()?;
    if !reply.status().is_success() {
        return None;
    }
    let bytes = reply.bytes(WITHIN).await.ok()?;
    String::from_utf8(bytes.to_vec()).ok()
}

/// One server in the file.
#[derive(Default)]
struct Described {
    kind: String,
    host: String,
    port: String,
    security: String,
    user: String,
}

impl Described {
    fn server(&self, protocol: Protocol) -> Option<Server> {
        let scheme = match (protocol, self.security.to_ascii_uppercase().as_str()) {
            (Protocol::Imap, "SSL") => "imaps",
            (Protocol::Imap, "STARTTLS") => "imap",
            (Protocol::Smtp, "SSL") => "smtps",
            (Protocol::Smtp, "STARTTLS") => "smtp",
            // Unencrypted connections are never used.
            _ => return None,
        };
        Server::parse(protocol, &format!("{scheme}://{}:{}", self.host, self.port))
    }
}

/// Returns the first encrypted server each for reading and for sending.
fn read(text: &str, address: &str) -> Option<Proposal> {
    let described = servers(text)?;
    let of = |kind: &'static str, protocol| {
        let mut all = described.iter().filter(move |one| one.kind == kind);
        all.find_map(|one| Some((one.server(protocol)?, one)))
    };
    let (reading, from) = of("imap", Protocol::Imap)?;
    let (sending, _) = of("smtp", Protocol::Smtp)?;
    let (local, domain) = address.rsplit_once('@')?;
    let user = match from.user.as_str() {
        "" => address.to_owned(),
        pattern => pattern
            .replace("%EMAILADDRESS%", address)
            .replace("%EMAILLOCALPART%", local)
            .replace("%EMAILDOMAIN%", domain),
    };
    Some(Proposal {
        reading,
        sending,
        user,
        from: AddressFrom::Outside,
        server_files: false,
    })
}

/// Parses the servers in the file, in order; `None` if it is not valid XML.
fn servers(text: &str) -> Option<Vec<Described>> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().trim_text(true);
    let mut all = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut current: Option<Described> = None;
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) => {
                let name = element.name().as_ref().to_owned();
                if name == "incomingServer" || name == "outgoingServer" {
                    let kind = element.try_get_attribute("type").ok().flatten();
                    current = Some(Described {
                        kind: kind
                            .map(|kind| kind.value.to_ascii_lowercase())
                            .unwrap_or_default(),
                        ..Described::default()
                    });
                }
                path.push(name);
                if path.len() > DEPTH_MAX {
                    return None;
                }
            }
            Event::Text(text) => {
                let value = text.xml_content(XmlVersion::Implicit1_0).trim().to_owned();
                if let (Some(server), Some(name)) = (&mut current, path.last()) {
                    match name.as_str() {
                        "hostname" => server.host = value,
                        "port" => server.port = value,
                        "socketType" => server.security = value,
                        "username" => server.user = value,
                        _ => {}
                    }
                }
            }
            Event::End(_) => {
                let name = path.pop()?;
                if name == "incomingServer" || name == "outgoingServer" {
                    all.extend(current.take());
                }
            }
            Event::Eof => return path.is_empty().then_some(all),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1">
  <emailProvider id="example.org">
    <domain>example.org</domain>
    <incomingServer type="pop3"><hostname>pop.example.org</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
    <incomingServer type="imap"><hostname>plain.example.org</hostname><port>143</port><socketType>plain</socketType></incomingServer>
    <incomingServer type="imap">
      <hostname>in.example.org</hostname><port>993</port><socketType>SSL</socketType>
      <authentication>password-cleartext</authentication>
      <username>%EMAILLOCALPART%</username>
    </incomingServer>
    <outgoingServer type="smtp"><hostname>out.example.org</hostname><port>587</port><socketType>STARTTLS</socketType></outgoingServer>
  </emailProvider>
</clientConfig>"#;

    #[test]
    fn the_first_encrypted_servers_are_taken() {
        let found = read(FILE, "kim@example.org");
        let found = found.map(|one| {
            let (reading, sending) = (
                one.reading.written(Protocol::Imap),
                one.sending.written(Protocol::Smtp),
            );
            (reading, sending, one.user)
        });
        let expected = (
            "imaps://in.example.org:993",
            "smtp://out.example.org:587",
            "kim",
        );
        let expected = (
            expected.0.to_owned(),
            expected.1.to_owned(),
            expected.2.to_owned(),
        );
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn what_is_no_such_file_says_nothing() {
        let deep = "<a>".repeat(DEPTH_MAX + 1);
        for text in [
            "",
            "<html><body>404</body></html>",
            &FILE[..600],
            &FILE.replace("SSL", "plain"),
            &deep,
        ] {
            assert_eq!(read(text, "kim@example.org"), None, "{text:.60}");
        }
        let hostile = FILE.replace("in.example.org", "a/../b@c");
        assert_eq!(read(&hostile, "kim@example.org"), None);
    }

    proptest! {
        #[test]
        fn no_file_brings_it_down(text in "(<[a-z/!?]{0,12}>?|[ a-z&;\"]{0,6}){0,20}") {
            let _ = read(&text, "kim@example.org");
        }
    }
}
