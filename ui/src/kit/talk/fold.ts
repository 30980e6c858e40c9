import type { Fault, Id, Instant, PlanStep, Receipt, Risk, StepState, TurnEvent, UsedMemory, Usage } from '../../host';

export interface StepView {
  key: string;
  /** 1-based place in the plan. */
  number: number;
  say: string;
  why: string | null;
  tool: string;
  risk: Risk | null;
  state: StepState;
  summary: string | null;
  error: Fault | null;
  receipt: Receipt | null;
  approval: Id | null;
  question: string | null;
  ms: number | null;
}

export interface QuestionView {
  id: Id;
  step: string;
  text: string;
  choices: string[];
}

export interface Trace {
  type: string | null;
  domains: string[];
  confidence: number | null;
  by: string | null;
  sections: { name: string; ms: number; problem?: string | null }[];
  tools: string[];
  usage: Usage | null;
  ms: number | null;
  decision: string | null;
}

export type TurnState = 'running' | 'waiting' | 'done' | 'stopped' | 'failed';

export interface TurnView {
  id: Id;
  at: Instant;
  /** What the person said. */
  text: string;
  state: TurnState;
  /** The current work in words, while it runs. */
  status: string | null;
  /** The request with its pronouns resolved, when a plan was made. */
  request: string | null;
  steps: StepView[];
  /** What was said, one part for each time the turn came to a rest. */
  parts: string[];
  /** The last part is still arriving. */
  streaming: boolean;
  /** Effects that ran without a card. */
  receipts: Receipt[];
  approvals: Id[];
  questions: QuestionView[];
  used: UsedMemory[];
  error: Fault | null;
  trace: Trace;
}

export interface TalkView {
  turns: TurnView[];
  /** The newest event folded in; a replay continues after it. */
  seq: number;
}

export const emptyTalk: TalkView = { turns: [], seq: 0 };

/** One event further. Pure: the same journal always gives the same view, so a reload misses nothing. */
export function fold(view: TalkView, event: TurnEvent): TalkView {
  // A replay may overlap what is already here.
  if (event.seq <= view.seq) return view;
  const at = view.turns.findIndex((turn) => turn.id === event.turn);
  const turn = at < 0 ? newTurn(event) : view.turns[at];
  if (!turn) return view;
  const next = foldTurn(turn, event);
  const turns = at < 0 ? [...view.turns, next] : view.turns.with(at, next);
  return { turns, seq: event.seq };
}

/** Earlier turns in front of what is shown; the newest seq stays. */
export function prepend(view: TalkView, events: TurnEvent[]): TalkView {
  const older = events.reduce(fold, emptyTalk);
  const known = new Set(view.turns.map((turn) => turn.id));
  return { turns: [...older.turns.filter((turn) => !known.has(turn.id)), ...view.turns], seq: view.seq };
}

/** The plan beside the conversation: of the newest turn that has one, unless a later turn closed the subject. */
export function currentPlan(view: TalkView): TurnView | null {
  return view.turns.findLast((turn) => turn.steps.length > 0) ?? null;
}

export function stepsDone(turn: TurnView): number {
  return turn.steps.filter((step) => step.state === 'done').length;
}

export function isOpen(turn: TurnView | undefined): boolean {
  return turn?.state === 'running';
}

function newTurn(event: TurnEvent): TurnView {
  return {
    id: event.turn,
    at: event.at,
    text: event.event === 'turn_started' ? event.text : '',
    state: 'running',
    status: null,
    request: null,
    steps: [],
    parts: [],
    streaming: false,
    receipts: [],
    approvals: [],
    questions: [],
    used: [],
    error: null,
    trace: {
      type: null,
      domains: [],
      confidence: null,
      by: null,
      sections: [],
      tools: [],
      usage: null,
      ms: null,
      decision: null,
    },
  };
}

