//! Word lists that identify a claim; data, not rules.

/// Things of the person that an action can concern, and pronouns for them.
pub(super) const THINGS: &[&str] = &[
    "account",
    "address",
    "alarm",
    "all",
    "answer",
    "appointment",
    "appointments",
    "bill",
    "booking",
    "bookings",
    "both",
    "calendar",
    "call",
    "change",
    "changes",
    "contact",
    "contacts",
    "dinner",
    "document",
    "draft",
    "drafts",
    "email",
    "emails",
    "entry",
    "event",
    "events",
    "everything",
    "file",
    "files",
    "folder",
    "inbox",
    "invitation",
    "invitations",
    "invite",
    "invoice",
    "it",
    "item",
    "items",
    "list",
    "lunch",
    "mail",
    "mails",
    "meeting",
    "meetings",
    "memory",
    "message",
    "messages",
    "note",
    "notes",
    "notice",
    "notification",
    "notifications",
    "order",
    "payment",
    "payments",
    "reminder",
    "reminders",
    "reply",
    "report",
    "reports",
    "request",
    "reservation",
    "reservations",
    "response",
    "schedule",
    "seat",
    "seats",
    "subscription",
    "table",
    "task",
    "tasks",
    "that",
    "them",
    "these",
    "they",
    "this",
    "those",
    "thread",
    "ticket",
    "tickets",
    "times",
    "todo",
    "transfer",
    "transfers",
];

/// The pronouns and quantifiers among [`THINGS`].
pub(super) const OBJECTS: &[&str] = &[
    "all",
    "both",
    "everything",
    "it",
    "that",
    "them",
    "these",
    "they",
    "this",
    "those",
];

/// Things that only a person has: setting or adding one is not mere talk.
pub(super) const OWN_THINGS: &[&str] = &[
    "alarm",
    "appointment",
    "calendar",
    "inbox",
    "invitation",
    "meeting",
    "reminder",
    "reminders",
    "your",
];

/// Words that may precede a thing.
pub(super) const DETERMINERS: &[&str] =
    &["a", "an", "her", "his", "my", "our", "the", "their", "your"];

/// Words that may follow a participle without a subject: "Moved to Friday".
pub(super) const DIRECTIONS: &[&str] = &[
    "as", "at", "for", "from", "in", "off", "on", "to", "until", "with",
];

/// Words that refer to Adjutant as the agent.
pub(super) const SPEAKERS: &[&str] = &["i", "we", "adjutant", "assistant", "system"];
/// Words that attribute a statement to a source.
pub(super) const REPORTS: &[&str] = &[
    "according",
    "announced",
    "announces",
    "claims",
    "explained",
    "explains",
    "mentioned",
    "mentions",
    "reported",
    "reports",
    "said",
    "say",
    "saying",
    "says",
    "stated",
    "states",
    "wrote",
    "writes",
    "writing",
];

pub(super) const BE: &[&str] = &[
    "am", "are", "be", "been", "being", "get", "got", "is", "was", "were",
];
pub(super) const HAVE: &[&str] = &["had", "has", "have"];
/// Auxiliaries directly before a participle. "going" belongs to "is going to be sent".
pub(super) const AUXILIARIES: &[&str] = &[
    "am", "are", "be", "been", "being", "get", "getting", "going", "got", "had", "has", "have",
    "is", "was", "were", "will",
];
/// Words that turn a verb into a possibility or an obligation.
pub(super) const MODALS: &[&str] = &[
    "can", "cannot", "could", "may", "might", "must", "shall", "should", "would",
];
/// Adverbs that mark news.
pub(super) const DONE_NOW: &[&str] = &["already", "just", "now", "officially", "successfully"];
/// Words that may come between subject and verb.
pub(super) const BETWEEN: &[&str] = &[
    "ahead",
    "all",
    "already",
    "also",
    "and",
    "automatically",
    "both",
    "duly",
    "finally",
    "gladly",
    "gone",
    "happily",
    "immediately",
    "just",
    "now",
    "officially",
    "quickly",
    "safely",
    "securely",
    "simply",
    "since",
    "so",
    "successfully",
    "then",
    "therefore",
    "thus",
    "today",
    "went",
];
/// Words that negate a verb after them.
pub(super) const NEGATIONS: &[&str] = &[
    "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "without",
];
/// Words that negate a verb before them: "I have sent nothing".
pub(super) const NOTHING: &[&str] = &["no", "nobody", "none", "nothing"];
/// Words before a verb that make it conditional.
pub(super) const CONDITIONS: &[&str] = &[
    "after", "before", "ensure", "ensures", "ensuring", "how", "if", "make", "upon", "verify",
    "once", "unless", "until", "what", "when", "whenever", "whether",
];
/// First words of a message that asks for information. "Can you …?" asks for an action.
pub(super) const ASKING: &[&str] = &[
    "are", "did", "do", "does", "has", "have", "how", "is", "was", "were", "what", "when", "where",
    "which", "who", "whose", "why",
];

