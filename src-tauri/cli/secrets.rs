//! Reads secrets of a connection, typed or piped, so that they appear in no shell history or process list.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal as _, Read as _};

use adjutant_api::Fault;
use adjutant_api::models::SecretText;

use crate::args::ConnectArgs;
use crate::print;
use adjutant_domain::faults::io_reason;

/// Maximum size of a secret in bytes; the longest keys in use have a few hundred.
const SECRET_BYTES_MAX: u64 = 16 * 1024;

/// The secrets of a connection.
pub(crate) struct Secrets {
    pub(crate) key: Option<SecretText>,
    pub(crate) headers: BTreeMap<String, SecretText>,
    /// The proxy's address, if given, including its password if there is one.
    pub(crate) proxy: Option<String>,
}

/// Reads an account's secrets in the given order: each typed, or from its own line of standard input. Each name comes
/// with a description.
pub(crate) fn of_account(
    fields: impl IntoIterator<Item = (String, String)>,
) -> Result<BTreeMap<String, SecretText>, Fault> {
    let stdin = std::io::stdin();
    let mut lines = if stdin.is_terminal() {
        Lines::Typed
    } else {
        Lines::Piped(stdin.lock())
    };
    let read = fields
        .into_iter()
        .map(|(name, what)| Ok((name, lines.next(&what)?)));
    read.collect()
}

/// Reads one secret: typed, or from the first line of standard input.
pub(crate) fn one(what: &str) -> Result<SecretText, Fault> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Lines::<std::io::Empty>::Typed.next(what);
    }
    Lines::Piped(stdin.lock()).next(what)
}

/// Reads the secrets that the arguments announce: from standard input, one per line, and from the environment.
pub(crate) fn secrets(args: &ConnectArgs) -> Result<Secrets, Fault> {
    let stdin = std::io::stdin();
    let mut lines = if stdin.is_terminal() {
        Lines::Typed
    } else {
        Lines::Piped(stdin.lock())
    };
    let key = args.key.then(|| lines.next("key")).transpose()?;
    let mut headers = BTreeMap::new();
    for name in &args.header {
        let value = lines.next(&format!("value of the header {name}"))?;
        headers.insert(name.clone(), value);
    }
    for (name, variable) in &args.header_env {
        headers.insert(name.clone(), of_environment(name, variable)?);
    }
    let proxy = match &args.proxy {
        Some(proxy) if args.proxy_password => {
            let SecretText(password) = lines.next("password of the proxy")?;
            Some(with_password(proxy, &password)?)
        }
        given => given.clone(),
    };
    Ok(Secrets {
        key,
        headers,
        proxy,
    })
}

/// Reads secrets, one per line.
enum Lines<R> {
    /// Typed at a terminal, without echo.
    Typed,
    /// Piped from a file or another program.
    Piped(R),
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self, what: &str) -> Result<SecretText, Fault> {
        let line = match self {
            Self::Typed => {
                print::aside(&format!(
                    "Paste the {what}, then press Enter. It is not shown."
                ));
                rpassword::read_password().map_err(|error| unreadable(what, &error))?
            }
            Self::Piped(input) => {
                let mut line = String::new();
                // Read one byte more than allowed, so that the rest of an overlong line is not taken for the next
                // secret.
                input
                    .take(SECRET_BYTES_MAX + 1)
                    .read_line(&mut line)
                    .map_err(|error| unreadable(what, &error))?;
                line
            }
        };
        if line.len() as u64 > SECRET_BYTES_MAX {
            return Err(usage(
                format!("The {what} is too long. The limit is 16 KiB."),
                "Copy it again exactly as you received it, on a line of its own.",
            ));
        }
        let missing = match self {
            Self::Typed => {
                "Enter it, or pipe it in on a line of its own. If you do not need one, leave out the option."
            }
            Self::Piped(_) => {
                "Run the command in a terminal to be asked for it, or pipe it in on a line of its own (`adjutant … < FILE`). If you do not need one, leave out the option."
            }
        };
        match line.trim() {
            "" => Err(usage(format!("The {what} is missing."), missing)),
            text => Ok(SecretText(text.to_owned())),
        }
    }
}

fn unreadable(what: &str, error: &std::io::Error) -> Fault {
    usage(
        format!("The {what} cannot be read: {}.", io_reason(error)),
        "Copy it again exactly as you received it, on a line of its own.",
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "the person names the variable; it is no setting"
)]
fn of_environment(name: &str, variable: &str) -> Result<SecretText, Fault> {
    std::env::var(variable)
        .ok()
        .filter(|value| !value.trim().is_empty())
        .map(SecretText)
        .ok_or_else(|| {
            usage(
                format!(
                    "The environment variable {variable} for the header {name} is missing or empty."
                ),
                "Set it, or use --header and give the value on standard input.",
            )
        })
}

/// Adds a password to the proxy's address, for storing it in the keyring.
fn with_password(proxy: &str, password: &str) -> Result<String, Fault> {
    let wrong = || {
        usage(
            "This proxy address has no user name for the password.".into(),
            "Add your user name to the address, such as http://name@proxy.example:3128.",
        )
    };
    let mut url = adjutant_net::Url::parse(proxy).map_err(|_| wrong())?;
    if url.username().is_empty() {
        return Err(wrong());
    }
    url.set_password(Some(password)).map_err(|()| wrong())?;
    Ok(url.to_string())
}

fn usage(message: String, hint: &str) -> Fault {
    Fault {
        code: "usage".into(),
        message,
        hint: hint.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_stand_on_a_line_each() {
        let mut lines = Lines::Piped(&b" sk-1 \r\nacme\n\nrest"[..]);
        assert_eq!(lines.next("key"), Ok(SecretText("sk-1".into())));
        assert_eq!(lines.next("value"), Ok(SecretText("acme".into())));
        let missing = lines.next("password").unwrap_err();
        assert!(missing.message.contains("password"), "{missing:?}");
        assert!(missing.hint.contains("in a terminal") && missing.hint.contains("< FILE"));
        let mut none = Lines::Piped(&b"\xff\xfe\n"[..]);
        assert!(none.next("key").is_err());
        let long = "x".repeat(SECRET_BYTES_MAX as usize) + "y\nz\n";
        let mut long = Lines::Piped(long.as_bytes());
        assert!(long.next("key").is_err());
    }

    #[test]
    fn a_password_stands_only_where_a_name_stands() {
        assert_eq!(
            with_password("http://me@proxy.example:3128", "p@ss").as_deref(),
            Ok("http://me:p%40ss@proxy.example:3128/")
        );
        for wrong in ["http://proxy.example:3128", "proxy", "none", ""] {
            assert!(with_password(wrong, "x").is_err(), "{wrong}");
        }
    }
}
