//! Signs in to a mail server with the SASL mechanisms that IMAP and SMTP share.

use adjutant_domain::operation::SignedOut;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};

/// The credentials of an account.
#[derive(Clone, Debug)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) proof: Proof,
}

/// The secret that authenticates the account.
#[derive(Clone, Debug)]
pub(super) enum Proof {
    /// The account's password or an app password.
    Password(SecretString),
    /// An OAuth token.
    Token(SecretString),
}

/// A SASL mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mechanism {
    /// RFC 4616.
    Plain,
    /// User name and password, each after a prompt.
    Login,
    /// The OAuth token mechanism of Google and Microsoft.
    XOAuth2,
}

impl Mechanism {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Plain => "PLAIN",
            Self::Login => "LOGIN",
            Self::XOAuth2 => "XOAUTH2",
        }
    }
}

impl Login {
    /// Returns the preferred mechanism that suits the credentials and that the server offers.
    pub(super) fn mechanism(&self, is_offered: impl Fn(&str) -> bool) -> Option<Mechanism> {
        let fitting: &[Mechanism] = match self.proof {
            Proof::Password(_) => &[Mechanism::Plain, Mechanism::Login],
            Proof::Token(_) => &[Mechanism::XOAuth2],
        };
        let mut offered = fitting.iter().copied();
        offered.find(|one| is_offered(one.name()))
    }

    /// Returns the initial response in Base64; `None` if the server prompts first.
    pub(super) fn initial(&self, mechanism: Mechanism) -> Option<SecretString> {
        let secret = self.secret();
        let said = match mechanism {
            Mechanism::Plain => format!("\0{}\0{secret}", self.user),
            Mechanism::XOAuth2 => format!("user={}\u{1}auth=Bearer {secret}\u{1}\u{1}", self.user),
            Mechanism::Login => return None,
        };
        Some(STANDARD.encode(said).into())
    }

    /// Returns the responses to the server's further prompts, in Base64.
    pub(super) fn answers(&self, mechanism: Mechanism) -> Vec<SecretString> {
        match mechanism {
            Mechanism::Login => vec![
                STANDARD.encode(&self.user).into(),
                STANDARD.encode(self.secret()).into(),
            ],
            // After reporting an error with the token, the server expects an empty response.
            Mechanism::XOAuth2 => vec![String::new().into()],
            Mechanism::Plain => Vec::new(),
        }
    }

    pub(super) fn secret(&self) -> &str {
        match &self.proof {
            Proof::Password(secret) | Proof::Token(secret) => secret.expose_secret(),
        }
    }
}

/// Returns what happened to a sign-in, by the words with which a mail server refuses it.
pub(super) fn signed_out(words: &str) -> SignedOut {
    const ENDED: [&str; 5] = ["disabled", "suspended", "deactivated", "locked", "closed"];
    let said = words.to_lowercase();
    let words: Vec<&str> = said
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let asks_for_own = |pair: &[&str]| {
        pair == ["app", "password"]
            || pair == ["application", "specific"]
            || pair == ["app", "specific"]
    };
    // "Your account has been disabled", not "IMAP is disabled for your account".
    let is_ended = |from: usize| {
        let is_account = matches!(words[from], "account" | "user" | "mailbox");
        let mut next = words.iter().skip(from + 1).take(4);
        is_account && next.any(|word| ENDED.contains(word))
    };
    if words.windows(2).any(asks_for_own) {
        SignedOut::AppPassword
    } else if (0..words.len()).any(is_ended) {
        SignedOut::Disabled
    } else {
        SignedOut::Unsaid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(login: &Login, mechanism: Mechanism) -> Option<String> {
        let said = STANDARD
            .decode(login.initial(mechanism)?.expose_secret())
            .ok()?;
        String::from_utf8(said).ok()
    }

    #[test]
    fn a_mechanism_fits_what_is_known_and_what_is_offered() {
        let password = Login {
            user: "kim".into(),
            proof: Proof::Password("pa ss".into()),
        };
        let token = Login {
            user: "kim".into(),
            proof: Proof::Token("t0ken".into()),
        };
        let all = |_: &str| true;
        assert_eq!(password.mechanism(all), Some(Mechanism::Plain));
        assert_eq!(
            password.mechanism(|name| name == "LOGIN"),
            Some(Mechanism::Login)
        );
        assert_eq!(password.mechanism(|name| name == "XOAUTH2"), None);
        assert_eq!(token.mechanism(all), Some(Mechanism::XOAuth2));
        assert_eq!(token.mechanism(|name| name == "PLAIN"), None);
        assert_eq!(
            said(&password, Mechanism::Plain).as_deref(),
            Some("\0kim\0pa ss")
        );
        assert_eq!(
            said(&token, Mechanism::XOAuth2).as_deref(),
            Some("user=kim\u{1}auth=Bearer t0ken\u{1}\u{1}")
        );
        assert!(
            !format!("{password:?} {token:?}").contains("t0ken"),
            "secrets stay out of logs"
        );
    }

    #[test]
    fn the_words_of_a_refusal_say_what_to_do() {
        for (words, why) in [
            (
                "534 5.7.9 Application-specific password required. Learn more at https://mail.example",
                SignedOut::AppPassword,
            ),
            (
                "535 5.7.8 Error: please use an app password",
                SignedOut::AppPassword,
            ),
            ("525 5.7.13 User account disabled", SignedOut::Disabled),
            ("The mailbox is temporarily locked", SignedOut::Disabled),
            (
                "IMAP access is disabled for your account",
                SignedOut::Unsaid,
            ),
            (
                "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
                SignedOut::Unsaid,
            ),
            ("", SignedOut::Unsaid),
        ] {
            assert_eq!(signed_out(words), why, "{words}");
        }
    }
}
