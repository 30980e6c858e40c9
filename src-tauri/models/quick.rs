//! The connection configured by environment variables alone.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use adjutant_models::{Connection, Key};
use adjutant_settings::Money;

/// Name of the key from the environment.
pub(super) const QUICK_KEY: &str = "environment";

/// Prices of a million input tokens and a million output tokens.
const PRICE_IN: &str = "ADJUTANT_MODEL_PRICE_IN";
const PRICE_OUT: &str = "ADJUTANT_MODEL_PRICE_OUT";

/// Set to `yes` to allow sending the key unencrypted.
const UNENCRYPTED: &str = "ADJUTANT_MODEL_UNENCRYPTED";

/// The result of `ADJUTANT_MODEL_URL`, `ADJUTANT_MODEL`, `ADJUTANT_MODEL_KEY`, `ADJUTANT_MODEL_UNENCRYPTED` and the two
/// prices.
pub(super) enum Quick {
    /// None of them is set.
    None,
    /// A connection and its key.
    Made(Box<Connection>, Option<Key>),
    /// They are unusable; the text explains why to the person.
    Wrong(String),
}

impl Quick {
    /// Reads the variables.
    pub(super) fn read(environment: &BTreeMap<String, String>) -> Self {
        let value = |name: &str| {
            let value = environment.get(name).map(|value| value.trim());
            value.filter(|value| !value.is_empty())
        };
        let (url, model) = match (value("ADJUTANT_MODEL_URL"), value("ADJUTANT_MODEL")) {
            (Some(url), Some(model)) => (url, model),
            (None, None) => return Self::None,
            (Some(_), None) => {
                return Self::wrong(
                    "ADJUTANT_MODEL_URL is set but ADJUTANT_MODEL is not, so no model is asked there. Set ADJUTANT_MODEL to the name of a model.",
                );
            }
            (None, Some(_)) => {
                return Self::wrong(
                    "ADJUTANT_MODEL is set but ADJUTANT_MODEL_URL is not, so that model is not asked. Set ADJUTANT_MODEL_URL to its server's address.",
                );
            }
        };
        let price = |name: &str| match value(name).map(Money::from_str) {
            None => Ok(None),
            Some(Ok(price)) => Ok(Some(price.micros())),
            Some(Err(wrong)) => Err(format!(
                "{name} must be the price of a million tokens: {wrong}. Correct it, or remove it."
            )),
        };
        let (input, output) = match (price(PRICE_IN), price(PRICE_OUT)) {
            (Ok(input), Ok(output)) => (input, output),
            (Err(problem), _) | (_, Err(problem)) => return Self::wrong(&problem),
        };
        let key = value("ADJUTANT_MODEL_KEY").and_then(Key::new);
        match Connection::quick(url, model, key.is_some().then(|| QUICK_KEY.to_owned())) {
            Ok(connection) if connection.exposes_secrets() && value(UNENCRYPTED) != Some("yes") => {
                Self::wrong(&format!(
                    "The key in ADJUTANT_MODEL_KEY would be sent unencrypted, so no model is asked there. Set ADJUTANT_MODEL_URL to an https address, or {UNENCRYPTED}=yes to allow it."
                ))
            }
            Ok(mut connection) => {
                connection.unencrypted = connection.exposes_secrets();
                for choice in connection.models.values_mut() {
                    choice.free = (input, output) == (Some(0), Some(0));
                    choice.input_micros_per_million = input;
                    choice.output_micros_per_million = output;
                }
                Self::Made(Box::new(connection), key)
            }
            Err(problem) => Self::wrong(&problem),
        }
    }

    fn wrong(problem: &str) -> Self {
        tracing::warn!(%problem, "the environment connects no model");
        Self::Wrong(problem.to_owned())
    }

    /// Returns the connection, if there is one.
    pub(super) fn connection(&self) -> Option<&Connection> {
        match self {
            Self::Made(connection, _) => Some(connection),
            Self::None | Self::Wrong(_) => None,
        }
    }

    /// Returns the key, if there is one.
    pub(super) fn key(&self) -> Option<Key> {
        match self {
            Self::Made(_, key) => key.clone(),
            Self::None | Self::Wrong(_) => None,
        }
    }

    /// Returns what is wrong with the variables.
    pub(super) fn problem(&self) -> Option<&str> {
        match self {
            Self::Wrong(problem) => Some(problem),
            Self::None | Self::Made(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use adjutant_domain::model::Tier;

    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Quick {
        let pairs = pairs
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        Quick::read(&pairs.collect())
    }

    #[test]
    fn what_cannot_be_used_is_told_and_what_is_not_set_is_not() {
        let url = ("ADJUTANT_MODEL_URL", "https://gate.example/v1");
        let model = ("ADJUTANT_MODEL", "m");
        assert!(matches!(read(&[("ADJUTANT_MODEL_KEY", "k")]), Quick::None));
        for (pairs, said) in [
            (vec![url], "ADJUTANT_MODEL is not"),
            (vec![model], "ADJUTANT_MODEL_URL is not"),
            (vec![model, ("ADJUTANT_MODEL_URL", "gate")], "web address"),
            (vec![url, model, (PRICE_IN, "cheap")], PRICE_IN),
        ] {
            let quick = read(&pairs);
            let problem = quick.problem().expect("it is wrong");
            assert!(problem.contains(said), "{problem}");
            assert!(quick.connection().is_none());
        }
    }

    #[test]
    fn a_key_goes_out_unencrypted_only_where_that_is_allowed() {
        let url = |url| [("ADJUTANT_MODEL_URL", url), ("ADJUTANT_MODEL", "m")];
        let key = ("ADJUTANT_MODEL_KEY", "k");
        let plain = url("http://192.168.1.5:8000/v1");
        let refused = read(&[&plain[..], &[key]].concat());
        assert!(refused.problem().expect("refused").contains(UNENCRYPTED));
        let allowed = read(&[&plain[..], &[key, (UNENCRYPTED, "yes")]].concat());
        assert!(allowed.connection().expect("one").unencrypted);
        for fine in [
            &plain[..],
            &url("http://127.0.0.1:1/v1"),
            &url("https://a.example/v1"),
        ] {
            let pairs = if fine == plain {
                fine.to_vec()
            } else {
                [fine, &[key]].concat()
            };
            assert!(!read(&pairs).connection().expect("one").unencrypted);
        }
    }

    #[test]
    fn prices_come_along() {
        let url = ("ADJUTANT_MODEL_URL", "https://gate.example/v1");
        let model = ("ADJUTANT_MODEL", "m");
        let profile = |pairs: &[_]| {
            let quick = read(pairs);
            let connection = quick.connection().expect("a connection");
            connection.profile(Tier::Standard).expect("a profile")
        };
        assert!(!profile(&[url, model]).price_known);
        let said = profile(&[url, model, (PRICE_IN, "0.25"), (PRICE_OUT, "2")]);
        assert_eq!(
            (
                said.input_micros_per_million,
                said.output_micros_per_million,
                said.price_known
            ),
            (250_000, 2_000_000, true)
        );
        assert!(profile(&[url, model, (PRICE_IN, "0"), (PRICE_OUT, "0")]).price_known);
    }
}
