//! All settings: keys, descriptions and forms of values.

use crate::models::SHADOW_ROUTERS;

/// One setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Dotted name.
    pub name: &'static str,
    /// Description, one sentence.
    pub help: &'static str,
    /// Form of its values.
    pub form: Form,
}

/// Form of a setting's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Any text on one line.
    Text,
    /// Comma-separated texts.
    List,
    /// Comma-separated absolute paths of folders.
    Folders,
    /// Named texts as a JSON object, or empty.
    Texts,
    /// IANA time zone, or empty.
    Zone,
    /// `HH:MM`.
    Time,
    /// `true` or `false`.
    Switch,
    /// A whole number from the first to the second bound.
    Number(u32, u32),
    /// Like [`Self::Number`], or empty for a value that other settings determine.
    NumberOrNone(u32, u32),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// One or more of these words, separated by commas.
    SomeOf(&'static [&'static str]),
    /// Any of these words, separated by commas, or empty.
    AnyOf(&'static [&'static str]),
    /// An amount such as `2.50`.
    Money,
    /// Three capital letters: `EUR`.
    Currency,
    /// Address of a proxy without a password, `none`, `system`, or empty.
    Proxy,
}

/// Maximum length of a value, in bytes.
pub const VALUE_BYTES_MAX: usize = 4096;

/// Settings that are secret: stored in the keyring, entered by prompt or pipe, and never shown.
pub const SECRETS: &[&str] = &["web.tavily.key", "web.brave.key"];

const fn entry(name: &'static str, form: Form, help: &'static str) -> Key {
    Key { name, help, form }
}

