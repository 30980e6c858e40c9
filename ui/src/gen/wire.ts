// Generated from the Rust crate `adjutant-api` by `make gen`. Do not edit.

/**
 * A field of an account form.
 */
export type AccountFieldView = { 
/**
 * Name in requests and faults.
 */
name: string, 
/**
 * Label shown to the person.
 */
label: string, 
/**
 * Explanation of what to enter; may be empty.
 */
hint: string, 
/**
 * Kind of input.
 */
form: FieldForm, 
/**
 * Choices, default first; empty unless `form` is a choice.
 */
choices: Array<FieldChoice>, 
/**
 * Whether the field is required.
 */
required: boolean, };

/**
 * A kind of account that the person can connect.
 */
export type AccountKindView = { 
/**
 * Name of the kind: `ics`, `dav`, `imap`, …
 */
kind: string, 
/**
 * Name shown to the person.
 */
label: string, 
/**
 * What such an account provides.
 */
about: string, 
/**
 * How the person signs in.
 */
signs_in: SignsIn, 
/**
 * Fields to fill in, in order.
 */
fields: Array<AccountFieldView>, };

/**
 * Why an account could not be read.
 */
export type AccountProblem = { 
/**
 * What happened.
 */
what: string, 
/**
 * What to do next.
 */
next: string, 
/**
 * When the attempt failed, RFC 3339.
 */
at: string, };

/**
 * An account, or this computer.
 */
export type AccountRow = { 
/**
 * Identifier; `local` for this computer.
 */
id: string, 
/**
 * Provider that serves the account (`google`, `imap`, `caldav`, …); `local` for this computer.
 */
kind: string, 
/**
 * What the person calls it.
 */
label: string, 
/**
 * The person's mail addresses at this account.
 */
addresses: Array<string>, 
/**
 * Whether the account can be used.
 */
state: AccountState, 
/**
 * Non-secret fields of its kind, by name; empty for this computer.
 */
settings: { [key in string]: string }, 
/**
 * When it was last read completely, RFC 3339; `null` if it never was.
 */
read: string | null, 
/**
 * Why reading has failed since then; `null` if the latest attempt succeeded.
 */
problem: AccountProblem | null, 
/**
 * Whether it is being read now.
 */
reading: boolean, 
/**
 * Progress of the reading, if known.
 */
progress?: ReadingProgress, };

/**
 * Whether an account can be used.
 */
export type AccountState = "ready" | "signed_out" | "off";

/**
 * An effect.
 */
export type ActivityRow = { 
/**
 * Id of the effect.
 */
id: string, 
/**
 * When it happened, RFC 3339.
 */
at: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * Arguments of the call as it ran.
 */
args: JsonValue, 
/**
 * `succeeded`, `failed`, `unknown` or `denied`.
 */
outcome: string, 
/**
 * What happened, in words.
 */
say: string, 
/**
 * Proof that it was carried out.
 */
receipt: JsonValue | null, 
/**
 * How far it can be undone; `null` if it cannot be undone at all.
 */
undo: UndoState | null, 
/**
 * Id of the conversation.
 */
conversation: string, 
/**
 * Id of the turn.
 */
turn: string, 
/**
 * Id of the approved action, if it needed approval.
 */
approval: string | null, 
/**
 * Id of the standing grant that allowed it, if one did.
 */
grant: string | null, };

/**
 * The terms the person agreed to, copied from the offer.
 */
export type AgreedTo = { 
/**
 * Size in bytes.
 */
bytes: number, 
/**
 * Licence, if known.
 */
licence: string | null, 
/**
 * Expected SHA-256, if known.
 */
sum: string | null, };

/**
 * How often a candidate's reply led to the same result as the live model's, at one stage.
 */
export type AgreementRow = { 
/**
 * Name of the candidate.
 */
candidate: string, 
/**
 * Stage: `route`, `plan` or `resume`.
 */
stage: string, 
/**
 * Number of comparisons.
 */
of: number, 
/**
 * Number of those with the same result.
 */
same: number, };

/**
 * The short answer of a report.
 */
export type AnswerView = { 
/**
 * The answer, in a few words.
 */
text: string, 
/**
 * Why it follows from the claims, in one sentence.
 */
because: string, 
/**
 * Numbers of the claims that support it.
 */
claims: Array<number>, };

/**
 * Outcome of a call made directly from a surface.
 */
export type Applied = { "state": "done", 
/**
 * Id of the effect, for undo; `null` if the call only read.
 */
effect: string | null, 
/**
 * What happened, in words.
 */
say: string, 
/**
 * Output of the tool; for rows, `count`, `total`, `ids` and `items`. `null` if the tool returned only words.
 */
output: JsonValue, } | { "state": "approval_needed", 
/**
 * Id of the action.
 */
id: string, } | { "state": "question", 
/**
 * The question.
 */
text: string, } | { "state": "failed", 
/**
 * Why it failed.
 */
fault: Fault, };

/**
 * An action that waits or waited for approval.
 */
export type ApprovalRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Digest to approve with.
 */
digest: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * Arguments of the call; for a batch, a list with those of each call.
 */
args: JsonValue, 
/**
 * The card.
 */
shown: CardView, 
/**
 * Highest risk among its calls.
 */
risk: Risk, 
/**
 * Where the arguments come from.
 */
sources: JsonValue, 
/**
 * When it was proposed, RFC 3339.
 */
created: string, 
/**
 * When it expires, RFC 3339.
 */
expires: string, 
/**
 * State of the action.
 */
state: ApprovalState, 
/**
 * Id of the conversation.
 */
conversation: string, 
/**
 * Id of the turn.
 */
turn: string, 
/**
 * Key of the step.
 */
step: string, 
/**
 * Id of the action that replaced it.
 */
superseded_by: string | null, 
/**
 * Whether foreign text influenced the plan.
 */
tainted: boolean, 
/**
 * New and changed events as they will be after approval, for the calendar.
 */
proposed: Array<ProposedEvent>, 
/**
 * Why the person is asked, in one line; empty for an action proposed by an earlier version.
 */
why: string, 
/**
 * Whether the usual rules would have let it run without asking.
 */
needless: boolean, 
/**
 * Standing grant that the person may give; `null` if the action always needs its own approval.
 */
grant: GrantOffer | null, 
/**
 * Account it acts for; `local` for this computer.
 */
account: string, 
/**
 * Number of waiting cards for the same tool and account, if there are so many that front ends show them as one.
 */
flood: number | null, };

/**
 * State of an action that was proposed to the person.
 */
export type ApprovalState = "pending" | "approved" | "executing" | "succeeded" | "failed" | "unknown" | "needs_person" | "denied" | "expired" | "superseded" | "cancelled";

/**
 * Something of a server that can be attached.
 */
export type Attachable = { "kind": "resource", 
/**
 * Its URI.
 */
uri: string, } | { "kind": "prompt", 
/**
 * The server's name for the prompt.
 */
prompt: string, 
/**
 * Arguments of the prompt, by name.
 */
args: { [key in string]: string }, };

/**
 * An attached file.
 */
export type AttachmentView = { 
/**
 * File name.
 */
name: string, 
/**
 * Size in bytes.
 */
size: number, 
/**
 * SHA-256, hexadecimal.
 */
sha256: string, };

/**
 * A call to a model, as part of the trace of a turn.
 */
export type CallRow = { 
/**
 * Number of the call.
 */
id: number, 
/**
 * When it started, RFC 3339.
 */
at: string, 
/**
 * Id of the turn; `null` for background work and connection tests.
 */
turn: string | null, 
/**
 * Stage.
 */
stage: string, 
/**
 * Requested tier.
 */
tier: string, 
/**
 * `foreground` or `background`.
 */
purpose: string, 
/**
 * Name of the model.
 */
model: string, 
/**
 * Prompt file and hash.
 */
prompt: string, 
/**
 * `running`, `done`, `failed`, `cancelled` or `lost`.
 */
state: string, 
/**
 * Characters sent.
 */
input_chars: number, 
/**
 * Tokens sent.
 */
input: number, 
/**
 * Tokens received.
 */
output: number, 
/**
 * Amount reserved for it, in micro-units of the person's currency.
 */
worst_micros: number, 
/**
 * Cost, in the same unit.
 */
cost_micros: number, 
/**
 * Whether tokens and cost are estimates because the provider did not report them.
 */
estimated: boolean, 
/**
 * Cost as people write it.
 */
cost: string, 
/**
 * ISO 4217 code of the currency.
 */
currency: string, 
/**
 * Milliseconds until the first piece of the reply.
 */
first_ms: number | null, 
/**
 * Total milliseconds; `null` while it runs.
 */
ms: number | null, 
/**
 * Why it failed, if it did.
 */
fault: string | null, };

/**
 * An approval card.
 */
export type CardView = { 
/**
 * Verb and object: "Send a mail to 2 people".
 */
title: string, 
/**
 * The verb on the button: "Send".
 */
verb: string, 
/**
 * Icon beside the title.
 */
icon: Icon, 
/**
 * Account the action is for, if any.
 */
account: string | null, 
/**
 * Notes at the head of the card.
 */
notes: Array<NoteView>, 
/**
 * Facts with label, value and origin.
 */
facts: Array<FactView>, 
/**
 * Everything a batch touches.
 */
items: Array<ItemView>, 
/**
 * The text itself, unabridged.
 */
body: string | null, 
/**
 * Attached files.
 */
attachments: Array<AttachmentView>, 
/**
 * Whether and how the action can be undone, in words.
 */
undo: string, 
/**
 * The same as a word: `yes`, `until_sent` (until the mail is sent), `no`, or empty if unknown.
 */
undo_kind: string, 
/**
 * The line "What you see is exactly what is sent".
 */
digest_line: string, };

/**
 * A claim whose numbers or dates differ between two reports.
 */
export type ChangedClaim = { 
/**
 * The earlier claim.
 */
before: ClaimView, 
/**
 * The later claim.
 */
after: ClaimView, };

/**
 * One check of `doctor`.
 */
export type Check = { 
/**
 * What was checked.
 */
name: string, 
/**
 * `ok`, `optional` (Adjutant can do without it), `missing` or `broken`.
 */
state: string, 
/**
 * What the check found.
 */
found: string, 
/**
 * What to do; may be empty.
 */
hint: string, };

/**
 * One offered answer.
 */
export type ChoiceView = { 
/**
 * Label shown to the person.
 */
label: string, 
/**
 * Detail that tells choices with the same label apart.
 */
detail?: string, 
/**
 * Value to send back in [`crate::Request::Answer`].
 */
value: JsonValue, };

/**
 * A claim of a report, with its quote.
 */
export type ClaimView = { 
/**
 * Number in the report, from 1; 0 for a finding of a lane.
 */
number: number, 
/**
 * The claim.
 */
text: string, 
/**
 * Words of the source, verbatim.
 */
quote: string, 
/**
 * Address of the source.
 */
source: string, 
/**
 * SHA-256 of the page's snapshot, hexadecimal.
 */
sha256: string, 
/**
 * Where the claim disagrees with its quote; `null` if the check found nothing against it.
 */
doubt: string | null, 
/**
 * Number of independent sources that say the same, including this one.
 */
sources: number, };

/**
 * How the time of day is shown.
 */
export type ClockFace = "24h" | "12h";

/**
 * What a collection holds.
 */
export type CollectionKind = "calendar" | "mailbox" | "task_list" | "address_book";

/**
 * A calendar, mailbox, task list or address book.
 */
export type CollectionRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Id of the account it belongs to.
 */
account: string, 
/**
 * What it holds.
 */
kind: CollectionKind, 
/**
 * Name shown to the person.
 */
name: string, 
/**
 * Colour as `#rrggbb`, if known.
 */
colour: string | null, 
/**
 * Whether the person may change its records.
 */
writable: boolean, 
/**
 * Whether new records of its kind go here by default.
 */
preferred: boolean, };

/**
 * Differences between two reports.
 */
export type Compared = { 
/**
 * Claims only in the later report.
 */
new: Array<ClaimView>, 
/**
 * Claims only in the earlier report.
 */
gone: Array<ClaimView>, 
/**
 * Claims in both reports whose numbers or dates differ.
 */
changed: Array<ChangedClaim>, 
/**
 * Number of claims that are the same in both.
 */
same: number, };

/**
 * How a candidate model compares with the live models.
 */
export type ComparisonsView = { 
/**
 * Agreement, by candidate and stage.
 */
agreement: Array<AgreementRow>, 
/**
 * Latest comparisons in which the two replies led to different results, newest first.
 */
differences: Array<DifferenceRow>, };

/**
 * A connection as the person enters it.
 */
export type ConnectionDraft = { 
/**
 * Name of the connection. An existing connection with this name is replaced.
 */
name: string, 
/**
 * Kind of provider, as in [`KindView`].
 */
kind: string, 
/**
 * Address; if empty, the usual address of the kind.
 */
base_url: string, 
/**
 * Models by tier; one tier is enough.
 */
models: { [key in string]: ModelView }, 
/**
 * Model for vectors.
 */
embedding: string | null, 
/**
 * All additional headers, for example those a gateway requires. The keyring holds their values; an empty value
 * keeps the stored one. If the map is empty, the connection keeps its headers unless `no_headers` is set.
 */
headers: { [key in string]: SecretText }, 
/**
 * Removes the stored headers.
 */
no_headers?: boolean, 
/**
 * Proxy of this connection; if empty, the general proxy. A password in it goes to the keyring; without one, the
 * stored password is kept if the address is the same.
 */
proxy: string, 
/**
 * Whether the person allows sending the key and headers unencrypted to a remote `http` address. Otherwise such a
 * connection is refused with the code `unencrypted`.
 */
unencrypted?: boolean, };

