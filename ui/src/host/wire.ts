/**
 * The objects that cross between engine and window. Their types are generated from the Rust crate `api`; this file only
 * gives them the names and pairings that the window uses.
 */
import type { Reply, Request, Rows, Topic, WireEvent } from '../gen/wire';

export type {
  AccountFieldView as AccountField,
  AccountKindView as AccountKind,
  AccountRow,
  ActivityRow,
  Applied,
  ApprovalRow as Approval,
  ApprovalState,
  Attachable,
  AttachmentView as Attachment,
  CallRow,
  CardView as Card,
  Check,
  ChoiceView as Choice,
  ClaimView as Claim,
  ContactRow,
  CollectionRow,
  ComparisonsView as Comparisons,
  ConnectionDraft,
  ConnectionView as Connection,
  ConversationRow,
  EgressRow,
  EstimateView as Estimate,
  EventRow,
  FactView as Fact,
  Fault,
  GrantOffer,
  GrantRow,
  QuestionsRow,
  Found,
  FoundEvent,
  FoundMail,
  FoundModelView as FoundModel,
  FoundServerView as FoundServer,
  FoundTask,
  Glance,
  GuestRow,
  Hit,
  ImportCount,
  ImportReport,
  ImportRow,
  ItemView as CardItem,
  JobRow,
  Repeats,
  JsonValue,
  KindView as ModelKind,
  KnownModelView as KnownModel,
  LaneStep,
  LaneView as Lane,
  MailFile,
  MailFolder,
  LeavingView as MailLeaving,
  InvitationView as MailInvitation,
  MailPageView as MailPage,
  MailRow,
  MemoryRow,
  MemorySource,
  MemoryUse,
  MessageRow,
  ModelFilesView as ModelFiles,
  ModelOfferView as ModelOffer,
  ModelOutcome,
  ModelsView,
  ModelView,
  ModelTestView as ModelTest,
  NoteRow,
  NoteView as CardNote,
  Only,
  OutboxAct,
  OutboxRow,
  OutboxWait,
  OutboxState,
  PlanChange,
  PlanRow,
  PlanStep,
  Priority,
  ProposedEvent,
  Rejected,
  Reply,
  ReportView as Report,
  Request,
  ResearchAct,
  ResearchAnswer,
  ResearchAsks,
  ResearchFormat,
  ResearchPage,
  ResearchRow,
  ResearchSources,
  ResearchState,
  ResearchView as Research,
  SinceBefore as Since,
  Compared,
  DocumentChange,
  DocumentPart,
  PageCheck,
  ResultLine,
  Risk,
  Rows,
  ScoreboardView as Scoreboard,
  ServerAct,
  ServerReach,
  ServerOffers,
  ServerReport,
  ServerToolView as ServerTool,
  ServerView as Server,
  Section,
  SettingView as Setting,
  SourceRow,
  SourceTarget,
  SourceView as Source,
  StageView as StageTiming,
  StatusView as Status,
  StepStatus,
  SuiteScore,
  TaskRow,
  TaskStatus,
  ToolView as Tool,
  Topic,
  Usage,
  UsageRow,
  WireEvent,
} from '../gen/wire';

export type Id = string;
/** RFC 3339 with offset, or a plain date where the field says so. */
export type Instant = string;

/** An event of a turn; all others concern the whole profile. */
export type TurnEvent = Exclude<
  WireEvent,
  { event: 'changed' } | { event: 'progress' } | { event: 'reminder' } | { event: `research_${string}` }
>;

/** An event of a research run; subscribers to the whole profile receive it. */
export type ResearchEvent = Extract<WireEvent, { event: `research_${string}` }>;

export type Op = Request['op'];
type Made<R extends Reply['reply']> = Extract<Reply, { reply: R }>;

/** The reply to each request. */
export interface Replies {
  ask: Made<'turn'>;
  retry: Made<'turn'>;
  answer: Made<'turn'>;
  approve: Made<'turn'>;
  reject: Made<'turn'>;
  edit: Made<'turn'>;
  edit_plan: Made<'turn'>;
  ask_again: Made<'turn'>;
  undo: Made<'turn'>;
  interrupt: Made<'ok'>;
  apply: Made<'applied'>;
  outbox: Made<'applied'>;
  use_memory: Made<'applied'>;
  memory_uses: Made<'uses'>;
  repeats: Made<'repeats'>;
  research: Made<'research'>;
  notify: Made<'ok'>;
  subscribe: Made<'ok'>;
  show: Made<'rows'>;
  mail_page: Made<'mail_page'>;
  mail_invitation: Made<'mail_invitation'>;
  search: Made<'hits'>;
  explain: Made<'explained'>;
  glance: Made<'glanced'>;
  estimate_routes: Made<'estimated'>;
  estimate_comparison: Made<'estimated'>;
  estimate_vectors: Made<'estimated'>;
  route_by_model: Made<'routed_by_model'>;
  rename_conversation: Made<'ok'>;
  pin_conversation: Made<'ok'>;
  archive_conversation: Made<'ok'>;
  delete_conversation: Made<'ok'>;
  restore_conversation: Made<'ok'>;
  import: Made<'imported'>;
  export: Made<'exported'>;
  erase: Made<'ok'>;
  tools: Made<'tools'>;
  config_list: Made<'config'>;
  config_get: Made<'config'>;
  config_set: Made<'config'>;
  secret_set: Made<'config'>;
  doctor: Made<'doctor'>;
  run_due: Made<'due_done'>;
  stop_job: Made<'rows'>;
  status: Made<'status'>;
  scoreboard: Made<'scoreboard'>;
  timings: Made<'timings'>;
  models: Made<'models'>;
  find_models: Made<'found_models'>;
  list_models: Made<'model_list'>;
  connect_model: Made<'models'>;
  model_files: Made<'model_files'>;
  offer_model_file: Made<'model_offer'>;
  fetch_model_file: Made<'model_file'>;
  stop_model_file: Made<'ok'>;
  disconnect_model: Made<'models'>;
  prefer_model: Made<'models'>;
  test_model: Made<'model_test'>;
  comparisons: Made<'comparisons'>;
  account_kinds: Made<'account_kinds'>;
  add_account: Made<'rows'>;
  begin_sign_in: Made<'sign_in'>;
  cancel_sign_in: Made<'ok'>;
  change_account: Made<'rows'>;
  sync_accounts: Made<'rows'>;
  remove_account: Made<'ok'>;
  prefer_collection: Made<'rows'>;
  grant: Made<'rows'>;
  revoke_grant: Made<'rows'>;
  restore_grant: Made<'rows'>;
  servers: Made<'servers' | 'server_tried' | 'server_offers' | 'attached' | 'sign_in'>;
  programs: Made<'program_answered'>;
  load_sample: Made<'profile'>;
}

export type Args<K extends Op> = Omit<Extract<Request, { op: K }>, 'op'>;

/** Topics that share the row type of another topic. */
type Drawn<T extends Topic> = T extends 'thread'
  ? 'mail'
  : T extends 'past_memories'
    ? 'memories'
    : T extends 'archived_conversations'
      ? 'conversations'
      : T;

/** The row type of a topic. */
export type RowOf<T extends Topic> = Extract<Rows, { topic: Drawn<T> }>['list'][number];