/// Words that may precede the verb of a request.
pub(super) const OPENERS: &[&str] = &[
    "also", "and", "can", "could", "d", "hey", "hi", "i", "just", "kindly", "like", "need", "now",
    "ok", "okay", "please", "quickly", "so", "to", "then", "want", "will", "would", "you",
];

/// Words by which a request continues with another verb.
pub(super) const JOINS: &[&str] = &["and", "please", "then", "to"];

/// Words of a message that asks how something is done, or for a text.
pub(super) const KNOWING: &[&str] = &[
    "compose",
    "draft",
    "explain",
    "how",
    "imagine",
    "poem",
    "story",
    "suggest",
    "translate",
    "what",
    "why",
    "write",
];

/// Words that cannot be the object of a verb; before them, the "verb" is a noun or part of one.
pub(super) const NOT_OBJECTS: &[&str] = &[
    "are",
    "culture",
    "is",
    "of",
    "recommendation",
    "recommendations",
    "was",
    "were",
];

/// Phrases by which a speaker reports finished work; a claim if the clause begins with a speaker.
pub(super) const DEEDS: &[&[&str]] = &[
    &["managed", "to"],
    &["took", "care"],
    &["taken", "care"],
    &["gone", "ahead"],
    &["went", "ahead"],
    &["just", "finished"],
    &["finished", "with"],
    &["done", "it"],
    &["done", "that"],
    &["done", "with"],
    &["done", "so"],
    &["did", "it"],
    &["handled"],
    &["dealt", "with"],
    &["seen", "to"],
    &["the", "liberty"],
    &["was", "able", "to", "book"],
    &["was", "able", "to", "send"],
    &["made", "the", "change"],
    &["made", "the", "payment"],
    &["made", "the", "booking"],
];

/// States that an action leaves a thing of the person in.
pub(super) const STATES: &[&str] = &[
    "arranged",
    "complete",
    "final",
    "fulfilled",
    "gone",
    "handled",
    "live",
    "made",
    "off",
    "out",
    "settled",
    "sorted",
    "successful",
    "yours",
];

/// Claims that use no participle of the list.
pub(super) const PHRASES: &[&[&str]] = &[
    &["off", "your", "list"],
    &["got", "the", "message"],
    &["has", "the", "message"],
    &["looped", "in"],
    &["carried", "out"],
    &["written", "down"],
    &["are", "yours"],
    &["is", "in", "place"],
    &["are", "in", "place"],
    &["sorted", "for", "you"],
    &["is", "sorted"],
    &["is", "settled"],
    &["is", "arranged"],
    &["good", "to", "go"],
    &["now", "has", "all"],
    &["now", "has", "everything"],
    &["now", "has", "your"],
    &["completed", "successfully"],
    &["succeeded"],
    &["all", "set"],
    &["taken", "care", "of"],
    &["consider", "it", "done"],
    &["is", "done"],
    &["on", "its", "way"],
    &["went", "out"],
    &["you", "now", "have"],
    &["there", "is", "now"],
    &["are", "booked"],
    &["has", "gone", "out"],
    &["has", "gone", "off"],
    &["have", "gone", "out"],
    &["on", "the", "way", "to"],
    &["is", "taken", "care"],
    &["now", "knows"],
    &["knows", "now"],
    &["is", "confirmed"],
    &["mission", "accomplished"],
    &["went", "through"],
    &["has", "your", "message"],
    &["got", "your", "message"],
    &["is", "off", "to"],
    &["now", "on", "your"],
    &["in", "your", "calendar", "now"],
];
