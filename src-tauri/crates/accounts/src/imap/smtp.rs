//! Sends a mail (RFC 5321 and 6409). Implemented here rather than by a library to know whether the mail may have been
//! sent: before its final line it certainly has not; after that, only the server's reply tells.

use adjutant_domain::operation::{Delivery, RemoteFault};
use adjutant_domain::record::Address;
use adjutant_net::Security;
use secrecy::ExposeSecret as _;

use super::auth::{Mechanism, signed_out};
use super::reply::clean;
use super::session::{Caller, Halt};
use super::wire::{Broken, Wire};
use crate::net;

/// Maximum length of a reply line in bytes; the standard allows 512.
const LINE_BYTES_MAX: usize = 4_096;
/// Maximum number of lines in one reply.
const LINES_MAX: usize = 200;
/// Maximum number of recipients of one mail.
const RECIPIENTS_MAX: usize = 1_000;

/// A mail to send.
pub(super) struct Letter<'a> {
    pub(super) from: &'a str,
    pub(super) recipients: &'a [Address],
    pub(super) mime: &'a str,
}

/// Which recipients the server accepted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Delivered {
    pub(super) accepted: Vec<Address>,
    pub(super) refused: Vec<Delivery>,
}

/// The server's reply to one command.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SmtpReply {
    code: u16,
    lines: Vec<String>,
}

impl SmtpReply {
    fn is_ok(&self) -> bool {
        (200..300).contains(&self.code)
    }

    fn words(&self) -> String {
        clean(&format!("{} {}", self.code, self.lines.join(" ")))
    }

    /// Maps a refusal to a fault.
    fn fault(&self, what: &str) -> RemoteFault {
        match self.code {
            // 452 with 5.3.4 or 4.5.3 concerns this mail and is permanent, but looks the same as a full disk.
            400..500 => RemoteFault::Limited {
                retry_after_seconds: None,
            },
            _ => RemoteFault::Refused {
                what: format!("{what} (“{}”)", self.words()),
            },
        }
    }
}

struct Conversation {
    wire: Wire,
    /// The server's extensions, one per line.
    offers: Vec<String>,
}

/// Checks that mail could be sent: signs in and disconnects.
pub(super) async fn try_out(caller: &Caller<'_>) -> Result<(), RemoteFault> {
    let mut talk = within(caller, Conversation::open(caller)).await?;
    talk.leave(caller).await;
    Ok(())
}

/// Sends a mail to the recipients that the server accepts.
pub(super) async fn send(caller: &Caller<'_>, letter: &Letter<'_>) -> Result<Delivered, Halt> {
    if letter.recipients.len() > RECIPIENTS_MAX {
        let what = format!("a mail can have at most {RECIPIENTS_MAX} recipients");
        return Err(RemoteFault::Refused { what }.into());
    }
    let mut talk = within(caller, Conversation::open(caller)).await?;
    let prepared = within(caller, talk.hand_over(letter)).await;
    let delivered = match prepared {
        Ok(delivered) => delivered,
        Err(fault) => {
            talk.leave(caller).await;
            return Err(fault.into());
        }
    };
    // From here on the mail may be sent.
    let ended = tokio::time::timeout(caller.patience.request, talk.ask(".")).await;
    let ended = ended.unwrap_or(Err(Broken::TimedOut));
    let said = ended.map_err(|broken| Halt::Unknown(broken.unknown()))?;
    talk.leave(caller).await;
    match said.is_ok() {
        true => Ok(delivered),
        false => Err(said.fault("the mail server did not accept the mail").into()),
    }
}

async fn within<T>(
    caller: &Caller<'_>,
    talk: impl Future<Output = Result<T, RemoteFault>>,
) -> Result<T, RemoteFault> {
    let talked = tokio::time::timeout(caller.patience.request, talk).await;
    talked.unwrap_or(Err(RemoteFault::TimedOut))
}

impl Conversation {
    async fn open(caller: &Caller<'_>) -> Result<Self, RemoteFault> {
        let mut dial = caller
            .server
            .dial("sending mail", caller.from, caller.trusted);
        dial.within = caller.patience.open;
        dial.idle = caller.patience.silent;
        let stream = caller
            .net
            .open(dial)
            .await
            .map_err(|fault| net::unread(&fault))?;
        let mut talk = Self {
            wire: Wire::new(stream),
            offers: Vec::new(),
        };
        let greeting = talk.said().await.map_err(Broken::unread)?;
        if !greeting.is_ok() {
            return Err(greeting.fault("the mail server is refusing connections"));
        }
        talk.greet().await?;
        if caller.server.security == Security::StartTls {
            talk.read("STARTTLS", "the mail server offers no encryption")
                .await?;
            let wire = talk
                .wire
                .start_tls()
                .await
                .map_err(|fault| net::unread(&fault))?;
            talk = Self {
                wire,
                offers: Vec::new(),
            };
            talk.greet().await?;
        }
        talk.sign_in(caller).await?;
        Ok(talk)
    }

