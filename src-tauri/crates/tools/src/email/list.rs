//! Reads from a mail's headers how to leave its mailing list (RFC 2369, RFC 8058). The headers are foreign text: no
//! request is sent before the person has seen where it goes.

use adjutant_domain::record::writer::HEAD_BYTES_MAX;
use mail_parser::{Message, MessageParser};
use url::Url;

use super::mime::one_line;
use crate::address::is_address;
use crate::words;

/// Maximum bytes of an address that is followed.
const URL_BYTES_MAX: usize = 2000;
/// Maximum characters of the subject and of the text that a list asks for.
const ASKED_CHARS_MAX: usize = 500;

/// A way to leave a mailing list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// One request to this address.
    Request(Url),
    /// A mail.
    Mail {
        /// The recipient.
        to: String,
        /// The subject the list asks for.
        subject: String,
        /// The text the list asks for.
        body: String,
    },
    /// A web page that the person has to open.
    Page(Url),
}

impl Leaving {
    /// Returns where it leads: a host, or a mail address.
    #[must_use]
    pub fn target(&self) -> &str {
        match self {
            Self::Request(url) | Self::Page(url) => url.host_str().unwrap_or_default(),
            Self::Mail { to, .. } => to,
        }
    }
}

fn head(source: &[u8]) -> Option<Message<'_>> {
    let head = &source[..source.len().min(HEAD_BYTES_MAX)];
    MessageParser::default().parse_headers(head)
}

fn header(message: &Message<'_>, name: &str) -> String {
    let mut all = message.headers_raw();
    let found = all.find(|(one, _)| one.eq_ignore_ascii_case(name));
    found.map(|(_, value)| one_line(value)).unwrap_or_default()
}

/// Returns how to leave the list of a mail: by one request if offered, else by mail, else on a page. `None` if the
/// headers say nothing.
#[must_use]
pub fn leaving(source: &[u8]) -> Option<Leaving> {
    let message = head(source)?;
    let said = header(&message, "List-Unsubscribe");
    let post = header(&message, "List-Unsubscribe-Post");
    let one_click = post.eq_ignore_ascii_case("List-Unsubscribe=One-Click");
    let addresses: Vec<Url> = said
        .split('<')
        .skip(1)
        .filter_map(|one| one.split_once('>'))
        .map(|(one, _)| one.trim())
        .filter(|one| one.len() <= URL_BYTES_MAX)
        .filter_map(|one| Url::parse(one).ok())
        .collect();
    let web = |scheme: &str| addresses.iter().find(|url| url.scheme() == scheme).cloned();
    if let Some(url) = web("https").filter(|_| one_click) {
        return Some(Leaving::Request(url));
    }
    let mail = addresses.iter().find_map(by_mail);
    mail.or_else(|| web("https").or_else(|| web("http")).map(Leaving::Page))
}

/// Returns the identifier of the list a mail came by (RFC 2919), in lower case. `None` if the headers name none.
pub(super) fn list_id(source: &[u8]) -> Option<String> {
    let said = header(&head(source)?, "List-Id");
    let (_, id) = said.rsplit_once('<')?;
    let id = id.split('>').next()?.trim().to_lowercase();
    Some(id).filter(|id| !id.is_empty())
}

fn by_mail(url: &Url) -> Option<Leaving> {
    if url.scheme() != "mailto" {
        return None;
    }
    let asked = |name: &str| {
        let mut pairs = url.query_pairs();
        let value = pairs.find(|(one, _)| one.eq_ignore_ascii_case(name))?.1;
        let value = words::cut(&one_line(&value), ASKED_CHARS_MAX);
        Some(value).filter(|value| !value.is_empty())
    };
    // Parsed like a query, in which `+` would mean a space.
    let path = url.path().replace('+', "%2B");
    let to = url::form_urlencoded::parse(path.as_bytes())
        .next()?
        .0
        .into_owned();
    is_address(&to).then(|| Leaving::Mail {
        to,
        subject: asked("subject").unwrap_or_else(|| "unsubscribe".into()),
        body: asked("body").unwrap_or_else(|| "unsubscribe".into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(head: &str) -> Vec<u8> {
        format!("From: News <news@list.example>\r\nSubject: x\r\n{head}\r\nText").into_bytes()
    }

    #[test]
    fn a_list_is_left_by_the_surest_way_it_offers() {
        let of = |head: &str| leaving(&mail(head));
        let both = "List-Unsubscribe: <mailto:leave+7@list.example?subject=leave%20me>,\r\n <https://list.example/u?id=7>\r\n";
        let request = of(&format!(
            "{both}List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
        ));
        assert_eq!(request.as_ref().map(Leaving::target), Some("list.example"));
        assert!(
            matches!(request, Some(Leaving::Request(url)) if url.as_str() == "https://list.example/u?id=7")
        );
        assert_eq!(
            of(both),
            Some(Leaving::Mail {
                to: "leave+7@list.example".into(),
                subject: "leave me".into(),
                body: "unsubscribe".into()
            })
        );
        assert!(matches!(
            of("List-Unsubscribe: <https://list.example/u>\r\n"),
            Some(Leaving::Page(_))
        ));
        // One request has to be encrypted.
        let open = "List-Unsubscribe: <http://list.example/u>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
        assert!(matches!(of(open), Some(Leaving::Page(_))));
        for none in [
            "",
            "List-Unsubscribe: <javascript:alert(1)>\r\n",
            "List-Unsubscribe: <mailto:>\r\n",
            "List-Unsubscribe: <mailto:a@b.example,c@d.example>\r\n",
            "List-Unsubscribe: https://list.example/u\r\n",
            "List-Unsubscribe: <https://\r\n",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
        let lines =
            of("List-Unsubscribe: <mailto:a@b.example?subject=x%0D%0ABcc:%20evil@c.example>\r\n");
        assert!(
            matches!(lines, Some(Leaving::Mail { subject, .. }) if subject == "x Bcc: evil@c.example")
        );
    }

    #[test]
    fn a_list_is_known_by_its_identifier() {
        let of = |head: &str| list_id(&mail(head));
        assert_eq!(
            of("List-Id: Product Weekly <Weekly.list.example>\r\n").as_deref(),
            Some("weekly.list.example")
        );
        for none in ["", "List-Id: weekly\r\n", "List-Id: <>\r\n"] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
