//! Settings: every key with default and description, layered (default, system, profile, environment) and checked.
//!
//! The caller stores the profile's values and passes them in as text. Secrets are in the system's keyring.

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
    /// Settings of the engine, the tools and the embedded understanding.
    #[serde(flatten)]
    pub core: adjutant_domain::settings::Settings,
    /// Settings of the desktop app.
    pub desktop: Desktop,
    /// Settings for showing and writing mail.
    pub mail: Mail,
    /// Settings for showing calendars.
    pub calendar: Calendar,
    /// Spending limits and use of language models.
    pub models: Models,
    /// Settings for data kept from accounts.
    pub accounts: Accounts,
    /// Limits of research.
    pub research: Research,
    /// Network settings.
    pub network: Network,
    /// Settings for reaching Google.
    pub google: Google,
    /// Settings of the Model Context Protocol.
    pub mcp: Mcp,
    /// Settings for search and web pages.
    pub web: Web,
}

/// Settings of the Model Context Protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mcp {
    /// Access for other programs.
    pub serve: Serve,
}

/// Access for other programs through `adjutant mcp serve`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Serve {
    /// Kinds of data they may read and propose to change; calendar and tasks by default.
    pub share: Vec<String>,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            share: vec!["calendar".into(), "tasks".into()],
        }
    }
}

/// Limits of research. On reaching one, a research run writes its report with what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Research {
    /// Maximum number of rounds of questions in one run.
    pub rounds: u32,
    /// Maximum working time of one run, in minutes.
    pub minutes: u32,
    /// Maximum number of credits of one run.
    pub credits: u32,
    /// Maximum number of credits of all runs in a day.
    pub day_credits: u32,
    /// Price of a credit for the person; 0 if unknown, so that no amounts are shown.
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

/// Settings for search and web pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Web {
    /// The search engine.
    pub search: Search,
    /// The person's SearXNG.
    pub searxng: SearXng,
    /// Wikipedia.
    pub wikipedia: Wikipedia,
    /// Hosts on this computer or its network whose pages may be read, each with its port unless it is the default one.
    pub allow_hosts: Vec<String>,
}

/// The search engine for the web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Search {
    /// Name of the engine; `none` to search nothing outside.
    pub engine: String,
    /// Address of a server that stands in for the engine's own; empty for the engine itself.
    pub endpoint: String,
    /// Search tool of a server, for the engine `server`.
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

/// The person's SearXNG instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearXng {
    /// Address of the instance.
    pub url: String,
}

/// Wikipedia.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wikipedia {
    /// Language code as in Wikipedia's addresses; empty for English.
    pub language: String,
}

/// Settings for reaching Google.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Google {
    /// Address of a server that stands in for all of Google's hosts; empty for Google itself.
    pub endpoint: String,
    /// Client id for accounts that have none of their own; empty for the built-in one, if any.
    pub client_id: String,
}

/// Settings for data kept from accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Accounts {
    /// Size of the cache of mails fetched in full, in MiB.
    pub mail_cache_mib: u32,
}

impl Default for Accounts {
    fn default() -> Self {
        Self {
            mail_cache_mib: 1_024,
        }
    }
}

/// Settings for showing and writing mail.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mail {
    /// Addresses of senders whose mail shows its images at once.
    pub images_from: Vec<String>,
}

/// Settings for showing calendars.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calendar {
    /// Identifiers of hidden calendars.
    pub hidden: Vec<String>,
    /// Chosen colours, by identifier of the calendar.
    pub colours: adjutant_domain::settings::Texts,
}

/// Network settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Network {
    /// Address of a proxy; empty to follow the system, `none` for no proxy.
    pub proxy: String,
    /// Hosts reached without the proxy, separated by commas.
    pub no_proxy: String,
    /// File with root certificates to trust in addition to the system's; empty for none.
    pub certificates: String,
}

/// Settings of the desktop app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Desktop {
    /// Shortcut of quick-ask in Tauri's notation (`Ctrl+Shift+Space`); empty to turn it off.
    pub quick_ask_shortcut: String,
    /// Whether to start with the session.
    pub autostart: bool,
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// Text size in per cent.
    pub text_size: u16,
    /// `system` or `reduced`.
    pub motion: String,
    /// Whether single letters act as shortcuts while no text field has the focus (WCAG 2.1.4).
    pub single_keys: bool,
    /// Whether to notify about reminders and approvals.
    pub notifications: bool,
    /// Start of the quiet hours without notifications. If equal to `quiet_to`, there are none.
    pub quiet_from: jiff::civil::Time,
    /// End of the quiet hours.
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
