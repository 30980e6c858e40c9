// Generated from the Rust crate `adjutant-api` by `make gen`. Do not edit.

/**
 * One thing that is filled in of an account.
 */
export type AccountFieldView = { 
/**
 * Its name in requests and faults.
 */
name: string, 
/**
 * What people call it.
 */
label: string, 
/**
 * What is meant; may be empty.
 */
hint: string, 
/**
 * How it is filled in.
 */
form: FieldForm, 
/**
 * What can be chosen, the usual one first; empty where it is no choice.
 */
choices: Array<FieldChoice>, 
/**
 * Whether the account cannot be connected without it.
 */
required: boolean, };

/**
 * A kind of account that can be connected.
 */
export type AccountKindView = { 
/**
 * `ics`, `dav`, `imap`, …
 */
kind: string, 
/**
 * What people call it.
 */
label: string, 
/**
 * What it brings.
 */
about: string, 
/**
 * How the person signs in.
 */
signs_in: SignsIn, 
/**
 * What is filled in, in order.
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
 * When (RFC 3339).
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
 * The provider (`google`, `imap`, `caldav`, …); `local` for this computer.
 */
kind: string, 
/**
 * What the person calls it.
 */
label: string, 
/**
 * Mail addresses of the person at this account.
 */
addresses: Array<string>, 
/**
 * Whether it can be used.
 */
state: AccountState, 
/**
 * Fields of its kind that are no secret, with their values; empty for this computer.
 */
settings: { [key in string]: string }, 
/**
 * When it was read to its end last (RFC 3339); nothing where that was never so.
 */
read: string | null, 
/**
 * Why it could not be read since.
 */
problem: AccountProblem | null, 
/**
 * Whether it is being read.
 */
reading: boolean, 
/**
 * How far that is, where it is known.
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
 * Effect.
 */
id: string, 
/**
 * RFC 3339.
 */
at: string, 
/**
 * Tool.
 */
tool: string, 
/**
 * Arguments as they ran.
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
 * Proof.
 */
receipt: JsonValue | null, 
/**
 * How far it can be taken back; nothing where there is no way back.
 */
undo: UndoState | null, 
/**
 * Conversation.
 */
conversation: string, 
/**
 * Turn.
 */
turn: string, 
/**
 * The approval it used.
 */
approval: string | null, 
/**
 * The standing grant it ran by.
 */
grant: string | null, };

/**
 * What a person has agreed to, as it stood in the offer.
 */
export type AgreedTo = { 
/**
 * Size.
 */
bytes: number, 
/**
 * Licence.
 */
licence: string | null, 
/**
 * Checksum.
 */
sum: string | null, };

/**
 * How often a candidate led to the same at a stage.
 */
export type AgreementRow = { 
/**
 * The candidate.
 */
candidate: string, 
/**
 * What for: `route`, `plan` or `resume`.
 */
stage: string, 
/**
 * Comparisons.
 */
of: number, 
/**
 * Those that led to the same.
 */
same: number, };

/**
 * The short answer of a report.
 */
export type AnswerView = { 
/**
 * In a few words.
 */
text: string, 
/**
 * How it follows.
 */
because: string, 
/**
 * Numbers of the claims it rests on.
 */
claims: Array<number>, };

/**
 * What became of a direct manipulation.
 */
export type Applied = { "state": "done", 
/**
 * Effect, for undo; none for a read.
 */
effect: string | null, 
/**
 * What happened, in words.
 */
say: string, 
/**
 * What the tool gave: for rows `count`, `total`, `ids` and `items`; null where it gave nothing but words.
 */
output: JsonValue, } | { "state": "approval_needed", 
/**
 * Action.
 */
id: string, } | { "state": "question", 
/**
 * The question.
 */
text: string, } | { "state": "failed", 
/**
 * Why.
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
 * Tool.
 */
tool: string, 
/**
 * Arguments: those of the call, or a list for a batch.
 */
args: JsonValue, 
/**
 * The card.
 */
shown: CardView, 
/**
 * Class of risk.
 */
risk: Risk, 
/**
 * Where the arguments come from.
 */
sources: JsonValue, 
/**
 * RFC 3339.
 */
created: string, 
/**
 * RFC 3339.
 */
expires: string, 
/**
 * How it stands.
 */
state: ApprovalState, 
/**
 * Conversation.
 */
conversation: string, 
/**
 * Turn.
 */
turn: string, 
/**
 * Step.
 */
step: string, 
/**
 * The action that replaced it.
 */
superseded_by: string | null, 
/**
 * Whether text of others had reached the plan.
 */
tainted: boolean, 
/**
 * Events as they will be once it is approved, new ones and changed ones; for the calendar.
 */
proposed: Array<ProposedEvent>, 
/**
 * Why it is asked, in one line; empty for what an earlier version proposed.
 */
why: string, 
/**
 * Whether the usual rules would have let it run.
 */
needless: boolean, 
/**
 * What the person may allow until a date; none where it can only be allowed one at a time.
 */
grant: GrantOffer | null, 
/**
 * Account it acts for; `local` for this computer.
 */
account: string, 
/**
 * How many cards of this tool and account wait, where they are so many that they are shown as one.
 */
flood: number | null, };

/**
 * How an action that was shown for approval stands.
 */
export type ApprovalState = "pending" | "approved" | "executing" | "succeeded" | "failed" | "unknown" | "needs_person" | "denied" | "expired" | "superseded" | "cancelled";

/**
 * What of a server can be attached.
 */
export type Attachable = { "kind": "resource", 
/**
 * Its URI.
 */
uri: string, } | { "kind": "prompt", 
/**
 * Its name at the server.
 */
prompt: string, 
/**
 * Its arguments.
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
 * Bytes.
 */
size: number, 
/**
 * SHA-256, hexadecimal.
 */
sha256: string, };

/**
 * A call to a model: what the trace of a turn is made of.
 */
export type CallRow = { 
/**
 * Number.
 */
id: number, 
/**
 * RFC 3339.
 */
at: string, 
/**
 * The turn; none for background work and tests of a connection.
 */
turn: string | null, 
/**
 * What for.
 */
stage: string, 
/**
 * The tier that was asked for.
 */
tier: string, 
/**
 * `foreground` or `background`.
 */
purpose: string, 
/**
 * Which model.
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
 * What was reserved for it, in millionths of the currency.
 */
worst_micros: number, 
/**
 * What it cost, the same.
 */
cost_micros: number, 
/**
 * The provider did not say; tokens and cost are our estimate.
 */
estimated: boolean, 
/**
 * What it cost, as people write it.
 */
cost: string, 
/**
 * ISO 4217.
 */
currency: string, 
/**
 * Milliseconds to the first piece of the reply.
 */
first_ms: number | null, 
/**
 * Milliseconds altogether; none while it runs.
 */
ms: number | null, 
/**
 * Why it failed.
 */
fault: string | null, };

/**
 * An approval card.
 */
export type CardView = { 
/**
 * Verb and object.
 */
title: string, 
/**
 * Verb on the button.
 */
verb: string, 
/**
 * The picture beside the title.
 */
icon: Icon, 
/**
 * Account.
 */
account: string | null, 
/**
 * Notes at the head.
 */
notes: Array<NoteView>, 
/**
 * Facts.
 */
facts: Array<FactView>, 
/**
 * Every thing of a batch.
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
 * Whether and how it can be undone, in words.
 */
undo: string, 
/**
 * `yes`, `until_sent` (until the mail has left), `no`, or empty where it is not known here.
 */
undo_kind: string, 
/**
 * What the digest stands for.
 */
digest_line: string, };

/**
 * A claim that gives other numbers or dates than before.
 */
export type ChangedClaim = { 
/**
 * As it was.
 */
before: ClaimView, 
/**
 * As it is.
 */
after: ClaimView, };

/**
 * One line of `doctor`.
 */
export type Check = { 
/**
 * What was looked at.
 */
name: string, 
/**
 * `ok`, `optional` (Adjutant does without), `missing` or `broken`.
 */
state: string, 
/**
 * What was found.
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
 * What the person sees.
 */
label: string, 
/**
 * What tells it from the others where the label does not.
 */
detail?: string, 
/**
 * What is sent back.
 */
value: JsonValue, };

/**
 * A claim with its quote.
 */
export type ClaimView = { 
/**
 * Its number in the report, from 1; 0 for a finding of a lane.
 */
number: number, 
/**
 * What is claimed.
 */
text: string, 
/**
 * Words of the source, letter for letter.
 */
quote: string, 
/**
 * Address of the source.
 */
source: string, 
/**
 * Hash of the page as it was read.
 */
sha256: string, 
/**
 * What of the claim does not agree with the quote; none: all of it does.
 */
doubt: string | null, 
/**
 * Independent sources that say the same, this one counted.
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
 * Account it belongs to.
 */
account: string, 
/**
 * What it holds.
 */
kind: CollectionKind, 
/**
 * Its name.
 */
name: string, 
/**
 * Colour as `#rrggbb`.
 */
colour: string | null, 
/**
 * Whether the person may change what lies in it.
 */
writable: boolean, 
/**
 * New records of its kind go here.
 */
preferred: boolean, };

/**
 * What two reports say otherwise.
 */
export type Compared = { 
/**
 * Claims of the later one alone.
 */
new: Array<ClaimView>, 
/**
 * Claims of the earlier one alone.
 */
gone: Array<ClaimView>, 
/**
 * Claims of both that give other numbers or dates now.
 */
changed: Array<ChangedClaim>, 
/**
 * How many claims both have.
 */
same: number, };

/**
 * How a candidate compares with the live models.
 */
export type ComparisonsView = { 
/**
 * By candidate and stage.
 */
agreement: Array<AgreementRow>, 
/**
 * The latest in which the two did not lead to the same, newest first.
 */
differences: Array<DifferenceRow>, };

/**
 * A connection as a person writes it down.
 */
export type ConnectionDraft = { 
/**
 * What it is called; one of the same name is replaced.
 */
name: string, 
/**
 * As in [`KindView`].
 */
kind: string, 
/**
 * Where it is; empty takes the usual address.
 */
base_url: string, 
/**
 * Model by tier; one is enough.
 */
models: { [key in string]: ModelView }, 
/**
 * The model for vectors.
 */
embedding: string | null, 
/**
 * Headers a gateway asks for, all of them; values go to the keyring. An empty value leaves the one that is kept there.
 * No header at all leaves those of the connection as they are, unless `no_headers` is set.
 */
headers: { [key in string]: SecretText }, 
/**
 * Takes away the headers that are kept.
 */
no_headers?: boolean, 
/**
 * Its own proxy; empty takes the one of all. A password in it goes to the keyring; without one, that of the same
 * address stays.
 */
proxy: string, 
/**
 * The person allows its key and headers to go out unencrypted, to an http address in the world. Without that it is
 * refused with the code `unencrypted`.
 */
unencrypted?: boolean, };

/**
 * A connection to models as it is shown; keys are never in it.
 */