/**
 * A connection to models, without its secrets.
 */
export type ConnectionView = { 
/**
 * Name of the connection.
 */
name: string, 
/**
 * Kind of provider, as in [`KindView`].
 */
kind: string, 
/**
 * Address of the provider.
 */
base_url: string, 
/**
 * Whether the keyring holds a key for it.
 */
has_key: boolean, 
/**
 * Names of additional headers; the keyring holds their values.
 */
headers: Array<string>, 
/**
 * Proxy of this connection, without its password. Absent if it uses the general proxy.
 */
proxy?: string, 
/**
 * Whether the person allows sending its key and headers unencrypted.
 */
unencrypted?: boolean, 
/**
 * Whether the keyring holds a password for the proxy.
 */
proxy_password?: boolean, 
/**
 * Models by tier: `fast`, `standard`, `deep`.
 */
models: { [key in string]: ModelView }, 
/**
 * Model for vectors.
 */
embedding: string | null, 
/**
 * Whether it runs on this computer, so that nothing leaves it.
 */
local: boolean, 
/**
 * Whether environment variables define it. Such a connection can only be changed there.
 */
from_environment: boolean, 
/**
 * Why it cannot be used now, and what to do next.
 */
problem: string | null, };

/**
 * A contact.
 */
export type ContactRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Full name.
 */
name: string, 
/**
 * Other names.
 */
nicknames: Array<string>, 
/**
 * Mail addresses.
 */
emails: Array<string>, 
/**
 * Telephone numbers.
 */
phones: Array<string>, 
/**
 * Organisation.
 */
organisation: string, 
/**
 * Relation to the owner in the person's words; may be empty.
 */
relation: string, 
/**
 * Birthday as `1984-04-15`, or its known part, such as `--04-15`; may be empty.
 */
birthday: string, 
/**
 * Further text.
 */
notes: string, };

/**
 * Two claims that contradict each other.
 */
export type ContradictionView = { 
/**
 * Number of the first claim.
 */
one: number, 
/**
 * Number of the second claim.
 */
other: number, 
/**
 * What they disagree about.
 */
about: string, };

/**
 * A conversation.
 */
export type ConversationRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Title.
 */
title: string, 
/**
 * When it began, RFC 3339.
 */
created: string, 
/**
 * When it last changed, RFC 3339.
 */
updated: string, 
/**
 * Number of messages.
 */
messages: number, 
/**
 * Whether the person pinned it to the top.
 */
pinned: boolean, 
/**
 * Whether the person archived it.
 */
archived: boolean, 
/**
 * After a search: excerpt from the latest message that contains the words; absent if only the title does.
 */
found?: string, };

/**
 * A finding of another run.
 */
export type Deeper = { 
/**
 * Id of the run.
 */
id: string, 
/**
 * Number of the claim in its report, from 1.
 */
claim: number, };

/**
 * One difference. It holds a summary of each reply, never the person's words.
 */
export type DifferenceRow = { 
/**
 * Id of the turn.
 */
turn: string | null, 
/**
 * Stage: `route`, `plan` or `resume`.
 */
stage: string, 
/**
 * The live model and its reply.
 */
live: SideView, 
/**
 * The candidate and its reply.
 */
candidate: SideView, };

/**
 * One version of the brain document, as changes to the version before.
 */
export type DocumentChange = { 
/**
 * Number of the version.
 */
version: number, 
/**
 * When it was stored, RFC 3339.
 */
at: string, 
/**
 * Changed values, by JSON pointer.
 */
changes: JsonValue, 
/**
 * The changes in words, in the order of the document, without bookkeeping.
 */
lines: Array<DocumentLine>, };

/**
 * One addition to the brain document.
 */
export type DocumentLine = { 
/**
 * Question it belongs to; `null` if it concerns the whole run.
 */
question: string | null, 
/**
 * Part of the document.
 */
part: DocumentPart, 
/**
 * Text of the addition; may be foreign text.
 */
text: string, };

/**
 * Parts of the brain document.
 */
export type DocumentPart = "strategy" | "question" | "search" | "page" | "fault" | "reflection" | "answer" | "decision" | "report";

/**
 * Entries of a section that a model sees shortened or not at all.
 */
export type DroppedView = { 
/**
 * Number of entries.
 */
items: number, 
/**
 * Tokens saved.
 */
tokens: number, 
/**
 * Reason for leaving them out: `over_budget`, `older`, `shortened`, …
 */
why: string, };

/**
 * A connection to another computer.
 */
export type EgressRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * When it was opened, RFC 3339.
 */
at: string, 
/**
 * Host that Adjutant connected to.
 */
host: string, 
/**
 * Purpose of the connection.
 */
reason: string, 
/**
 * Bytes sent.
 */
bytes_out: number, 
/**
 * Bytes received.
 */
bytes_in: number, };

/**
 * How a long operation ended.
 */
export type Ended = { 
/**
 * Why it failed, or that it was stopped. Absent if it succeeded.
 */
fault?: Fault, };

/**
 * Requests of one stage.
 */
export type EstimateRow = { 
/**
 * Name of the stage.
 */
stage: string, 
/**
 * `fast`, `standard` or `deep`.
 */
tier: string, 
/**
 * Model that is asked first.
 */
model: string, 
/**
 * Maximum number of requests.
 */
times: number, 
/**
 * Tokens sent per request: the maximum, or the average if the estimate is based on earlier usage.
 */
input: number, 
/**
 * Tokens received per request, likewise.
 */
output: number, 
/**
 * Cost of all these requests with the most expensive model that may answer, in micro-units of the person's
 * currency.
 */
at_most_micros: number, };

/**
 * Estimated cost of requests to models, before any is sent. For a message it is the maximum, of which the real cost is
 * usually a small part; for a large run it depends on what is to be sent.
 */
export type EstimateView = { 
/**
 * Requests of the run, or of the most expensive way to handle the message, in order; empty if no model would be
 * asked.
 */
requests: Array<EstimateRow>, 
/**
 * Total cost in micro-units of the person's currency.
 */
at_most_micros: number, 
/**
 * Total cost as people write it.
 */
at_most: string, 
/**
 * ISO 4217 code of the currency, from the setting `models.currency`.
 */
currency: string, 
/**
 * Sentence saying that prices are unknown and what is assumed instead; absent if all prices are known.
 */
unpriced?: string, 
/**
 * Whether a single request could cost more than `models.spend.call` allows. A cheaper model would then answer, or
 * none.
 */
over_call_limit: boolean, 
/**
 * Number of days of usage that the estimate is based on; absent if it is not based on usage.
 */
days?: number, 
/**
 * For background work: daily limit for all such work, in micro-units of the person's currency. Work beyond it
 * waits for the next day or is left out.
 */
day_limit_micros?: number, 
/**
 * Daily limit as people write it.
 */
day_limit?: string, };

/**
 * An event, or one instance of it.
 */
export type EventRow = { 
/**
 * Identifier of the row.
 */
id: string, 
/**
 * iCalendar UID.
 */
uid: string, 
/**
 * Title.
 */
summary: string, 
/**
 * Start: RFC 3339 with offset, or a date for whole days.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, 
/**
 * IANA time zone; empty for whole days.
 */
tz: string, 
/**
 * Whether it takes up whole days.
 */
all_day: boolean, 
/**
 * Place.
 */
location: string, 
/**
 * Further text.
 */
description: string, 
/**
 * Addresses of guests.
 */
attendees: Array<string>, 
/**
 * The same guests with names and replies.
 */
guests: Array<GuestRow>, 
/**
 * Who invites, if the event says so: the person or somebody else.
 */
organizer?: GuestRow, 
/**
 * RFC 5545 recurrence rule, if it repeats.
 */
rrule: string | null, 
/**
 * The recurrence rule in words.
 */
repeats: string | null, 
/**
 * Name of the calendar.
 */
calendar: string, 
/**
 * For an instance: its original start.
 */
instance: string | null, 
/**
 * For a series: why instances in the requested range may be missing from the rows.
 */
unexpanded?: string, };

/**
 * How Adjutant understands a message.
 */
export type Explained = { 
/**
 * `chat`, `action` or `followup`.
 */
type: string, 
/**
 * Domains of the message.
 */
domains: Array<string>, 
/**
 * Confidence of the route, from 0 to 1.
 */
confidence: number, 
/**
 * `plan`, `say` or `not_understood`.
 */
reading: string, 
/**
 * The request, restated, or the words Adjutant would answer with.
 */
request: string, 
/**
 * Planned steps, as JSON.
 */
steps: Array<JsonValue>, 
/**
 * What each part of the message means.
 */
lines: Array<ExplainedLine>, 
/**
 * Highest possible cost if models are asked; absent if no model is connected.
 */
estimate?: EstimateView, };

/**
 * One part of a message and its meaning.
 */
export type ExplainedLine = { 
/**
 * The words of the message.
 */
words: string, 
/**
 * Byte range in the message.
 */
span: [number, number] | null, 
/**
 * Kind of part that they were taken for.
 */
what: string, 
/**
 * The value read from them.
 */
value: string, };

/**
 * One fact of a card: its label, present and new value, and origin.
 */
export type FactView = { 
/**
 * "To", "Subject", "When".
 */
label: string, 
/**
 * The new value.
 */
value: string, 
/**
 * The present value, if the action changes it.
 */
before: string | null, 
/**
 * Where the value comes from, if known.
 */
source: SourceView | null, };

/**
 * A fault: what happened, then what to do next.
 */
export type Fault = { 
/**
 * Stable code.
 */
code: string, 
/**
 * What happened.
 */
message: string, 
/**
 * What to do next; may be empty.
 */
hint: string, };

/**
 * A download in progress.
 */
export type FetchingView = { 
/**
 * Name of the file, which progress events carry too.
 */
file: string, 
/**
 * Bytes downloaded so far.
 */
done: number, 
/**
 * Total bytes.
 */
total: number, };

/**
 * A choice of a field.
 */
export type FieldChoice = { 
/**
 * Value to send in requests.
 */
value: string, 
/**
 * Label shown to the person.
 */
label: string, };

/**
 * Kind of input for a field.
 */
export type FieldForm = "text" | "tick" | "choice" | "private_text" | "password";

/**
 * One further figure of a suite.
 */
export type Figure = { 
/**
 * Name.
 */
name: string, 
/**
 * A share from 0 to 1, or a count.
 */
value: number, };

/**
 * Rows of one result.
 */
export type Found = { 
/**
 * Exactly the words in which the answer states this result. The window shows the rows in their place.
 */
say: string, 
/**
 * Sentence above the rows; empty if it would only repeat a single row.
 */
head: string, 
/**
 * What the words add to the rows, such as a series whose dates are not known; usually empty.
 */
note: string, 
/**
 * Number of matches; larger than the number of rows if the list was cut.
 */
total: number, 
/**
 * The rows, in the order of the answer; never empty.
 */
rows: FoundRows, 
/**
 * Events that take up the requested time; only beside rows of free time.
 */
busy?: Array<FoundBusy>, 
/**
 * The busy events, if the words name them and not the free time: the answer to “am I free” is no. The rows are then
 * what is left besides.
 */
in_the_way?: Array<FoundEvent>, };

/**
 * An event that takes up part of the requested time.
 */
export type FoundBusy = { 
/**
 * Title of the event.
 */
summary: string, 
/**
 * Start: RFC 3339, or a date.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, };

/**
 * A person in the address book.
 */
export type FoundContact = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Full name.
 */
name: string, 
/**
 * Organisation; may be empty.
 */
organisation: string, 
/**
 * Relation to the owner in the person's words; may be empty.
 */
relation: string, 
/**
 * Mail addresses.
 */
emails: Array<string>, 
/**
 * Telephone numbers.
 */
phones: Array<string>, };

/**
 * An event among the results of an answer.
 */
export type FoundEvent = { 
/**
 * Identifier that calls use: the row's, plus the original start for one date of a series.
 */
id: string, 
/**
 * Identifier of the row.
 */
row: string, 
/**
 * Title.
 */
summary: string, 
/**
 * RFC 3339 with offset, or a date for whole days.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, 
/**
 * Whether it takes up whole days.
 */
all_day: boolean, 
/**
 * Place.
 */
location: string, 
/**
 * Names of the guests; the address of a guest without a name.
 */
people: Array<string>, 
/**
 * Name of the calendar.
 */
calendar: string, 
/**
 * Whether it repeats.
 */
repeats: boolean, };

/**
 * A file among the results of an answer, in a folder the person allowed.
 */
export type FoundFile = { 
/**
 * Full path.
 */
path: string, 
/**
 * File name.
 */
name: string, 
/**
 * Name of the allowed folder it is in.
 */
folder: string, 
/**
 * Size in bytes.
 */
size: number, 
/**
 * When it last changed, RFC 3339; `null` if the file system does not say.
 */
modified: string | null, };

/**
 * A mail among the results of an answer.
 */
