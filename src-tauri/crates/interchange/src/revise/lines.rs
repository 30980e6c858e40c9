//! Components of iCalendar and vCard as lists of lines: some lines are changed, the others stay as they are.

/// Highest number of nested components.
const DEPTH_MAX: usize = 16;
/// Longest line in bytes, without its line ending (RFC 5545, 3.1).
const LINE_BYTES_MAX: usize = 75;

/// A component, from `BEGIN:` to `END:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) parts: Vec<Element>,
}

/// An element of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// A line, unfolded and without its line ending.
    Line(String),
    /// A nested component.
    Inside(Component),
}

impl Component {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            parts: Vec::new(),
        }
    }

    /// Parses a text that is exactly one complete component; returns `None` for anything else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut open: Vec<Self> = Vec::new();
        let mut whole = None;
        for line in unfolded(text) {
            if whole.is_some() {
                return None;
            }
            let (head, value) = split(&line);
            if head.eq_ignore_ascii_case("BEGIN") {
                if open.len() == DEPTH_MAX {
                    return None;
                }
                open.push(Self::new(value.trim()));
            } else if head.eq_ignore_ascii_case("END") {
                let done = open
                    .pop()
                    .filter(|one| one.name.eq_ignore_ascii_case(value.trim()))?;
                match open.last_mut() {
                    Some(outer) => outer.parts.push(Element::Inside(done)),
                    None => whole = Some(done),
                }
            } else {
                open.last_mut()?.parts.push(Element::Line(line));
            }
        }
        whole.filter(|_| open.is_empty())
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns the component as text with folded lines.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        fold(&format!("BEGIN:{}", self.name), out);
        for part in &self.parts {
            match part {
                Element::Line(line) => fold(line, out),
                Element::Inside(component) => component.write(out),
            }
        }
        fold(&format!("END:{}", self.name), out);
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Element::Line(line) => Some(line.as_str()),
            Element::Inside(_) => None,
        })
    }

    /// Returns the lines of a property.
    pub(super) fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.lines().filter(move |line| is_named(line, name))
    }

    pub(super) fn inside(&self) -> impl Iterator<Item = &Self> {
        self.parts.iter().filter_map(|part| match part {
            Element::Inside(component) => Some(component),
            Element::Line(_) => None,
        })
    }

    pub(super) fn inside_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.parts.iter_mut().filter_map(|part| match part {
            Element::Inside(component) => Some(component),
            Element::Line(_) => None,
        })
    }

    /// Replaces the lines of a property. The new ones go where the first old line was, otherwise after the last line.
    pub(super) fn set(&mut self, name: &str, lines: impl IntoIterator<Item = String>) {
        let is_old = |part: &Element| matches!(part, Element::Line(line) if is_named(line, name));
        let is_line = |part: &Element| matches!(part, Element::Line(_));
        let at = self.parts.iter().position(is_old);
        let at = at.or_else(|| self.parts.iter().rposition(is_line).map(|last| last + 1));
        self.parts.retain(|part| !is_old(part));
        let at = at.unwrap_or(0).min(self.parts.len());
        let lines = lines.into_iter().map(Element::Line);
        self.parts.splice(at..at, lines);
    }

    pub(super) fn remove(&mut self, names: &[&str]) {
        for name in names {
            self.set(name, None);
        }
    }
}

/// Whether a line belongs to a property, ignoring its group (`item1.EMAIL`).
fn is_named(line: &str, name: &str) -> bool {
    let (head, _) = split(line);
    let own = head.split(';').next().unwrap_or_default();
    let own = own.rsplit('.').next().unwrap_or_default();
    own.eq_ignore_ascii_case(name)
}

/// Returns the group of a line (`item1`).
pub(super) fn group(line: &str) -> Option<&str> {
    let own = split(line).0.split(';').next()?;
    own.split_once('.').map(|(group, _)| group)
}

/// Splits a line at its first unquoted colon.
pub(super) fn split(line: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ':' if !quoted => return (&line[..at], &line[at + 1..]),
            _ => {}
        }
    }
    (line, "")
}

/// Returns the value of a parameter, without quotes.
pub(super) fn parameter<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let found = parameters(split(line).0).into_iter().skip(1);
    let mut pairs = found.filter_map(|one| one.split_once('='));
    let (_, value) = pairs.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
    Some(value.trim_matches('"'))
}

/// Returns the line with a parameter set to `value`, or without the parameter if `value` is `None`.
pub(super) fn with_parameter(line: &str, name: &str, value: Option<&str>) -> String {
    let (head, rest) = split(line);
    let is_old = |one: &&str| {
        let own = one.split_once('=').map_or(*one, |(own, _)| own);
        own.eq_ignore_ascii_case(name)
    };
    let mut all = parameters(head);
    let own = all.remove(0);
    let kept: Vec<&str> = all.into_iter().filter(|one| !is_old(one)).collect();
    let mut line = own.to_owned();
    for one in kept {
        line.push(';');
        line.push_str(one);
    }
    if let Some(value) = value {
        line.push_str(&format!(";{name}={value}"));
    }
    format!("{line}:{rest}")
}

/// Splits a line's head into its name and its parameters.
fn parameters(head: &str) -> Vec<&str> {
    let mut quoted = false;
    head.split(|c| {
        if c == '"' {
            quoted = !quoted;
        }
        c == ';' && !quoted
    })
    .collect()
}

fn unfolded(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match (line.strip_prefix([' ', '\t']), all.last_mut()) {
            (Some(rest), Some(last)) => last.push_str(rest),
            _ if line.trim().is_empty() => {}
            _ => all.push(line.to_owned()),
        }
    }
    all
}

/// Appends a line, folded at 75 bytes without cutting a character.
fn fold(line: &str, out: &mut String) {
    let mut rest = line;
    let mut room = LINE_BYTES_MAX;
    while rest.len() > room {
        let mut cut = room;
        while !rest.is_char_boundary(cut) {
            cut -= 1;
        }
        out.push_str(&rest[..cut]);
        out.push_str("\r\n ");
        rest = &rest[cut..];
        room = LINE_BYTES_MAX - 1;
    }
    out.push_str(rest);
    out.push_str("\r\n");
}