export type ConnectionView = { 
/**
 * What it is called.
 */
name: string, 
/**
 * As in [`KindView`].
 */
kind: string, 
/**
 * Where it is.
 */
base_url: string, 
/**
 * It has a key in the keyring.
 */
has_key: boolean, 
/**
 * Names of headers sent along; their values are in the keyring.
 */
headers: Array<string>, 
/**
 * Its own proxy, without a password; none takes the one of all.
 */
proxy?: string, 
/**
 * Its key and headers may go out unencrypted.
 */
unencrypted?: boolean, 
/**
 * The proxy has a password in the keyring.
 */
proxy_password?: boolean, 
/**
 * Model by tier: `fast`, `standard`, `deep`.
 */
models: { [key in string]: ModelView }, 
/**
 * The model for vectors.
 */
embedding: string | null, 
/**
 * It is on this computer: nothing leaves it.
 */
local: boolean, 
/**
 * It comes from the environment and is changed there.
 */
from_environment: boolean, 
/**
 * Why it cannot be used now, with what to do next.
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
 * `1984-04-15`, or `--04-15` where the year is not known; may be empty.
 */
birthday: string, 
/**
 * Further text.
 */
notes: string, };

/**
 * Two claims side by side.
 */
export type ContradictionView = { 
/**
 * Number of the one.
 */
one: number, 
/**
 * Number of the other.
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
 * RFC 3339.
 */
created: string, 
/**
 * RFC 3339.
 */
updated: string, 
/**
 * Number of messages.
 */
messages: number, 
/**
 * The person keeps it at the top.
 */
pinned: boolean, 
/**
 * The person put it away.
 */
archived: boolean, 
/**
 * Where words were looked for: a piece of the latest message that has them; none where only the title does.
 */
found?: string, };

/**
 * A finding of another run.
 */
export type Deeper = { 
/**
 * The run.
 */
id: string, 
/**
 * Number of the claim in its report, from 1.
 */
claim: number, };

/**
 * One difference. It holds what the replies came to, never words of the person.
 */
export type DifferenceRow = { 
/**
 * The turn.
 */
turn: string | null, 
/**
 * What for.
 */
stage: string, 
/**
 * The live model and what its reply came to.
 */
live: SideView, 
/**
 * The candidate and what its reply came to.
 */
candidate: SideView, };

/**
 * How the brain document became one version.
 */
export type DocumentChange = { 
/**
 * The version.
 */
version: number, 
/**
 * When, RFC 3339.
 */
at: string, 
/**
 * What is otherwise: JSON pointers with their new values.
 */
changes: JsonValue, 
/**
 * The same as a person reads it, in the order of the document; bookkeeping left out.
 */
lines: Array<DocumentLine>, };

/**
 * One thing that came into the brain document.
 */
export type DocumentLine = { 
/**
 * The question it belongs to; none where it belongs to all.
 */
question: string | null, 
/**
 * What it is.
 */
part: DocumentPart, 
/**
 * Its words; may be text of others.
 */
text: string, };

/**
 * Parts of the brain document.
 */
export type DocumentPart = "strategy" | "question" | "search" | "page" | "fault" | "reflection" | "answer" | "decision" | "report";

/**
 * Entries of a section that a model does not see, or sees shortened.
 */
export type DroppedView = { 
/**
 * How many.
 */
items: number, 
/**
 * Tokens that were saved by it.
 */
tokens: number, 
/**
 * Why: `over_budget`, `older`, `shortened`, …
 */
why: string, };

/**
 * A connection that was opened.
 */
export type EgressRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * RFC 3339.
 */
at: string, 
/**
 * To whom.
 */
host: string, 
/**
 * Why.
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
 * How something that took long ended.
 */
export type Ended = { 
/**
 * Why it failed, or that it was stopped; none where it was done.
 */
fault?: Fault, };

/**
 * Requests of one stage.
 */
export type EstimateRow = { 
/**
 * What for.
 */
stage: string, 
/**
 * `fast`, `standard` or `deep`.
 */
tier: string, 
/**
 * The model that is asked first.
 */
model: string, 
/**
 * How often at most.
 */
times: number, 
/**
 * Tokens sent each time, at most; of a run that is worked out from what was asked before, on average.
 */
input: number, 
/**
 * Tokens received each time, the same.
 */
output: number, 
/**
 * All of them, in millionths of the currency, with the dearest model that may answer.
 */
at_most_micros: number, };

/**
 * What requests to models could cost, told before anything is asked: a message at most (what it really costs is usually a
 * small part of it), a large run by what is to be sent.
 */
export type EstimateView = { 
/**
 * The requests of the dearest way the message could go, or of the run, in order; empty when nothing would be asked.
 */
requests: Array<EstimateRow>, 
/**
 * All of it, in millionths of the currency.
 */
at_most_micros: number, 
/**
 * The same as people write it.
 */
at_most: string, 
/**
 * ISO 4217: the setting `models.currency`.
 */
currency: string, 
/**
 * That prices are not known, and what is counted instead; none where all are.
 */
unpriced?: string, 
/**
 * A single request could cost more than `models.spend.call` allows; a cheaper model, or none, would answer then.
 */
over_call_limit: boolean, 
/**
 * Days of usage it is worked out from; none where it is not.
 */
days?: number, 
/**
 * For work that nobody waits for: what may be spent on all such work a day, in millionths of the currency. At it, the
 * work waits for the next day or is left out.
 */
day_limit_micros?: number, 
/**
 * The same as people write it.
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
 * RFC 3339 with offset, or a date for whole days.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, 
/**
 * IANA zone; empty for whole days.
 */
tz: string, 
/**
 * Whole days.
 */
all_day: boolean, 
/**
 * Where.
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
 * The same guests with what is known of them.
 */
guests: Array<GuestRow>, 
/**
 * Repetition.
 */
rrule: string | null, 
/**
 * The repetition in words.
 */
repeats: string | null, 
/**
 * Calendar.
 */
calendar: string, 
/**
 * For an instance: its original start.
 */
instance: string | null, 
/**
 * For a series that may have instances in the range which are not among the rows: why they are not known.
 */
unexpanded?: string, };

/**
 * How a message is read.
 */
export type Explained = { 
/**
 * `chat`, `action` or `followup`.
 */
type: string, 
/**
 * Domains.
 */
domains: Array<string>, 
/**
 * 0 to 1.
 */
confidence: number, 
/**
 * `plan`, `say` or `not_understood`.
 */
reading: string, 
/**
 * The request, restated, or the words that would be said.
 */
request: string, 
/**
 * Steps as planned, in the form of CONTRACTS.
 */
steps: Array<JsonValue>, 
/**
 * What each part was taken for.
 */
lines: Array<ExplainedLine>, 
/**
 * What asking models for it could cost at most; none while no model is connected.
 */
estimate?: EstimateView, };

/**
 * One part of a message and what it was taken for.
 */
export type ExplainedLine = { 
/**
 * The words.
 */
words: string, 
/**
 * Byte range in the message.
 */
span: [number, number] | null, 
/**
 * What it was taken for.
 */
what: string, 
/**
 * Its value.
 */
value: string, };

/**
 * One line of a card: what is, what will be, and where the value comes from.
 */
export type FactView = { 
/**
 * Label.
 */
label: string, 
/**
 * Value as it will be.
 */
value: string, 
/**
 * Value as it is.
 */
before: string | null, 
/**
 * Origin.
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
 * A file on its way here.
 */
export type FetchingView = { 
/**
 * Its name; progress events carry it too.
 */
file: string, 
/**
 * Bytes that are here.
 */
done: number, 
/**
 * Bytes in all.
 */
total: number, };

/**
 * One value that can be chosen.
 */
export type FieldChoice = { 
/**
 * Its name in requests.
 */
value: string, 
/**
 * What people call it.
 */
label: string, };

/**
 * How a field is filled in.
 */
export type FieldForm = "text" | "tick" | "choice" | "private_text" | "password";

/**
 * One more figure.
 */
export type Figure = { 
/**
 * Name.
 */
name: string, 
/**
 * A share (0 to 1) or a count.
 */
value: number, };

/**
 * Rows of one result.
 */
export type Found = { 
/**
 * Exactly what the answer says of this result: the rows stand in its place.
 */
say: string, 
/**
 * The sentence over the rows; empty where it would repeat the only row.
 */
head: string, 
/**
 * What the words say besides, such as a series whose dates are not known; usually empty.
 */
note: string, 
/**
 * How many fit; more than there are rows where the list was cut.
 */
total: number, 
/**
 * The rows, in the order of the answer; never none.
 */
rows: FoundRows, 
/**
 * What takes the time that was asked about, beside rows of free time.
 */
busy?: Array<FoundBusy>, };

/**
 * An event in the way of free time.
 */
export type FoundBusy = { 
/**
 * What it is called.
 */
summary: string, 
/**
 * RFC 3339, or a date.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, };

/**
 * A person of the address book.
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
 * How calls refer to it: the row, with its original start for one date of a series.
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
 * Whole days.
 */
all_day: boolean, 
/**
 * Where.
 */
location: string, 
/**
 * Names of guests, or their addresses where there is no name.
 */
people: Array<string>, 
/**
 * Calendar.
 */
calendar: string, 
/**
 * Whether it comes again.
 */
repeats: boolean, };

/**
 * A file among the results of an answer, in a folder the person allowed.
 */
export type FoundFile = { 
/**
 * Where it lies.
 */
path: string, 
/**
 * File name.
 */
name: string, 
/**
 * The folder of the person it lies in.
 */
folder: string, 
/**
 * Bytes.
 */
size: number, 
/**
 * Last changed, RFC 3339; none where the file system does not say.
 */
modified: string | null, };

/**
 * A mail among the results of an answer.
 */
export type FoundMail = { 
/**
 * Identifier; of the outbox where it has not left.
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
 * Names of recipients, or their addresses where there is no name.
 */
to: Array<string>, 
/**
 * `inbox`, `sent`, `archive`, `trash`, `junk`, or a state of the outbox.
 */
folder: string, 
/**
 * RFC 3339.
 */
date: string, 
/**
 * Whether it was unread when this was read.
 */
unread: boolean, 
/**
 * Number of attachments.
 */
attachments: number, 
/**
 * Whether it lies in the outbox.
 */
outgoing: boolean, };

/**
 * Something remembered.
 */
export type FoundMemory = { 
/**
 * Identifier.
 */
id: string, 
/**
 * What it is about.
 */
key: string, 
/**
 * The fact.
 */
value: string, };

/**
 * A model a server has.
 */
export type FoundModelView = { 
/**
 * Its name.
 */
id: string, 
/**
 * The window, in tokens, if the server says.
 */
context_tokens: number | null, 
/**
 * It makes vectors and does not talk.
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
 * Its first words.
 */
preview: string, 
/**
 * Last changed, RFC 3339.
 */
updated: string, };

/**
 * The rows, by what they are.
 */
export type FoundRows = { "kind": "tasks", "list": Array<FoundTask> } | { "kind": "events", "list": Array<FoundEvent> } | { "kind": "mail", "list": Array<FoundMail> } | { "kind": "notes", "list": Array<FoundNote> } | { "kind": "contacts", "list": Array<FoundContact> } | { "kind": "memories", "list": Array<FoundMemory> } | { "kind": "files", "list": Array<FoundFile> } | { "kind": "free", "list": Array<FoundTime> };

/**
 * A server found on this computer.
 */
export type FoundServerView = { 
/**
 * What it is.
 */
label: string, 
/**
 * As in [`KindView`].
 */
kind: string, 
/**
 * Where it is.
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
 * What to do.
 */
title: string, 
/**
 * RFC 3339 with offset, or a date.
 */
due: string | null, 
/**
 * How much it matters.
 */
priority: Priority, 
/**
 * Whether it was done when this was read.
 */
status: TaskStatus, 
/**
 * Whether it comes again.
 */
repeats: boolean, };

/**
 * A stretch of time.
 */
export type FoundTime = { 
/**
 * RFC 3339.
 */
start: string, 
/**
 * End, exclusive.
 */
end: string, 
/**
 * How long.
 */
minutes: number, };

/**
 * An answer that is no part of a conversation.
 */
export type Glance = { 
/**
 * In words.
 */
say: string, 
/**
 * What was found, as rows.
 */
found?: Found, };

/**
 * What a standing grant on a card would cover.
 */
export type GrantOffer = { 
/**
 * Tool.
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
 * Tool.
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
 * When it was given, RFC 3339.
 */
created: string, 
/**
 * It does not hold from then on, RFC 3339.
 */
expires: string, 
/**
 * How often it was used.
 */
uses: number, 
/**
 * When it was used last, RFC 3339.
 */
last_used: string | null, 
/**
 * `holds`, `expired`, `revoked`, `tool_changed` or `tool_gone`.
 */
state: GrantState, 
/**
 * The card it was given on.
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
 * What they said: `accepted`, `declined`, `tentative`, `needs-action`; may be empty or something else.
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
 * Record.
 */
id: string, 
/**
 * Title.
 */
title: string, 
/**
 * Piece of text around the words.
 */
snippet: string, };

/**
 * A result of a search; text of others.
 */
export type HitView = { 
/**
 * Where it stands.
 */
address: string, 
/**
 * Its title.
 */
title: string, 
/**
 * A piece of it.
 */
snippet: string, };

/**
 * What the picture on a card shows.
 */
export type Icon = "usual" | "archive" | "delete" | "event" | "mail" | "send";

/**
 * Counts of one topic.
 */
export type ImportCount = { 
/**
 * Topic (`events`, `mail`, …).
 */
topic: string, 
/**
 * New.
 */
added: number, 
/**
 * Changed.
 */
changed: number, 
/**
 * There already.
 */
same: number, };

/**
 * The result of an import.
 */
export type ImportReport = { 
/**
 * Counts by topic.
 */
counts: Array<ImportCount>, 
/**
 * Everything that was refused, by name, with the reason.
 */
rejected: Array<Rejected>, };

/**
 * A file or folder that was read in.
 */
export type ImportRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * RFC 3339.
 */
at: string, 
/**
 * Its name, without the way to it.
 */
file: string, 
/**
 * What became of its rows, by topic.
 */
counts: Array<ImportCount>, 
/**
 * Items that could not be read.
 */
refused: number, };

