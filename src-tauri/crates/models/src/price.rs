//! Prices of models whose price nobody gave: nothing for local ones, and a rather high price for remote ones, so that
//! limits hold for them too.

use adjutant_net::{Url, reach};

use crate::choice::ModelChoice;

/// Price of a million input tokens, in micro-units of the person's currency, assumed for a remote model whose price
/// nobody gave. In dollars, it is the list price of the large models common in 2026; few cost more.
pub const INPUT_PRICE_ASSUMED: u64 = 5_000_000;
/// The same for output tokens.
pub const OUTPUT_PRICE_ASSUMED: u64 = 25_000_000;

/// Endings of names that are used only in home and office networks (RFC 6762, RFC 8375, and what routers use).
const HOME_NAMES: [&str; 5] = ["local", "lan", "home", "internal", "home.arpa"];

/// The price of a model, in micro-units per million tokens.
pub(crate) struct Price {
    pub input: u64,
    pub output: u64,
    /// Whether the person gave the price, or the model runs where it costs nothing.
    pub known: bool,
}

/// Returns the price of a model at an address.
pub(crate) fn price(base: &Url, choice: &ModelChoice) -> Price {
    if choice.free {
        return Price {
            input: 0,
            output: 0,
            known: true,
        };
    }
    let home = is_home(base);
    // For a remote model, 0 means that no price was given: a form sends it, and so do settings from before prices
    // could be left out.
    let given = |price: Option<u64>| price.filter(|price| home || *price > 0);
    let input = given(choice.input_micros_per_million);
    let output = given(choice.output_micros_per_million);
    let or = |given: Option<u64>, assumed| given.unwrap_or(if home { 0 } else { assumed });
    Price {
        input: or(input, INPUT_PRICE_ASSUMED),
        output: or(output, OUTPUT_PRICE_ASSUMED),
        known: home || input.is_some() && output.is_some(),
    }
}

/// Whether an address is on this computer or in a private network, where a server is the person's own.
fn is_home(base: &Url) -> bool {
    if reach::is_loopback(base) {
        return true;
    }
    let Some(host) = base.host_str() else {
        // A model file on this computer.
        return base.scheme() == "file";
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<std::net::IpAddr>().map(|it| it.to_canonical()) {
        Ok(std::net::IpAddr::V4(address)) => address.is_private() || address.is_link_local(),
        Ok(std::net::IpAddr::V6(address)) => {
            address.is_unique_local() || address.is_unicast_link_local()
        }
        Err(_) => {
            let name = bare.trim_end_matches('.').to_ascii_lowercase();
            let of_home = |last: &&str| {
                name.strip_suffix(*last)
                    .is_some_and(|rest| rest.ends_with('.'))
            };
            !name.contains('.') || HOME_NAMES.iter().any(of_home)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str, input: Option<u64>, output: Option<u64>) -> (u64, u64, bool) {
        let choice = ModelChoice {
            input_micros_per_million: input,
            output_micros_per_million: output,
            ..ModelChoice::named("m")
        };
        let price = price(&Url::parse(address).expect("an address"), &choice);
        (price.input, price.output, price.known)
    }

    #[test]
    fn a_model_in_the_world_without_a_price_is_not_free() {
        let assumed = (INPUT_PRICE_ASSUMED, OUTPUT_PRICE_ASSUMED, false);
        for world in [
            "https://api.openai.com/v1",
            "https://8.8.8.8/v1",
            "https://local.example.com",
            "https://[2001:db8::1]/v1",
        ] {
            assert_eq!(at(world, None, None), assumed, "{world}");
            assert_eq!(at(world, Some(7), None), (7, OUTPUT_PRICE_ASSUMED, false));
            // One price does not make the other direction free, and nothing is no price.
            assert_eq!(
                at(world, Some(7), Some(0)),
                (7, OUTPUT_PRICE_ASSUMED, false)
            );
            assert_eq!(at(world, Some(0), Some(0)), assumed, "{world}");
            let free = ModelChoice {
                free: true,
                input_micros_per_million: Some(7),
                ..ModelChoice::named("m")
            };
            let free = price(&Url::parse(world).expect("an address"), &free);
            assert_eq!(
                (free.input, free.output, free.known),
                (0, 0, true),
                "it was said"
            );
        }
        for home in [
            "file:///home/me/models/small.gguf",
            "http://localhost:1234",
            "http://192.168.1.20:11434",
            "http://10.0.0.3",
            "http://[fd00::7]:8080",
            "http://nas:11434",
            "http://studio.local:1234/v1",
            "http://gpu.home.arpa",
        ] {
            assert_eq!(at(home, None, None), (0, 0, true), "{home}");
            assert_eq!(at(home, Some(7), None), (7, 0, true), "{home}");
        }
    }
}
