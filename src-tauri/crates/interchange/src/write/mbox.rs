//! mbox (mboxrd): writes the unmodified source of every mail, with its folder, flags and labels in our own headers.

use std::io::{self, Write};

use adjutant_domain::record::{Address, Mail};

use crate::names::{FLAGS_HEADER, FOLDER_HEADER, LABELS_HEADER};

/// Our headers, which an earlier export may have left in the source.
const OURS: [&str; 3] = [FOLDER_HEADER, FLAGS_HEADER, LABELS_HEADER];

pub(super) fn write(out: &mut impl Write, mail: &Mail, source: Option<&[u8]>) -> io::Result<()> {
    let date = mail.date.strftime("%a %b %e %H:%M:%S %Y");
    let sender = mail
        .from
        .email
        .split_whitespace()
        .next()
        .unwrap_or("unknown");
    writeln!(out, "From {sender} {date}")?;
    writeln!(out, "{FOLDER_HEADER}: {}", mail.folder.as_str())?;
    writeln!(
        out,
        "{FLAGS_HEADER}: {}{}",
        if mail.read { "read" } else { "unread" },
        if mail.starred { " starred" } else { "" }
    )?;
    if !mail.labels.is_empty() {
        writeln!(out, "{LABELS_HEADER}: {}", mail.labels.join(", "))?;
    }
    match source {
        Some(source) => write_quoted(out, source)?,
        None => write_quoted(out, rebuilt(mail).as_bytes())?,
    }
    out.write_all(b"\n")
}

/// Writes the source, quoting lines that look like a separator and dropping our headers from an earlier export.
fn write_quoted(out: &mut impl Write, source: &[u8]) -> io::Result<()> {
    let mut in_headers = true;
    for line in source.split_inclusive(|&byte| byte == b'\n') {
        if in_headers {
            if line.iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
                in_headers = false;
            } else if OURS.iter().any(|name| {
                line.len() > name.len()
                    && line[..name.len()].eq_ignore_ascii_case(name.as_bytes())
                    && line[name.len()] == b':'
            }) {
                continue;
            }
        }
        let quotes = line.iter().take_while(|&&byte| byte == b'>').count();
        if line[quotes..].starts_with(b"From ") {
            out.write_all(b">")?;
        }
        out.write_all(line)?;
    }
    if !source.ends_with(b"\n") {
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Builds a plain mail from the row, for a mail whose source was not kept.
fn rebuilt(mail: &Mail) -> String {
    let list = |all: &[Address]| {
        all.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut text = format!(
        "From: {}\nTo: {}\nSubject: {}\nDate: {}\nMessage-ID: <{}>\n",
        mail.from,
        list(&mail.to),
        mail.subject,
        mail.date.strftime("%a, %d %b %Y %H:%M:%S +0000"),
        mail.message_id
    );
    if !mail.cc.is_empty() {
        text.push_str(&format!("Cc: {}\n", list(&mail.cc)));
    }
    text.push_str("MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n");
    text.push_str(&mail.text);
    text
}