/**
 * One thing of a batch.
 */
export type ItemView = { 
/**
 * Record.
 */
id: string, 
/**
 * Name.
 */
label: string, 
/**
 * Details.
 */
detail: string | null, 
/**
 * Notes about this one alone.
 */
notes?: Array<NoteView>, 
/**
 * Facts of its call, where the card is for several calls.
 */
facts?: Array<FactView>, 
/**
 * The text of its call, unabridged.
 */
body?: string, 
/**
 * Files attached to its call.
 */
attachments?: Array<AttachmentView>, };

/**
 * What a job does.
 */
export type JobKind = "reminder" | "send" | "expire" | "compare" | "fetch_model" | "tidy" | "check" | "sync" | "research" | "documents";

/**
 * Something that is due later, or takes long.
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
 * The record or action it is about.
 */
subject: string, 
/**
 * What.
 */
title: string, 
/**
 * The instant it was planned for, RFC 3339.
 */
at: string, 
/**
 * When it runs next, RFC 3339; nothing once it is over.
 */
next: string | null, 
/**
 * How far it is.
 */
state: JobState, 
/**
 * How often it was begun.
 */
attempts: number, 
/**
 * Its time passed while nothing ran.
 */
late: boolean, 
/**
 * Why it is paused, skipped, failed or tried again, as a sentence.
 */
why: string | null, 
/**
 * Bytes of it that are done, where that can be told.
 */
done: number | null, 
/**
 * Bytes it may take at most.
 */
budget: number | null, 
/**
 * How often it is done; nothing for what is done once.
 */
repeats: Repeats | null, 
/**
 * What becomes of it when its time passes while nothing runs: `once`, `skip` or `each`.
 */
catch_up: string, 
/**
 * Whether it can be stopped.
 */
stoppable: boolean, };

/**
 * How far a job is.
 */
export type JobState = "waiting" | "running" | "paused" | "done" | "skipped" | "failed" | "stopped";

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/**
 * A kind of provider.
 */
export type KindView = { 
/**
 * `ollama`, `compatible`, `open_ai`, `anthropic` or `gemini`; `file` for a model file, where those can be run.
 */
kind: string, 
/**
 * Name for people.
 */
label: string, 
/**
 * Its usual address; empty where only the person knows.
 */
base_url: string, };

/**
 * A model that is known by name.
 */
export type KnownModelView = { 
/**
 * What it is asked for by.
 */
name: string, 
/**
 * Its name for people.
 */
title: string, 
/**
 * Who made it.
 */
by: string, 
/**
 * What it is good for.
 */
good_for: string, 
/**
 * Its licence, an SPDX name.
 */
licence: string, 
/**
 * Where one reads about it.
 */
page: string, 
/**
 * Who has the file.
 */
host: string, 
/**
 * Where it is on this computer, once it was fetched.
 */
path: string | null, };

/**
 * What a researcher came to.
 */
export type LaneDocument = { 
/**
 * The answer.
 */
answer: string, 
/**
 * The main findings.
 */
findings: Array<ClaimView>, 
/**
 * Sources and what each contributed.
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
 * One thing a researcher did.
 */
export type LaneStep = { "step": "search", 
/**
 * For this.
 */
query: string, } | { "step": "result", 
/**
 * Best first; text of others.
 */
hits: Array<HitView>, 
/**
 * Why there is nothing.
 */
fault: string | null, } | { "step": "page", 
/**
 * Its address.
 */
address: string, 
/**
 * Its title; text of others.
 */
title: string, 
/**
 * Hash of its text, by which [`ResearchAct::Page`] gives it.
 */
sha256: string, 
/**
 * When it was read, RFC 3339.
 */
at: string, } | { "step": "closed", 
/**
 * Its address.
 */
address: string, 
/**
 * Why.
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
 * One question and its researcher.
 */
export type LaneView = { 
/**
 * `q1`, `q2` and so on.
 */
id: string, 
/**
 * The round it belongs to, from 1.
 */
round: number, 
/**
 * A short name.
 */
name: string, 
/**
 * The question.
 */
question: string, 
/**
 * What is looked for.
 */
goal: string, 
/**
 * `pending`, `running` or `done`.
 */
state: string, 
/**
 * What its researcher is at: `choosing`, `searching`, `opening`, `reflecting`, `documenting` or `done`.
 */
phase: string, 
/**
 * What its researcher did, the first first.
 */
steps: Array<LaneStep>, 
/**
 * What it came to.
 */
document: LaneDocument | null, };

/**
 * What takes a person off a list.
 */
export type LeavingBy = "request" | "mail" | "page";

/**
 * How the list a mail came by can be left.
 */
export type LeavingView = { 
/**
 * What does it.
 */
by: LeavingBy, 
/**
 * Where that leads: a host, or the address of a mail.
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
 * Bytes.
 */
size: number, };

/**
 * Where a mail lies.
 */
export type MailFolder = "inbox" | "sent" | "archive" | "trash" | "junk";

/**
 * An image that lies on another computer.
 */
export type MailImageView = { 
/**
 * The computer it lies on.
 */
host: string, 
/**
 * Nobody would see it: it is there to tell its sender that the mail was read. It is never fetched.
 */
tracker: boolean, 
/**
 * The image as a `data:` address, where it was fetched.
 */
data: string | null, };

/**
 * The HTML of a mail, made harmless: it runs, loads and sends nothing.
 */
export type MailPageView = { 
/**
 * HTML. Styles stand in `data-style`; an image of another computer has its number in `data-image`.
 */
html: string, 
/**
 * Whether it has colours of its own, which are chosen for white paper.
 */
coloured: boolean, 
/**
 * Images of other computers, by number.
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
 * Where it lies.
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
 * RFC 3339.
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
 * The beginning of its text, on one line; quotations left out.
 */
excerpt: string, 
/**
 * Mails of one list with the same word here belong to one thread. It is no identifier: another list may have another.
 */
thread: string, 
/**
 * Plain text; only when one mail or one thread is asked for.
 */
text: string | null, 
/**
 * Only the beginning is here: why the rest was not got, where the mail alone was asked for; empty where nobody tried.
 */
in_part?: string, 
/**
 * Who writes, by the head of the mail; only where unread mail is asked for.
 */
writer: MailWriter | null, };

/**
 * Who writes a mail, as far as its head tells.
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
 * Kind of fact.
 */
category: string, 
/**
 * What it is about.
 */
key: string, 
/**
 * The fact.
 */
value: string, 
/**
 * The fact as a sentence, in the person's words where they are kept.
 */
statement: string, 
/**
 * Where it comes from.
 */
source: MemorySource, 
/**
 * The exact words, or the place it was read.
 */
origin: string, 
/**
 * 0 to 1.
 */
confidence: number, 
/**
 * RFC 3339.
 */
valid_from: string, 
/**
 * RFC 3339.
 */
valid_to: string | null, 
/**
 * How often it was used.
 */
uses: number, 
/**
 * When it was last used, RFC 3339.
 */
last_used: string | null, };

/**
 * Where a memory comes from.
 */
export type MemorySource = "said" | "inferred" | "read";

/**
 * A turn that used a memory.
 */
export type MemoryUse = { 
/**
 * Turn.
 */
turn: string, 
/**
 * Conversation.
 */
conversation: string, 
/**
 * Its title.
 */
title: string, 
/**
 * What the person said; empty for a button.
 */
text: string, 
/**
 * When, RFC 3339.
 */
at: string, };

/**
 * A message.
 */
export type MessageRow = { 
/**
 * Turn.
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
 * RFC 3339.
 */
at: string, };

/**
 * A case that came out wrong.
 */
export type Miss = { 
/**
 * The case.
 */
id: string, 
/**
 * What was said.
 */
text: string, 
/**
 * What should have come out.
 */
expected: string, 
/**
 * What came out.
 */
got: string, };

/**
 * One thing that was tried.
 */
export type ModelCheck = { 
/**
 * `chat`, `stream`, `tools`, `structure` or `embeddings`.
 */
what: string, 
/**
 * `works`, `missing` (Adjutant does without), `failed` or `not_tried`.
 */
verdict: string, 
/**
 * Why, with what to do next; empty when it works.
 */
say: string, };

/**
 * A model file on this computer.
 */
export type ModelFileView = { 
/**
 * Where it is.
 */
path: string, 
/**
 * It was compared with a checksum.
 */
checked: boolean, };

/**
 * Models that can be fetched to this computer.
 */
export type ModelFilesView = { 
/**
 * Why no model file can be run here, with what to do instead; none where they can.
 */
unable: string | null, 
/**
 * Where fetched files are kept.
 */
folder: string, 
/**
 * Models that are known by name, smallest first.
 */
known: Array<KnownModelView>, 
/**
 * What is being fetched now.
 */
fetching: FetchingView | null, };

/**
 * What is known of a file before it is fetched: what a person agrees to.
 */
export type ModelOfferView = { 
/**
 * Its name for people.
 */
title: string, 
/**
 * The name of the file.
 */
file: string, 
/**
 * Who has it.
 */
host: string, 
/**
 * How large it is, as the server tells.
 */
bytes: number, 
/**
 * Bytes that are here from before.
 */
have: number, 
/**
 * Its licence; none where it is not known here.
 */
licence: string | null, 
/**
 * Where one reads about it.
 */
page: string | null, 
/**
 * The SHA-256 it will be compared with; none where nobody told one.
 */
sum: string | null, 
/**
 * Who told that: `server`, `person` or `nobody`.
 */
sum_from: string, 
/**
 * Where it will be, or is.
 */
path: string, 
/**
 * It is here already.
 */
here: boolean, };

/**
 * How a test went.
 */
export type ModelTestView = { 
/**
 * Which model answered.
 */
model: string, 
/**
 * What was tried, in this order: `chat`, `stream`, `tools`, `structure`, `embeddings`.
 */
checks: Array<ModelCheck>, 
/**
 * Milliseconds to the first piece of a reply.
 */
first_ms: number | null, 
/**
 * Output tokens a second.
 */
tokens_per_second: number | null, 
/**
 * What the test cost, micro-units of the person's currency.
 */
cost_micros: number, };

/**
 * One model of a connection.
 */
export type ModelView = { 
/**
 * Its name at the provider.
 */
id: string, 
/**
 * Input and output together, in tokens; 0 for unknown.
 */
context_tokens: number, 
/**
 * It calls tools.
 */
tools: boolean, 
/**
 * It can be held to a schema.
 */
structure: boolean, 
/**
 * It costs nothing although it is in the world: the person said so. Then no price counts.
 */
free?: boolean, 
/**
 * Micro-units of the person's currency for a million input tokens; 0 for unknown.
 */
input_micros_per_million: number, 
/**
 * The same for output tokens.
 */
output_micros_per_million: number, };

/**
 * Models of a profile.
 */
export type ModelsView = { 
/**
 * What is connected, in the order in which it is tried.
 */
connections: Array<ConnectionView>, 
/**
 * Kinds of providers a connection can be made to.
 */
kinds: Array<KindView>, 
/**
 * Who answers a usual request now; none while nothing can be asked.
 */
answering: string | null, 
/**
 * Nothing but this computer may be reached.
 */
offline: boolean, 
/**
 * What a change could not do, for the person: a secret may have stayed in the keyring.
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
 * Markdown.
 */
body: string, 
/**
 * Labels.
 */
tags: Array<string>, 
/**
 * First written, RFC 3339.
 */
created: string, 
/**
 * Last changed, RFC 3339.
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
 * Text.
 */
text: string, };

/**
 * Which mails, events and tasks, besides words and dates.
 */
export type Only = { 
/**
 * Mail that lies here.
 */
folder?: MailFolder, 
/**
 * Mail that was not read.
 */
unread?: boolean, 
/**
 * Mail from or to one of these addresses, events with one of them among the guests.
 */
people?: Array<string>, 
/**
 * Tasks that are done, or that are not; without it both. The range of time is when they were done then, and when they
 * are due otherwise.
 */
done?: boolean, };

/**
 * What shall become of a mail on its way out.
 */
export type OutboxAct = "send_now" | "check_again" | "to_draft";

/**
 * A draft or outgoing mail, or something else that is approved and waits.
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
 * Message-ID this answers.
 */
in_reply_to?: string, 
/**
 * Message-ID this forwards.
 */
forward_of?: string, 
/**
 * Where it is.
 */
state: OutboxState, 
/**
 * When a held mail leaves, RFC 3339.
 */
not_before: string | null, 
/**
 * Why an approved action is not carried out yet; its identifier is this row's then.
 */
waits?: OutboxWait, 
/**
 * Last changed, RFC 3339.
 */
updated: string, };

