//! Settings: every key with its default and meaning, layered (default, profile, environment) and checked.
//! Where the profile's values are stored is the caller's business; they come in as text. Secrets are in the system's keyring.

mod keyring;
mod keys;
mod layers;
mod models;

pub use keyring::Keyring;
pub use keys::{Form, KEYS, Key, SECRETS, key};
pub use layers::{BadSetting, Layers, Origin, Shown, System};
pub use models::{Breaker, MONEY_UNITS_MAX, Models, Money, NotMoney, Spend};

use serde::{Deserialize, Serialize};

/// All settings, typed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct All {
    /// What the engine, the tools and the embedded understanding read.
    #[serde(flatten)]
    pub core: adjutant_domain::settings::Settings,
    /// What the app on the desktop reads.
    pub desktop: Desktop,
    /// How mail is shown and written.
    pub mail: Mail,
    /// How calendars are shown.
    pub calendar: Calendar,
    /// What language models may cost and how they are used.
    pub models: Models,
    /// What is kept of accounts.
    pub accounts: Accounts,
    /// What research may use.
    pub research: Research,
    /// How the world is reached.
    pub network: Network,
    /// How Google is reached.
    pub google: Google,
    /// What other programs get, and what programs of others give.
    pub mcp: Mcp,
    /// What is looked up, and where.
    pub web: Web,
}

/// The Model Context Protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mcp {
    /// What other programs get.
    pub serve: Serve,
}

/// What other programs get through `adjutant mcp serve`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Serve {
    /// Kinds of data they may read, and propose to change.
    pub share: Vec<String>,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            share: vec!["calendar".into(), "tasks".into()],
        }
    }
}

/// What research may use; at each of these limits it writes with what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Research {
    /// Rounds of questions of one research.
    pub rounds: u32,
    /// Minutes one research is at work.
    pub minutes: u32,
    /// Credits of one research.
    pub credits: u32,
    /// Credits of all research of a day.
    pub day_credits: u32,
    /// What a credit costs the person; 0: not known, and no money is shown.
    pub credit_price: Money,
}

impl Default for Research {
    fn default() -> Self {
        Self {
            rounds: 50,
            minutes: 15,
            credits: 1_000,
            day_credits: 3_000,
            credit_price: Money::from_micros(0),
        }
    }
}

/// What is looked up, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Web {
    /// The search engine.
    pub search: Search,
    /// The person's SearXNG.
    pub searxng: SearXng,
    /// Wikipedia.
    pub wikipedia: Wikipedia,
    /// Hosts on this computer or its network whose pages may be read, each with its port where that is not the usual one.
    pub allow_hosts: Vec<String>,
}

/// The search engine for the web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Search {
    /// Its name; `none`: nothing is searched outside.
    pub engine: String,
    /// Address of a server that stands in for the engine's own; empty: the engine itself.
    pub endpoint: String,
    /// The tool of a server that searches, where that is the engine.
    pub tool: String,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            engine: "none".into(),
            endpoint: String::new(),
            tool: String::new(),
        }
    }
}

/// The person's SearXNG.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearXng {
    /// Its address.
    pub url: String,
}

/// Wikipedia.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wikipedia {
    /// The language, as in its addresses; empty: English.
    pub language: String,
}

/// How Google is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Google {
    /// Address of a server that stands in for every host of Google; empty: Google itself.
    pub endpoint: String,
    /// Client id for accounts that have none of their own; empty: the one built in, if there is one.
    pub client_id: String,
}

/// What is kept of accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Accounts {
    /// How much of mails that were fetched whole is kept, in MiB.
    pub mail_cache_mib: u32,
}

impl Default for Accounts {
    fn default() -> Self {
        Self {
            mail_cache_mib: 1_024,
        }
    }
}

/// How mail is shown and written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mail {
    /// Senders whose mail shows its images at once, by their addresses.
    pub images_from: Vec<String>,
}

/// How calendars are shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calendar {
    /// Identifiers of those that are not shown.
    pub hidden: Vec<String>,
    /// Colours that were chosen, by their identifiers.
    pub colours: adjutant_domain::settings::Texts,
}

/// How the world is reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Network {
    /// Address of a proxy; empty follows the system, `none` goes directly.
    pub proxy: String,
    /// Hosts reached without it, separated by commas.
    pub no_proxy: String,
    /// A file with certificates of authorities that count besides those the system trusts; empty: none.
    pub certificates: String,
}

/// Settings of the desktop app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Desktop {
    /// Shortcut of quick-ask, in the notation of Tauri (`Ctrl+Shift+Space`); empty turns it off.
    pub quick_ask_shortcut: String,
    /// Start with the session.
    pub autostart: bool,
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// Text size in per cent.
    pub text_size: u16,
    /// `system` or `reduced`.
    pub motion: String,
    /// Single letters act when no text field has the focus (WCAG 2.1.4).
    pub single_keys: bool,
    /// Notify about reminders and approvals.
    pub notifications: bool,
    /// No notifications from this time of day on; equal to `quiet_to` means never quiet.
    pub quiet_from: jiff::civil::Time,
    /// … until this time of day.
    pub quiet_to: jiff::civil::Time,
}

impl Default for Desktop {
    fn default() -> Self {
        Self {
            quick_ask_shortcut: "Ctrl+Shift+Space".into(),
            autostart: false,
            theme: "system".into(),
            text_size: 100,
            motion: "system".into(),
            single_keys: true,
            notifications: true,
            quiet_from: jiff::civil::time(22, 0, 0, 0),
            quiet_to: jiff::civil::time(7, 0, 0, 0),
        }
    }
}
