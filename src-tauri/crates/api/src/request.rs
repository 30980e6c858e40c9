//! Requests that a front end can send.

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

/// An earlier message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SaidBefore {
    /// Whether the person said it; otherwise Adjutant did.
    pub by_person: bool,
    /// Text of the message.
    pub text: String,
}

/// One request. On the wire: `{"op": "ask", "conversation": "main", "text": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Starts a turn with a message. Answers with [`crate::Reply::Turn`]; events follow.
    Ask {
        /// Conversation; created if it does not exist.
        conversation: String,
        /// The person's message.
        text: String,
        /// Tier of model for this message, if models are asked: `fast`, `standard` or `deep`. If absent, each stage
        /// uses the tier it needs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        tier: Option<String>,
    },
    /// Asks the message of a turn again, optionally with a new text. The new turn replaces that turn and all later ones
    /// of its conversation: models no longer see them, and actions and questions waiting in them are superseded by the
    /// new plan. Effects stay. A retry never counts as approval. Answers with [`crate::Reply::Turn`].
    Retry {
        /// Id of the turn.
        turn: String,
        /// New text of the message; absent to keep the old one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        text: Option<String>,
        /// Tier, as in [`Request::Ask`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        tier: Option<String>,
    },
    /// Lists recurrence rules to choose from. Answers with [`crate::Reply::Repeats`].
    Repeats {
        /// Start: RFC 3339 with the zone in brackets, or a date.
        start: String,
        /// Present rule, if any.
        #[serde(default)]
        rule: Option<String>,
        /// Last day of the series; if `null`, the present rule decides.
        #[serde(default)]
        last: Option<String>,
    },
    /// Answers a waiting question. Answers with [`crate::Reply::Turn`].
    Answer {
        /// Id of the question.
        id: String,
        /// Value of the chosen answer, or typed text.
        value: Value,
    },
    /// Approves a waiting action. Answers with [`crate::Reply::Turn`].
    Approve {
        /// Id of the action.
        id: String,
        /// Digest of the card as shown.
        digest: String,
    },
    /// Grants what a waiting card offers until a date: calls of the same tool on the same account and target then run
    /// without asking. The card itself keeps waiting. Answers with [`crate::Reply::Rows`].
    Grant {
        /// Id of the action.
        id: String,
        /// Digest of the card as shown.
        digest: String,
        /// End of the grant, exclusive: RFC 3339 or a date.
        until: String,
    },
    /// Revokes a standing grant. Answers with [`crate::Reply::Rows`].
    RevokeGrant {
        /// Id of the grant.
        id: String,
    },
    /// Restores a standing grant that was revoked within the last five minutes. Answers with [`crate::Reply::Rows`].
    RestoreGrant {
        /// Id of the grant.
        id: String,
    },
    /// Rejects a waiting action. Answers with [`crate::Reply::Turn`].
    Reject {
        /// Id of the action.
        id: String,
    },
    /// Proposes a waiting action again with other arguments. The new card supersedes the old one.
    Edit {
        /// Id of the action.
        id: String,
        /// The complete new arguments.
        args: Value,
        /// Index of the call to edit, from 0; required if the card holds several calls.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        call: Option<u32>,
    },
    /// Edits a waiting plan by leaving out or moving a step. Cards of the plan that wait for approval are shown again.
    /// Answers with [`crate::Reply::Turn`].
    EditPlan {
        /// Id of the turn that the plan belongs to.
        turn: String,
        /// The change.
        change: PlanChange,
    },
    /// Proposes an expired or rejected action again, as a new card.
    AskAgain {
        /// Id of the action.
        id: String,
    },
    /// Stops a turn, the running turn of a conversation, or everything if neither is given.
    Interrupt {
        /// Id of the turn.
        turn: Option<String>,
        /// Id of the conversation.
        conversation: Option<String>,
    },
    /// Runs the recorded inverse of an effect.
    Undo {
        /// Id of the effect.
        id: String,
    },
    /// Makes a call directly from a surface. It passes the same gate as any other call. Answers with
    /// [`crate::Reply::Applied`].
    Apply {
        /// Name of the tool.
        tool: String,
        /// Arguments of the call.
        args: Value,
    },
    /// Receives reminders to show, as `reminder` events with `show` set, until the request is closed. Each reminder
    /// goes to one front end only: the one that has waited longest. If none waits, the process that holds the profile
    /// shows the reminder itself. Answers with [`crate::Reply::Ok`].
    Notify {},
    /// Decides about an outgoing mail or another approved action that waits. Answers with [`crate::Reply::Applied`].
    Outbox {
        /// Id of the outbox row.
        id: String,
        /// The decision.
        act: OutboxAct,
    },
    /// Puts a memory aside, so that answers no longer use it, or takes it into use again. Answers with
    /// [`crate::Reply::Applied`].
    UseMemory {
        /// Id of the memory.
        id: String,
        /// Whether answers use it from now on.
        on: bool,
    },
    /// Lists the turns that used a memory, newest first. Answers with [`crate::Reply::Uses`].
    MemoryUses {
        /// Id of the memory.
        id: String,
    },
    /// Receives the events of a conversation: first the stored ones from a sequence number on, then new ones as they
    /// happen.
    Subscribe {
        /// Id of the conversation; empty for events of the whole profile (`changed`, `progress`, `reminder`, research).
        conversation: String,
        /// First sequence number to send.
        from: i64,
    },
    /// Lists rows of a topic. Answers with [`crate::Reply::Rows`].
    Show {
        /// The topic.
        what: Topic,
        /// Id of the only row to return.
        id: Option<String>,
        /// Start of the time range, inclusive: RFC 3339 or a date.
        from: Option<String>,
        /// End of the time range.
        to: Option<String>,
        /// Maximum number of rows.
        limit: Option<usize>,
        /// Number of rows to skip, for paging.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        offset: Option<usize>,
        /// Words that the rows must contain.
        text: Option<String>,
        /// Further conditions for mails, events and tasks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        only: Option<Only>,
    },
    /// Returns a mail in its sender's design, sanitised. Answers with [`crate::Reply::MailPage`].
    MailPage {
        /// Id of the mail.
        id: String,
        /// Whether to fetch its remote images. If absent, Adjutant fetches them for senders listed in the setting
        /// `mail.images_from`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        images: Option<bool>,
    },
    /// Returns what a mail carries for the calendar: an invitation, a cancellation, a guest's answer, events. Answers
    /// with [`crate::Reply::MailInvitation`].
    MailInvitation {
        /// Id of the mail.
        id: String,
    },
    /// Searches everything in the profile. Titles and people that start with the words come first, then other matches.
    /// Answers with [`crate::Reply::Hits`].
    Search {
        /// Words to search for.
        text: String,
        /// Maximum number of hits.
        limit: usize,
    },
    /// Explains how Adjutant would understand a message, without acting on it. Answers with
    /// [`crate::Reply::Explained`].
    Explain {
        /// Id of the conversation that the message may refer to.
        conversation: String,
        /// The message.
        text: String,
        /// Tier, as in [`Request::Ask`], for which the cost is estimated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        tier: Option<String>,
    },
    /// Answers a message while it is being typed: free time, or a calculation. This is not a turn, stores nothing and
    /// asks no model. Answers with [`crate::Reply::Glanced`].
    Glance {
        /// The message as typed so far.
        text: String,
    },
    /// Estimates the highest cost of routing a number of messages with a model. Answers with
    /// [`crate::Reply::Estimated`].
    EstimateRoutes {
        /// Number of messages.
        #[ts(type = "number")]
        messages: u64,
        /// Approximate number of tokens of all messages, including the earlier ones sent along with each.
        #[ts(type = "number")]
        said_tokens: u64,
    },
    /// Estimates the cost of comparing a connection (the setting `models.shadow`): what the comparable requests of the
    /// last days would have cost there. Answers with [`crate::Reply::Estimated`].
    EstimateComparison {
        /// Name of the connection.
        name: String,
    },
    /// Estimates the cost of making the vectors of all tools with a connection; zero if they exist already or this
    /// computer makes them. Answers with [`crate::Reply::Estimated`].
    EstimateVectors {
        /// The connection, with its model for vectors.
        connection: ConnectionDraft,
    },
    /// Routes a message with a model, as a turn does if the embedded router is unsure. This is not a turn; only its
    /// cost is stored. Answers with [`crate::Reply::RoutedByModel`].
    RouteByModel {
        /// The message.
        text: String,
        /// Earlier messages, oldest first.
        history: Vec<SaidBefore>,
    },
    /// Renames a conversation.
    RenameConversation {
        /// Id of the conversation.
        id: String,
        /// New title.
        title: String,
    },
    /// Pins a conversation to the top of the list, or unpins it. Answers with [`crate::Reply::Ok`].
    PinConversation {
        /// Id of the conversation.
        id: String,
        /// Whether it is pinned from now on.
        on: bool,
    },
    /// Archives a conversation, or moves it back into the list, as its next message also does. Answers with
    /// [`crate::Reply::Ok`].
    ArchiveConversation {
        /// Id of the conversation.
        id: String,
        /// Whether it is archived from now on.
        on: bool,
    },
    /// Deletes a conversation after stopping its running turn and cancelling what waits in it. Effects and receipts
    /// stay. Answers with [`crate::Reply::Ok`].
    DeleteConversation {
        /// Id of the conversation.
        id: String,
    },
    /// Restores a conversation that was deleted within the last hour. What waited in it stays cancelled. Answers with
    /// [`crate::Reply::Ok`].
    RestoreConversation {
        /// Id of the conversation.
        id: String,
    },
    /// Imports files and folders. Answers with [`crate::Reply::Imported`]; progress follows as events.
    Import {
        /// Absolute paths of the files and folders.
        paths: Vec<String>,
    },
    /// Exports the whole profile into a folder. Answers with [`crate::Reply::Exported`].
    Export {
        /// Absolute path of an empty or new folder.
        dir: String,
    },
    /// Deletes everything in the profile.
    Erase {},
    /// Lists all tools. Answers with [`crate::Reply::Tools`].
    Tools {},
    /// Lists all settings. Answers with [`crate::Reply::Config`].
    ConfigList {},
    /// Returns one setting. Answers with [`crate::Reply::Config`].
    ConfigGet {
        /// Name of the setting.
        key: String,
    },
    /// Changes a setting. Answers with [`crate::Reply::Config`].
    ConfigSet {
        /// Name of the setting.
        key: String,
        /// New value as text; `null` restores the default.
        value: Option<String>,
    },
    /// Stores a secret setting, such as `web.brave.key`, in the keyring, or deletes it. [`Request::ConfigSet`] does not
    /// accept secrets. Answers with [`crate::Reply::Config`], which says whether there is one.
    SecretSet {
        /// Name of the setting.
        key: String,
        /// The secret; `null` deletes it.
        value: Option<SecretText>,
    },
    /// Checks what works and what is missing. Answers with [`crate::Reply::Doctor`].
    Doctor {},
    /// Does the work that is due now. Answers with [`crate::Reply::DueDone`].
    RunDue {},
    /// Stops a job (see [`Topic::Jobs`]). Answers with [`crate::Reply::Rows`]: the job in its new state.
    StopJob {
        /// Id of the job.
        id: String,
    },
    /// Returns the numbers for tray and badges. Answers with [`crate::Reply::Status`].
    Status {},
    /// Runs the built-in cases through the embedded engine in a sandbox, which takes about a second. Answers with
    /// [`crate::Reply::Scoreboard`].
    Scoreboard {},
    /// Returns how long the stages of turns took since Adjutant was started. Answers with [`crate::Reply::Timings`].
    Timings {},
    /// Lists the connected models. Answers with [`crate::Reply::Models`].
    Models {},
    /// Looks for model servers on this computer, at their usual ports. Answers with [`crate::Reply::FoundModels`].
    FindModels {},
    /// Lists the models of a provider, connected or not. Faults have the codes of [`Request::ConnectModel`]; a fault
    /// that belongs to no field has the code `model`. Answers with [`crate::Reply::ModelList`].
    ListModels {
        /// The connection; its `models` may be empty.
        connection: ConnectionDraft,
        /// Key; `null` uses the one in the keyring.
        #[serde(default)]
        key: Option<SecretText>,
    },
    /// Connects a provider, or changes a connection. If a field is at fault, the code names it: `name`, `kind`,
    /// `address`, `key`, `model`, `headers` or `proxy`. Answers with [`crate::Reply::Models`].
    ConnectModel {
        /// The connection.
        connection: ConnectionDraft,
        /// Key to store in the keyring; `null` keeps the stored key, an empty one deletes it.
        #[serde(default)]
        key: Option<SecretText>,
    },
    /// Lists the model files that can be downloaded, and the download in progress. Answers with
    /// [`crate::Reply::ModelFiles`].
    ModelFiles {},
    /// Asks a server about a model file without downloading it. Answers with [`crate::Reply::ModelOffer`].
    OfferModelFile {
        /// A name from [`Request::ModelFiles`], or the URL of a file.
        what: String,
        /// Expected SHA-256, if the person has one.
        #[serde(default)]
        sha256: Option<String>,
    },
    /// Downloads an offered model file with progress events, continuing an earlier attempt. The download stops when no
    /// client waits for the reply any more. Clients subscribed to the profile learn how it ended from
    /// [`crate::EventBody::Progress`]. Answers with [`crate::Reply::ModelFile`].
    FetchModelFile {
        /// Name or URL, as in [`Request::OfferModelFile`].
        what: String,
        /// Expected SHA-256, as in [`Request::OfferModelFile`].
        #[serde(default)]
        sha256: Option<String>,
        /// Terms that the person agreed to. Adjutant does not download a file that has changed since the offer.
        agreed: AgreedTo,
    },
    /// Stops the download and keeps the part received so far for the next attempt. Answers with [`crate::Reply::Ok`].
    StopModelFile {},
    /// Removes a connection and its key. Answers with [`crate::Reply::Models`].
    DisconnectModel {
        /// Name of the connection.
        name: String,
    },
    /// Moves a connection to the front of the order in which Adjutant tries them. Answers with
    /// [`crate::Reply::Models`].
    PreferModel {
        /// Name of the connection.
        name: String,
    },
    /// Compares the connection of the setting `models.shadow` with the others. Answers with
    /// [`crate::Reply::Comparisons`].
    Comparisons {},
    /// Tests a connected model with a few small requests. Answers with [`crate::Reply::ModelTest`].
    TestModel {
        /// Name of the connection.
        name: String,
        /// Tier: `fast`, `standard` or `deep`; `null` means `standard`.
        #[serde(default)]
        tier: Option<String>,
    },
    /// Lists the kinds of account that can be connected. Answers with [`crate::Reply::AccountKinds`].
    AccountKinds {},
    /// Connects an account: Adjutant checks it with its server, stores it, and reads it in the background. If a field
    /// is at fault, the code names it. Answers with [`crate::Reply::Rows`]: the account.
    AddAccount {
        /// Kind of account.
        kind: String,
        /// Name for the account; if absent, its server's name for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        label: Option<String>,
        /// Non-secret fields.
        settings: BTreeMap<String, String>,
        /// Secret fields, stored in the keyring.
        secrets: BTreeMap<String, SecretText>,
        /// Browser sign-in to wait for, if one was started. Closing the request cancels the sign-in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sign_in: Option<String>,
    },
    /// Starts a sign-in in the system browser, for kinds of account that sign in there. Answers with
    /// [`crate::Reply::SignIn`]: the page to open. [`Self::AddAccount`] or [`Self::ChangeAccount`] with the sign-in's
    /// id then waits for the person.
    BeginSignIn {
        /// Kind of account, to connect a new one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        kind: Option<String>,
        /// Id of the account, to sign in again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        account: Option<String>,
        /// Non-secret fields.
        settings: BTreeMap<String, String>,
        /// Secret fields.
        secrets: BTreeMap<String, SecretText>,
    },
    /// Cancels a sign-in; a request that waits for it gets a fault. Answers with [`crate::Reply::Ok`], even if the
    /// sign-in is already over.
    CancelSignIn {
        /// Id of the sign-in.
        id: String,
    },
    /// Changes an account. Omitted fields stay as they are; new ones are checked with the server before they are
    /// stored. Answers with [`crate::Reply::Rows`]: the account.
    ChangeAccount {
        /// Id of the account.
        id: String,
        /// New name for the account.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        label: Option<String>,
        /// New non-secret fields.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(optional, as = "Option<BTreeMap<String, String>>")]
        settings: BTreeMap<String, String>,
        /// New secret fields.
        #[serde(default)]
        secrets: BTreeMap<String, SecretText>,
        /// Whether Adjutant uses the account: reads it, and changes it as the person approves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        on: Option<bool>,
        /// Browser sign-in to wait for, if one was started. Closing the request cancels the sign-in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sign_in: Option<String>,
    },
    /// Reads accounts now. Answers with [`crate::Reply::Rows`]: the accounts afterwards.
    SyncAccounts {
        /// Id of the only account to read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        id: Option<String>,
        /// Whether to read only accounts not read within the last minute, and to answer without waiting for the end.
        /// The window sends this when the person returns to it.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        glance: bool,
    },
    /// Removes an account and its secrets. Adjutant also revokes a browser sign-in at its provider. Answers with
    /// [`crate::Reply::Ok`].
    RemoveAccount {
        /// Id of the account.
        id: String,
        /// Whether the records read from it stay on this computer.
        keep: bool,
    },
    /// Chooses where new events, tasks or contacts go by default. Answers with [`crate::Reply::Rows`]: all collections.
    PreferCollection {
        /// Kind of collection.
        kind: CollectionKind,
        /// Id of a writable collection of an account; if absent, new records stay on this computer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        id: Option<String>,
    },
    /// A request about MCP servers. [`ServerAct`] says what it answers with.
    Servers {
        /// The request.
        request: ServerAct,
    },
    /// A request for another program, through `adjutant mcp serve`. [`ProgramAct`] says what it answers with.
    Programs {
        /// The request.
        request: ProgramAct,
    },
    /// A request about research. Answers with [`crate::Reply::Research`].
    Research {
        /// The request.
        act: ResearchAct,
    },
    /// Loads sample data into the profile `sample`. Answers with [`crate::Reply::Profile`].
    LoadSample {},
}

impl Request {
    /// Returns a request for all rows of a topic.
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