/**
 * Where a mail on its way out is.
 */
export type OutboxState = "draft" | "held" | "queued" | "sent" | "failed" | "unknown";

/**
 * Why something approved waits, and until when.
 */
export type OutboxWait = { 
/**
 * For what it waits.
 */
why: WaitsFor, 
/**
 * When that ends, RFC 3339: the end of the hold; without a connection, when it is given up.
 */
until: string, };

/**
 * How a page stands now, beside the stored copy.
 */
export type PageCheck = { 
/**
 * When it was read again, RFC 3339.
 */
at: string, 
/**
 * Whether its text is the stored one, letter for letter.
 */
is_same: boolean, 
/**
 * Quotes of the report that do not stand in it any more.
 */
gone: Array<string>, };

/**
 * A change to a plan that waits.
 */
export type PlanChange = { "change": "leave_out", 
/**
 * Which.
 */
step: string, } | { "change": "move", 
/**
 * Which.
 */
step: string, 
/**
 * The step it comes before; none: it comes last.
 */
before?: string, };

/**
 * The plan of a turn, with where it stands.
 */
export type PlanRow = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Turn.
 */
turn: string, 
/**
 * Conversation.
 */
conversation: string, 
/**
 * The request, restated.
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
 * RFC 3339.
 */
at: string, };

/**
 * One step of a plan as it is shown, with how far it is.
 */
export type PlanStep = { 
/**
 * Key.
 */
key: string, 
/**
 * What happens.
 */
say: string, 
/**
 * Why.
 */
why: string, 
/**
 * Tool.
 */
tool: string, 
/**
 * How it stands.
 */
status: StepStatus, };

/**
 * How much a task matters.
 */
export type Priority = "low" | "medium" | "high";

/**
 * What is asked for other programs.
 */
export type ProgramAct = { "act": "tools", } | { "act": "call", 
/**
 * What the program calls itself.
 */
program: string, 
/**
 * One of the tools that are offered.
 */
tool: string, 
/**
 * Arguments.
 */
args: JsonValue, } | { "act": "token", 
/**
 * Make a new one; the one before is void.
 */
renew: boolean, } | { "act": "admit", 
/**
 * SHA-256 of the token, hexadecimal.
 */
sha256: string, };

/**
 * A proposal of a program.
 */
export type ProgramAction = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Tool.
 */
tool: string, 
/**
 * `pending`, `approved`, `succeeded`, `denied`, … as in Approvals.
 */
state: string, 
/**
 * What that means, in words.
 */
say: string, 
/**
 * When it was proposed, RFC 3339.
 */
created: string, 
/**
 * Until when it can be approved, RFC 3339.
 */
expires: string, };

/**
 * What became of a program's call.
 */
export type ProgramAnswer = { "answered": "read", 
/**
 * In words.
 */
say: string, 
/**
 * The same, typed.
 */
output: JsonValue, 
/**
 * Whether text of others is in it.
 */
foreign: boolean, } | { "answered": "waits", 
/**
 * The action.
 */
action: ProgramAction, 
/**
 * The same was proposed before and waits already: nothing was added.
 */
already: boolean, } | { "answered": "actions", 
/**
 * The actions.
 */
actions: Array<ProgramAction>, };

/**
 * One tool that a program may call.
 */
export type ProgramTool = { 
/**
 * Name, for example `calendar.create`.
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
 * Whether it only reads. Every other call is a proposal.
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
 * What is meant.
 */
description: string, 
/**
 * Whether it is needed.
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
 * Its arguments, those that are needed first.
 */
args: Array<PromptArg>, };

/**
 * An event as it will be once an action is approved.
 */
export type ProposedEvent = { 
/**
 * Row that changes; none for a new event.
 */
id: string | null, 
/**
 * iCalendar UID; shared by the instances of a series.
 */
uid: string, 
/**
 * Of a series: the original start of the one instance that is meant.
 */
instance: string | null, 
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
 * Whole days.
 */
all_day: boolean, };

/**
 * How often the person was asked about one tool, and what they made of it.
 */
export type QuestionsRow = { 
/**
 * Tool.
 */
id: string, 
/**
 * Cards that were shown.
 */
asked: number, 
/**
 * Approved.
 */
approved: number, 
/**
 * Of them approved as they were first shown and carried out within ten seconds: a question nobody needed to think
 * about.
 */
at_once: number, 
/**
 * Rejected.
 */
rejected: number, 
/**
 * Edited, or shown anew because something had changed.
 */
changed: number, 
/**
 * Ran out unanswered.
 */
expired: number, 
/**
 * Asked although the usual rules would have let it run: shown before, or because the person wants to be asked.
 */
needless: number, };

/**
 * How far the reading of an account is.
 */
export type ReadingProgress = { 
/**
 * Records that were read.
 */
done: number, 
/**
 * Records to read, as far as is known.
 */
total: number, };

/**
 * One refused item.
 */
export type Rejected = { 
/**
 * File.
 */
file: string, 
/**
 * Which item: line, UID, subject.
 */
item: string, 
/**
 * Why.
 */
reason: string, };

/**
 * Messages routed with about the same confidence.
 */
export type ReliabilityRow = { 
/**
 * Lowest confidence of the row.
 */
from: number, 
/**
 * Highest confidence of the row.
 */
to: number, 
/**
 * Messages.
 */
cases: number, 
/**
 * Their mean confidence.
 */
confidence: number, 
/**
 * The share that was right.
 */
right: number, };

/**
 * A rule that something may repeat by.
 */
export type RepeatView = { 
/**
 * RFC 5545, without `RRULE:`.
 */
rule: string, 
/**
 * As people say it.
 */
say: string, };

/**
 * How often a job is done.
 */
export type Repeats = { "every": "day", 
/**
 * At this time of day, `12:30`.
 */
at: string, } | { "every": "week", 
/**
 * Day of the week: Monday is 1, Sunday 7.
 */
day: number, 
/**
 * At this time of day, `09:00`.
 */
at: string, } | { "every": "hours", 
/**
 * How many.
 */
hours: number, } | { "every": "minutes", 
/**
 * How many.
 */
minutes: number, };

/**
 * The reply to a request.
 */
