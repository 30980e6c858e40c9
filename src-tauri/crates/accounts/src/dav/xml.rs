//! Parses replies of WebDAV servers (RFC 4918) into a small tree with bounded size.

use quick_xml::NsReader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;

pub(super) const DAV: &str = "DAV:";
pub(super) const CALDAV: &str = "urn:ietf:params:xml:ns:caldav";
pub(super) const CARDDAV: &str = "urn:ietf:params:xml:ns:carddav";
pub(super) const APPLE: &str = "http://apple.com/ns/ical/";

/// Maximum nesting depth of elements.
const DEPTH_MAX: usize = 32;
/// Maximum number of elements in a reply.
const NODES_MAX: usize = 500_000;

/// An element.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    space: String,
    name: String,
    /// Value of the attribute `name`, the only one used.
    pub(super) attribute: String,
    pub(super) text: String,
    children: Vec<Node>,
}

impl Node {
    /// Parses a reply; `None` if it is not XML or exceeds the limits.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut reader = NsReader::from_str(text);
        let mut open: Vec<Self> = vec![Self::default()];
        let mut nodes = 0;
        loop {
            let (space, event) = reader.read_resolved_event().ok()?;
            match event {
                Event::Start(start) => {
                    nodes += 1;
                    if open.len() > DEPTH_MAX || nodes > NODES_MAX {
                        return None;
                    }
                    open.push(Self::of(&space, &start));
                }
                Event::Empty(start) => {
                    nodes += 1;
                    if nodes > NODES_MAX {
                        return None;
                    }
                    let node = Self::of(&space, &start);
                    open.last_mut()?.children.push(node);
                }
                Event::End(_) => {
                    let node = open.pop()?;
                    open.last_mut()?.children.push(node);
                }
                Event::Text(text) => open.last_mut()?.text.push_str(&text.xml10_content()),
                Event::CData(text) => open.last_mut()?.text.push_str(&text.xml10_content()),
                Event::GeneralRef(entity) => {
                    let known = match entity.resolve_char_ref().ok()? {
                        Some(c) => c,
                        None => match &*entity.xml10_content() {
                            "amp" => '&',
                            "lt" => '<',
                            "gt" => '>',
                            "quot" => '"',
                            "apos" => '\'',
                            // Entities declared in a DTD are rejected: they can expand without bound.
                            _ => return None,
                        },
                    };
                    open.last_mut()?.text.push(known);
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        let mut root = open.pop().filter(|_| open.is_empty())?;
        root.children.pop()
    }

    fn of(space: &ResolveResult<'_>, start: &BytesStart<'_>) -> Self {
        let space = match space {
            ResolveResult::Bound(space) => space.0.to_owned(),
            ResolveResult::Unbound | ResolveResult::Unknown(_) => String::new(),
        };
        let attribute = start.try_get_attribute("name").ok().flatten();
        let attribute = attribute.and_then(|one| {
            let value = one.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some(value.into_owned())
        });
        Self {
            space,
            name: start.local_name().into_inner().to_owned(),
            attribute: attribute.unwrap_or_default(),
            ..Self::default()
        }
    }

    pub(super) fn is(&self, space: &str, name: &str) -> bool {
        self.space == space && self.name == name
    }

    /// Returns the children with this name.
    pub(super) fn all<'a>(
        &'a self,
        space: &'a str,
        name: &'a str,
    ) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |one| one.is(space, name))
    }

    /// Returns the first child with this name.
    pub(super) fn get(&self, space: &str, name: &str) -> Option<&Self> {
        self.children.iter().find(|one| one.is(space, name))
    }

    /// Returns the trimmed text of a child; `None` if it is missing or empty.
    pub(super) fn text_of(&self, space: &str, name: &str) -> Option<&str> {
        let text = self.get(space, name)?.text.trim();
        (!text.is_empty()).then_some(text)
    }

    /// Returns the `href` inside a child.
    pub(super) fn href_of(&self, space: &str, name: &str) -> Option<&str> {
        self.get(space, name)?.text_of(DAV, "href")
    }
}