export type FoundMail = { 
/**
 * Identifier; that of the outbox row for a mail not yet sent.
 */
id: string, 
/**
 * Subject.
 */
subject: string, 
/**
 * Sender's address.
 */
from: string, 
/**
 * Sender's name; may be empty.
 */
from_name: string, 
/**
 * Names of the recipients; the address of a recipient without a name.
 */
to: Array<string>, 
/**
 * `inbox`, `sent`, `archive`, `trash`, `junk`, or the outbox state of an outgoing mail.
 */
folder: string, 
/**
 * Date, RFC 3339.
 */
date: string, 
/**
 * Whether it was unread at the time of reading.
 */
unread: boolean, 
/**
 * Number of attachments.
 */
attachments: number, 
/**
 * Whether it is in the outbox.
 */
outgoing: boolean, };

/**
 * A memory.
 */
export type FoundMemory = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Subject of the fact.
 */
key: string, 
/**
 * The fact.
 */
value: string, };

/**
 * A model that a provider or server offers.
 */
export type FoundModelView = { 
/**
 * Name of the model.
 */
id: string, 
/**
 * Size of the context window in tokens, if the server reports it.
 */
context_tokens: number | null, 
/**
 * Whether it is a model for vectors, which cannot chat.
 */
embeds: boolean, };

/**
 * A note among the results of an answer.
 */
export type FoundNote = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Title.
 */
title: string, 
/**
 * Beginning of its text.
 */
preview: string, 
/**
 * Last changed, RFC 3339.
 */
updated: string, };

/**
 * The rows, by kind.
 */
export type FoundRows = { "kind": "tasks", "list": Array<FoundTask> } | { "kind": "events", "list": Array<FoundEvent> } | { "kind": "mail", "list": Array<FoundMail> } | { "kind": "notes", "list": Array<FoundNote> } | { "kind": "contacts", "list": Array<FoundContact> } | { "kind": "memories", "list": Array<FoundMemory> } | { "kind": "files", "list": Array<FoundFile> } | { "kind": "free", "list": Array<FoundTime> };

/**
 * A model server found on this computer.
 */
export type FoundServerView = { 
/**
 * Name of the server software.
 */
label: string, 
/**
 * Kind of provider, as in [`KindView`].
 */
kind: string, 
/**
 * Address of the server.
 */
base_url: string, 
/**
 * Its models.
 */
models: Array<FoundModelView>, };

/**
 * A task among the results of an answer.
 */
export type FoundTask = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Title of the task.
 */
title: string, 
/**
 * RFC 3339 with offset, or a date.
 */
due: string | null, 
/**
 * Priority of the task.
 */
priority: Priority, 
/**
 * Whether it was done at the time of reading.
 */
status: TaskStatus, 
/**
 * Whether it repeats.
 */
repeats: boolean, };

/**
 * A free period.
 */
export type FoundTime = { 
/**
 * Start, RFC 3339.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, 
/**
 * Length in minutes.
 */
minutes: number, };

/**
 * An answer outside any conversation.
 */
export type Glance = { 
/**
 * The answer in words.
 */
say: string, 
/**
 * The results as rows, if any.
 */
found?: Found, };

/**
 * The standing grant that a card offers.
 */
export type GrantOffer = { 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * Account; `local` for this computer.
 */
account: string, 
/**
 * The exact target, in words.
 */
target: string, };

/**
 * A standing grant.
 */
export type GrantRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * Account; `local` for this computer.
 */
account: string, 
/**
 * The exact target, in words.
 */
target: string, 
/**
 * When the person gave it, RFC 3339.
 */
created: string, 
/**
 * When it ends, RFC 3339; exclusive.
 */
expires: string, 
/**
 * Number of calls that used it.
 */
uses: number, 
/**
 * When it was last used, RFC 3339.
 */
last_used: string | null, 
/**
 * Whether it holds, and if not, why.
 */
state: GrantState, 
/**
 * Id of the action whose card offered it.
 */
action: string, };

/**
 * Whether a standing grant holds.
 */
export type GrantState = "holds" | "expired" | "revoked" | "tool_changed" | "tool_gone";

/**
 * A guest of an event.
 */
export type GuestRow = { 
/**
 * Display name; may be empty.
 */
name: string, 
/**
 * Mail address.
 */
email: string, 
/**
 * Reply to the invitation: `accepted`, `declined`, `tentative` or `needs-action`; may be empty or another word.
 */
status: string, };

/**
 * A search hit.
 */
export type Hit = { 
/**
 * Topic (`tasks`, `mail`, …).
 */
topic: string, 
/**
 * Id of the record.
 */
id: string, 
/**
 * Title.
 */
title: string, 
/**
 * Excerpt around the matching words.
 */
snippet: string, };

/**
 * A search result; foreign text.
 */
export type HitView = { 
/**
 * Address of the page, or name of a record on this computer.
 */
address: string, 
/**
 * Title of the result.
 */
title: string, 
/**
 * Excerpt from the result.
 */
snippet: string, };

/**
 * Subject of the icon on a card.
 */
export type Icon = "usual" | "archive" | "delete" | "event" | "mail" | "send";

/**
 * Item counts of an import for one topic.
 */
export type ImportCount = { 
/**
 * Topic (`events`, `mail`, …).
 */
topic: string, 
/**
 * Number of new items.
 */
added: number, 
/**
 * Number of changed items.
 */
changed: number, 
/**
 * Number of items that were already there.
 */
same: number, };

/**
 * The result of an import.
 */
export type ImportReport = { 
/**
 * Item counts by topic.
 */
counts: Array<ImportCount>, 
/**
 * Every rejected item, with the reason.
 */
rejected: Array<Rejected>, };

/**
 * An imported file or folder.
 */
export type ImportRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * When it was imported, RFC 3339.
 */
at: string, 
/**
 * File name without the path.
 */
file: string, 
/**
 * Item counts by topic.
 */
counts: Array<ImportCount>, 
/**
 * Number of items that could not be read.
 */
refused: number, };

/**
 * What the sender of a mail wants done with its events.
 */
export type InvitationKind = "publish" | "request" | "reply" | "cancel";

/**
 * How a mail's events relate to the calendar.
 */
export type InvitationStanding = "new" | "changed" | "current" | "outdated" | "own";

/**
 * What a mail carries for the calendar.
 */
export type InvitationView = { 
/**
 * What the sender wants.
 */
kind: InvitationKind, 
/**
 * How it relates to the calendar.
 */
standing: InvitationStanding, 
/**
 * The event as the calendar would have it; `id` is empty while the calendar does not have it.
 */
event: EventRow, 
/**
 * Number of further events in the mail.
 */
more: number, 
/**
 * The person's answer as the calendar has it; `null` if it has none.
 */
answer: string | null, 
/**
 * The guest who answers, with the answer, if the mail is one.
 */
answered: GuestRow | null, 
/**
 * Whether the mail's sender may say so: the organizer, or the guest who answers.
 */
genuine: boolean, 
/**
 * Whether the person can answer it.
 */
can_answer: boolean, 
/**
 * Whether entering it would change the calendar.
 */
can_enter: boolean, 
/**
 * Other events at the same time that keep the person busy, at most three.
 */
overlaps: Array<EventRow>, };

/**
 * One thing a batch touches.
 */
export type ItemView = { 
/**
 * Record id, or empty.
 */
id: string, 
/**
 * Name of the thing, for the person.
 */
label: string, 
/**
 * Sender and date, time and place, or the like.
 */
detail: string | null, 
/**
 * Notes about this item only.
 */
notes?: Array<NoteView>, 
/**
 * Facts of the item's call, if the card is for several calls.
 */
facts?: Array<FactView>, 
/**
 * Text of the item's call, unabridged.
 */
body?: string, 
/**
 * Files attached to the item's call.
 */
attachments?: Array<AttachmentView>, };

/**
 * What a job does.
 */
export type JobKind = "reminder" | "send" | "expire" | "compare" | "fetch_model" | "tidy" | "check" | "sync" | "research" | "documents";

/**
 * A job: work that is due later or takes long.
 */
export type JobRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * What it does.
 */
kind: JobKind, 
/**
 * Id of the record or action it is about.
 */
subject: string, 
/**
 * Title of the job.
 */
title: string, 
/**
 * When it was planned for, RFC 3339.
 */
at: string, 
/**
 * When it runs next, RFC 3339; `null` once it is over.
 */
next: string | null, 
/**
 * State of the job.
 */
state: JobState, 
/**
 * Number of attempts so far.
 */
attempts: number, 
/**
 * Whether it fell due while Adjutant was not running.
 */
late: boolean, 
/**
 * Why it is paused, skipped, failed or tried again, as a sentence.
 */
why: string | null, 
/**
 * Number of bytes done, if it counts bytes.
 */
done: number | null, 
/**
 * Maximum number of bytes.
 */
budget: number | null, 
/**
 * How often it repeats; `null` if it runs once.
 */
repeats: Repeats | null, 
/**
 * What happens if it falls due while Adjutant is not running: `once`, `skip` or `each`.
 */
catch_up: string, 
/**
 * Whether it can be stopped.
 */
stoppable: boolean, };

/**
 * State of a job.
 */
export type JobState = "waiting" | "running" | "paused" | "done" | "skipped" | "failed" | "stopped";

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/**
 * A kind of provider.
 */
export type KindView = { 
/**
 * `ollama`, `compatible`, `open_ai`, `anthropic` or `gemini`; also `file` for a model file, if this build can run
 * one.
 */
kind: string, 
/**
 * Name shown to the person.
 */
label: string, 
/**
 * Usual address; empty if there is none and the person has to give it.
 */
base_url: string, };

/**
 * A model known by name.
 */
export type KnownModelView = { 
/**
 * Name to request it by.
 */
name: string, 
/**
 * Name shown to the person.
 */
title: string, 
/**
 * Organisation that made the model.
 */
by: string, 
/**
 * What it is good at.
 */
good_for: string, 
/**
 * Licence, as an SPDX identifier.
 */
licence: string, 
/**
 * Page with more about it.
 */
page: string, 
/**
 * Host that serves the file.
 */
host: string, 
/**
 * Path on this computer, once downloaded.
 */
path: string | null, };

/**
 * The document with which a researcher answers its question.
 */
export type LaneDocument = { 
/**
 * The answer.
 */
answer: string, 
/**
 * Main findings.
 */
findings: Array<ClaimView>, 
/**
 * Sources, with what each contributed.
 */
sources: Array<SourceRow>, 
/**
 * What was not found.
 */
limitations: Array<string>, 
/**
 * `low`, `medium` or `high`.
 */
confidence: string, 
/**
 * `promising`, `dead_end` or `needs_more`.
 */
recommendation: string, };

/**
 * One step of a researcher.
 */
export type LaneStep = { "step": "search", 
/**
 * The query.
 */
query: string, } | { "step": "result", 
/**
 * The results, best first; foreign text.
 */
hits: Array<HitView>, 
/**
 * Why there are none, if the search failed.
 */
fault: string | null, } | { "step": "page", 
/**
 * Address of the page.
 */
address: string, 
/**
 * Title of the page; foreign text.
 */
title: string, 
/**
 * SHA-256 of the page's snapshot, which [`ResearchAct::Page`] takes.
 */
sha256: string, 
/**
 * When it was read, RFC 3339.
 */
at: string, } | { "step": "closed", 
/**
 * Address of the page.
 */
address: string, 
/**
 * Why it could not be read.
 */
fault: string, } | { "step": "reflect", 
/**
 * The thought.
 */
thought: string, 
/**
 * `progress`, `no_change` or `dead_end`.
 */
delta: string, };

/**
 * A lane of a run: one question and its researcher.
 */
export type LaneView = { 
/**
 * Id of the question within the run: `q1`, `q2` and so on.
 */
id: string, 
/**
 * Round of the question, from 1.
 */
round: number, 
/**
 * Short name.
 */
name: string, 
/**
 * The question.
 */
question: string, 
/**
 * What the question should find out.
 */
goal: string, 
/**
 * `pending`, `running` or `done`.
 */
state: string, 
/**
 * What its researcher is doing: `choosing`, `searching`, `opening`, `reflecting`, `documenting` or `done`.
 */
phase: string, 
/**
 * Steps of its researcher, oldest first.
 */
steps: Array<LaneStep>, 
/**
 * The document with its answer, once written.
 */
document: LaneDocument | null, };

/**
 * Ways to unsubscribe.
 */
export type LeavingBy = "request" | "mail" | "page";

/**
 * How to unsubscribe from the list that a mail came from.
 */
export type LeavingView = { 
/**
 * The way to unsubscribe.
 */
by: LeavingBy, 
/**
 * Where that leads: a host, or a mail address.
 */
target: string, };

/**
 * An attachment of a mail.
 */
export type MailFile = { 
/**
 * Name as the sender gave it.
 */
name: string, 
/**
 * Size in bytes.
 */
size: number, };

/**
 * Folder of a mail.
 */
export type MailFolder = "inbox" | "sent" | "archive" | "trash" | "junk";

/**
 * A remote image in a mail.
 */
export type MailImageView = { 
/**
 * Host that serves it.
 */
host: string, 
/**
 * Whether it is invisible and only tells the sender that the mail was read. Adjutant never fetches such an image.
 */
tracker: boolean, 
/**
 * The image as a `data:` URL, if it was fetched.
 */
data: string | null, };

/**
 * The HTML of a mail, sanitised so that it runs, loads and sends nothing.
 */