export type Reply = { "reply": "turn", 
/**
 * Turn.
 */
turn: string, 
/**
 * Conversation.
 */
conversation: string, 
/**
 * Number of the first event of this request; earlier ones of the same turn are older.
 */
seq: number, } | { "reply": "ok", } | { "reply": "rows", 
/**
 * Rows of the topic asked for.
 */
rows: Rows, 
/**
 * How many there are, whatever part of them was asked for; nothing where that was not counted.
 */
total?: number, } | { "reply": "applied", 
/**
 * What happened.
 */
outcome: Applied, } | { "reply": "uses", 
/**
 * Newest first.
 */
uses: Array<MemoryUse>, 
/**
 * Whether all conversations were looked through to their beginning.
 */
whole: boolean, } | { "reply": "repeats", 
/**
 * Rules with their words; empty where the last day comes before the first.
 */
rules: Array<RepeatView>, } | { "reply": "research", 
/**
 * It.
 */
found: ResearchAnswer, } | { "reply": "account_kinds", 
/**
 * In the order in which they are offered.
 */
kinds: Array<AccountKindView>, } | { "reply": "mail_page", 
/**
 * The page; none where the mail has text alone, or more HTML than is shown.
 */
page: MailPageView | null, 
/**
 * How to leave the list it came by; none where it names none.
 */
leaving: LeavingView | null, } | { "reply": "sign_in", 
/**
 * Its name, for [`crate::Request::AddAccount`] and [`crate::Request::ChangeAccount`].
 */
id: string, 
/**
 * The page at the provider, for the system browser.
 */
address: string, } | { "reply": "hits", 
/**
 * Hits.
 */
hits: Array<Hit>, } | { "reply": "explained", 
/**
 * The reading.
 */
reading: Explained, } | { "reply": "glanced", 
/**
 * The answer; none where it asks for something else.
 */
glance?: Glance, } | { "reply": "estimated", 
/**
 * The requests and their price.
 */
estimate: EstimateView, } | { "reply": "routed_by_model", 
/**
 * The route.
 */
routed: RoutedByModel, } | { "reply": "imported", 
/**
 * Counts and rejected items.
 */
report: ImportReport, } | { "reply": "exported", 
/**
 * Where.
 */
dir: string, 
/**
 * Files written.
 */
files: Array<string>, } | { "reply": "tools", 
/**
 * Name, description, schema, risk.
 */
tools: Array<ToolView>, } | { "reply": "config", 
/**
 * Settings asked for.
 */
settings: Array<SettingView>, } | { "reply": "doctor", 
/**
 * One line a check.
 */
checks: Array<Check>, } | { "reply": "program_tools", 
/**
 * The tools.
 */
tools: Array<ProgramTool>, } | { "reply": "program_answered", 
/**
 * The answer.
 */
answer: ProgramAnswer, } | { "reply": "program_token", 
/**
 * The token, only in the reply to the request that made it.
 */
token?: SecretText, } | { "reply": "due_done", 
/**
 * In words.
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
 * By name; empty before the first turn.
 */
stages: Array<StageView>, } | { "reply": "models", 
/**
 * What is connected.
 */
models: ModelsView, } | { "reply": "found_models", 
/**
 * Servers; empty when none answers.
 */
servers: Array<FoundServerView>, } | { "reply": "model_list", 
/**
 * Models.
 */
models: Array<FoundModelView>, } | { "reply": "model_files", 
/**
 * What can be fetched.
 */
files: ModelFilesView, } | { "reply": "model_offer", 
/**
 * To be agreed to.
 */
offer: ModelOfferView, } | { "reply": "model_file", 
/**
 * It.
 */
file: ModelFileView, } | { "reply": "comparisons", 
/**
 * Agreement and differences.
 */
comparisons: ComparisonsView, } | { "reply": "model_test", 
/**
 * The report.
 */
test: ModelTestView, } | { "reply": "servers", 
/**
 * Those that were asked about; all of them where none was named.
 */
servers: Array<ServerView>, 
/**
 * What a request could not do, for the person.
 */
note?: string, } | { "reply": "server_tried", 
/**
 * What came of it.
 */
report: ServerReport, } | { "reply": "server_offers", 
/**
 * Resources and prompts.
 */
offers: ServerOffers, } | { "reply": "attached", 
/**
 * The note.
 */
note: string, 
/**
 * Its title.
 */
title: string, 
/**
 * What is in it; text of others.
 */
text: string, } | { "reply": "profile", 
/**
 * Its name.
 */
name: string, };

/**
 * A report.
 */
export type ReportView = { 
/**
 * The short answer.
 */
answer: AnswerView | null, 
/**
 * What was found, in a few paragraphs.
 */
summary: string, 
/**
 * Claims, the most important first.
 */
claims: Array<ClaimView>, 
/**
 * Every page a claim cites.
 */
sources: Array<SourceRow>, 
/**
 * Claims that do not go together: their numbers, and what they disagree about.
 */
contradictions: Array<ContradictionView>, 
/**
 * What stays open, what went wrong, and what was cut.
 */
limitations: Array<string>, 
/**
 * `low`, `medium` or `high`.
 */
confidence: string, 
/**
 * `embedded`: put together from sentences of the sources, without a model. `model`: written by one, and checked.
 */
written_by: string, 
/**
 * Why it ended early: `write_now`, `rounds`, `time`, `credits` or `day_credits`.
 */
cut: string | null, 
/**
 * Claims that were dropped because their quote stood in no page that was read.
 */
dropped: number, };

/**
 * One request. On the wire: `{"op": "ask", "conversation": "main", "text": "…"}`.
 */
export type Request = { "op": "ask", 
/**
 * Conversation; created when new.
 */
conversation: string, 
/**
 * What the person says.
 */
text: string, 
/**
 * How capable a model is asked for it, where one is asked: `fast`, `standard` or `deep`; as each stage needs it
 * where nothing is said.
 */
tier?: string, } | { "op": "retry", 
/**
 * Turn.
 */
turn: string, 
/**
 * The other words.
 */
text?: string, 
/**
 * As in [`Request::Ask`].
 */
tier?: string, } | { "op": "repeats", 
/**
 * When it begins: RFC 3339 with a zone in brackets, or a date.
 */
start: string, 
/**
 * The rule it has now.
 */
rule: string | null, 
/**
 * The last day, where it ends; none: as the rule has it.
 */
last: string | null, } | { "op": "answer", 
/**
 * The question's id.
 */
id: string, 
/**
 * A choice's value, or typed text.
 */
value: JsonValue, } | { "op": "approve", 
/**
 * Action.
 */
id: string, 
/**
 * Digest of what was shown.
 */
digest: string, } | { "op": "grant", 
/**
 * Action.
 */
id: string, 
/**
 * Digest of what was shown.
 */
digest: string, 
/**
 * RFC 3339 or a date: the first instant at which it does not hold any more.
 */
until: string, } | { "op": "revoke_grant", 
/**
 * Grant.
 */
id: string, } | { "op": "restore_grant", 
/**
 * Grant.
 */
id: string, } | { "op": "reject", 
/**
 * Action.
 */
id: string, } | { "op": "edit", 
/**
 * Action.
 */
id: string, 
/**
 * The arguments, complete.
 */
args: JsonValue, 
/**
 * Which of its calls, from 0; needed where the card holds several.
 */
call?: number, } | { "op": "edit_plan", 
/**
 * The turn whose plan it is.
 */
turn: string, 
/**
 * What changes.
 */
change: PlanChange, } | { "op": "ask_again", 
/**
 * Action.
 */
id: string, } | { "op": "interrupt", 
/**
 * Turn.
 */
turn: string | null, 
/**
 * Conversation.
 */
conversation: string | null, } | { "op": "undo", 
/**
 * Effect.
 */
id: string, } | { "op": "apply", 
/**
 * Tool.
 */
tool: string, 
/**
 * Arguments.
 */
args: JsonValue, } | { "op": "notify", } | { "op": "outbox", 
/**
 * Mail.
 */
id: string, 
/**
 * What shall become of it.
 */
act: OutboxAct, } | { "op": "use_memory", 
/**
 * Memory.
 */
id: string, 
/**
 * Whether it is used from now on.
 */
on: boolean, } | { "op": "memory_uses", 
/**
 * Memory.
 */
id: string, } | { "op": "subscribe", 
/**
 * Conversation; empty for what concerns the whole profile (`changed`, `progress`, `reminder`).
 */
conversation: string, 
/**
 * First number wanted.
 */
from: number, } | { "op": "show", 
/**
 * What.
 */
what: Topic, 
/**
 * Only this row.
 */
id: string | null, 
/**
 * From this moment on (RFC 3339 or a date).
 */
from: string | null, 
/**
 * Up to this moment.
 */
to: string | null, 
/**
 * At most so many.
 */
limit: number | null, 
/**
 * So many are passed over: how a list goes on where its first part ended.
 */
offset?: number, 
/**
 * Only rows with these words.
 */
text: string | null, 
/**
 * Only these of mails, events and tasks.
 */
only?: Only, } | { "op": "mail_page", 
/**
 * Mail.
 */
id: string, 
/**
 * Whether its images are fetched from other computers; where nothing is said, those of the senders in the
 * setting `mail.images_from` are.
 */
images?: boolean, } | { "op": "search", 
/**
 * Words.
 */
text: string, 
/**
 * At most so many.
 */
limit: number, } | { "op": "explain", 
/**
 * Conversation, for references.
 */
conversation: string, 
/**
 * Message.
 */
text: string, 
/**
 * As in [`Request::Ask`]: what the message could cost is told for it.
 */
tier?: string, } | { "op": "glance", 
/**
 * Message, as far as it is typed.
 */
text: string, } | { "op": "estimate_routes", 
/**
 * Messages.
 */
messages: number, 
/**
 * Tokens of all of them and of what was said before each, about.
 */
said_tokens: number, } | { "op": "estimate_comparison", 
/**
 * Which connection.
 */
name: string, } | { "op": "estimate_vectors", 
/**
 * As it would be connected, with its model for vectors.
 */
connection: ConnectionDraft, } | { "op": "route_by_model", 
/**
 * Message.
 */
text: string, 
/**
 * What was said before, oldest first.
 */
history: Array<SaidBefore>, } | { "op": "rename_conversation", 
/**
 * Conversation.
 */
id: string, 
/**
 * Name.
 */
title: string, } | { "op": "pin_conversation", 
/**
 * Conversation.
 */
id: string, 
/**
 * Whether it stays at the top from now on.
 */
on: boolean, } | { "op": "archive_conversation", 
/**
 * Conversation.
 */
id: string, 
/**
 * Whether it is put away from now on.
 */
on: boolean, } | { "op": "delete_conversation", 
/**
 * Conversation.
 */
id: string, } | { "op": "restore_conversation", 
/**
 * Conversation.
 */
id: string, } | { "op": "import", 
/**
 * Absolute paths.
 */
paths: Array<string>, } | { "op": "export", 
/**
 * Absolute path of an empty or new folder.
 */
dir: string, } | { "op": "erase", } | { "op": "tools", } | { "op": "config_list", } | { "op": "config_get", 
/**
 * Key.
 */
key: string, } | { "op": "config_set", 
/**
 * Key.
 */
key: string, 
/**
 * Value as text; `null` goes back to the default.
 */
value: string | null, } | { "op": "secret_set", 
/**
 * Key.
 */
key: string, 
/**
 * The secret; `null` forgets it.
 */
value: SecretText | null, } | { "op": "doctor", } | { "op": "run_due", } | { "op": "stop_job", 
/**
 * Job.
 */
id: string, } | { "op": "status", } | { "op": "scoreboard", } | { "op": "timings", } | { "op": "models", } | { "op": "find_models", } | { "op": "list_models", 
/**
 * As it would be connected; its models need not be set yet.
 */
connection: ConnectionDraft, 
/**
 * Its key; none takes the one in the keyring.
 */
key: SecretText | null, } | { "op": "connect_model", 
/**
 * The connection.
 */
connection: ConnectionDraft, 
/**
 * Its key, kept in the keyring; none keeps the one that is there, an empty one forgets it.
 */
key: SecretText | null, } | { "op": "model_files", } | { "op": "offer_model_file", 
/**
 * A name that [`Request::ModelFiles`] tells, or the address of a file.
 */
what: string, 
/**
 * The SHA-256 the person has of it.
 */
sha256: string | null, } | { "op": "fetch_model_file", 
/**
 * As in [`Request::OfferModelFile`].
 */
what: string, 
/**
 * As there.
 */
sha256: string | null, 
/**
 * What the person was shown; a file that is another one by now is not fetched.
 */
agreed: AgreedTo, } | { "op": "stop_model_file", } | { "op": "disconnect_model", 
/**
 * Which.
 */
name: string, } | { "op": "prefer_model", 
/**
 * Which.
 */
name: string, } | { "op": "comparisons", } | { "op": "test_model", 
/**
 * Which.
 */
name: string, 
/**
 * Tier: `fast`, `standard` or `deep`; none means standard.
 */
tier: string | null, } | { "op": "account_kinds", } | { "op": "add_account", 
/**
 * Which kind.
 */
kind: string, 
/**
 * What to call it; nothing: what its server calls it.
 */
label?: string, 
/**
 * Fields that are no secret.
 */
settings: { [key in string]: string }, 
/**
 * Fields that are secret; they go to the keyring.
 */
secrets: { [key in string]: SecretText }, 
/**
 * The sign-in in the browser that is waited for, where one was begun. Whoever stops waiting gives it up.
 */
sign_in?: string, } | { "op": "begin_sign_in", 
/**
 * Which kind, for a new account.
 */
kind?: string, 
/**
 * The account that is signed in to again.
 */
account?: string, 
/**
 * Fields that are no secret.
 */
settings: { [key in string]: string }, 
/**
 * Fields that are secret.
 */
secrets: { [key in string]: SecretText }, } | { "op": "cancel_sign_in", 
/**
 * Which sign-in.
 */
id: string, } | { "op": "change_account", 
/**
 * Which.
 */
id: string, 
/**
 * What to call it.
 */
label?: string, 
/**
 * Fields that are no secret.
 */
settings?: { [key in string]: string }, 
/**
 * Fields that are secret.
 */
secrets: { [key in string]: SecretText }, 
/**
 * Whether it is used: read, and changed where the person approves it.
 */
on?: boolean, 
/**
 * The sign-in in the browser that is waited for, where one was begun. Whoever stops waiting gives it up.
 */
sign_in?: string, } | { "op": "sync_accounts", 
/**
 * Only this one.
 */
id?: string, 
/**
 * Only those that were not read within the last minute, and without waiting for the end: what a window asks for
 * when the person comes back to it.
 */
glance?: boolean, } | { "op": "remove_account", 
/**
 * Which.
 */
id: string, 
/**
 * Whether what was read from it stays on this computer.
 */
keep: boolean, } | { "op": "prefer_collection", 
/**
 * What they are.
 */
kind: CollectionKind, 
/**
 * Into this collection of an account, which can be written to; nothing: they stay on this computer.
 */
id?: string, } | { "op": "servers", 
/**
 * What.
 */
request: ServerAct, } | { "op": "programs", 
/**
 * What is asked.
 */
request: ProgramAct, } | { "op": "research", 
/**
 * What.
 */
act: ResearchAct, } | { "op": "load_sample", };

