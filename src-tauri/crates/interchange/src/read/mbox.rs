//! mbox: mails one after another, each preceded by a line that begins with `From `. Read as a
//! stream.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};

use adjutant_domain::faults::io_reason;

use super::mail::{self, Marks};
use super::{Item, Items, MAIL_BYTES_MAX, Refused, Seed};

/// Longest piece of a line read at once, in bytes; longer lines are read in several pieces.
const LINE_BYTES_MAX: u64 = 1024 * 1024;

pub(super) fn read(file: File, name: String, seed: Seed, marks: Marks) -> Items {
    Box::new(Mbox {
        reader: BufReader::with_capacity(256 * 1024, file),
        name,
        seed,
        marks,
        number: 0,
        after_blank: true,
        started: false,
        over: false,
        ready: VecDeque::new(),
    })
}

struct Mbox {
    reader: BufReader<File>,
    name: String,
    seed: Seed,
    marks: Marks,
    number: usize,
    after_blank: bool,
    started: bool,
    over: bool,
    ready: VecDeque<Item>,
}

impl Mbox {
    fn refuse(&self, reason: String) -> Item {
        Err(Refused {
            file: self.name.clone(),
            item: format!("mail {}", self.number),
            reason,
        })
    }

    /// Reads up to the next separator (or the end) and returns the mail before it.
    fn next_mail(&mut self) -> Option<Item> {
        let mut message = Vec::new();
        let mut too_large = false;
        let mut in_line = false;
        loop {
            let mut piece = Vec::new();
            match (&mut self.reader)
                .take(LINE_BYTES_MAX)
                .read_until(b'\n', &mut piece)
            {
                Ok(0) => {
                    self.over = true;
                    break;
                }
                Ok(_) => {}
                Err(error) => {
                    self.over = true;
                    self.number += 1;
                    return Some(self.refuse(io_reason(&error)));
                }
            }
            let separator = !in_line && self.after_blank && piece.starts_with(b"From ");
            self.after_blank = !in_line && piece.iter().all(|byte| matches!(byte, b'\n' | b'\r'));
            in_line = !piece.ends_with(b"\n");
            if separator {
                if self.started {
                    break;
                }
                self.started = true;
                continue;
            }
            if !self.started {
                if self.after_blank {
                    continue;
                }
                self.over = true;
                self.number = 1;
                return Some(self.refuse(
                    "does not begin with a “From ” line, so it is not an mbox file".into(),
                ));
            }
            if message.len() + piece.len() > MAIL_BYTES_MAX {
                too_large = true;
                message.clear();
            } else if !too_large {
                message.extend_from_slice(unquoted(&piece));
            }
        }
        // The empty line before a separator belongs to the format, not to the mail.
        if message.ends_with(b"\n\n") {
            message.pop();
        } else if message.ends_with(b"\r\n\r\n") {
            message.truncate(message.len() - 2);
        }
        if message.is_empty() && !too_large {
            return None;
        }
        self.number += 1;
        if too_large {
            return Some(self.refuse(format!("larger than {MAIL_BYTES_MAX} bytes")));
        }
        let (name, seed) = (&self.name, &self.seed);
        Some(mail::item(message, name, self.number, seed, self.marks))
    }
}

/// Removes one `>` from a quoted separator (`>From `, `>>From `), as mboxrd does.
fn unquoted(line: &[u8]) -> &[u8] {
    let quotes = line.iter().take_while(|&&byte| byte == b'>').count();
    if quotes > 0 && line[quotes..].starts_with(b"From ") {
        &line[1..]
    } else {
        line
    }
}

impl Iterator for Mbox {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            if self.over {
                return None;
            }
            if let Some(item) = self.next_mail() {
                return Some(item);
            }
        }
    }
}