export type MailPageView = { 
/**
 * The HTML. Inline styles are in `data-style`; a remote image has its index into `images` in `data-image`.
 */
html: string, 
/**
 * Whether it sets colours of its own, which then assume white paper.
 */
coloured: boolean, 
/**
 * Remote images, in the order of their `data-image` index.
 */
images: Array<MailImageView>, };

/**
 * A mail.
 */
export type MailRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Message-ID without angle brackets.
 */
message_id: string, 
/**
 * Folder it is in.
 */
folder: MailFolder, 
/**
 * Sender's address.
 */
from: string, 
/**
 * Sender's name.
 */
from_name: string, 
/**
 * Recipients' addresses.
 */
to: Array<string>, 
/**
 * Carbon copies.
 */
cc: Array<string>, 
/**
 * Subject.
 */
subject: string, 
/**
 * Date, RFC 3339.
 */
date: string, 
/**
 * Whether it was read.
 */
read: boolean, 
/**
 * Whether it is starred.
 */
starred: boolean, 
/**
 * Labels.
 */
labels: Array<string>, 
/**
 * Number of attachments.
 */
attachments: number, 
/**
 * The attachments, without their bytes.
 */
files: Array<MailFile>, 
/**
 * Beginning of its text on one line, without quoted lines.
 */
excerpt: string, 
/**
 * Mark of its thread: mails with the same mark in one list belong to one thread. It is not an identifier, because
 * the marks differ from list to list.
 */
thread: string, 
/**
 * Plain text; only if a single mail or a thread was requested.
 */
text: string | null, 
/**
 * Present if only the beginning of the mail is stored: why the rest could not be fetched. Empty if Adjutant has
 * not tried, which it does only when a single mail is requested.
 */
in_part?: string, 
/**
 * Kind of sender, judged by the headers; only if unread mail was requested.
 */
writer: MailWriter | null, };

/**
 * Kind of sender of a mail, judged by its headers.
 */
export type MailWriter = "person" | "list" | "notice";

/**
 * A memory.
 */
export type MemoryRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Category: `fact`, `preference`, `person`, `place`, …
 */
category: string, 
/**
 * Subject of the fact.
 */
key: string, 
/**
 * The fact itself.
 */
value: string, 
/**
 * The fact as a sentence: the person's own words if available, otherwise key and value.
 */
statement: string, 
/**
 * Origin of the memory.
 */
source: MemorySource, 
/**
 * The exact words, or where it was read.
 */
origin: string, 
/**
 * Confidence from 0 to 1.
 */
confidence: number, 
/**
 * Since when it has held, RFC 3339.
 */
valid_from: string, 
/**
 * When it stopped holding, RFC 3339; `null` while it holds.
 */
valid_to: string | null, 
/**
 * Number of answers that used it.
 */
uses: number, 
/**
 * When it was last used, RFC 3339.
 */
last_used: string | null, };

/**
 * Origin of a memory.
 */
export type MemorySource = "said" | "inferred" | "read";

/**
 * A turn that used a memory.
 */
export type MemoryUse = { 
/**
 * Id of the turn.
 */
turn: string, 
/**
 * Id of the conversation.
 */
conversation: string, 
/**
 * Title of the conversation.
 */
title: string, 
/**
 * What the person said; empty for an approval or answer given by button.
 */
text: string, 
/**
 * When the turn took place, RFC 3339.
 */
at: string, };

/**
 * A message of a conversation.
 */
export type MessageRow = { 
/**
 * Id of its turn.
 */
id: string, 
/**
 * `user` or `assistant`.
 */
role: string, 
/**
 * Text.
 */
text: string, 
/**
 * When it was said, RFC 3339.
 */
at: string, };

/**
 * An incorrect case.
 */
export type Miss = { 
/**
 * Id of the case.
 */
id: string, 
/**
 * Message of the case.
 */
text: string, 
/**
 * Expected result.
 */
expected: string, 
/**
 * Actual result.
 */
got: string, };

/**
 * One check of a connection.
 */
export type ModelCheck = { 
/**
 * `chat`, `stream`, `tools`, `structure` or `embeddings`.
 */
what: string, 
/**
 * `works`, `missing` (Adjutant can do without it), `failed` or `not_tried`.
 */
verdict: string, 
/**
 * Why it does not work, and what to do next; empty if it works.
 */
say: string, };

/**
 * A model file on this computer.
 */
export type ModelFileView = { 
/**
 * Path of the file.
 */
path: string, 
/**
 * Whether it was compared with a checksum.
 */
checked: boolean, };

/**
 * Model files that Adjutant can download and run.
 */
export type ModelFilesView = { 
/**
 * Why this computer cannot run model files, and what to do instead. `null` if it can.
 */
unable: string | null, 
/**
 * Folder of downloaded files.
 */
folder: string, 
/**
 * Models known by name, smallest first.
 */
known: Array<KnownModelView>, 
/**
 * The download in progress, if any.
 */
fetching: FetchingView | null, };

/**
 * What is known of a model file before the download. The person agrees to this.
 */
export type ModelOfferView = { 
/**
 * Name shown to the person.
 */
title: string, 
/**
 * Name of the file.
 */
file: string, 
/**
 * Host that serves it.
 */
host: string, 
/**
 * Size in bytes, as reported by the server.
 */
bytes: number, 
/**
 * Bytes already present from an earlier attempt.
 */
have: number, 
/**
 * Licence; `null` if unknown.
 */
licence: string | null, 
/**
 * Page with more about it.
 */
page: string | null, 
/**
 * Expected SHA-256, with which Adjutant compares the file; `null` if nobody stated one.
 */
sum: string | null, 
/**
 * Who stated the checksum: `server`, `person` or `nobody`.
 */
sum_from: string, 
/**
 * Path the file will have, or has.
 */
path: string, 
/**
 * Whether it is already downloaded.
 */
here: boolean, };

/**
 * How a model fared when it was asked.
 */
export type ModelOutcome = { 
/**
 * Connection and model, such as `Ollama/qwen3:8b`.
 */
model: string, 
/**
 * When it was asked, RFC 3339.
 */
at: string, 
/**
 * What went wrong, as a sentence; absent if it answered.
 */
fault?: string, };

/**
 * Result of testing a connection.
 */
export type ModelTestView = { 
/**
 * Model that answered.
 */
model: string, 
/**
 * Checks, in this order: `chat`, `stream`, `tools`, `structure`, `embeddings`.
 */
checks: Array<ModelCheck>, 
/**
 * Milliseconds until the first piece of a reply.
 */
first_ms: number | null, 
/**
 * Output tokens per second.
 */
tokens_per_second: number | null, 
/**
 * Cost of the test, in micro-units of the person's currency.
 */
cost_micros: number, };

/**
 * One model of a connection.
 */
export type ModelView = { 
/**
 * Name of the model at the provider.
 */
id: string, 
/**
 * Size of the context window, input plus output, in tokens; 0 if unknown.
 */
context_tokens: number, 
/**
 * Whether it can call tools.
 */
tools: boolean, 
/**
 * Whether its output can be constrained to a schema.
 */
structure: boolean, 
/**
 * Whether the person declared this remote model free of charge. Prices then do not count.
 */
free?: boolean, 
/**
 * Price of a million input tokens, in micro-units of the person's currency; 0 if unknown.
 */
input_micros_per_million: number, 
/**
 * Price of a million output tokens, likewise.
 */
output_micros_per_million: number, };

/**
 * The models of a profile.
 */
export type ModelsView = { 
/**
 * Connections, in the order in which Adjutant tries them.
 */
connections: Array<ConnectionView>, 
/**
 * Kinds of provider that the person can connect.
 */
kinds: Array<KindView>, 
/**
 * The model that would answer a usual request now; `null` if none can.
 */
answering: string | null, 
/**
 * Whether Adjutant may reach nothing but this computer.
 */
offline: boolean, 
/**
 * How each model fared when it was last asked since Adjutant started; empty for models that were not asked.
 */
last: Array<ModelOutcome>, 
/**
 * What a change could not do, as a sentence for the person; for example, a secret may have stayed in the keyring.
 */
note?: string, };

/**
 * A note.
 */
export type NoteRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Title.
 */
title: string, 
/**
 * Text in Markdown.
 */
body: string, 
/**
 * Labels.
 */
tags: Array<string>, 
/**
 * When it was created, RFC 3339.
 */
created: string, 
/**
 * When it last changed, RFC 3339.
 */
updated: string, };

/**
 * A note at the head of a card.
 */
export type NoteView = { 
/**
 * `untrusted`, `info` or `warn`.
 */
kind: string, 
/**
 * Text of the note.
 */
text: string, };

/**
 * Conditions on mails, events and tasks, in addition to words and dates.
 */
export type Only = { 
/**
 * Folder of the mail.
 */
folder?: MailFolder, 
/**
 * Whether only unread mail is returned.
 */
unread?: boolean, 
/**
 * Addresses, one of which must be the sender or a recipient of the mail, or a guest of the event.
 */
people?: Array<string>, 
/**
 * Whether to return only completed or only open tasks; absent for both. With completed tasks, the time range
 * applies to the time of completion, otherwise to the due date.
 */
done?: boolean, };

/**
 * A decision about an outgoing mail or another approved action that waits.
 */
export type OutboxAct = "send_now" | "check_again" | "to_draft";

/**
 * A draft, an outgoing mail, or another approved action that waits.
 */
export type OutboxRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Recipients' addresses.
 */
to: Array<string>, 
/**
 * Carbon copies.
 */
cc: Array<string>, 
/**
 * Blind copies.
 */
bcc: Array<string>, 
/**
 * Subject.
 */
subject: string, 
/**
 * Text.
 */
body: string, 
/**
 * Message-ID of the mail it answers.
 */
in_reply_to?: string, 
/**
 * Message-ID of the mail it forwards.
 */
forward_of?: string, 
/**
 * State of the mail.
 */
state: OutboxState, 
/**
 * When a held mail is sent, RFC 3339.
 */
not_before: string | null, 
/**
 * For an approved action: what it waits for. The row's identifier is then that of the action.
 */
waits?: OutboxWait, 
/**
 * When it last changed, RFC 3339.
 */
updated: string, };

/**
 * State of an outgoing mail.
 */
export type OutboxState = "draft" | "held" | "queued" | "sent" | "failed" | "unknown";

/**
 * Why an approved action waits, and until when.
 */
export type OutboxWait = { 
/**
 * What it waits for.
 */
why: WaitsFor, 
/**
 * When the waiting ends, RFC 3339: at the end of the hold, or when Adjutant gives up on the account.
 */
until: string, 
/**
 * Name of the account to sign in to, if that is what it waits for.
 */
account?: string, };

/**
 * A page as it is now, compared with its stored snapshot.
 */
export type PageCheck = { 
/**
 * When it was read again, RFC 3339.
 */
at: string, 
/**
 * Whether its text is exactly the stored one.
 */
is_same: boolean, 
/**
 * Quotes of the report that no longer occur in it.
 */
gone: Array<string>, };

/**
 * A change to a waiting plan.
 */
export type PlanChange = { "change": "leave_out", 
/**
 * Key of the step.
 */
step: string, } | { "change": "move", 
/**
 * Key of the step.
 */
step: string, 
/**
 * Key of the step to put it before; absent to put it last.
 */
before?: string, };

/**
 * The plan of a turn, with its state.
 */
export type PlanRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Id of the turn.
 */
turn: string, 
/**
 * Id of the conversation.
 */
conversation: string, 
/**
 * The person's request, restated.
 */
request: string, 
/**
 * Steps.
 */
steps: Array<PlanStep>, 
/**
 * `open`, `waiting`, `done`, `interrupted`, `failed` or `set_aside`.
 */
state: string, 
/**
 * When the turn began, RFC 3339.
 */
at: string, };

/**
 * One step of a plan, with its state.
 */
export type PlanStep = { 
/**
 * Key of the step.
 */
key: string, 
/**
 * What the step does.
 */
say: string, 
/**
 * Why the step is needed.
 */
why: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * State of the step.
 */
status: StepStatus, };

/**
 * Priority of a task.
 */
export type Priority = "low" | "medium" | "high";

/**
 * A request on behalf of another program.
 */
export type ProgramAct = { "act": "tools", } | { "act": "call", 
/**
 * Name by which the program introduced itself.
 */
program: string, 
/**
 * Name of an offered tool.
 */
tool: string, 
/**
 * Arguments of the call.
 */
args: JsonValue, } | { "act": "token", 
/**
 * Whether to make a new token even if there is one; the old one becomes invalid.
 */
renew: boolean, } | { "act": "admit", 
/**
 * SHA-256 of the token, hexadecimal.
 */
sha256: string, };

/**
 * A program's proposal.
 */
export type ProgramAction = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * `pending`, `approved`, `succeeded`, `denied`, …, as in Approvals.
 */
state: string, 
/**
 * The state in words.
 */
say: string, 
/**
 * When it was proposed, RFC 3339.
 */
created: string, 
/**
 * When the proposal expires, RFC 3339.
 */
expires: string, };

/**
 * Result of a program's call.
 */
export type ProgramAnswer = { "answered": "read", 
/**
 * Result in words.
 */
say: string, 
/**
 * Result as structured data.
 */
output: JsonValue, 
/**
 * Whether the result contains foreign text.
 */
foreign: boolean, } | { "answered": "waits", 
/**
 * The proposed action.
 */
action: ProgramAction, 
/**
 * Whether the same call was already waiting, so that nothing was added.
 */
already: boolean, } | { "answered": "actions", 
/**
 * The proposals.
 */
actions: Array<ProgramAction>, };

