//! What a front end may ask for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::models::{AgreedTo, ConnectionDraft, SecretText};
use crate::programs::ProgramAct;
use crate::research::ResearchAct;
use crate::rows::CollectionKind;
use crate::servers::ServerAct;
use crate::topic::{Only, Topic};
use crate::words::{OutboxAct, PlanChange};

/// Something that was said before a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SaidBefore {
    /// By the person; if not, by Adjutant.
    pub by_person: bool,
    /// What was said.
    pub text: String,
}

/// One request. On the wire: `{"op": "ask", "conversation": "main", "text": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// One turn. Answers with [`crate::Reply::Turn`]; its events follow.
    Ask {
        /// Conversation; created when new.
        conversation: String,
        /// What the person says.
        text: String,
        /// How capable a model is asked for it, where one is asked: `fast`, `standard` or `deep`; as each stage needs it
        /// where nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        tier: Option<String>,
    },
    /// Asks the message of a turn again, as it was or in other words, in the place of that turn and of all after it in
    /// its conversation: models do not see those any more, and what waits in them gives way to what the new plan asks
    /// for. What was done stays done. Never counts as a yes. Answers with [`crate::Reply::Turn`].
    Retry {
        /// Turn.
        turn: String,
        /// The other words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        text: Option<String>,
        /// As in [`Request::Ask`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        tier: Option<String>,
    },
    /// The rules that something may repeat by. Answers with [`crate::Reply::Repeats`].
    Repeats {
        /// When it begins: RFC 3339 with a zone in brackets, or a date.
        start: String,
        /// The rule it has now.
        #[serde(default)]
        rule: Option<String>,
        /// The last day, where it ends; none: as the rule has it.
        #[serde(default)]
        last: Option<String>,
    },
    /// Answers a waiting question by button. Answers with [`crate::Reply::Turn`].
    Answer {
        /// The question's id.
        id: String,
        /// A choice's value, or typed text.
        value: Value,
    },
    /// Approves a waiting action. Answers with [`crate::Reply::Turn`].
    Approve {
        /// Action.
        id: String,
        /// Digest of what was shown.
        digest: String,
    },
    /// Allows what a waiting card offers until an instant, without asking again: this tool, this account, this exact
    /// target. The card itself still waits. Answers with [`crate::Reply::Rows`].
    Grant {
        /// Action.
        id: String,
        /// Digest of what was shown.
        digest: String,
        /// RFC 3339 or a date: the first instant at which it does not hold any more.
        until: String,
    },
    /// Takes a standing grant back. Answers with [`crate::Reply::Rows`].
    RevokeGrant {
        /// Grant.
        id: String,
    },
    /// Gives a standing grant back that was taken back within the last five minutes. Answers with
    /// [`crate::Reply::Rows`].
    RestoreGrant {
        /// Grant.
        id: String,
    },
    /// Rejects a waiting action. Answers with [`crate::Reply::Turn`].
    Reject {
        /// Action.
        id: String,
    },
    /// Proposes a waiting action anew with other arguments; the old one is superseded.
    Edit {
        /// Action.
        id: String,
        /// The arguments, complete.
        args: Value,
        /// Which of its calls, from 0; needed where the card holds several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        call: Option<u32>,
    },
    /// Changes a plan that waits: a step is left out or comes at another place. What waits for approval in it is shown
    /// anew. Answers with [`crate::Reply::Turn`].
    EditPlan {
        /// The turn whose plan it is.
        turn: String,
        /// What changes.
        change: PlanChange,
    },
    /// Proposes an expired or rejected action again, as a new card.
    AskAgain {
        /// Action.
        id: String,
    },
    /// Stops a turn, the live turn of a conversation, or everything.
    Interrupt {
        /// Turn.
        turn: Option<String>,
        /// Conversation.
        conversation: Option<String>,
    },
    /// Runs the recorded inverse of an effect.
    Undo {
        /// Effect.
        id: String,
    },
    /// A direct manipulation from a surface, through the same gate. Answers with [`crate::Reply::Applied`].
    Apply {
        /// Tool.
        tool: String,
        /// Arguments.
        args: Value,
    },
    /// Reminders to show, as `reminder` events with `show`, for as long as this request stays open. Each goes to one
    /// front end only: the one that asked first. Where nobody asks, the process that holds the profile shows them.
    /// Answers with [`crate::Reply::Ok`].
    Notify {},
    /// The person decides about a mail on its way out. Answers with [`crate::Reply::Applied`].
    Outbox {
        /// Mail.
        id: String,
        /// What shall become of it.
        act: OutboxAct,
    },
    /// Keeps a memory without using it in answers, or uses it again. Answers with [`crate::Reply::Applied`].
    UseMemory {
        /// Memory.
        id: String,
        /// Whether it is used from now on.
        on: bool,
    },
    /// Turns that used a memory, newest first. Answers with [`crate::Reply::Uses`].
    MemoryUses {
        /// Memory.
        id: String,
    },
    /// Events of a conversation from a number on: the journal, then live.
    Subscribe {
        /// Conversation; empty for what concerns the whole profile (`changed`, `progress`, `reminder`).
        conversation: String,
        /// First number wanted.
        from: i64,
    },
    /// Rows as stored. Answers with [`crate::Reply::Rows`].
    Show {
        /// What.
        what: Topic,
        /// Only this row.
        id: Option<String>,
        /// From this moment on (RFC 3339 or a date).
        from: Option<String>,
        /// Up to this moment.
        to: Option<String>,
        /// At most so many.
        limit: Option<usize>,
        /// So many are passed over: how a list goes on where its first part ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        offset: Option<usize>,
        /// Only rows with these words.
        text: Option<String>,
        /// Only these of mails, events and tasks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        only: Option<Only>,
    },
    /// A mail as its sender designed it, made harmless. Answers with [`crate::Reply::MailPage`].
    MailPage {
        /// Mail.
        id: String,
        /// Whether its images are fetched from other computers; where nothing is said, those of the senders in the
        /// setting `mail.images_from` are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        images: Option<bool>,
    },
    /// Search over everything kept here: titles and people that begin with the words first, then whatever has them in
    /// its text. Answers with [`crate::Reply::Hits`].
    Search {
        /// Words.
        text: String,
        /// At most so many.
        limit: usize,
    },
    /// How a message would be read, without doing anything. Answers with [`crate::Reply::Explained`].
    Explain {
        /// Conversation, for references.
        conversation: String,
        /// Message.
        text: String,
        /// As in [`Request::Ask`]: what the message could cost is told for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        tier: Option<String>,
    },
    /// What a message comes to while it is still being typed: free time, or a sum. It is no turn, nothing of it is stored
    /// and no model is asked. Answers with [`crate::Reply::Glanced`].
    Glance {
        /// Message, as far as it is typed.
        text: String,
    },
    /// What asking a model where so many messages belong could cost at most. Answers with [`crate::Reply::Estimated`].
    EstimateRoutes {
        /// Messages.
        #[ts(type = "number")]
        messages: u64,
        /// Tokens of all of them and of what was said before each, about.
        #[ts(type = "number")]
        said_tokens: u64,
    },
    /// What comparing a connection (the setting `models.shadow`) would cost: what the requests of the last days that are
    /// compared would have cost there. Answers with [`crate::Reply::Estimated`].
    EstimateComparison {
        /// Which connection.
        name: String,
    },
    /// What making the vectors of all tools would cost once this is connected; nothing where they are made already, or by
    /// this computer. Answers with [`crate::Reply::Estimated`].
    EstimateVectors {
        /// As it would be connected, with its model for vectors.
        connection: ConnectionDraft,
    },
    /// Where a message belongs, as a model says: what a turn asks where the embedded router is unsure. It is no turn, and
    /// nothing is kept of it but what it cost. Answers with [`crate::Reply::RoutedByModel`].
    RouteByModel {
        /// Message.
        text: String,
        /// What was said before, oldest first.
        history: Vec<SaidBefore>,
    },
    /// Gives a conversation a name.
    RenameConversation {
        /// Conversation.
        id: String,
        /// Name.
        title: String,
    },
    /// Keeps a conversation at the top of the list, or lets it go there. Answers with [`crate::Reply::Ok`].
    PinConversation {
        /// Conversation.
        id: String,
        /// Whether it stays at the top from now on.
        on: bool,
    },
    /// Puts a conversation away, or back into the list. Its next message does that too. Answers with [`crate::Reply::Ok`].
    ArchiveConversation {
        /// Conversation.
        id: String,
        /// Whether it is put away from now on.
        on: bool,
    },
    /// Stops what runs in a conversation, cancels what waits, and deletes it; effects and receipts stay. Answers with
    /// [`crate::Reply::Ok`].
    DeleteConversation {
        /// Conversation.
        id: String,
    },
    /// Brings back a conversation that was deleted within the last hour; what waited in it stays cancelled. Answers with
    /// [`crate::Reply::Ok`].
    RestoreConversation {
        /// Conversation.
        id: String,
    },
    /// Imports files and folders. Answers with [`crate::Reply::Imported`]; progress follows as events.
    Import {
        /// Absolute paths.
        paths: Vec<String>,
    },
    /// Writes everything into a folder. Answers with [`crate::Reply::Exported`].
    Export {
        /// Absolute path of an empty or new folder.
        dir: String,
    },
    /// Deletes everything in the profile.
    Erase {},
    /// All tools. Answers with [`crate::Reply::Tools`].
    Tools {},
    /// All settings. Answers with [`crate::Reply::Config`].
    ConfigList {},
    /// One setting. Answers with [`crate::Reply::Config`].
    ConfigGet {
        /// Key.
        key: String,
    },
    /// Changes a setting. Answers with [`crate::Reply::Config`].
    ConfigSet {
        /// Key.
        key: String,
        /// Value as text; `null` goes back to the default.
        value: Option<String>,
    },
    /// Keeps a secret setting in the keyring, such as `web.brave.key`, or forgets it. It is never given as a value of
    /// [`Request::ConfigSet`]. Answers with [`crate::Reply::Config`], which says whether there is one.
    SecretSet {
        /// Key.
        key: String,
        /// The secret; `null` forgets it.
        value: Option<SecretText>,
    },
    /// What works, what is missing. Answers with [`crate::Reply::Doctor`].
    Doctor {},
    /// Does what is due now. Answers with [`crate::Reply::DueDone`].
    RunDue {},
    /// Stops a job, see [`Topic::Jobs`]. Answers with [`crate::Reply::Rows`]: the job as it is now.
    StopJob {
        /// Job.
        id: String,
    },
    /// Numbers for tray and badges. Answers with [`crate::Reply::Status`].
    Status {},
    /// Runs the built-in cases through the embedded engine, in a sandbox: about a second. Answers with
    /// [`crate::Reply::Scoreboard`].
    Scoreboard {},
    /// How long the stages of turns took since this Adjutant was started. Answers with [`crate::Reply::Timings`].
    Timings {},
    /// What models are connected. Answers with [`crate::Reply::Models`].
    Models {},
    /// Looks for model servers on this computer, on their usual ports. Answers with [`crate::Reply::FoundModels`].
    FindModels {},
    /// What models a provider has, before or after it is connected. Faults have codes as in [`Request::ConnectModel`];
    /// `model` is also that of a fault that belongs to no field. Answers with [`crate::Reply::ModelList`].
    ListModels {
        /// As it would be connected; its models need not be set yet.
        connection: ConnectionDraft,
        /// Its key; none takes the one in the keyring.
        #[serde(default)]
        key: Option<SecretText>,
    },
    /// Connects a provider, or changes a connection. A fault of one of its fields has that field's name as its code: `name`, `kind`, `address`, `key`, `model`,
    /// `headers` or `proxy`. Answers with [`crate::Reply::Models`].
    ConnectModel {
        /// The connection.
        connection: ConnectionDraft,
        /// Its key, kept in the keyring; none keeps the one that is there, an empty one forgets it.
        #[serde(default)]
        key: Option<SecretText>,
    },
    /// What model files can be fetched, and what is being fetched. Answers with [`crate::Reply::ModelFiles`].
    ModelFiles {},
    /// Asks a server about a model file; nothing of it is fetched. Answers with [`crate::Reply::ModelOffer`].
    OfferModelFile {
        /// A name that [`Request::ModelFiles`] tells, or the address of a file.
        what: String,
        /// The SHA-256 the person has of it.
        #[serde(default)]
        sha256: Option<String>,
    },
    /// Fetches a model file that was offered, with progress, from where it stopped before. It stops when nobody waits for the
    /// answer any more. How it ended, everybody hears who follows the profile ([`crate::EventBody::Progress`]). Answers with [`crate::Reply::ModelFile`].
    FetchModelFile {
        /// As in [`Request::OfferModelFile`].
        what: String,
        /// As there.
        #[serde(default)]
        sha256: Option<String>,
        /// What the person was shown; a file that is another one by now is not fetched.
        agreed: AgreedTo,
    },
    /// Stops fetching; what is here stays for the next time. Answers with [`crate::Reply::Ok`].
    StopModelFile {},
    /// Takes a connection away, with its key. Answers with [`crate::Reply::Models`].
    DisconnectModel {
        /// Which.
        name: String,
    },
    /// Tries a connection before all others. Answers with [`crate::Reply::Models`].
    PreferModel {
        /// Which.
        name: String,
    },
    /// How the connection of the setting `models.shadow` compares with the others. Answers with
    /// [`crate::Reply::Comparisons`].
    Comparisons {},
    /// Asks a connected model a few small things. Answers with [`crate::Reply::ModelTest`].
    TestModel {
        /// Which.
        name: String,
        /// Tier: `fast`, `standard` or `deep`; none means standard.
        #[serde(default)]
        tier: Option<String>,
    },
    /// What kinds of account can be connected. Answers with [`crate::Reply::AccountKinds`].
    AccountKinds {},
    /// Connects an account: its server is asked whether it can be used, then it is kept and read in the background. A fault
    /// of one of its fields has that field's name as its code. Answers with [`crate::Reply::Rows`]: the account.
    AddAccount {
        /// Which kind.
        kind: String,
        /// What to call it; nothing: what its server calls it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        label: Option<String>,
        /// Fields that are no secret.
        settings: BTreeMap<String, String>,
        /// Fields that are secret; they go to the keyring.
        secrets: BTreeMap<String, SecretText>,
        /// The sign-in in the browser that is waited for, where one was begun. Whoever stops waiting gives it up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sign_in: Option<String>,
    },
    /// Begins a sign-in in the system browser, for kinds whose people sign in there. Answers with
    /// [`crate::Reply::SignIn`]: the page to open. [`Self::AddAccount`] or [`Self::ChangeAccount`] with the sign-in waits
    /// for the person.
    BeginSignIn {
        /// Which kind, for a new account.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        kind: Option<String>,
        /// The account that is signed in to again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        account: Option<String>,
        /// Fields that are no secret.
        settings: BTreeMap<String, String>,
        /// Fields that are secret.
        secrets: BTreeMap<String, SecretText>,
    },
    /// Gives a sign-in up: whoever waits for it gets a fault. Answers with [`crate::Reply::Ok`], also where it is over.
    CancelSignIn {
        /// Which sign-in.
        id: String,
    },
    /// Changes an account. What is not given stays as it is. New fields are tried at the server before they are kept.
    /// Answers with [`crate::Reply::Rows`]: the account.
    ChangeAccount {
        /// Which.
        id: String,
        /// What to call it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        label: Option<String>,
        /// Fields that are no secret.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(optional, as = "Option<BTreeMap<String, String>>")]
        settings: BTreeMap<String, String>,
        /// Fields that are secret.
        #[serde(default)]
        secrets: BTreeMap<String, SecretText>,
        /// Whether it is used: read, and changed where the person approves it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        on: Option<bool>,
        /// The sign-in in the browser that is waited for, where one was begun. Whoever stops waiting gives it up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sign_in: Option<String>,
    },
    /// Reads accounts now. Answers with [`crate::Reply::Rows`]: accounts as they are afterwards.
    SyncAccounts {
        /// Only this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        id: Option<String>,
        /// Only those that were not read within the last minute, and without waiting for the end: what a window asks for
        /// when the person comes back to it.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        glance: bool,
    },
    /// Takes an account away, with its secrets; a sign-in in the browser is taken back at its provider. Answers with [`crate::Reply::Ok`].
    RemoveAccount {
        /// Which.
        id: String,
        /// Whether what was read from it stays on this computer.
        keep: bool,
    },
    /// Says where new events, tasks or contacts go from now on, unless one says where. Answers with
    /// [`crate::Reply::Rows`]: all collections.
    PreferCollection {
        /// What they are.
        kind: CollectionKind,
        /// Into this collection of an account, which can be written to; nothing: they stay on this computer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        id: Option<String>,
    },
    /// About servers of tools (MCP): see [`ServerAct`].
    Servers {
        /// What.
        request: ServerAct,
    },
    /// What other programs ask, through `adjutant mcp serve`. Answers with what the act says.
    Programs {
        /// What is asked.
        request: ProgramAct,
    },
    /// Something of research. Answers with [`crate::Reply::Research`].
    Research {
        /// What.
        act: ResearchAct,
    },
    /// Puts sample data into the profile `sample`. Answers with [`crate::Reply::Profile`].
    LoadSample {},
}

impl Request {
    /// All rows of a topic.
    #[must_use]
    pub fn show(what: Topic) -> Self {
        Self::Show {
            what,
            id: None,
            from: None,
            to: None,
            limit: None,
            offset: None,
            text: None,
            only: None,
        }
    }
}
