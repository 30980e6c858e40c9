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
        "Your name, as it shall stand under mails.",
    ),
    entry(
        "owner.emails",
        Form::List,
        "Your mail addresses, the usual sender first.",
    ),
    entry(
        "time_zone",
        Form::Zone,
        "Your zone, for example Europe/Paris; empty follows the system.",
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
        "Dates are 13 Jan and 3/4 is the third of April, instead of Jan 13 and the fourth of March; the system's locale says where nothing is given.",
    ),
    entry(
        "event_minutes",
        Form::Number(5, 1440),
        "How long an event is when no end is given, in minutes.",
    ),
    entry(
        "hold_seconds",
        Form::NumberOrNone(0, 120),
        "How long an approved mail is held so that you can take it back, in seconds; 20 where nothing is given and an account can send.",
    ),
    entry(
        "approval.offline_hours",
        Form::Number(1, 168),
        "How long something you approved may wait for a connection, in hours.",
    ),
    entry(
        "folders",
        Form::Folders,
        "Folders that may be searched and read.",
    ),
    entry(
        "mail.images_from",
        Form::List,
        "Senders whose mail shows its images at once, by their addresses.",
    ),
    entry(
        "signatures",
        Form::Texts,
        "What stands below your mails, by the address they leave from.",
    ),
    entry(
        "calendar.hidden",
        Form::List,
        "Calendars that are not shown, by their identifiers (`adjutant show collections`).",
    ),
    entry(
        "calendar.colours",
        Form::Texts,
        "Colours of calendars, 1 to 4 or quiet, by their identifiers.",
    ),
    entry(
        "ask_always",
        Form::Switch,
        "Ask even before changes that can be undone.",
    ),
    entry(
        "desktop.quick_ask_shortcut",
        Form::Text,
        "The shortcut of quick-ask; empty turns it off.",
    ),
    entry(
        "desktop.autostart",
        Form::Switch,
        "Start with your session.",
    ),
    entry(
        "desktop.theme",
        Form::OneOf(&["system", "light", "dark"]),
        "Light, dark, or as the system.",
    ),
    entry(
        "desktop.text_size",
        Form::Number(80, 200),
        "Text size in per cent.",
    ),
    entry(
        "desktop.motion",
        Form::OneOf(&["system", "reduced"]),
        "Less motion, or as the system.",
    ),
    entry(
        "desktop.single_keys",
        Form::Switch,
        "Single letters act when no text field has the focus.",
    ),
    entry(
        "desktop.notifications",
        Form::Switch,
        "Notify about reminders and waiting approvals.",
    ),
    entry(
        "desktop.quiet_from",
        Form::Time,
        "No notifications from this time on.",
    ),
    entry(
        "desktop.quiet_to",
        Form::Time,
        "Notifications again from this time on.",
    ),
    entry(
        "models.spend.call",
        Form::Money,
        "What one request to a model may cost at its worst; 0 allows only models that cost nothing.",
    ),
    entry(
        "models.spend.day",
        Form::Money,
        "What models may cost a day.",
    ),
    entry(
        "models.spend.month",
        Form::Money,
        "What models may cost a calendar month.",
    ),
    entry(
        "models.spend.background_day",
        Form::Money,
        "What models may cost a day for work nobody waits for; it counts into the other limits too.",
    ),
    entry(
        "models.currency",
        Form::Currency,
        "The currency of limits and prices; amounts are shown in it, not converted.",
    ),
    entry(
        "models.tiers",
        Form::SomeOf(&["fast", "standard", "deep"]),
        "Which tiers of models may be used.",
    ),
    entry(
        "models.begin_seconds",
        Form::Number(5, 1200),
        "How long a model may take to begin its reply before the next one is tried, in seconds; one on this computer, which may have to be loaded first, has three times as long. No model takes more than its share of `models.deadline_seconds`.",
    ),
    entry(
        "models.stall_seconds",
        Form::Number(2, 600),
        "How long a model may send nothing in the middle of a reply before the next one is tried, in seconds.",
    ),
    entry(
        "models.deadline_seconds",
        Form::Number(10, 3600),
        "How long a reply may take with every model that is tried for it, in seconds; they share it. Small questions beside the reply take 30 seconds at most.",
    ),
    entry(
        "models.breaker.failures",
        Form::Number(1, 100),
        "A model that fails more often than this is left alone for a while.",
    ),
    entry(
        "models.breaker.within_minutes",
        Form::Number(1, 60),
        "The minutes within which those failures are counted.",
    ),
    entry(
        "models.breaker.rest_minutes",
        Form::Number(1, 120),
        "For how many minutes a failing model is left alone.",
    ),
    entry(
        "models.tone",
        Form::Text,
        "The tone a model's answers are put into, in your words; empty leaves them as they are.",
    ),
    entry(
        "models.critique",
        Form::Switch,
        "Look over a model's answer to a hard request once more before it is shown.",
    ),
    entry(
        "models.shadow",
        Form::Text,
        "A connection that is asked beside the others without any effect, to compare it; empty for none.",
    ),
    entry(
        "models.shadow_prompts",
        Form::Text,
        "A folder with other wordings of what models are told, laid out as prompts/ of the sources. What stands there is tried beside the wording in use without any effect, paid from the background's limit; empty for none.",
    ),
    entry(
        "models.shadow_router",
        Form::OneOf(SHADOW_ROUTERS),
        "Who says beside the embedded engine where a message belongs, without any effect: a model (every message then goes to it, paid from the background's limit), the phrases alone, or none.",
    ),
    entry(
        "accounts.mail_cache_mib",
        Form::Number(0, 1_048_576),
        "How much of large mails, with their attached files, is kept on this computer after you opened them, in MiB; what was opened first goes first, and is fetched again when it is wanted.",
    ),
    entry(
        "mcp.serve.share",
        Form::AnyOf(&["calendar", "tasks", "contacts", "notes", "mail", "memory"]),
        "What other programs may read through `adjutant mcp serve`, and propose to change: calendar, tasks, contacts, notes, mail, memory; empty: nothing. Every change they propose waits for your approval.",
    ),
    entry(
        "research.rounds",
        Form::Number(1, 200),
        "The most rounds of questions a research takes before it writes its report.",
    ),
    entry(
        "research.minutes",
        Form::Number(1, 600),
        "The most minutes a research is at work before it writes its report.",
    ),
    entry(
        "research.credits",
        Form::Number(1, 100_000),
        "The most credits a research uses: a search outside is one, a question to a model five.",
    ),
    entry(
        "research.day_credits",
        Form::Number(1, 1_000_000),
        "The most credits all research of a day uses.",
    ),
    entry(
        "research.credit_price",
        Form::Money,
        "What one credit costs you, as your search engine bills it; 0 shows credits alone.",
    ),
    entry(
        "network.proxy",
        Form::Proxy,
        "The proxy to the world, such as http://proxy.example:3128, without a password; empty follows the system, none goes directly.",
    ),
    entry(
        "network.no_proxy",
        Form::Text,
        "Hosts reached without the proxy, separated by commas.",
    ),
    entry(
        "network.certificates",
        Form::Text,
        "The whole path of a file with certificates (PEM) of authorities that count besides those the system trusts, for servers of your own; empty: none.",
    ),
    entry(
        "google.endpoint",
        Form::Text,
        "Address of a server that stands in for every host of Google, to try things out; empty: Google itself.",
    ),
    entry(
        "google.client_id",
        Form::Text,
        "Client id at Google for accounts that have none of their own; empty: the one this program was built with, if any.",
    ),
    entry(
        "web.search.engine",
        Form::OneOf(&["none", "wikipedia", "searxng", "tavily", "brave", "server"]),
        "The search engine for the web. SearXNG needs `web.searxng.url`; Tavily and Brave need a key, which goes to the keyring (`adjutant config set web.brave.key`, or `web.tavily.key`, asks for it); `server` is the tool `web.search.tool` of a server of yours.",
    ),
    entry(
        "web.search.tool",
        Form::Text,
        "A tool of a server (MCP) that searches, such as mcp.kagi.search, where `web.search.engine` is `server`. It has to be one of which you said that it only reads.",
    ),
    entry(
        "web.search.endpoint",
        Form::Text,
        "Address of a server that stands in for the search engine's own, to try things out; empty: the engine itself.",
    ),
    entry(
        "web.searxng.url",
        Form::Text,
        "Address of your SearXNG, such as https://searx.example.org; it must offer JSON (`search.formats` in its settings).",
    ),
    entry(
        "web.wikipedia.language",
        Form::Text,
        "Language of Wikipedia as in its addresses, such as de; empty: English.",
    ),
    entry(
        "web.allow_hosts",
        Form::List,
        "Hosts on this computer or your network whose pages may be read, each with its port where that is not the usual one, such as 127.0.0.1:8080. Other pages never lead there.",
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