/**
 * A tool that a program may call.
 */
export type ProgramTool = { 
/**
 * Name, for example `calendar.create`.
 */
name: string, 
/**
 * What it does, for the program.
 */
description: string, 
/**
 * JSON schema of the arguments.
 */
schema: JsonValue, 
/**
 * Whether it only reads. A call of any other tool becomes a proposal.
 */
reads: boolean, };

/**
 * An argument of a prompt.
 */
export type PromptArg = { 
/**
 * Its name.
 */
name: string, 
/**
 * What to enter.
 */
description: string, 
/**
 * Whether it is required.
 */
required: boolean, };

/**
 * A prompt of a server.
 */
export type PromptView = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it is for.
 */
description: string, 
/**
 * Its arguments, required ones first.
 */
args: Array<PromptArg>, };

/**
 * An event as it will be after approval of an action.
 */
export type ProposedEvent = { 
/**
 * Id of the row that changes; `null` for a new event.
 */
id: string | null, 
/**
 * iCalendar UID; shared by the instances of a series.
 */
uid: string, 
/**
 * For a series: original start of the one instance that changes.
 */
instance: string | null, 
/**
 * Title.
 */
summary: string, 
/**
 * Start: RFC 3339 with offset, or a date for whole days.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, 
/**
 * Whether it takes up whole days.
 */
all_day: boolean, };

/**
 * How often the person was asked about one tool, and with what outcome.
 */
export type QuestionsRow = { 
/**
 * Name of the tool.
 */
id: string, 
/**
 * Number of cards shown.
 */
asked: number, 
/**
 * Number of approved cards.
 */
approved: number, 
/**
 * Number of cards that were approved unchanged and carried out within ten seconds, so that the question was hardly
 * needed.
 */
at_once: number, 
/**
 * Number of rejected cards.
 */
rejected: number, 
/**
 * Number of cards that the person edited, or that were shown again because something had changed.
 */
changed: number, 
/**
 * Number of cards that expired.
 */
expired: number, 
/**
 * Number of cards that the usual rules did not require: shown before, or because the person wants to be asked.
 */
needless: number, };

/**
 * Progress of reading an account.
 */
export type ReadingProgress = { 
/**
 * Number of records read.
 */
done: number, 
/**
 * Number of records to read, as far as known.
 */
total: number, };

/**
 * An item that an import rejected.
 */
export type Rejected = { 
/**
 * Name of the file.
 */
file: string, 
/**
 * The item: its line, UID or subject.
 */
item: string, 
/**
 * Why it was rejected.
 */
reason: string, };

/**
 * Messages that were routed with similar confidence.
 */
export type ReliabilityRow = { 
/**
 * Lowest confidence among them.
 */
from: number, 
/**
 * Highest confidence among them.
 */
to: number, 
/**
 * Number of messages.
 */
cases: number, 
/**
 * Mean confidence.
 */
confidence: number, 
/**
 * Share routed correctly, from 0 to 1.
 */
right: number, };

/**
 * A recurrence rule with its wording.
 */
export type RepeatView = { 
/**
 * RFC 5545 rule, without the `RRULE:` prefix.
 */
rule: string, 
/**
 * The rule in words.
 */
say: string, };

/**
 * How often a job repeats.
 */
export type Repeats = { "every": "day", 
/**
 * Time of day, `12:30`.
 */
at: string, } | { "every": "week", 
/**
 * Day of the week: Monday is 1, Sunday 7.
 */
day: number, 
/**
 * Time of day, `09:00`.
 */
at: string, } | { "every": "hours", 
/**
 * Number of hours.
 */
hours: number, } | { "every": "minutes", 
/**
 * Number of minutes.
 */
minutes: number, };

/**
 * The reply to a request.
 */
export type Reply = { "reply": "turn", 
/**
 * Id of the turn.
 */
turn: string, 
/**
 * Id of the conversation.
 */
conversation: string, 
/**
 * Sequence number of the first event of this request. Events of the same turn with a smaller number are older.
 */
seq: number, } | { "reply": "ok", } | { "reply": "rows", 
/**
 * The requested rows.
 */
rows: Rows, 
/**
 * Number of all matching rows, regardless of `limit` and `offset`. Absent if not counted.
 */
total?: number, } | { "reply": "applied", 
/**
 * The outcome.
 */
outcome: Applied, } | { "reply": "uses", 
/**
 * The turns, newest first.
 */
uses: Array<MemoryUse>, 
/**
 * Whether the search covered every conversation from its beginning.
 */
whole: boolean, } | { "reply": "repeats", 
/**
 * Rules, with their wording; empty if the last day precedes the first.
 */
rules: Array<RepeatView>, } | { "reply": "research", 
/**
 * The answer.
 */
found: ResearchAnswer, } | { "reply": "account_kinds", 
/**
 * The kinds, in the order to offer them.
 */
kinds: Array<AccountKindView>, } | { "reply": "mail_page", 
/**
 * The page; `null` if the mail is plain text only, or its HTML is too large to show.
 */
page: MailPageView | null, 
/**
 * How to leave the mailing list; `null` if the mail names no way.
 */
leaving: LeavingView | null, } | { "reply": "mail_invitation", 
/**
 * It; `null` if the mail carries nothing that can be read.
 */
invitation: InvitationView | null, } | { "reply": "sign_in", 
/**
 * Id of the sign-in, for [`crate::Request::AddAccount`] and [`crate::Request::ChangeAccount`].
 */
id: string, 
/**
 * The provider's page, to open in the system browser.
 */
address: string, } | { "reply": "hits", 
/**
 * The hits, best first.
 */
hits: Array<Hit>, } | { "reply": "explained", 
/**
 * The reading.
 */
reading: Explained, } | { "reply": "glanced", 
/**
 * The answer; absent if the text asks for nothing that can be answered instantly.
 */
glance?: Glance, } | { "reply": "estimated", 
/**
 * The requests and their cost.
 */
estimate: EstimateView, } | { "reply": "routed_by_model", 
/**
 * The route.
 */
routed: RoutedByModel, } | { "reply": "imported", 
/**
 * Number of imported items, and the rejected ones.
 */
report: ImportReport, } | { "reply": "exported", 
/**
 * Folder written to.
 */
dir: string, 
/**
 * Names of the written files.
 */
files: Array<string>, } | { "reply": "tools", 
/**
 * The tools.
 */
tools: Array<ToolView>, } | { "reply": "config", 
/**
 * The requested settings.
 */
settings: Array<SettingView>, } | { "reply": "doctor", 
/**
 * The checks.
 */
checks: Array<Check>, } | { "reply": "program_tools", 
/**
 * The tools.
 */
tools: Array<ProgramTool>, } | { "reply": "program_answered", 
/**
 * The result.
 */
answer: ProgramAnswer, } | { "reply": "program_token", 
/**
 * The token; present only in the reply to the request that made it.
 */
token?: SecretText, } | { "reply": "due_done", 
/**
 * One sentence for each piece of work.
 */
done: Array<string>, } | { "reply": "status", 
/**
 * The numbers.
 */
status: StatusView, } | { "reply": "scoreboard", 
/**
 * The run.
 */
scoreboard: ScoreboardView, } | { "reply": "timings", 
/**
 * Statistics by stage; empty before the first turn.
 */
stages: Array<StageView>, } | { "reply": "models", 
/**
 * The models.
 */
models: ModelsView, } | { "reply": "found_models", 
/**
 * The servers; empty if none answered.
 */
servers: Array<FoundServerView>, } | { "reply": "model_list", 
/**
 * The models.
 */
models: Array<FoundModelView>, } | { "reply": "model_files", 
/**
 * The files.
 */
files: ModelFilesView, } | { "reply": "model_offer", 
/**
 * The offer, for the person to agree to.
 */
offer: ModelOfferView, } | { "reply": "model_file", 
/**
 * The file.
 */
file: ModelFileView, } | { "reply": "comparisons", 
/**
 * Agreement and differences.
 */
comparisons: ComparisonsView, } | { "reply": "model_test", 
/**
 * The results.
 */
test: ModelTestView, } | { "reply": "servers", 
/**
 * The requested servers; all of them if the request named none.
 */
servers: Array<ServerView>, 
/**
 * What the request could not do, as a sentence for the person.
 */
note?: string, } | { "reply": "server_tried", 
/**
 * The result.
 */
report: ServerReport, } | { "reply": "server_offers", 
/**
 * The resources and prompts.
 */
offers: ServerOffers, } | { "reply": "attached", 
/**
 * Id of the note.
 */
note: string, 
/**
 * Title of the note.
 */
title: string, 
/**
 * Text of the note; foreign text.
 */
text: string, } | { "reply": "profile", 
/**
 * Name of the profile.
 */
name: string, };

/**
 * The report of a run.
 */
export type ReportView = { 
/**
 * The short answer, if there is one.
 */
answer: AnswerView | null, 
/**
 * Findings, in a few paragraphs.
 */
summary: string, 
/**
 * Claims, most important first.
 */
claims: Array<ClaimView>, 
/**
 * Every page that a claim cites.
 */
sources: Array<SourceRow>, 
/**
 * Pairs of claims that contradict each other.
 */
contradictions: Array<ContradictionView>, 
/**
 * What remains open, what went wrong, and what was cut.
 */
limitations: Array<string>, 
/**
 * `low`, `medium` or `high`.
 */
confidence: string, 
/**
 * `embedded` if assembled from sentences of the sources without a model; `model` if written by a model and
 * checked.
 */
written_by: string, 
/**
 * Why the run ended early: `write_now`, `rounds`, `time`, `credits` or `day_credits`.
 */
cut: string | null, 
/**
 * Number of claims dropped because their quote occurs in no page that was read.
 */
dropped: number, };

/**
 * One request. On the wire: `{"op": "ask", "conversation": "main", "text": "…"}`.
 */