function foldTurn(turn: TurnView, event: TurnEvent): TurnView {
  switch (event.event) {
    case 'turn_started':
      return { ...turn, text: event.text, at: event.at };
    case 'status':
      return { ...turn, state: 'running', status: event.text };
    case 'routed':
      return {
        ...turn,
        trace: {
          ...turn.trace,
          type: event.type,
          domains: event.domains,
          confidence: event.confidence,
          by: event.by,
        },
      };
    case 'context':
      return { ...turn, trace: { ...turn.trace, sections: event.sections } };
    case 'plan':
      return { ...turn, request: event.request, steps: event.steps.map((step, index) => newStep(turn, step, index)) };
    case 'thinking':
      return turn;
    case 'tool_call':
      return { ...withStep(turn, event.step, { state: 'running', tool: event.tool }), state: 'running' };
    case 'tool_result':
      return toolResult(turn, event);
    case 'approval_needed':
      return {
        ...withStep(turn, event.step, { state: 'waiting', approval: event.id, risk: event.risk }),
        approvals: [...turn.approvals.filter((id) => id !== event.id), event.id],
      };
    case 'question':
      return {
        ...withStep(turn, event.step, { state: 'needs_answer', question: event.text }),
        questions: [
          ...turn.questions.filter((one) => one.id !== event.id),
          { id: event.id, step: event.step, text: event.text, choices: event.choices ?? [] },
        ],
      };
    case 'token': {
      const parts = turn.streaming
        ? turn.parts.with(-1, (turn.parts.at(-1) ?? '') + event.text)
        : [...turn.parts, event.text];
      return { ...turn, state: 'running', parts, streaming: true };
    }
    case 'waiting':
      return { ...closePart(turn, event.answer), state: 'waiting', status: null };
    case 'done':
      return {
        ...closePart(turn, event.answer),
        state: 'done',
        status: null,
        used: event.used_memories,
        trace: {
          ...turn.trace,
          tools: event.used_tools,
          usage: event.usage,
          ms: event.ms,
          decision: event.decision,
        },
      };
    case 'interrupted':
      return {
        ...turn,
        state: 'stopped',
        status: null,
        streaming: false,
        steps: turn.steps.map((step) =>
          step.state === 'next' || step.state === 'running' ? { ...step, state: 'cancelled' as const } : step,
        ),
      };
    case 'error':
      return {
        ...turn,
        state: 'failed',
        status: null,
        streaming: false,
        error: { code: event.code, message: event.message, hint: event.hint },
      };
  }
}

/** A new plan for the same turn (a replan) keeps what already ran. */
function newStep(turn: TurnView, step: PlanStep, index: number): StepView {
  const before = turn.steps.find((one) => one.key === step.key);
  return {
    key: step.key,
    number: index + 1,
    say: step.say,
    why: step.why ?? null,
    tool: step.tool,
    risk: step.risk ?? before?.risk ?? null,
    state: step.status,
    summary: before?.summary ?? null,
    error: before?.error ?? null,
    receipt: before?.receipt ?? null,
    approval: before?.approval ?? null,
    question: before?.question ?? null,
    ms: before?.ms ?? null,
  };
}

function withStep(turn: TurnView, key: string, change: Partial<StepView>): TurnView {
  return { ...turn, steps: turn.steps.map((step) => (step.key === key ? { ...step, ...change } : step)) };
}

function toolResult(turn: TurnView, event: Extract<TurnEvent, { event: 'tool_result' }>): TurnView {
  const unknown = event.receipt?.outcome === 'unknown';
  const next = withStep(turn, event.step, {
    state: unknown ? 'unknown' : event.ok ? 'done' : 'failed',
    summary: event.summary ?? event.receipt?.what ?? null,
    error: event.error ?? null,
    receipt: event.receipt ?? null,
    ms: event.ms ?? null,
  });
  // An approved action shows its receipt in the place of its card.
  const carded = next.steps.some((step) => step.key === event.step && step.approval !== null);
  return event.receipt && !carded ? { ...next, receipts: [...next.receipts, event.receipt] } : next;
}

/** The words the engine settled on replace what was streamed; the same words twice are shown once. */
function closePart(turn: TurnView, answer: string): TurnView {
  const before = turn.streaming ? turn.parts.slice(0, -1) : turn.parts;
  const last = turn.streaming ? turn.parts.at(-1) : undefined;
  const text = answer.trim() || last?.trim() || '';
  const parts = text && before.at(-1)?.trim() !== text ? [...before, text] : before;
  return { ...turn, parts, streaming: false };
}