/// All settings, in the order they are listed.
pub const KEYS: &[Key] = &[
    entry(
        "owner.name",
        Form::Text,
        "Your name, as it appears under your mails.",
    ),
    entry(
        "owner.emails",
        Form::List,
        "Your mail addresses, with your usual sender address first.",
    ),
    entry(
        "time_zone",
        Form::Zone,
        "Your time zone, for example Europe/Paris; empty uses the system's.",
    ),
    entry(
        "week_start",
        Form::OneOf(&["monday", "sunday", "saturday"]),
        "The first day of the week.",
    ),
    entry("work_start", Form::Time, "When your working day begins."),
    entry("work_end", Form::Time, "When your working day ends."),
    entry(
        "clock",
        Form::OneOf(&["24h", "12h"]),
        "How times are shown: 17:30 or 5:30 pm.",
    ),
    entry(
        "day_first",
        Form::Switch,
        "Put the day before the month: 13 Jan instead of Jan 13, and 3/4 means the third of April. The default follows the system's locale.",
    ),
    entry(
        "event_minutes",
        Form::Number(5, 1440),
        "Length of an event without an end, in minutes.",
    ),
    entry(
        "hold_seconds",
        Form::NumberOrNone(0, 120),
        "How many seconds an approved mail is held so that you can take it back. Empty means 20 if an account can send.",
    ),
    entry(
        "approval.offline_hours",
        Form::Number(1, 168),
        "How many hours an approved action may wait for a connection.",
    ),
    entry(
        "folders",
        Form::Folders,
        "Folders that Adjutant may search and read.",
    ),
    entry(
        "mail.images_from",
        Form::List,
        "Addresses of senders whose mails show their images at once.",
    ),
    entry(
        "signatures",
        Form::Texts,
        "Your signatures, by the address a mail is sent from.",
    ),
    entry(
        "calendar.hidden",
        Form::List,
        "IDs of hidden calendars (`adjutant show collections` lists them).",
    ),
    entry(
        "calendar.colours",
        Form::Texts,
        "Colours of calendars by their IDs: 1 to 4, or quiet.",
    ),
    entry(
        "ask_always",
        Form::Switch,
        "Ask even before changes that can be undone.",
    ),
    entry(
        "desktop.quick_ask_shortcut",
        Form::Text,
        "Keyboard shortcut for quick-ask; empty turns it off.",
    ),
    entry(
        "desktop.autostart",
        Form::Switch,
        "Start Adjutant when you log in.",
    ),
    entry(
        "desktop.theme",
        Form::OneOf(&["system", "light", "dark"]),
        "Light or dark theme, or the system's.",
    ),
    entry(
        "desktop.text_size",
        Form::Number(80, 200),
        "Text size in per cent.",
    ),
    entry(
        "desktop.motion",
        Form::OneOf(&["system", "reduced"]),
        "Reduced motion, or as the system is set.",
    ),
    entry(
        "desktop.single_keys",
        Form::Switch,
        "Allow single-letter shortcuts when no text field has the focus.",
    ),
    entry(
        "desktop.notifications",
        Form::Switch,
        "Notify about reminders and waiting approvals.",
    ),
    entry(
        "desktop.quiet_from",
        Form::Time,
        "Start of the quiet time, without notifications.",
    ),
    entry("desktop.quiet_to", Form::Time, "End of the quiet time."),
    entry(
        "models.spend.call",
        Form::Money,
        "Maximum cost of one request to a model, in the worst case; 0 allows only models that cost nothing.",
    ),
    entry(
        "models.spend.day",
        Form::Money,
        "Maximum cost of models per day.",
    ),
    entry(
        "models.spend.month",
        Form::Money,
        "Maximum cost of models per calendar month.",
    ),
    entry(
        "models.spend.background_day",
        Form::Money,
        "Maximum cost of background work per day. This work also counts towards the other limits.",
    ),
    entry(
        "models.currency",
        Form::Currency,
        "Currency of limits and prices. Amounts are shown in it, not converted.",
    ),
    entry(
        "models.tiers",
        Form::SomeOf(&["fast", "standard", "deep"]),
        "Tiers of models that Adjutant may use.",
    ),
    entry(
        "models.begin_seconds",
        Form::Number(5, 1200),
        "How many seconds a model may take to start its reply before Adjutant tries the next one. A model on this computer gets three times as long, because it may have to be loaded first. No model gets more than its share of `models.deadline_seconds`.",
    ),
    entry(
        "models.stall_seconds",
        Form::Number(2, 600),
        "How many seconds a model may pause during a reply before Adjutant tries the next one.",
    ),
    entry(
        "models.deadline_seconds",
        Form::Number(10, 3600),
        "How many seconds a reply may take in total, shared by all models tried for it. Small questions beside the reply take 30 seconds at most.",
    ),
    entry(
        "models.breaker.failures",
        Form::Number(1, 100),
        "How often a model may fail before Adjutant stops asking it for a while.",
    ),
    entry(
        "models.breaker.within_minutes",
        Form::Number(1, 60),
        "How many minutes back those failures count.",
    ),
    entry(
        "models.breaker.rest_minutes",
        Form::Number(1, 120),
        "How many minutes a failing model is not asked.",
    ),
    entry(
        "models.tone",
        Form::Text,
        "The tone for a model's answers, in your words; empty leaves them unchanged.",
    ),
    entry(
        "models.critique",
        Form::Switch,
        "Have a model's answer to a hard request reviewed before it is shown.",
    ),
    entry(
        "models.shadow",
        Form::Text,
        "A connection to compare with the others: Adjutant asks it as well but does not use its replies. Empty for none.",
    ),
    entry(
        "models.shadow_prompts",
        Form::Text,
        "A folder with alternative prompts, laid out like prompts/ in the sources. Adjutant tries them beside its own without using the replies; the cost counts as background work. Empty for none.",
    ),
    entry(
        "models.shadow_router",
        Form::OneOf(SHADOW_ROUTERS),
        "What to compare with the embedded engine's routing, without any effect: a model (every message then goes to it, and the cost counts as background work), the phrases alone, or none.",
    ),
    entry(
        "accounts.mail_cache_mib",
        Form::Number(0, 1_048_576),
        "How many MiB of large mails and their attachments to keep on this computer after you open them. What you opened longest ago is removed first, and fetched again when needed.",
    ),
    entry(
        "mcp.serve.share",
        Form::AnyOf(&["calendar", "tasks", "contacts", "notes", "mail", "memory"]),
        "What other programs may read and propose to change through `adjutant mcp serve`: calendar, tasks, contacts, notes, mail, memory; empty for nothing. Every change they propose waits for your approval.",
    ),
    entry(
        "research.rounds",
        Form::Number(1, 200),
        "Maximum rounds of questions before research writes its report.",
    ),
    entry(
        "research.minutes",
        Form::Number(1, 600),
        "Maximum minutes of work before research writes its report.",
    ),
    entry(
        "research.credits",
        Form::Number(1, 100_000),
        "Maximum credits for one research: a search outside costs one, a question to a model five.",
    ),
    entry(
        "research.day_credits",
        Form::Number(1, 1_000_000),
        "Maximum credits for all research in a day.",
    ),
    entry(
        "research.credit_price",
        Form::Money,
        "What your search engine charges you for one credit; 0 shows only credits.",
    ),
    entry(
        "network.proxy",
        Form::Proxy,
        "Proxy for the internet, such as http://proxy.example:3128, without a password; empty uses the system's, none connects directly.",
    ),
    entry(
        "network.no_proxy",
        Form::Text,
        "Hosts to reach without the proxy, separated by commas.",
    ),
    entry(
        "network.certificates",
        Form::Text,
        "Absolute path of a file (PEM) with certificates of authorities to trust besides the system's, for servers of your own; empty for none.",
    ),
    entry(
        "google.endpoint",
        Form::Text,
        "Address of a server to use in place of all Google hosts, for testing; empty for Google itself.",
    ),
    entry(
        "google.client_id",
        Form::Text,
        "Google client ID for accounts without one of their own; empty uses the one this program was built with, if any.",
    ),
    entry(
        "web.search.engine",
        Form::OneOf(&["none", "wikipedia", "searxng", "tavily", "brave", "server"]),
        "Search engine for the web. SearXNG needs `web.searxng.url`. Tavily and Brave need a key, which is kept in the keyring (`adjutant config set web.brave.key`, or `web.tavily.key`, asks for it). `server` uses the tool of an MCP server that `web.search.tool` names.",
    ),
    entry(
        "web.search.tool",
        Form::Text,
        "The MCP tool to search with, such as mcp.kagi.search, if `web.search.engine` is `server`. You must have declared it read-only.",
    ),
    entry(
        "web.search.endpoint",
        Form::Text,
        "Address of a server to use in place of the search engine, for testing; empty for the engine itself.",
    ),
    entry(
        "web.searxng.url",
        Form::Text,
        "Address of your SearXNG, such as https://searx.example.org. It must offer JSON (`search.formats` in its settings).",
    ),
    entry(
        "web.wikipedia.language",
        Form::Text,
        "Language of Wikipedia, as in its addresses, such as de; empty for English.",
    ),
    entry(
        "web.allow_hosts",
        Form::List,
        "Hosts on this computer or your network whose pages Adjutant may read, with the port if it is unusual, such as 127.0.0.1:8080. Other pages never lead there.",
    ),
];

/// Returns the setting with this name.
#[must_use]
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

impl Form {
    /// Returns the allowed words, or an empty list if the form does not enumerate them.
    #[must_use]
    pub fn choices(self) -> Vec<&'static str> {
        match self {
            Self::OneOf(words) => words.to_vec(),
            Self::Switch => vec!["true", "false"],
            _ => Vec::new(),
        }
    }
}