/**
 * What is asked of research.
 */
export type ResearchAct = { "act": "start", 
/**
 * What shall be found out.
 */
objective: string, 
/**
 * What it is for; empty: asked for.
 */
why: string, 
/**
 * What success looks like, a line each; none: asked for.
 */
success: Array<string>, 
/**
 * Where to look; none: on the web where a search engine is chosen, else in the person's own documents.
 */
sources: ResearchSources | null, 
/**
 * The finding of another run that it goes deeper into.
 */
deeper: Deeper | null, 
/**
 * Whether it is repeated every week, at the same time.
 */
weekly: boolean, } | { "act": "answer", 
/**
 * Which.
 */
id: string, 
/**
 * The answer.
 */
text: string, } | { "act": "show", 
/**
 * Which.
 */
id: string, } | { "act": "follow", 
/**
 * Which.
 */
id: string, } | { "act": "stop", 
/**
 * Which.
 */
id: string, } | { "act": "resume", 
/**
 * Which.
 */
id: string, } | { "act": "write_now", 
/**
 * Which.
 */
id: string, } | { "act": "repeat", 
/**
 * Which.
 */
id: string, 
/**
 * On or off.
 */
weekly: boolean, } | { "act": "export", 
/**
 * Which.
 */
id: string, 
/**
 * In which format.
 */
format: ResearchFormat, } | { "act": "compare", 
/**
 * The earlier one.
 */
before: string, 
/**
 * The later one.
 */
after: string, } | { "act": "page", 
/**
 * The run that read it.
 */
id: string, 
/**
 * Its hash.
 */
sha256: string, } | { "act": "check_page", 
/**
 * The run that read it.
 */
id: string, 
/**
 * Its hash.
 */
sha256: string, } | { "act": "changes", 
/**
 * Which run.
 */
id: string, 
/**
 * The version that is known; 0: all that is kept.
 */
after: number, };

/**
 * What research answers.
 */
export type ResearchAnswer = { "answer": "run", 
/**
 * It.
 */
run: ResearchView, } | { "answer": "file", 
/**
 * A name for it.
 */
name: string, 
/**
 * Its media type.
 */
media: string, 
/**
 * Its text.
 */
text: string, } | { "answer": "compared" } & Compared | { "answer": "checked", 
/**
 * How it stands.
 */
check: PageCheck, } | { "answer": "page", 
/**
 * It.
 */
page: ResearchPage, } | { "answer": "changes", 
/**
 * One entry a version; the oldest versions are forgotten.
 */
versions: Array<DocumentChange>, };

/**
 * What a research asks for before it begins.
 */
export type ResearchAsks = { 
/**
 * `what`, `why`, `success`; or `confirm`: the brief is whole, and begins with a yes.
 */
missing: string, 
/**
 * The question.
 */
text: string, 
/**
 * Answers to choose from; words of one's own are always fine.
 */
choices: Array<string>, };

/**
 * Formats of a report.
 */
export type ResearchFormat = "md" | "html" | "bib" | "csl" | "json";

/**
 * A page as it was when it was read; text of others.
 */
export type ResearchPage = { 
/**
 * Hash of its text.
 */
sha256: string, 
/**
 * Its address.
 */
address: string, 
/**
 * Its title.
 */
title: string, 
/**
 * Its text.
 */
text: string, 
/**
 * When it was read, RFC 3339.
 */
at: string, };

/**
 * A research as a row of `show research`.
 */
export type ResearchRow = { 
/**
 * Run.
 */
id: string, 
/**
 * What shall be found out.
 */
objective: string, 
/**
 * How it stands.
 */
state: ResearchState, 
/**
 * Why it waits, is paused or failed, as a sentence.
 */
why: string | null, 
/**
 * Begun, RFC 3339.
 */
started: string, 
/**
 * Last changed, RFC 3339.
 */
updated: string, 
/**
 * Over since, RFC 3339.
 */
ended: string | null, 
/**
 * The round it is in.
 */
round: number, 
/**
 * Questions so far.
 */
questions: number, 
/**
 * Questions that are answered.
 */
answered: number, 
/**
 * Searches so far.
 */
searches: number, 
/**
 * Pages that were read.
 */
pages: number, 
/**
 * Credits spent or reserved.
 */
credits: number, 
/**
 * What they cost in micro-units of the person's currency; none where the person set no price for a credit.
 */
cost_micros: number | null, 
/**
 * The most credits it may use.
 */
credits_max: number, 
/**
 * Milliseconds it has been at work.
 */
running_ms: number, 
/**
 * The most milliseconds it may work.
 */
running_ms_max: number, 
/**
 * The short answer of its report.
 */
answer: string | null, 
/**
 * `low`, `medium` or `high`, once there is a report.
 */
confidence: string | null, 
/**
 * When it is done again, RFC 3339; none where it is done once.
 */
repeats: string | null, 
/**
 * The run before it: of the same repeated research, or the one it goes deeper into.
 */
previous: string | null, };

/**
 * Where to look.
 */
export type ResearchSources = "web" | "own" | "both";

/**
 * How a research stands.
 */
export type ResearchState = "asking" | "waiting" | "running" | "stopped" | "paused" | "done" | "failed";

/**
 * All of one research.
 */