    async fn greet(&mut self) -> Result<(), RemoteFault> {
        // Do not reveal this computer's name.
        let said = self
            .read("EHLO [127.0.0.1]", "the mail server did not greet back")
            .await?;
        self.offers = said.lines.into_iter().skip(1).collect();
        Ok(())
    }

    /// Returns the parameters of an extension if the server offers it.
    fn offer(&self, keyword: &str) -> Option<&str> {
        self.offers.iter().find_map(|line| {
            let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
            first.eq_ignore_ascii_case(keyword).then_some(rest)
        })
    }

    async fn sign_in(&mut self, caller: &Caller<'_>) -> Result<(), RemoteFault> {
        let refused = |what: &str| RemoteFault::Refused { what: what.into() };
        if !self.wire.is_encrypted() {
            return Err(refused(
                "the connection to the mail server is not encrypted",
            ));
        }
        let offered = self.offer("AUTH").unwrap_or_default().to_owned();
        let is_offered = |name: &str| offered.split(' ').any(|one| one.eq_ignore_ascii_case(name));
        let Some(mechanism) = caller.login.mechanism(is_offered) else {
            return Err(refused(
                "the mail server for sending does not accept this kind of sign-in",
            ));
        };
        let said = self
            .authenticate(caller, mechanism)
            .await
            .map_err(Broken::unread)?;
        match said.code {
            235 => Ok(()),
            525 | 530 | 534 | 535 => Err(RemoteFault::NotSignedIn {
                account: caller.account.clone(),
                why: signed_out(&said.words()),
            }),
            _ => Err(said.fault("the mail server did not let you sign in")),
        }
    }

    async fn authenticate(
        &mut self,
        caller: &Caller<'_>,
        mechanism: Mechanism,
    ) -> Result<SmtpReply, Broken> {
        let name = mechanism.name();
        let mut said = match caller.login.initial(mechanism) {
            Some(initial) => {
                self.ask(&format!("AUTH {name} {}", initial.expose_secret()))
                    .await?
            }
            None => self.ask(&format!("AUTH {name}")).await?,
        };
        for answer in caller.login.answers(mechanism) {
            if said.code != 334 {
                break;
            }
            said = self.ask(answer.expose_secret()).await?;
        }
        Ok(said)
    }

    /// Sends everything except the line that ends the mail.
    async fn hand_over(&mut self, letter: &Letter<'_>) -> Result<Delivered, RemoteFault> {
        let body = stuffed(letter.mime);
        let limit = self
            .offer("SIZE")
            .and_then(|size| size.trim().parse::<usize>().ok());
        if limit.is_some_and(|limit| limit > 0 && body.len() > limit) {
            let what = format!(
                "the mail is larger than the mail server accepts ({} bytes)",
                limit.unwrap_or_default()
            );
            return Err(RemoteFault::Refused { what });
        }
        let from = self
            .path(letter.from)
            .map_err(|what| RemoteFault::Refused { what: what.into() })?;
        let eight = if self.offer("8BITMIME").is_some() {
            " BODY=8BITMIME"
        } else {
            ""
        };
        let utf8 = if from.is_ascii() && letter.recipients.iter().all(|who| who.email.is_ascii()) {
            ""
        } else {
            " SMTPUTF8"
        };
        let utf8 = if self.offer("SMTPUTF8").is_some() {
            utf8
        } else {
            ""
        };
        let command = format!("MAIL FROM:<{from}>{eight}{utf8}");
        self.read(
            &command,
            "the mail server does not accept mail from this address",
        )
        .await?;
        let delivered = self.name_recipients(letter.recipients).await?;
        let said = self.ask("DATA").await.map_err(Broken::unread)?;
        if said.code != 354 {
            return Err(said.fault("the mail server did not accept the mail"));
        }
        self.wire
            .write(body.as_bytes())
            .await
            .map_err(Broken::unread)?;
        Ok(delivered)
    }