export type Request = { "op": "ask", 
/**
 * Conversation; created if it does not exist.
 */
conversation: string, 
/**
 * The person's message.
 */
text: string, 
/**
 * Tier of model for this message, if models are asked: `fast`, `standard` or `deep`. If absent, each stage
 * uses the tier it needs.
 */
tier?: string, } | { "op": "retry", 
/**
 * Id of the turn.
 */
turn: string, 
/**
 * New text of the message; absent to keep the old one.
 */
text?: string, 
/**
 * Tier, as in [`Request::Ask`].
 */
tier?: string, } | { "op": "repeats", 
/**
 * Start: RFC 3339 with the zone in brackets, or a date.
 */
start: string, 
/**
 * Present rule, if any.
 */
rule: string | null, 
/**
 * Last day of the series; if `null`, the present rule decides.
 */
last: string | null, } | { "op": "answer", 
/**
 * Id of the question.
 */
id: string, 
/**
 * Value of the chosen answer, or typed text.
 */
value: JsonValue, } | { "op": "approve", 
/**
 * Id of the action.
 */
id: string, 
/**
 * Digest of the card as shown.
 */
digest: string, } | { "op": "grant", 
/**
 * Id of the action.
 */
id: string, 
/**
 * Digest of the card as shown.
 */
digest: string, 
/**
 * End of the grant, exclusive: RFC 3339 or a date.
 */
until: string, } | { "op": "revoke_grant", 
/**
 * Id of the grant.
 */
id: string, } | { "op": "restore_grant", 
/**
 * Id of the grant.
 */
id: string, } | { "op": "reject", 
/**
 * Id of the action.
 */
id: string, } | { "op": "edit", 
/**
 * Id of the action.
 */
id: string, 
/**
 * The complete new arguments.
 */
args: JsonValue, 
/**
 * Index of the call to edit, from 0; required if the card holds several calls.
 */
call?: number, } | { "op": "edit_plan", 
/**
 * Id of the turn that the plan belongs to.
 */
turn: string, 
/**
 * The change.
 */
change: PlanChange, } | { "op": "ask_again", 
/**
 * Id of the action.
 */
id: string, } | { "op": "interrupt", 
/**
 * Id of the turn.
 */
turn: string | null, 
/**
 * Id of the conversation.
 */
conversation: string | null, } | { "op": "undo", 
/**
 * Id of the effect.
 */
id: string, } | { "op": "apply", 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * Arguments of the call.
 */
args: JsonValue, } | { "op": "notify", } | { "op": "outbox", 
/**
 * Id of the outbox row.
 */
id: string, 
/**
 * The decision.
 */
act: OutboxAct, } | { "op": "use_memory", 
/**
 * Id of the memory.
 */
id: string, 
/**
 * Whether answers use it from now on.
 */
on: boolean, } | { "op": "memory_uses", 
/**
 * Id of the memory.
 */
id: string, } | { "op": "subscribe", 
/**
 * Id of the conversation; empty for events of the whole profile (`changed`, `progress`, `reminder`, research).
 */
conversation: string, 
/**
 * First sequence number to send.
 */
from: number, } | { "op": "show", 
/**
 * The topic.
 */
what: Topic, 
/**
 * Id of the only row to return.
 */
id: string | null, 
/**
 * Start of the time range, inclusive: RFC 3339 or a date.
 */
from: string | null, 
/**
 * End of the time range.
 */
to: string | null, 
/**
 * Maximum number of rows.
 */
limit: number | null, 
/**
 * Number of rows to skip, for paging.
 */
offset?: number, 
/**
 * Words that the rows must contain.
 */
text: string | null, 
/**
 * Further conditions for mails, events and tasks.
 */
only?: Only, } | { "op": "mail_page", 
/**
 * Id of the mail.
 */
id: string, 
/**
 * Whether to fetch its remote images. If absent, Adjutant fetches them for senders listed in the setting
 * `mail.images_from`.
 */
images?: boolean, } | { "op": "mail_invitation", 
/**
 * Id of the mail.
 */
id: string, } | { "op": "search", 
/**
 * Words to search for.
 */
text: string, 
/**
 * Maximum number of hits.
 */
limit: number, } | { "op": "explain", 
/**
 * Id of the conversation that the message may refer to.
 */
conversation: string, 
/**
 * The message.
 */
text: string, 
/**
 * Tier, as in [`Request::Ask`], for which the cost is estimated.
 */
tier?: string, } | { "op": "glance", 
/**
 * The message as typed so far.
 */
text: string, } | { "op": "estimate_routes", 
/**
 * Number of messages.
 */
messages: number, 
/**
 * Approximate number of tokens of all messages, including the earlier ones sent along with each.
 */
said_tokens: number, } | { "op": "estimate_comparison", 
/**
 * Name of the connection.
 */
name: string, } | { "op": "estimate_vectors", 
/**
 * The connection, with its model for vectors.
 */
connection: ConnectionDraft, } | { "op": "route_by_model", 
/**
 * The message.
 */
text: string, 
/**
 * Earlier messages, oldest first.
 */
history: Array<SaidBefore>, } | { "op": "rename_conversation", 
/**
 * Id of the conversation.
 */
id: string, 
/**
 * New title.
 */
title: string, } | { "op": "pin_conversation", 
/**
 * Id of the conversation.
 */
id: string, 
/**
 * Whether it is pinned from now on.
 */
on: boolean, } | { "op": "archive_conversation", 
/**
 * Id of the conversation.
 */
id: string, 
/**
 * Whether it is archived from now on.
 */
on: boolean, } | { "op": "delete_conversation", 
/**
 * Id of the conversation.
 */
id: string, } | { "op": "restore_conversation", 
/**
 * Id of the conversation.
 */
id: string, } | { "op": "import", 
/**
 * Absolute paths of the files and folders.
 */
paths: Array<string>, } | { "op": "export", 
/**
 * Absolute path of an empty or new folder.
 */
dir: string, } | { "op": "erase", } | { "op": "tools", } | { "op": "config_list", } | { "op": "config_get", 
/**
 * Name of the setting.
 */
key: string, } | { "op": "config_set", 
/**
 * Name of the setting.
 */
key: string, 
/**
 * New value as text; `null` restores the default.
 */
value: string | null, } | { "op": "secret_set", 
/**
 * Name of the setting.
 */
key: string, 
/**
 * The secret; `null` deletes it.
 */
value: SecretText | null, } | { "op": "doctor", } | { "op": "run_due", } | { "op": "stop_job", 
/**
 * Id of the job.
 */
id: string, } | { "op": "status", } | { "op": "scoreboard", } | { "op": "timings", } | { "op": "models", } | { "op": "find_models", } | { "op": "list_models", 
/**
 * The connection; its `models` may be empty.
 */
connection: ConnectionDraft, 
/**
 * Key; `null` uses the one in the keyring.
 */
key: SecretText | null, } | { "op": "connect_model", 
/**
 * The connection.
 */
connection: ConnectionDraft, 
/**
 * Key to store in the keyring; `null` keeps the stored key, an empty one deletes it.
 */
key: SecretText | null, } | { "op": "model_files", } | { "op": "offer_model_file", 
/**
 * A name from [`Request::ModelFiles`], or the URL of a file.
 */
what: string, 
/**
 * Expected SHA-256, if the person has one.
 */
sha256: string | null, } | { "op": "fetch_model_file", 
/**
 * Name or URL, as in [`Request::OfferModelFile`].
 */
what: string, 
/**
 * Expected SHA-256, as in [`Request::OfferModelFile`].
 */
sha256: string | null, 
/**
 * Terms that the person agreed to. Adjutant does not download a file that has changed since the offer.
 */
agreed: AgreedTo, } | { "op": "stop_model_file", } | { "op": "disconnect_model", 
/**
 * Name of the connection.
 */
name: string, } | { "op": "prefer_model", 
/**
 * Name of the connection.
 */
name: string, } | { "op": "comparisons", } | { "op": "test_model", 
/**
 * Name of the connection.
 */
name: string, 
/**
 * Tier: `fast`, `standard` or `deep`; `null` means `standard`.
 */
tier: string | null, } | { "op": "account_kinds", } | { "op": "add_account", 
/**
 * Kind of account.
 */
kind: string, 
/**
 * Name for the account; if absent, its server's name for it.
 */
label?: string, 
/**
 * Non-secret fields.
 */
settings: { [key in string]: string }, 
/**
 * Secret fields, stored in the keyring.
 */
secrets: { [key in string]: SecretText }, 
/**
 * Browser sign-in to wait for, if one was started. Closing the request cancels the sign-in.
 */
sign_in?: string, } | { "op": "begin_sign_in", 
/**
 * Kind of account, to connect a new one.
 */
kind?: string, 
/**
 * Id of the account, to sign in again.
 */
account?: string, 
/**
 * Non-secret fields.
 */
settings: { [key in string]: string }, 
/**
 * Secret fields.
 */
secrets: { [key in string]: SecretText }, } | { "op": "cancel_sign_in", 
/**
 * Id of the sign-in.
 */
id: string, } | { "op": "change_account", 
/**
 * Id of the account.
 */
id: string, 
/**
 * New name for the account.
 */
label?: string, 
/**
 * New non-secret fields.
 */
settings?: { [key in string]: string }, 
/**
 * New secret fields.
 */
secrets: { [key in string]: SecretText }, 
/**
 * Whether Adjutant uses the account: reads it, and changes it as the person approves.
 */
on?: boolean, 
/**
 * Browser sign-in to wait for, if one was started. Closing the request cancels the sign-in.
 */
sign_in?: string, } | { "op": "sync_accounts", 
/**
 * Id of the only account to read.
 */
id?: string, 
/**
 * Whether to read only accounts not read within the last minute, and to answer without waiting for the end.
 * The window sends this when the person returns to it.
 */
glance?: boolean, } | { "op": "remove_account", 
/**
 * Id of the account.
 */
id: string, 
/**
 * Whether the records read from it stay on this computer.
 */
keep: boolean, } | { "op": "prefer_collection", 
/**
 * Kind of collection.
 */
kind: CollectionKind, 
/**
 * Id of a writable collection of an account; if absent, new records stay on this computer.
 */
id?: string, } | { "op": "servers", 
/**
 * The request.
 */
request: ServerAct, } | { "op": "programs", 
/**
 * The request.
 */
request: ProgramAct, } | { "op": "research", 
/**
 * The request.
 */
act: ResearchAct, } | { "op": "load_sample", };

/**
 * A request about research.
 */
export type ResearchAct = { "act": "start", 
/**
 * What to find out.
 */
objective: string, 
/**
 * Purpose of the research; if empty, the run asks for it.
 */
why: string, 
/**
 * Success criteria; if there are none, the run asks for them.
 */
success: Array<string>, 
/**
 * Where to look. `null` means the web if a search engine is chosen, otherwise the person's own documents.
 */
sources: ResearchSources | null, 
/**
 * Finding of another run to investigate further.
 */
deeper: Deeper | null, 
/**
 * Whether to repeat the research every week at the same time.
 */
weekly: boolean, } | { "act": "answer", 
/**
 * Id of the run.
 */
id: string, 
/**
 * The answer.
 */
text: string, } | { "act": "show", 
/**
 * Id of the run.
 */
id: string, } | { "act": "follow", 
/**
 * Id of the run.
 */
id: string, } | { "act": "stop", 
/**
 * Id of the run.
 */
id: string, } | { "act": "resume", 
/**
 * Id of the run.
 */
id: string, } | { "act": "write_now", 
/**
 * Id of the run.
 */
id: string, } | { "act": "repeat", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Whether it repeats every week.
 */
weekly: boolean, } | { "act": "export", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Format of the file.
 */
format: ResearchFormat, } | { "act": "compare", 
/**
 * Id of the earlier run.
 */
before: string, 
/**
 * Id of the later run.
 */
after: string, } | { "act": "page", 
/**
 * Id of the run that read the page.
 */
id: string, 
/**
 * SHA-256 of the snapshot, hexadecimal.
 */
sha256: string, } | { "act": "check_page", 
/**
 * Id of the run that read the page.
 */
id: string, 
/**
 * SHA-256 of the snapshot, hexadecimal.
 */
sha256: string, } | { "act": "changes", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Last version the client knows; 0 returns all stored changes.
 */
after: number, };

/**
 * An answer to a request about research.
 */
export type ResearchAnswer = { "answer": "run", 
/**
 * The run.
 */
run: ResearchView, } | { "answer": "file", 
/**
 * Suggested file name.
 */
name: string, 
/**
 * Media type.
 */
media: string, 
/**
 * Content of the file.
 */
text: string, } | { "answer": "compared" } & Compared | { "answer": "checked", 
/**
 * The result.
 */
check: PageCheck, } | { "answer": "page", 
/**
 * The snapshot.
 */
page: ResearchPage, } | { "answer": "changes", 
/**
 * One entry per version. The oldest versions are no longer stored.
 */
versions: Array<DocumentChange>, };

/**
 * What a run asks the person before it starts.
 */
export type ResearchAsks = { 
/**
 * The missing part: `what`, `why` or `success`; `confirm` if the brief is complete and the person only has to
 * confirm it.
 */
missing: string, 
/**
 * The question.
 */
text: string, 
/**
 * Choices for the answer; the person may always use other words.
 */
choices: Array<string>, };

/**
 * Formats of a report.
 */
export type ResearchFormat = "md" | "html" | "bib" | "csl" | "json";

/**
 * The stored snapshot of a page; foreign text.
 */
export type ResearchPage = { 
/**
 * SHA-256 of the snapshot, hexadecimal.
 */
sha256: string, 
/**
 * Address of the page.
 */
address: string, 
/**
 * Title of the page.
 */
title: string, 
/**
 * Text of the page.
 */
text: string, 
/**
 * When the page was read, RFC 3339.
 */
at: string, };

/**
 * A run as a row of `show research`.
 */
export type ResearchRow = { 
/**
 * Id of the run.
 */
id: string, 
/**
 * What to find out.
 */
objective: string, 
/**
 * State of the run.
 */
state: ResearchState, 
/**
 * Why it waits, is paused or failed, as a sentence.
 */
why: string | null, 
/**
 * When it started, RFC 3339.
 */
started: string, 
/**
 * Last changed, RFC 3339.
 */
updated: string, 
/**
 * When it ended, RFC 3339.
 */
ended: string | null, 
/**
 * Number of the current round.
 */
round: number, 
/**
 * Number of questions so far.
 */
questions: number, 
/**
 * Number of answered questions.
 */
answered: number, 
/**
 * Number of searches so far.
 */
searches: number, 
/**
 * Number of pages read.
 */
pages: number, 
/**
 * Credits spent or reserved.
 */
credits: number, 
/**
 * Cost of these credits in micro-units of the person's currency; `null` if the person has set no price per credit.
 */
cost_micros: number | null, 
/**
 * Maximum number of credits.
 */
credits_max: number, 
/**
 * Milliseconds it has worked, pauses excluded.
 */
running_ms: number, 
/**
 * Maximum number of milliseconds it may work.
 */
running_ms_max: number, 
/**
 * Short answer of the report.
 */
answer: string | null, 
/**
 * `low`, `medium` or `high`; `null` before the report.
 */
confidence: string | null, 
/**
 * When it runs next, RFC 3339; `null` if it does not repeat.
 */
repeats: string | null, 
/**
 * Id of the previous run of the same repeated research, or of the run whose finding this one investigates.
 */
previous: string | null, };

/**
 * Where to look.
 */
export type ResearchSources = "web" | "own" | "both";

/**
 * State of a research run.
 */
export type ResearchState = "asking" | "waiting" | "running" | "stopped" | "paused" | "done" | "failed";

/**
 * A research run in full.
 */
export type ResearchView = { 
/**
 * The row of the run.
 */
row: ResearchRow, 
/**
 * Purpose of the research.
 */
why: string, 
/**
 * Success criteria.
 */
success: Array<string>, 
/**
 * Where the run looks.
 */
sources: ResearchSources, 
/**
 * What it asks the person before it starts, if anything.
 */
asks: ResearchAsks | null, 
/**
 * Its strategy.
 */
strategy: string | null, 
/**
 * Its lanes, one per question.
 */
lanes: Array<LaneView>, 
/**
 * Decisions between rounds, in words.
 */
decisions: Array<string>, 
/**
 * Maximum number of rounds.
 */
rounds_max: number, 
/**
 * Estimated milliseconds left, based on how long its questions have taken; `null` if unknown.
 */
left_ms: number | null, 
/**
 * Version of the brain document.
 */
version: number, 
/**
 * The report, once written.
 */
report: ReportView | null, 
/**
 * Changes since the previous run, for a repeated research with a report.
 */
since: SinceBefore | null, };

