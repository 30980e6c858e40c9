//! Sorts of mail that people speak of but no subject names: newsletters, promotions, notifications.

use adjutant_domain::record::{Mail, Writer};
use adjutant_text::words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a mail is, by who wrote it and what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Came by a list to which the person subscribed.
    Newsletter,
    /// Came by a list and offers something to buy.
    Promotion,
    /// Written by a program about something that happened.
    Notification,
}

/// Words that mark an offer.
const OFFERS: &[&str] = &[
    "sale",
    "sales",
    "deal",
    "deals",
    "offer",
    "offers",
    "discount",
    "discounts",
    "coupon",
    "coupons",
    "voucher",
    "promo",
    "promotion",
    "clearance",
    "off",
    "save",
    "savings",
    "free",
    "bargain",
    "bargains",
    "shop",
];

impl Sort {
    /// Returns the kind of sender that writes this sort of mail.
    pub(super) fn writer(self) -> Writer {
        match self {
            Self::Newsletter | Self::Promotion => Writer::List,
            Self::Notification => Writer::Notice,
        }
    }

    /// Returns whether a mail from that kind of sender is of this sort.
    pub(super) fn holds(self, mail: &Mail) -> bool {
        let offers = |text: &str| {
            let words = words(text);
            words.iter().any(|word| OFFERS.contains(&word.as_str()))
        };
        self != Self::Promotion || offers(&mail.subject) || offers(&mail.from.name)
    }

    /// Returns the noun for one such mail.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Newsletter => "newsletter",
            Self::Promotion => "promotion",
            Self::Notification => "notification",
        }
    }
}