export type ResearchView = { 
/**
 * Its row.
 */
row: ResearchRow, 
/**
 * What it is for.
 */
why: string, 
/**
 * What success looks like.
 */
success: Array<string>, 
/**
 * Where it looks.
 */
sources: ResearchSources, 
/**
 * What it asks for before it begins.
 */
asks: ResearchAsks | null, 
/**
 * How it goes about it.
 */
strategy: string | null, 
/**
 * One lane a question.
 */
lanes: Array<LaneView>, 
/**
 * Decisions between rounds, in words.
 */
decisions: Array<string>, 
/**
 * The most rounds it may take.
 */
rounds_max: number, 
/**
 * Milliseconds that are left by what its questions took so far; none while that cannot be told.
 */
left_ms: number | null, 
/**
 * Version of the brain document.
 */
version: number, 
/**
 * Its report.
 */
report: ReportView | null, 
/**
 * Of a repeated one with its report: what changed since the run before.
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
 * What became of a step.
 */
export type ResultLine = { 
/**
 * Step.
 */
step: string, 
/**
 * Tool.
 */
tool: string, 
/**
 * How it stands.
 */
status: StepStatus, 
/**
 * What happened, in words.
 */
say: string, 
/**
 * What went wrong.
 */
error?: Fault, };

/**
 * What a call can do to the world, mildest first.
 */
export type Risk = "read" | "local_reversible" | "local_irreversible" | "remote_reversible" | "reaches_people" | "destroys" | "spends";

/**
 * Where a message belongs, as a model says.
 */
export type RoutedByModel = { 
/**
 * `chat`, `action` or `followup`.
 */
type: string, 
/**
 * Domains.
 */
domains: Array<string>, 
/**
 * Whether it goes on with what was said before.
 */
is_followup: boolean, 
/**
 * 0 to 1.
 */
confidence: number, 
/**
 * The model.
 */
by: string, 
/**
 * What asking cost, in millionths of the currency.
 */
cost_micros: number, };

/**
 * Rows of one topic; on the wire a plain list.
 */
export type Rows = { "topic": "tasks", "list": Array<TaskRow> } | { "topic": "events", "list": Array<EventRow> } | { "topic": "notes", "list": Array<NoteRow> } | { "topic": "memories", "list": Array<MemoryRow> } | { "topic": "mail", "list": Array<MailRow> } | { "topic": "outbox", "list": Array<OutboxRow> } | { "topic": "contacts", "list": Array<ContactRow> } | { "topic": "approvals", "list": Array<ApprovalRow> } | { "topic": "grants", "list": Array<GrantRow> } | { "topic": "questions", "list": Array<QuestionsRow> } | { "topic": "plans", "list": Array<PlanRow> } | { "topic": "conversations", "list": Array<ConversationRow> } | { "topic": "messages", "list": Array<MessageRow> } | { "topic": "jobs", "list": Array<JobRow> } | { "topic": "research", "list": Array<ResearchRow> } | { "topic": "activity", "list": Array<ActivityRow> } | { "topic": "accounts", "list": Array<AccountRow> } | { "topic": "collections", "list": Array<CollectionRow> } | { "topic": "egress", "list": Array<EgressRow> } | { "topic": "imports", "list": Array<ImportRow> } | { "topic": "usage", "list": Array<UsageRow> } | { "topic": "calls", "list": Array<CallRow> };

/**
 * Something that was said before a message.
 */
export type SaidBefore = { 
/**
 * By the person; if not, by Adjutant.
 */
by_person: boolean, 
/**
 * What was said.
 */
text: string, };

/**
 * One run over the built-in cases.
 */
export type ScoreboardView = { 
/**
 * One line a suite: `route`, `when`, `confirm`, `requests`.
 */
suites: Array<SuiteScore>, 
/**
 * How far the confidence of routing can be trusted, lowest confidence first.
 */
reliability: Array<ReliabilityRow>, 
/**
 * Expected calibration error: the mean distance between confidence and share right, 0 to 1.
 */
calibration_error: number, 
/**
 * Stages of the turns that were run.
 */
stages: Array<StageView>, 
/**
 * How long the run took, in milliseconds.
 */
ms: number, };

/**
 * A key on its way to the keyring. It goes in and never comes out.
 */
export type SecretText = string;

/**
 * One source of context.
 */
export type Section = { 
/**
 * Name.
 */
name: string, 
/**
 * Estimated tokens.
 */
tokens: number, 
/**
 * Time it took.
 */
ms: number, 
/**
 * Why it is empty.
 */
problem?: string, 
/**
 * Tokens it may have; 0 where no budget applies.
 */
budget: number, 
/**
 * Entries in it: memories, rows, messages, tools.
 */
items: number, 
/**
 * What was found and is not in it, or only in part. Never the text.
 */
dropped: Array<DroppedView>, 
/**
 * Names of the entries: the tools that were suggested.
 */
names?: Array<string>, };

/**
 * A request about servers. All but those of resources and prompts answer with [`crate::Reply::Servers`].
 */
export type ServerAct = { "act": "list", } | { "act": "add", 
/**
 * What to call it: small letters, digits, `-` and `_`.
 */
name: string, 
/**
 * How it is reached.
 */
reach: ServerReach, 
/**
 * Values of environment variables or headers that are secret, by name; they go to the keyring.
 */
secrets: { [key in string]: SecretText }, } | { "act": "paste", 
/**
 * The text.
 */
json: SecretText, } | { "act": "try", 
/**
 * Which.
 */
name: string, } | { "act": "accept", 
/**
 * Which.
 */
name: string, 
/**
 * The pins of the tools that were looked at ([`ServerToolView::pin`]), by the tool's own name; empty: every tool as
 * it was offered last.
 */
pins: { [key in string]: string }, } | { "act": "lower", 
/**
 * Which server.
 */
name: string, 
/**
 * Which tool, by its own name.
 */
tool: string, 
/**
 * Whether it only reads.
 */
reads: boolean, } | { "act": "set", 
/**
 * Which.
 */
name: string, 
/**
 * Whether it is used.
 */
on: boolean, } | { "act": "secret", 
/**
 * Which.
 */
name: string, 
/**
 * The environment variable or header; `Authorization` for the token of a server with an address (`Bearer` is put
 * before it).
 */
field: string, 
/**
 * The value.
 */
value: SecretText, } | { "act": "sign_in", 
/**
 * Which.
 */
name: string, } | { "act": "signed_in", 
/**
 * Which server.
 */
name: string, 
/**
 * The sign-in, by its name.
 */
sign_in: string, } | { "act": "remove", 
/**
 * Which.
 */
name: string, } | { "act": "offers", 
/**
 * Which.
 */
name: string, } | { "act": "attach", 
/**
 * Which server.
 */
name: string, 
/**
 * What.
 */
what: Attachable, };

/**
 * What a server has to attach. Text of others, cleaned and cut.
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
 * Whether it wants the person to sign in, which [`ServerAct::SignIn`] begins.
 */
wants_sign_in: boolean, 
/**
 * The last lines it wrote to its standard error; text of others.
 */
log: Array<string>, };

/**
 * How a server is reached.
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
 * Environment variables that are no secret, beside PATH, HOME, LANG and TMPDIR.
 */
env: { [key in string]: string }, } | { "by": "address", 
/**
 * `https://…`, or `http://` on this computer.
 */
url: string, 
/**
 * Headers that are no secret.
 */
headers: { [key in string]: string }, };

/**
 * What came of trying a server.
 */
export type ServerReport = { 
/**
 * The server, with what it offers now, or why it cannot be used.
 */
server: ServerView, 
/**
 * Whether it can be used.
 */
works: boolean, 
/**
 * The revision of the protocol it speaks; empty where it did not come so far.
 */
revision: string, 
/**
 * Until it had said hello, in milliseconds.
 */
connect_ms: number, 
/**
 * Until it had listed its tools, in milliseconds.
 */
list_ms: number, 
/**
 * What to know before it is accepted: what it may do, what was left out.
 */
notes: Array<string>, };

/**
 * How a server stands.
 */
export type ServerStatus = "new" | "on" | "off";

/**
 * A tool as it was.
 */
export type ServerToolBefore = { 
/**
 * What it said it does.
 */
description: string, 
/**
 * JSON schema of its arguments.
 */
schema: JsonValue, 
/**
 * What the server said of its risk.
 */
says: string, };

/**
 * How a tool stands to what the person looked at.
 */
export type ServerToolState = "new" | "accepted" | "changed" | "gone";

/**
 * A tool of a server. What it says is text of others, cleaned and cut.
 */
export type ServerToolView = { 
/**
 * Its name here: `mcp.<server>.<tool>`.
 */
name: string, 
/**
 * Its own name at the server.
 */
tool: string, 
/**
 * Its name for people; may be empty.
 */
title: string, 
/**
 * What it says it does.
 */
description: string, 
/**
 * JSON schema of its arguments.
 */
schema: JsonValue, 
/**
 * The risk of a usual call, as the gate has it.
 */
risk: Risk, 
/**
 * What the server says of its risk, as a phrase ("says that it only reads"); empty where it says nothing.
 */
says: string, 
/**
 * How it stands.
 */
state: ServerToolState, 
/**
 * Whether the person said that it only reads.
 */
lowered: boolean, 
/**
 * Whether they may say so.
 */
can_lower: boolean, 
/**
 * The hash of all of this, for [`ServerAct::Accept`].
 */
pin: string, 
/**
 * As it was when the person looked at it, where it changed.
 */
before?: ServerToolBefore, };

/**
 * A server. What it says of itself is text of others.
 */
export type ServerView = { 
/**
 * What the person calls it.
 */
name: string, 
/**
 * How it is reached.
 */
reach: ServerReach, 
/**
 * The same in one line: the command as it is typed, or the address.
 */
line: string, 
/**
 * Names of the values that are kept in the keyring.
 */
secrets: Array<string>, 
/**
 * Whether the person signed in there in the browser.
 */
signed_in: boolean, 
/**
 * How it stands.
 */
status: ServerStatus, 
/**
 * Whether it is connected now.
 */
running: boolean, 
/**
 * Why it could not be used last time.
 */
problem: ServerProblem | null, 
/**
 * Its own name; may be empty.
 */
title: string, 
/**
 * Its version; may be empty.
 */
version: string, 
/**
 * How it says it wants to be used; may be empty.
 */
instructions: string, 
/**
 * Whether it has resources or prompts to attach.
 */
offers: boolean, 
/**
 * Its tools.
 */
tools: Array<ServerToolView>, 
/**
 * How many of them have to be looked at.
 */
to_look_at: number, };

/**
 * A setting with its value, its default and what it means.
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
 * `default`, `profile`, `environment` or `command line`.
 */
origin: string, 
/**
 * Allowed values, where they are few.
 */
choices: Array<string>, };

/**
 * One of the two.
 */
export type SideView = { 
/**
 * Model.
 */
model: string, 
/**
 * Kind and domains of a route, tools of a plan, kind of a reply.
 */
gist: JsonValue, };

/**
 * How a person signs in to an account.
 */
export type SignsIn = "here" | "browser";

/**
 * A repeated research beside its run before.
 */
export type SinceBefore = { 
/**
 * The run before.
 */
id: string, 
/**
 * When that began, RFC 3339.
 */
started: string, 
/**
 * What this one says otherwise.
 */
compared: Compared, };

/**
 * A source.
 */
export type SourceRow = { 
/**
 * Its number in the report, from 1; 0 for a source of a lane.
 */
number: number, 
/**
 * Its address.
 */
address: string, 
/**
 * Its title; text of others.
 */
title: string, 
/**
 * Hash of the page as it was read; empty for a source of a lane.
 */
sha256: string, 
/**
 * When it was read, RFC 3339; empty for a source of a lane.
 */
at: string, 
/**
 * What it contributed.
 */
contribution: string, 
/**
 * When it was read with another text than this, RFC 3339; none where it was not.
 */
changed: string | null, };

/**
 * The place a value comes from.
 */
export type SourceTarget = { 
/**
 * `task`, `event`, `note`, `memory`, `mail`, `outbox` or `contact`; `message` and `step` are places of the conversation.
 */
kind: string, 
/**
 * Record, turn or step.
 */
id: string, 
/**
 * Words to look for there, for example an address.
 */
words?: string, };

/**
 * Where a value comes from.
 */
export type SourceView = { 
/**
 * `person`, `data`, `address_book`, `step`, `derived`, `settings` or `found`.
 */
kind: string, 
/**
 * Details.
 */
detail: string | null, 
/**
 * The exact place, where it can be opened.
 */
target?: SourceTarget, };

/**
 * How long one stage of turns takes, in microseconds.
 */
export type StageView = { 
/**
 * Name: `route`, `plan`, `observe`, `run`, `commit`, `close`, `turn`.
 */
stage: string, 
/**
 * How often it was measured.
 */
count: number, 
/**
 * Median.
 */
p50_micros: number, 
/**
 * 95 of 100 are faster.
 */
p95_micros: number, 
/**
 * The slowest.
 */
max_micros: number, };

