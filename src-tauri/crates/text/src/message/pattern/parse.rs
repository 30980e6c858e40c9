//! Parses a line of a data file to a tree.

use super::kind;

/// A pattern as a tree; borrowed from the data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node<'a> {
    Word(&'a str),
    Exact(&'a str),
    Class(&'a str),
    Kind(u16),
    Any,
    Gap(u8),
    OpaqueGap,
    OpaqueRest(bool),
    ClauseStart,
    SentenceStart,
    End,
    Seq(Vec<Node<'a>>),
    Alt(Vec<Node<'a>>),
    Opt(Box<Node<'a>>),
}

/// One line of a data file.
#[derive(Debug, PartialEq)]
pub(super) enum DataLine<'a> {
    Class(&'a str, Node<'a>),
    Pattern {
        weight: f32,
        head: bool,
        text: &'a str,
        node: Node<'a>,
    },
}

/// Parses one line. Returns `Ok(None)` for a blank line or a comment, and an explanation for a line that is wrong.
pub(super) fn entry(line: &str) -> Result<Option<DataLine<'_>>, String> {
    let line = match line.find(" #") {
        Some(at) => &line[..at],
        None => line,
    };
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if let Some(rest) = line.strip_prefix('@') {
        let (name, body) = rest
            .split_once('=')
            .ok_or_else(|| format!("class without '=': {line}"))?;
        return Ok(Some(DataLine::Class(name.trim(), parse(body)?)));
    }
    let (weight, text) = line
        .split_once(char::is_whitespace)
        .ok_or_else(|| format!("no pattern after the weight: {line}"))?;
    let head = weight.ends_with('!');
    let weight = weight
        .trim_end_matches('!')
        .parse()
        .map_err(|_| format!("no weight: {line}"))?;
    Ok(Some(DataLine::Pattern {
        weight,
        head,
        text: text.trim(),
        node: parse(text)?,
    }))
}

fn parse(text: &str) -> Result<Node<'_>, String> {
    let mut parser = Parser { text, at: 0 };
    let node = parser.alternatives()?;
    if parser.peek().is_some() {
        return Err(format!("unexpected closing mark: {text}"));
    }
    Ok(node)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn alternatives(&mut self) -> Result<Node<'a>, String> {
        let mut all = vec![self.sequence()?];
        while self.peek() == Some('|') {
            self.at += 1;
            all.push(self.sequence()?);
        }
        Ok(if all.len() == 1 {
            all.swap_remove(0)
        } else {
            Node::Alt(all)
        })
    }

    fn sequence(&mut self) -> Result<Node<'a>, String> {
        let mut all = Vec::new();
        while let Some(ch) = self.peek() {
            let node = match ch {
                '|' | ')' | ']' => break,
                '(' => self.group(')')?,
                '[' => Node::Opt(Box::new(self.group(']')?)),
                _ => self.atom()?,
            };
            all.push(node);
        }
        match all.len() {
            0 => Err(format!("empty alternative: {}", self.text)),
            1 => Ok(all.swap_remove(0)),
            _ => Ok(Node::Seq(all)),
        }
    }

    fn group(&mut self, close: char) -> Result<Node<'a>, String> {
        self.at += 1;
        let inner = self.alternatives()?;
        if self.peek() != Some(close) {
            return Err(format!("missing {close}: {}", self.text));
        }
        self.at += 1;
        Ok(inner)
    }

    fn atom(&mut self) -> Result<Node<'a>, String> {
        let rest = &self.text[self.at..];
        let length = rest
            .char_indices()
            .find(|&(i, ch)| {
                i > 0
                    && (ch.is_whitespace() || matches!(ch, '|' | '(' | ')' | '[' | ']'))
                    && !rest[..i].ends_with('\\')
            })
            .map_or(rest.len(), |(i, _)| i);
        let atom = &rest[..length];
        self.at += length;
        Ok(match atom {
            "_" => Node::Any,
            ".." => Node::Gap(4),
            "..." => Node::Gap(12),
            "{..}" => Node::OpaqueGap,
            "{>}" => Node::OpaqueRest(false),
            "{>>}" => Node::OpaqueRest(true),
            "^" => Node::ClauseStart,
            "^^" => Node::SentenceStart,
            "<end>" => Node::End,
            _ => return self.literal(atom),
        })
    }

    fn literal(&self, atom: &'a str) -> Result<Node<'a>, String> {
        if let Some(name) = atom.strip_prefix('@').filter(|n| !n.is_empty()) {
            return Ok(Node::Class(name));
        }
        if let Some(name) = atom.strip_prefix('<').and_then(|n| n.strip_suffix('>')) {
            return named_kind(name)
                .map(Node::Kind)
                .ok_or_else(|| format!("unknown kind <{name}>: {}", self.text));
        }
        if let Some(word) = atom.strip_prefix('\\').filter(|w| !w.is_empty()) {
            return Ok(Node::Exact(word));
        }
        if let Some(word) = atom.strip_prefix('=').filter(|w| !w.is_empty()) {
            return Ok(Node::Exact(word));
        }
        Ok(Node::Word(atom))
    }
}

fn named_kind(name: &str) -> Option<u16> {
    Some(match name {
        "num" => kind::NUMBER,
        "ordinal" => kind::ORDINAL,
        "quote" => kind::QUOTE,
        "address" => kind::ADDRESS,
        "link" => kind::LINK,
        "file" => kind::FILE,
        "emoji" => kind::EMOJI,
        "name" => kind::NAME,
        "mark" => kind::MARK,
        "unknown" => kind::UNKNOWN,
        _ => return None,
    })
}
