import type { Choice, Fault, Found, Id, Instant, Risk, Section, StepStatus, Usage } from '../../host';

export interface StepView {
  key: string;
  /** 1-based place in the plan. */
  number: number;
  say: string;
  why: string;
  tool: string;
  /** Known once the step asked for approval; before that the tool's usual class counts. */
  risk: Risk | null;
  state: StepStatus;
  summary: string | null;
  /** Milliseconds it took, without the time it waited for the person; null while that is not known. */
  ms: number | null;
  error: Fault | null;
  /** What it found, as rows. */
  found: Found | null;
  /** The research it began. */
  research: Id | null;
  /** The effect that proves it, when there is one. */
  effect: Id | null;
  approval: Id | null;
  question: string | null;
}

export interface QuestionView {
  id: Id;
  step: string;
  text: string;
  choices: Choice[];
}

/** An effect that ran without a card, with the words the plan has for it. */
export interface EffectView {
  id: Id;
  step: string;
  say: string;
}

export interface Trace {
  type: string | null;
  domains: string[];
  confidence: number | null;
  by: string | null;
  sections: Section[];
  tools: string[];
  usage: Usage | null;
  ms: number | null;
  decision: string | null;
}

export type TurnState = 'running' | 'waiting' | 'done' | 'stopped' | 'failed';

export interface TurnView {
  id: Id;
  /** When it began, once known: the journal does not carry it. */
  at: Instant | null;
  /** What the person said; empty for a button. */
  text: string;
  /** The turn whose place it takes, together with all that came after that one. */
  insteadOf: Id | null;
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
  /** What a model thought on the way; no part of the answer. */
  thinking: string;
  /** Effects that ran without a card. */
  effects: EffectView[];
  approvals: Id[];
  questions: QuestionView[];
  /** Requests that may have been meant, where nothing was understood. */
  near: string[];
  /** Memories that were used, by id. */
  used: Id[];
  error: Fault | null;
  trace: Trace;
}

export interface TalkView {
  turns: TurnView[];
  /** The newest event folded in; a replay continues after it. */
  seq: number;
}
