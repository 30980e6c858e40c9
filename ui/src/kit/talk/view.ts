import type { Choice, Fault, Found, Id, Instant, ResultLine, Risk, Section, StepStatus, Usage } from '../../host';

export interface StepView {
  key: string;
  /** 1-based position in the plan. */
  number: number;
  say: string;
  why: string;
  tool: string;
  /** Known once the step asks for approval; until then the tool's usual risk counts. */
  risk: Risk | null;
  state: StepStatus;
  summary: string | null;
  /** Duration in milliseconds, without waiting for the person; null until known. */
  ms: number | null;
  error: Fault | null;
  /** The rows it found. */
  found: Found | null;
  /** The research it started. */
  research: Id | null;
  /** The effect that proves it, if there is one. */
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

/** An effect that ran without a card, with the plan's words for it. */
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
  /** When it began, once known: the journal does not contain it. */
  at: Instant | null;
  /** What the person said; empty for a press of a button. */
  text: string;
  /** The turn that this one replaces, along with all turns after that one. */
  insteadOf: Id | null;
  state: TurnState;
  /** The current work in words, while the turn runs. */
  status: string | null;
  /** The request with its pronouns resolved, once there is a plan. */
  request: string | null;
  steps: StepView[];
  /** The result lines of its last pause or end. */
  results: ResultLine[];
  /** The answer's text: one part for each time the turn paused or ended. */
  parts: string[];
  /** The last part is still arriving. */
  streaming: boolean;
  /** A model's thoughts along the way; not part of the answer. */
  thinking: string;
  /** Effects that ran without a card. */
  effects: EffectView[];
  approvals: Id[];
  questions: QuestionView[];
  /** Suggested requests, if nothing was understood. */
  near: string[];
  /** Ids of the memories it used. */
  used: Id[];
  error: Fault | null;
  trace: Trace;
}

export interface TalkView {
  turns: TurnView[];
  /** The number of the newest folded event; a replay continues after it. */
  seq: number;
}