/// Returns the names of the failed preconditions in a `DAV:error` body.
pub(super) fn conditions(text: &str) -> Vec<String> {
    let root = Node::read(text).filter(|root| root.is(DAV, "error"));
    root.map_or_else(Vec::new, |root| {
        root.children.into_iter().map(|one| one.name).collect()
    })
}

/// One `response` element: what the server reports about one resource.
#[derive(Debug)]
pub(super) struct Resource<'a> {
    /// The address of the resource.
    pub(super) href: &'a str,
    /// The status of the resource as a whole, if reported.
    pub(super) status: Option<u16>,
    found: Vec<&'a Node>,
}

impl<'a> Resource<'a> {
    /// Returns the resources of a multistatus.
    pub(super) fn all(root: &'a Node) -> Vec<Self> {
        let responses = root.all(DAV, "response");
        let resources = responses.filter_map(|response| {
            let found = response.all(DAV, "propstat").filter(|one| {
                one.text_of(DAV, "status")
                    .and_then(code)
                    .is_none_or(|code| code == 200)
            });
            Some(Self {
                href: response.text_of(DAV, "href")?,
                status: response.text_of(DAV, "status").and_then(code),
                found: found.filter_map(|one| one.get(DAV, "prop")).collect(),
            })
        });
        resources.collect()
    }

    /// Returns a property the server found.
    pub(super) fn property(&self, space: &str, name: &str) -> Option<&'a Node> {
        self.found.iter().find_map(|prop| prop.get(space, name))
    }

    /// Returns the trimmed text of a property; `None` if it is missing or empty.
    pub(super) fn text(&self, space: &str, name: &str) -> Option<&'a str> {
        let text = self.property(space, name)?.text.trim();
        (!text.is_empty()).then_some(text)
    }
}

/// Parses the code from a status line such as `HTTP/1.1 200 OK`.
fn code(status: &str) -> Option<u16> {
    status.split_whitespace().nth(1)?.parse().ok()
}

/// Escapes text for use inside an element.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multistatus_is_read_whatever_its_prefixes() {
        let text = r#"<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns="urn:ietf:params:xml:ns:caldav">
            <D:response><D:href>/a%20b/</D:href><D:propstat><D:prop><D:displayname>Tom &amp; <![CDATA[Ann]]> &#x41;</D:displayname>
            <supported-calendar-component-set><comp name="VEVENT"/></supported-calendar-component-set></D:prop>
            <D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            <D:propstat><D:prop><D:getetag>no</D:getetag></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>
            <D:response><D:href>/gone</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>
            <D:sync-token> t1 </D:sync-token></D:multistatus>"#;
        let root = Node::read(text).unwrap();
        assert_eq!(root.text_of(DAV, "sync-token"), Some("t1"));
        let [first, gone] = &Resource::all(&root)[..] else {
            panic!("{root:?}")
        };
        assert_eq!(first.text(DAV, "displayname"), Some("Tom & Ann A"));
        let set = first
            .property(CALDAV, "supported-calendar-component-set")
            .unwrap();
        assert_eq!(set.get(CALDAV, "comp").unwrap().attribute, "VEVENT");
        assert_eq!(first.text(DAV, "getetag"), None, "it was not found");
        assert_eq!((gone.href, gone.status), ("/gone", Some(404)));
    }

    #[test]
    fn what_no_server_has_reason_to_send_is_not_read() {
        let bomb = r#"<!DOCTYPE a [<!ENTITY x "yyyy">]><a>&x;</a>"#;
        let deep = "<a>".repeat(40) + &"</a>".repeat(40);
        for text in ["", "garbage", "<a>", "<a></b>", bomb, &deep] {
            assert_eq!(Node::read(text), None, "{text:.40}");
        }
    }
}