    async fn name_recipients(&mut self, recipients: &[Address]) -> Result<Delivered, RemoteFault> {
        let mut delivered = Delivered::default();
        let mut last_fault = None;
        for who in recipients {
            let refusal = match self.path(&who.email) {
                Err(why) => {
                    last_fault = Some(RemoteFault::Refused { what: why.into() });
                    why.to_owned()
                }
                Ok(path) => {
                    let said = self
                        .ask(&format!("RCPT TO:<{path}>"))
                        .await
                        .map_err(Broken::unread)?;
                    if said.is_ok() {
                        delivered.accepted.push(who.clone());
                        continue;
                    }
                    last_fault =
                        Some(said.fault("the mail server accepts mail for none of the recipients"));
                    said.words()
                }
            };
            delivered.refused.push(Delivery {
                address: who.clone(),
                reason: refusal,
            });
        }
        if !delivered.accepted.is_empty() {
            return Ok(delivered);
        }
        Err(last_fault.unwrap_or_else(|| RemoteFault::Refused {
            what: "the mail has no recipient".into(),
        }))
    }

    /// Checks that an address is safe to put between `<` and `>`.
    fn path<'a>(&self, address: &'a str) -> Result<&'a str, &'static str> {
        let is_safe = |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '<' | '>');
        let is_whole = address
            .split_once('@')
            .is_some_and(|(local, host)| !local.is_empty() && !host.is_empty());
        if !is_whole || !address.chars().all(is_safe) || address.len() > 320 {
            return Err("that is not a mail address");
        }
        if !address.is_ascii() && self.offer("SMTPUTF8").is_none() {
            return Err("the mail server accepts only addresses in plain letters");
        }
        Ok(address)
    }

    /// Sends QUIT and ignores the result.
    async fn leave(&mut self, caller: &Caller<'_>) {
        let _ = tokio::time::timeout(caller.patience.silent, self.wire.write(b"QUIT\r\n")).await;
    }

    /// Sends a command and requires success.
    async fn read(&mut self, line: &str, otherwise: &str) -> Result<SmtpReply, RemoteFault> {
        let said = self.ask(line).await.map_err(Broken::unread)?;
        match said.is_ok() {
            true => Ok(said),
            false => Err(said.fault(otherwise)),
        }
    }

    async fn ask(&mut self, line: &str) -> Result<SmtpReply, Broken> {
        self.wire.write(format!("{line}\r\n").as_bytes()).await?;
        self.said().await
    }

    async fn said(&mut self) -> Result<SmtpReply, Broken> {
        let mut lines = Vec::new();
        while lines.len() < LINES_MAX {
            let line = self.wire.line(LINE_BYTES_MAX).await?;
            let line = String::from_utf8_lossy(&line).into_owned();
            let (code, rest) = line.split_at_checked(3).ok_or(Broken::Nonsense)?;
            let code: u16 = code.parse().map_err(|_| Broken::Nonsense)?;
            if !(200..600).contains(&code) {
                return Err(Broken::Nonsense);
            }
            lines.push(rest.get(1..).unwrap_or_default().to_owned());
            match rest.chars().next() {
                Some('-') => {}
                None | Some(' ') => return Ok(SmtpReply { code, lines }),
                Some(_) => return Err(Broken::Nonsense),
            }
        }
        Err(Broken::Nonsense)
    }
}

/// Prepares a message for transfer: ends all lines with CR LF and escapes leading dots so that none can end the mail
/// early.
fn stuffed(mime: &str) -> String {
    let mut body = String::with_capacity(mime.len() + 64);
    let lines = mime.replace("\r\n", "\n");
    for line in lines.trim_end_matches('\n').split(['\n', '\r']) {
        if line.starts_with('.') {
            body.push('.');
        }
        body.push_str(line);
        body.push_str("\r\n");
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_line_ends_a_mail_early() {
        for (mime, body) in [
            ("a\r\nb\r\n", "a\r\nb\r\n"),
            ("a\nb", "a\r\nb\r\n"),
            ("a\r\n.\r\nb", "a\r\n..\r\nb\r\n"),
            ("a\n.\nMAIL FROM:<x@y>\n", "a\r\n..\r\nMAIL FROM:<x@y>\r\n"),
            ("a\r.\rb", "a\r\n..\r\nb\r\n"),
            ("", "\r\n"),
        ] {
            assert_eq!(stuffed(mime), body, "{mime:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_sent_is_one_mail(mime in "[a.\r\n]{0,40}") {
            let body = stuffed(&mime);
            prop_assert!(body.ends_with("\r\n"));
            prop_assert!(body.split("\r\n").all(|line| line != "." && !line.contains(['\r', '\n'])));
        }
    }
}