/**
 * A resource of a server.
 */
export type ResourceView = { 
/**
 * Its URI.
 */
uri: string, 
/**
 * Its name.
 */
name: string, 
/**
 * What it is.
 */
description: string, };

/**
 * Outcome of a step.
 */
export type ResultLine = { 
/**
 * Key of the step.
 */
step: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * State of the step.
 */
status: StepStatus, 
/**
 * What happened, in words.
 */
say: string, 
/**
 * The fault, if it failed.
 */
error?: Fault, };

/**
 * What a call can do to the world, mildest first.
 */
export type Risk = "read" | "local_reversible" | "local_irreversible" | "remote_reversible" | "reaches_people" | "destroys" | "spends";

/**
 * A route from a model.
 */
export type RoutedByModel = { 
/**
 * `chat`, `action` or `followup`.
 */
type: string, 
/**
 * Domains of the message.
 */
domains: Array<string>, 
/**
 * Whether the message refers to earlier ones.
 */
is_followup: boolean, 
/**
 * Confidence from 0 to 1.
 */
confidence: number, 
/**
 * Name of the model.
 */
by: string, 
/**
 * Cost of the request, in micro-units of the person's currency.
 */
cost_micros: number, };

/**
 * Rows of one topic. `show --json` prints them as a plain list.
 */
export type Rows = { "topic": "tasks", "list": Array<TaskRow> } | { "topic": "events", "list": Array<EventRow> } | { "topic": "notes", "list": Array<NoteRow> } | { "topic": "memories", "list": Array<MemoryRow> } | { "topic": "mail", "list": Array<MailRow> } | { "topic": "outbox", "list": Array<OutboxRow> } | { "topic": "contacts", "list": Array<ContactRow> } | { "topic": "approvals", "list": Array<ApprovalRow> } | { "topic": "grants", "list": Array<GrantRow> } | { "topic": "questions", "list": Array<QuestionsRow> } | { "topic": "plans", "list": Array<PlanRow> } | { "topic": "conversations", "list": Array<ConversationRow> } | { "topic": "messages", "list": Array<MessageRow> } | { "topic": "jobs", "list": Array<JobRow> } | { "topic": "research", "list": Array<ResearchRow> } | { "topic": "activity", "list": Array<ActivityRow> } | { "topic": "accounts", "list": Array<AccountRow> } | { "topic": "collections", "list": Array<CollectionRow> } | { "topic": "egress", "list": Array<EgressRow> } | { "topic": "imports", "list": Array<ImportRow> } | { "topic": "usage", "list": Array<UsageRow> } | { "topic": "calls", "list": Array<CallRow> };

/**
 * An earlier message of a conversation.
 */
export type SaidBefore = { 
/**
 * Whether the person said it; otherwise Adjutant did.
 */
by_person: boolean, 
/**
 * Text of the message.
 */
text: string, };

/**
 * Results of one run over the built-in cases.
 */
export type ScoreboardView = { 
/**
 * One entry per suite: `route`, `when`, `confirm`, `requests`.
 */
suites: Array<SuiteScore>, 
/**
 * How well the confidence of routing matches its accuracy, lowest confidence first.
 */
reliability: Array<ReliabilityRow>, 
/**
 * Expected calibration error: mean distance between confidence and accuracy, from 0 to 1.
 */
calibration_error: number, 
/**
 * Durations of the stages of the turns in the run.
 */
stages: Array<StageView>, 
/**
 * Duration of the run in milliseconds.
 */
ms: number, };

/**
 * A secret on its way to the keyring. Front ends send it; only [`crate::Reply::ProgramToken`] ever returns one.
 */
export type SecretText = string;

/**
 * One section of a model's context, or one source it was gathered from.
 */
export type Section = { 
/**
 * Name of the section or source.
 */
name: string, 
/**
 * Estimated tokens.
 */
tokens: number, 
/**
 * Milliseconds it took to gather.
 */
ms: number, 
/**
 * Why it is empty, if gathering failed.
 */
problem?: string, 
/**
 * Token budget; 0 if none applies.
 */
budget: number, 
/**
 * Number of entries in it: memories, rows, messages or tools.
 */
items: number, 
/**
 * What was found but left out or cut short. Never contains the text itself.
 */
dropped: Array<DroppedView>, 
/**
 * Names of the suggested tools; empty for other sections.
 */
names?: Array<string>, };

/**
 * A request about servers. Answers with [`crate::Reply::Servers`] unless stated otherwise.
 */
export type ServerAct = { "act": "list", } | { "act": "add", 
/**
 * Name for the server: lowercase letters, digits, `-` and `_`.
 */
name: string, 
/**
 * How to reach it.
 */
reach: ServerReach, 
/**
 * Secret environment variables or headers, by name; stored in the keyring.
 */
secrets: { [key in string]: SecretText }, } | { "act": "paste", 
/**
 * The JSON text.
 */
json: SecretText, } | { "act": "try", 
/**
 * Name of the server.
 */
name: string, } | { "act": "accept", 
/**
 * Name of the server.
 */
name: string, 
/**
 * Pins of the accepted tools ([`ServerToolView::pin`]), by the server's own name for each tool; if empty,
 * every tool as last offered.
 */
pins: { [key in string]: string }, } | { "act": "lower", 
/**
 * Name of the server.
 */
name: string, 
/**
 * The server's own name for the tool.
 */
tool: string, 
/**
 * Whether the tool only reads.
 */
reads: boolean, } | { "act": "set", 
/**
 * Name of the server.
 */
name: string, 
/**
 * Whether it is on.
 */
on: boolean, } | { "act": "secret", 
/**
 * Name of the server.
 */
name: string, 
/**
 * Environment variable or header; `Authorization` for the token of a server with an address, which is sent
 * after `Bearer`.
 */
field: string, 
/**
 * The secret.
 */
value: SecretText, } | { "act": "sign_in", 
/**
 * Name of the server.
 */
name: string, } | { "act": "signed_in", 
/**
 * Name of the server.
 */
name: string, 
/**
 * Id of the sign-in.
 */
sign_in: string, } | { "act": "remove", 
/**
 * Name of the server.
 */
name: string, } | { "act": "offers", 
/**
 * Name of the server.
 */
name: string, } | { "act": "attach", 
/**
 * Name of the server.
 */
name: string, 
/**
 * The resource or prompt.
 */
what: Attachable, };

/**
 * What a server offers to attach; foreign text, cleaned and shortened.
 */
export type ServerOffers = { 
/**
 * Resources.
 */
resources: Array<ResourceView>, 
/**
 * Prompts.
 */
prompts: Array<PromptView>, };

/**
 * Why a server could not be used.
 */
export type ServerProblem = { 
/**
 * What happened.
 */
what: string, 
/**
 * What to do next.
 */
next: string, 
/**
 * Whether the server requires a sign-in, which [`ServerAct::SignIn`] starts.
 */
wants_sign_in: boolean, 
/**
 * Last lines of its standard error; foreign text.
 */
log: Array<string>, };

/**
 * How to reach a server.
 */
export type ServerReach = { "by": "command", 
/**
 * The program.
 */
command: string, 
/**
 * Its arguments.
 */
args: Array<string>, 
/**
 * Non-secret environment variables, in addition to PATH, HOME, LANG and TMPDIR.
 */
env: { [key in string]: string }, } | { "by": "address", 
/**
 * `https://…`; `http://` only on this computer.
 */
url: string, 
/**
 * Non-secret headers.
 */
headers: { [key in string]: string }, };

/**
 * Result of trying a server.
 */
export type ServerReport = { 
/**
 * The server, with its present offers or the reason why it cannot be used.
 */
server: ServerView, 
/**
 * Whether it can be used.
 */
works: boolean, 
/**
 * Protocol revision that it speaks; empty if the connection failed before it was negotiated.
 */
revision: string, 
/**
 * Milliseconds until the handshake was complete.
 */
connect_ms: number, 
/**
 * Milliseconds until it had listed its tools.
 */
list_ms: number, 
/**
 * What the person should know before accepting it: what it may do, and what was left out.
 */
notes: Array<string>, };

/**
 * Whether Adjutant uses a server.
 */
export type ServerStatus = "new" | "on" | "off";

/**
 * Earlier definition of a tool.
 */
export type ServerToolBefore = { 
/**
 * The server's description of the tool.
 */
description: string, 
/**
 * JSON schema of its arguments.
 */
schema: JsonValue, 
/**
 * What the server said about its risk.
 */
says: string, };

/**
 * State of a tool relative to what the person accepted.
 */
export type ServerToolState = "new" | "accepted" | "changed" | "gone";

/**
 * A tool of a server. What it says is foreign text, cleaned and shortened.
 */
export type ServerToolView = { 
/**
 * Adjutant's name for the tool: `mcp.<server>.<tool>`.
 */
name: string, 
/**
 * The server's own name for the tool.
 */
tool: string, 
/**
 * Title shown to the person; may be empty.
 */
title: string, 
/**
 * The server's description of the tool.
 */
description: string, 
/**
 * JSON schema of its arguments.
 */
schema: JsonValue, 
/**
 * Risk of a usual call, as the gate judges it.
 */
risk: Risk, 
/**
 * What the server says about its risk, as a phrase ("says that it only reads"); empty if it says nothing.
 */
says: string, 
/**
 * State of the tool.
 */
state: ServerToolState, 
/**
 * Whether the person stated that it only reads.
 */
lowered: boolean, 
/**
 * Whether the person may state that.
 */
can_lower: boolean, 
/**
 * Hash of this definition, for [`ServerAct::Accept`].
 */
pin: string, 
/**
 * Definition that the person accepted, if it has changed since.
 */
before?: ServerToolBefore, };

/**
 * A server. What it says about itself is foreign text.
 */
export type ServerView = { 
/**
 * What the person calls it.
 */
name: string, 
/**
 * How to reach it.
 */
reach: ServerReach, 
/**
 * The same in one line: the command as typed, or the address.
 */
line: string, 
/**
 * Names of the secrets stored in the keyring.
 */
secrets: Array<string>, 
/**
 * Whether the person has signed in there in the browser.
 */
signed_in: boolean, 
/**
 * Whether Adjutant uses it.
 */
status: ServerStatus, 
/**
 * Whether it is connected now.
 */
running: boolean, 
/**
 * Why it could not be used last time, if so.
 */
problem: ServerProblem | null, 
/**
 * The server's own name; may be empty.
 */
title: string, 
/**
 * The server's version; may be empty.
 */
version: string, 
/**
 * The server's instructions for use; may be empty.
 */
instructions: string, 
/**
 * Whether it offers resources or prompts to attach.
 */
offers: boolean, 
/**
 * Its tools.
 */
tools: Array<ServerToolView>, 
/**
 * Number of tools that the person has yet to look at.
 */
to_look_at: number, };

/**
 * A setting with its value, default and meaning.
 */
export type SettingView = { 
/**
 * Key.
 */
key: string, 
/**
 * Value as text.
 */
value: string, 
/**
 * Default as text.
 */
default: string, 
/**
 * What it means.
 */
help: string, 
/**
 * Where the value comes from: `default`, `profile`, `environment` or `command line`.
 */
origin: string, 
/**
 * Allowed values, if there are only a few.
 */
choices: Array<string>, };

/**
 * One side of a comparison.
 */
export type SideView = { 
/**
 * Name of the model.
 */
model: string, 
/**
 * Summary of the reply: kind and domains of a route, tools of a plan, or kind of a reply.
 */
gist: JsonValue, };

/**
 * How the person signs in to an account.
 */
export type SignsIn = "here" | "browser";

/**
 * Comparison of a repeated research with its previous run.
 */
export type SinceBefore = { 
/**
 * Id of the previous run.
 */
id: string, 
/**
 * When the previous run started, RFC 3339.
 */
started: string, 
/**
 * Differences of this run's report from the previous one.
 */
compared: Compared, };

/**
 * A source of a report or lane.
 */
export type SourceRow = { 
/**
 * Number in the report, from 1; 0 for a source of a lane.
 */
number: number, 
/**
 * Address of the page.
 */
address: string, 
/**
 * Title of the page; foreign text.
 */
title: string, 
/**
 * SHA-256 of the page's snapshot, hexadecimal; empty for a source of a lane.
 */
sha256: string, 
/**
 * When the page was read, RFC 3339; empty for a source of a lane.
 */
at: string, 
/**
 * What it contributed.
 */
contribution: string, 
/**
 * When the page was read with a different text, RFC 3339; `null` if it never was.
 */
changed: string | null, };

/**
 * The place that a value comes from.
 */
export type SourceTarget = { 
/**
 * `task`, `event`, `note`, `memory`, `mail`, `outbox` or `contact` for a record; `message` or `step` for a place
 * in the conversation.
 */
kind: string, 
/**
 * Id of the record or turn, or key of the step.
 */
id: string, 
/**
 * Words to find there, for example an address.
 */
words?: string, };

/**
 * Origin of a shown value.
 */
export type SourceView = { 
/**
 * `person`, `data`, `address_book`, `step`, `derived`, `settings` or `found`.
 */
kind: string, 
/**
 * Details in words, for example what the person said or the mail the value was found in.
 */
detail: string | null, 
/**
 * The exact place, if it can be opened.
 */
target?: SourceTarget, };

/**
 * Durations of one stage of turns, in microseconds.
 */