/**
 * Numbers for tray and badges.
 */
export type StatusView = { 
/**
 * Profile.
 */
profile: string, 
/**
 * Folder of the profile.
 */
folder: string, 
/**
 * Actions waiting.
 */
approvals: number, 
/**
 * The next event today or tomorrow, in words.
 */
next_event: string | null, 
/**
 * Reminders that were due while nothing ran, in words.
 */
missed: Array<string>, 
/**
 * The work that takes long and runs now, by its title.
 */
working: string | null, 
/**
 * Whether nothing is stored yet (first start).
 */
empty: boolean, 
/**
 * The person's name, if known.
 */
owner: string, 
/**
 * Zone.
 */
zone: string, 
/**
 * How times are shown.
 */
clock: ClockFace, 
/**
 * How dates are written: `Tue 13 Jan`, else `Tue Jan 13`.
 */
day_first: boolean, 
/**
 * Now, RFC 3339.
 */
now: string, 
/**
 * Why changes cannot be kept, where the profile was opened for reading only.
 */
unwritable: Fault | null, };

/**
 * How a step of a plan stands.
 */
export type StepStatus = "next" | "running" | "waiting" | "needs_answer" | "done" | "failed" | "left_out" | "blocked" | "cancelled" | "unknown";

/**
 * How one suite came out.
 */
export type SuiteScore = { 
/**
 * `route`, `when`, `confirm` or `requests`.
 */
suite: string, 
/**
 * Cases.
 */
cases: number, 
/**
 * Cases that came out right.
 */
right: number, 
/**
 * The same as a share, 0 to 1.
 */
accuracy: number, 
/**
 * Median of one case, in microseconds.
 */
p50_micros: number, 
/**
 * 95 of 100 cases are faster, in microseconds.
 */
p95_micros: number, 
/**
 * What else counts in this suite: `recall`, `false_yes`, `false_times`, `unasked`, `wrong`.
 */
figures: Array<Figure>, 
/**
 * Cases that came out wrong, the first of them.
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
 * What to do.
 */
title: string, 
/**
 * Further text.
 */
notes: string, 
/**
 * RFC 3339 with offset, or a date.
 */
due: string | null, 
/**
 * When to notify, RFC 3339.
 */
remind_at: string | null, 
/**
 * How much it matters.
 */
priority: Priority, 
/**
 * Whether it is done.
 */
status: TaskStatus, 
/**
 * Repetition.
 */
rrule: string | null, 
/**
 * The repetition in words.
 */
repeats: string | null, 
/**
 * The day before which nothing is to be done about it.
 */
start: string | null, 
/**
 * Its labels.
 */
tags: Array<string>, 
/**
 * Where it stands among those of its day, from 1; none where the person did not put them in order.
 */
place: number | null, 
/**
 * When it was completed last, RFC 3339.
 */
completed_at: string | null, };

/**
 * Whether a task is done.
 */
export type TaskStatus = "open" | "done";

/**
 * A tool as front ends list it.
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
 * Usual class of risk.
 */
risk: Risk, };

/**
 * What `show` can show.
 */
export type Topic = "tasks" | "events" | "notes" | "memories" | "past_memories" | "mail" | "thread" | "outbox" | "contacts" | "approvals" | "grants" | "questions" | "plans" | "conversations" | "archived_conversations" | "messages" | "jobs" | "research" | "activity" | "accounts" | "collections" | "egress" | "imports" | "usage";

/**
 * How far an effect can be taken back.
 */
export type UndoState = "available" | "changed" | "used" | "partly" | "partly_changed";

/**
 * Tokens and cost; zero for the embedded engine.
 */
export type Usage = { 
/**
 * Tokens in.
 */
input: number, 
/**
 * Tokens out.
 */
output: number, 
/**
 * Cost in millionths of a dollar.
 */
cost_micros: number, };

/**
 * What was spent on a day, for a stage, with a model.
 */
export type UsageRow = { 
/**
 * Day of the person's calendar.
 */
day: string, 
/**
 * What for: `route`, `plan`, `respond` …
 */
stage: string, 
/**
 * Which model.
 */
model: string, 
/**
 * `foreground`, or `background` when nobody waited.
 */
purpose: string, 
/**
 * Calls.
 */
calls: number, 
/**
 * Of them failed, or lost when the program ended.
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
 * Spent, in millionths of the currency.
 */
cost_micros: number, 
/**
 * Reserved by calls that run, the same.
 */
reserved_micros: number, 
/**
 * Spent, as people write it.
 */
cost: string, 
/**
 * ISO 4217.
 */
currency: string, };

/**
 * What something approved waits for.
 */
export type WaitsFor = "hold" | "connection";

/**
 * One event of a turn. On the wire: `{"event": "status", "turn": "turn_…", "seq": 3, "text": "…"}`.
 */
export type WireEvent = { 
/**
 * Turn.
 */
turn: string, 
/**
 * Counts up inside a conversation.
 */
seq: number, 
/**
 * Conversation.
 */
conversation: string, } & ({ "event": "turn_started", 
/**
 * What the person said; empty for a button.
 */
text: string, 
/**
 * The turn whose place it takes, together with all that came after that one.
 */
instead_of?: string, } | { "event": "status", 
/**
 * In words.
 */
text: string, } | { "event": "routed", 
/**
 * `chat`, `action` or `followup`.
 */
type: string, 
/**
 * Domains.
 */
domains: Array<string>, 
/**
 * Whether it leans on the conversation.
 */
is_followup: boolean, 
/**
 * 0 to 1.
 */
confidence: number, 
/**
 * `embedded` or a model.
 */
by: string, } | { "event": "context", 
/**
 * Sections.
 */
sections: Array<Section>, } | { "event": "plan", 
/**
 * Plan.
 */
id: string, 
/**
 * The request, restated.
 */
request: string, 
/**
 * Steps.
 */
steps: Array<PlanStep>, } | { "event": "tool_call", 
/**
 * Step.
 */
step: string, 
/**
 * Tool.
 */
tool: string, 
/**
 * Arguments.
 */
args: JsonValue, } | { "event": "tool_result", 
/**
 * Step.
 */
step: string, 
/**
 * Whether it ended well.
 */
ok: boolean, 
/**
 * Output.
 */
result?: JsonValue, 
/**
 * What was found, as rows; none for a step that changed something, and where the words say it all.
 */
found?: Found, 
/**
 * What went wrong.
 */
error?: Fault, 
/**
 * Proof.
 */
receipt?: JsonValue, 
/**
 * Milliseconds the step took, without the time it waited for the person; none where nothing was called.
 */
ms?: number, } | { "event": "approval_needed", 
/**
 * Action.
 */
id: string, 
/**
 * Step.
 */
step: string, 
/**
 * Digest to approve with.
 */
digest: string, 
/**
 * Tool.
 */
tool: string, 
/**
 * Arguments.
 */
args: JsonValue, 
/**
 * What is shown.
 */
shown: CardView, 
/**
 * Class of risk.
 */
risk: Risk, 
/**
 * Where the arguments come from: pointer to source.
 */
sources: JsonValue, } | { "event": "question", 
/**
 * Question.
 */
id: string, 
/**
 * Step.
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
 * Text.
 */
text: string, 
/**
 * What was told of the answer before is void: it begins again with this piece. Absent: false.
 */
restart?: boolean, } | { "event": "thinking", 
/**
 * Text.
 */
text: string, } | { "event": "done", 
/**
 * The answer, Markdown.
 */
answer: string, 
/**
 * One line a step.
 */
results: Array<ResultLine>, 
/**
 * Tools that ran.
 */
used_tools: Array<string>, 
/**
 * Memories that were used.
 */
used_memories: Array<string>, 
/**
 * Tokens and cost.
 */
usage: Usage, 
/**
 * Decision.
 */
decision: string, 
/**
 * Duration.
 */
ms: number, 
/**
 * Why a model that was asked gave no answer; the answer then says it as well, and what can be said without one.
 */
fault?: Fault, 
/**
 * Requests that may have been meant, where nothing was understood: what to say instead.
 */
near?: Array<string>, } | { "event": "waiting", 
/**
 * What can be said already.
 */
answer: string, 
/**
 * Actions.
 */
approvals: Array<string>, 
/**
 * Questions.
 */
questions: Array<string>, 
/**
 * One line a step.
 */
results: Array<ResultLine>, } | { "event": "interrupted", 
/**
 * What was already done.
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
 * Which topics.
 */
kinds: Array<string>, } | { "event": "progress", 
/**
 * What is being worked on.
 */
what: string, 
/**
 * Done so far.
 */
done: number, 
/**
 * In all, when known.
 */
total: number | null, 
/**
 * How fetching a model file ended: nothing more comes of it. None while it goes on, and for imports.
 */
ended?: Ended, } | { "event": "research_brain_initialized", 
/**
 * Run.
 */
id: string, 
/**
 * What shall be found out.
 */
objective: string, 
/**
 * What success looks like.
 */
success_criteria: Array<string>, 
/**
 * Version of the form of the document.
 */
version: number, } | { "event": "research_brain_strategy", 
/**
 * Run.
 */
id: string, 
/**
 * The strategy.
 */
strategy: string, } | { "event": "research_question_started", 
/**
 * Run.
 */
id: string, 
/**
 * Question.
 */
question_id: string, 
/**
 * Its short name.
 */
name: string, 
/**
 * What is looked for.
 */
goal: string, } | { "event": "research_question_search_completed", 
/**
 * Run.
 */
id: string, 
/**
 * Question.
 */
question_id: string, 
/**
 * The one query.
 */
queries: Array<string>, 
/**
 * Results it had.
 */
results: number, } | { "event": "research_question_reflection", 
/**
 * Run.
 */
id: string, 
/**
 * Question.
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
 * Run.
 */
id: string, 
/**
 * Question.
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
 * Run.
 */
id: string, } | { "event": "research_complete", 
/**
 * Run.
 */
id: string, 
/**
 * Questions it had.
 */
total_research_questions: number, 
/**
 * Entries of their memories.
 */
total_memory: number, 
/**
 * `low`, `medium` or `high`.
 */
confidence: string, } | { "event": "research_doc_updated", 
/**
 * Run.
 */
id: string, 
/**
 * Its version.
 */
version: number, } | { "event": "research_brain_update", 
/**
 * Run.
 */
id: string, 
/**
 * The document as JSON.
 */
brain: string, } | { "event": "research_state", 
/**
 * Run.
 */
id: string, 
/**
 * How it stands.
 */
state: ResearchState, 
/**
 * Why it waits, is paused or failed.
 */
why: string | null, } | { "event": "reminder", 
/**
 * Task.
 */
task: string, 
/**
 * What to do.
 */
title: string, 
/**
 * When it was due, in words: `11:15`, `yesterday, 18:00`.
 */
at: string, 
/**
 * The same instant, RFC 3339.
 */
due: string, 
/**
 * Its time passed while nothing ran.
 */
missed: boolean, 
/**
 * Whether the receiver is the one that shows the notification. True on [`crate::Request::Notify`] only; on a
 * subscription it is news, and somebody else shows it.
 */
show: boolean, });