export type StageView = { 
/**
 * Name: `route`, `plan`, `observe`, `run`, `commit`, `close`, `turn`.
 */
stage: string, 
/**
 * Number of measurements.
 */
count: number, 
/**
 * Median.
 */
p50_micros: number, 
/**
 * 95th percentile.
 */
p95_micros: number, 
/**
 * Maximum.
 */
max_micros: number, };

/**
 * Numbers for tray and badges.
 */
export type StatusView = { 
/**
 * Name of the profile.
 */
profile: string, 
/**
 * Folder of the profile.
 */
folder: string, 
/**
 * Number of actions that wait for approval.
 */
approvals: number, 
/**
 * The next event today or tomorrow, in words.
 */
next_event: string | null, 
/**
 * Reminders that fell due while Adjutant was not running, in words.
 */
missed: Array<string>, 
/**
 * Title of the long-running job at work, if any.
 */
working: string | null, 
/**
 * Whether the profile is still empty (first start).
 */
empty: boolean, 
/**
 * The person's name, if known.
 */
owner: string, 
/**
 * IANA time zone.
 */
zone: string, 
/**
 * How times are shown.
 */
clock: ClockFace, 
/**
 * Whether the day precedes the month in dates: `Tue 13 Jan` rather than `Tue Jan 13`.
 */
day_first: boolean, 
/**
 * Current time, RFC 3339.
 */
now: string, 
/**
 * Why nothing can be stored, if the profile was opened read-only.
 */
unwritable: Fault | null, };

/**
 * State of a step in a plan.
 */
export type StepStatus = "next" | "running" | "waiting" | "needs_answer" | "done" | "failed" | "left_out" | "blocked" | "cancelled" | "unknown";

/**
 * Results of one suite.
 */
export type SuiteScore = { 
/**
 * `route`, `when`, `confirm` or `requests`.
 */
suite: string, 
/**
 * Number of cases.
 */
cases: number, 
/**
 * Number of correct cases.
 */
right: number, 
/**
 * Share of correct cases, from 0 to 1.
 */
accuracy: number, 
/**
 * Median duration of a case, in microseconds.
 */
p50_micros: number, 
/**
 * 95th percentile of the duration of a case, in microseconds.
 */
p95_micros: number, 
/**
 * Further figures of the suite: `recall`, `false_yes`, `false_times`, `unasked`, `wrong`.
 */
figures: Array<Figure>, 
/**
 * The first incorrect cases.
 */
misses: Array<Miss>, };

/**
 * A task.
 */
export type TaskRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Title of the task.
 */
title: string, 
/**
 * Further text.
 */
notes: string, 
/**
 * When it is due: RFC 3339 with offset, or a date.
 */
due: string | null, 
/**
 * When to remind the person, RFC 3339.
 */
remind_at: string | null, 
/**
 * Priority of the task.
 */
priority: Priority, 
/**
 * Whether it is done.
 */
status: TaskStatus, 
/**
 * RFC 5545 recurrence rule, if it repeats.
 */
rrule: string | null, 
/**
 * The recurrence rule in words.
 */
repeats: string | null, 
/**
 * First day on which it needs attention.
 */
start: string | null, 
/**
 * Its labels.
 */
tags: Array<string>, 
/**
 * Position among the tasks of its day, from 1; `null` if the person has not ordered them.
 */
place: number | null, 
/**
 * When it was last completed, RFC 3339.
 */
completed_at: string | null, };

/**
 * Whether a task is done.
 */
export type TaskStatus = "open" | "done";

/**
 * A tool, as front ends list it.
 */
export type ToolView = { 
/**
 * Name.
 */
name: string, 
/**
 * What it does.
 */
description: string, 
/**
 * JSON schema of the arguments.
 */
schema: JsonValue, 
/**
 * Risk of a usual call.
 */
risk: Risk, };

/**
 * Topics of `show`.
 */
export type Topic = "tasks" | "events" | "notes" | "memories" | "past_memories" | "mail" | "thread" | "outbox" | "contacts" | "approvals" | "grants" | "questions" | "plans" | "conversations" | "archived_conversations" | "messages" | "jobs" | "research" | "activity" | "accounts" | "collections" | "egress" | "imports" | "usage";

/**
 * How far an effect can be undone.
 */
export type UndoState = "available" | "changed" | "used" | "partly" | "partly_changed";

/**
 * Tokens and cost of requests to models; zero for the embedded engine.
 */
export type Usage = { 
/**
 * Input tokens.
 */
input: number, 
/**
 * Output tokens.
 */
output: number, 
/**
 * Cost in micro-units of the person's currency.
 */
cost_micros: number, };

/**
 * What one model cost on one day, for one stage.
 */
export type UsageRow = { 
/**
 * Day in the person's time zone.
 */
day: string, 
/**
 * Stage: `route`, `plan`, `respond`, …
 */
stage: string, 
/**
 * Name of the model.
 */
model: string, 
/**
 * `foreground`, or `background` if nobody waited for it.
 */
purpose: string, 
/**
 * Number of calls.
 */
calls: number, 
/**
 * Number of these that failed or were lost when the process ended.
 */
failed: number, 
/**
 * Tokens sent.
 */
input: number, 
/**
 * Tokens received.
 */
output: number, 
/**
 * Cost in micro-units of the person's currency.
 */
cost_micros: number, 
/**
 * Amount reserved by running calls, in the same unit.
 */
reserved_micros: number, 
/**
 * Cost as people write it.
 */
cost: string, 
/**
 * ISO 4217 code of the currency.
 */
currency: string, };

/**
 * What an approved action waits for.
 */
export type WaitsFor = "hold" | "connection" | "sign_in";

/**
 * One event. On the wire: `{"event": "status", "turn": "turn_…", "seq": 3, "text": "…"}`.
 */
export type WireEvent = { 
/**
 * Id of the turn; empty for an event outside a turn.
 */
turn: string, 
/**
 * Sequence number; counts up within a conversation.
 */
seq: number, 
/**
 * Id of the conversation.
 */
conversation: string, } & ({ "event": "turn_started", 
/**
 * What the person said; empty for an approval or answer given by button.
 */
text: string, 
/**
 * Earlier turn that this one replaces, along with everything after it.
 */
instead_of?: string, } | { "event": "status", 
/**
 * Description for the person.
 */
text: string, } | { "event": "routed", 
/**
 * `chat`, `action` or `followup`.
 */
type: string, 
/**
 * Domains of the message.
 */
domains: Array<string>, 
/**
 * Whether the message refers to earlier ones in the conversation.
 */
is_followup: boolean, 
/**
 * Confidence from 0 to 1.
 */
confidence: number, 
/**
 * Who routed it: `embedded`, or the name of a model.
 */
by: string, } | { "event": "context", 
/**
 * The sections, one per part or source.
 */
sections: Array<Section>, } | { "event": "plan", 
/**
 * Id of the plan.
 */
id: string, 
/**
 * The person's request, restated.
 */
request: string, 
/**
 * Steps of the plan.
 */
steps: Array<PlanStep>, } | { "event": "tool_call", 
/**
 * Key of the step.
 */
step: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * Arguments of the call.
 */
args: JsonValue, } | { "event": "tool_result", 
/**
 * Key of the step.
 */
step: string, 
/**
 * Whether it succeeded.
 */
ok: boolean, 
/**
 * Output and words of the tool, if any.
 */
result?: JsonValue, 
/**
 * What it found, as rows. Absent if the step changed something or found nothing that is shown as rows.
 */
found?: Found, 
/**
 * What went wrong, on failure.
 */
error?: Fault, 
/**
 * Proof of its effect, if it had one.
 */
receipt?: JsonValue, 
/**
 * Milliseconds the step took, excluding the time it waited for the person. Absent if nothing was called.
 */
ms?: number, } | { "event": "approval_needed", 
/**
 * Id of the action.
 */
id: string, 
/**
 * Key of the step.
 */
step: string, 
/**
 * Digest that the person's approval must repeat.
 */
digest: string, 
/**
 * Name of the tool.
 */
tool: string, 
/**
 * Arguments of the call; for a batch, a list with those of each call.
 */
args: JsonValue, 
/**
 * The card.
 */
shown: CardView, 
/**
 * Highest risk among its calls.
 */
risk: Risk, 
/**
 * Where the arguments come from: JSON pointer to source.
 */
sources: JsonValue, } | { "event": "question", 
/**
 * Id of the question.
 */
id: string, 
/**
 * Key of the step.
 */
step: string, 
/**
 * The question.
 */
text: string, 
/**
 * Offered answers.
 */
choices?: Array<ChoiceView>, } | { "event": "token", 
/**
 * Text of the piece.
 */
text: string, 
/**
 * Whether the earlier pieces of the answer are void and it starts over with this one. Absent means false.
 */
restart?: boolean, } | { "event": "thinking", 
/**
 * Text of the piece.
 */
text: string, } | { "event": "done", 
/**
 * The answer, in Markdown.
 */
answer: string, 
/**
 * Outcome of each step.
 */
results: Array<ResultLine>, 
/**
 * Tools that actually ran.
 */
used_tools: Array<string>, 
/**
 * Memories that were used, by id.
 */
used_memories: Array<string>, 
/**
 * Tokens and cost of all requests to models.
 */
usage: Usage, 
/**
 * The turn's decision id.
 */
decision: string, 
/**
 * Duration in milliseconds.
 */
ms: number, 
/**
 * Why a model gave no answer although it was asked. `answer` then says so too, along with what can be said
 * without a model.
 */
fault?: Fault, 
/**
 * Requests the person may have meant, if Adjutant did not understand the message.
 */
near?: Array<string>, } | { "event": "waiting", 
/**
 * The part of the answer known so far.
 */
answer: string, 
/**
 * Ids of the actions that wait.
 */
approvals: Array<string>, 
/**
 * Ids of the questions that wait.
 */
questions: Array<string>, 
/**
 * Outcome of each step so far.
 */
results: Array<ResultLine>, } | { "event": "interrupted", 
/**
 * Outcome of the steps carried out before the stop.
 */
results: Array<ResultLine>, } | { "event": "error", 
/**
 * Stable code.
 */
code: string, 
/**
 * What happened.
 */
message: string, 
/**
 * What to do next.
 */
hint: string, } | { "event": "changed", 
/**
 * Topics whose rows changed.
 */
kinds: Array<string>, } | { "event": "progress", 
/**
 * Name of the file or folder being processed.
 */
what: string, 
/**
 * Amount done so far: bytes of a download, otherwise items.
 */
done: number, 
/**
 * Total amount, if known.
 */
total: number | null, 
/**
 * How a model download ended; no further progress follows. Absent while it runs, and always absent for
 * imports.
 */
ended?: Ended, } | { "event": "research_brain_initialized", 
/**
 * Id of the run.
 */
id: string, 
/**
 * What the run is to find out.
 */
objective: string, 
/**
 * Success criteria.
 */
success_criteria: Array<string>, 
/**
 * Version of the document's format.
 */
version: number, } | { "event": "research_brain_strategy", 
/**
 * Id of the run.
 */
id: string, 
/**
 * The strategy.
 */
strategy: string, } | { "event": "research_question_started", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Id of the question.
 */
question_id: string, 
/**
 * Short name of the question.
 */
name: string, 
/**
 * What the question should find out.
 */
goal: string, } | { "event": "research_question_search_completed", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Id of the question.
 */
question_id: string, 
/**
 * The query; always exactly one.
 */
queries: Array<string>, 
/**
 * Number of results.
 */
results: number, } | { "event": "research_question_reflection", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Id of the question.
 */
question_id: string, 
/**
 * The thought.
 */
thought: string, 
/**
 * `progress`, `no_change` or `dead_end`.
 */
delta: string, } | { "event": "research_question_completed", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Id of the question.
 */
question_id: string, 
/**
 * `low`, `medium` or `high`.
 */
confidence: string, 
/**
 * `promising`, `dead_end` or `needs_more`.
 */
recommendation: string, } | { "event": "research_synthesizing_started", 
/**
 * Id of the run.
 */
id: string, } | { "event": "research_complete", 
/**
 * Id of the run.
 */
id: string, 
/**
 * Number of questions in the run.
 */
total_research_questions: number, 
/**
 * Number of entries in the memories of all questions.
 */
total_memory: number, 
/**
 * `low`, `medium` or `high`.
 */
confidence: string, } | { "event": "research_doc_updated", 
/**
 * Id of the run.
 */
id: string, 
/**
 * New version of the document.
 */
version: number, } | { "event": "research_brain_update", 
/**
 * Id of the run.
 */
id: string, 
/**
 * The document, as JSON text.
 */
brain: string, } | { "event": "research_state", 
/**
 * Id of the run.
 */
id: string, 
/**
 * New state of the run.
 */
state: ResearchState, 
/**
 * Why it waits, is paused or failed.
 */
why: string | null, } | { "event": "reminder", 
/**
 * Id of the task.
 */
task: string, 
/**
 * Title of the task.
 */
title: string, 
/**
 * When it was due, in words: `11:15` or `yesterday, 18:00`.
 */
at: string, 
/**
 * The same instant, RFC 3339.
 */
due: string, 
/**
 * Whether it fell due while Adjutant was not running.
 */
missed: boolean, 
/**
 * Whether the receiver must show the notification. True only on a [`crate::Request::Notify`] request;
 * subscriptions get the event for information, and another front end shows it.
 */
show: boolean, });

