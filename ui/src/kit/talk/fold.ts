import type { Id, PlanStep, ResultLine, TurnEvent } from '../../host';
import type { StepView, TurnView, TalkView } from './view';

export const emptyTalk: TalkView = { turns: [], seq: 0 };

/** Applies one event. Pure: the same journal always gives the same view, so a reload misses nothing. */
export function fold(view: TalkView, event: TurnEvent): TalkView {
  const at = view.turns.findIndex((turn) => turn.id === event.turn);
  if (isUnstored(event)) {
    const failed = view.turns[at];
    return failed ? { ...view, turns: view.turns.with(at, foldTurn(failed, event)) } : view;
  }
  // A replay may overlap with events already folded.
  if (event.seq <= view.seq) return view;
  const turn = at < 0 ? newTurn(event) : view.turns[at];
  if (!turn) return view;
  const next = foldTurn(turn, event);
  const turns = at < 0 ? [...view.turns, next] : view.turns.with(at, next);
  return { turns, seq: event.seq };
}

/** Whether an event is the end of a turn that could not be stored: it is in no journal and has no number. */
export function isUnstored(event: TurnEvent): boolean {
  return event.event === 'error' && event.seq === 0;
}

function newTurn(event: TurnEvent): TurnView {
  return {
    id: event.turn,
    at: null,
    text: event.event === 'turn_started' ? event.text : '',
    insteadOf: null,
    state: 'running',
    status: null,
    request: null,
    steps: [],
    results: [],
    parts: [],
    streaming: false,
    thinking: '',
    effects: [],
    approvals: [],
    questions: [],
    near: [],
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
      // A turn that continues after a button press starts again without text.
      return {
        ...turn,
        state: 'running',
        text: event.text || turn.text,
        insteadOf: event.instead_of ?? turn.insteadOf,
      };
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
    case 'thinking':
      return { ...turn, state: 'running', thinking: turn.thinking + event.text };
    case 'token': {
      // A model gave up and the next one starts over: drop the words of the first.
      if (event.restart && turn.streaming) return { ...turn, state: 'running', parts: turn.parts.with(-1, event.text) };
      const parts = turn.streaming
        ? turn.parts.with(-1, (turn.parts.at(-1) ?? '') + event.text)
        : [...turn.parts, event.text];
      return { ...turn, state: 'running', parts, streaming: true };
    }
    case 'waiting':
      return {
        ...withResults(closePart(turn, withoutQuestions(event)), event.results),
        state: 'waiting',
        status: null,
      };
    case 'done':
      return {
        ...withResults(
          closePart(turn, event.answer || (turn.streaming ? (turn.parts.at(-1) ?? '') : '')),
          event.results,
        ),
        state: 'done',
        status: null,
        error: event.fault ?? null,
        near: event.near ?? [],
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
      return stopped(withResults(turn, event.results));
    case 'error':
      return {
        ...stopped(turn),
        state: 'failed',
        error: { code: event.code, message: event.message, hint: event.hint },
      };
  }
}

/** Ends a turn and cancels its running and upcoming steps. */
function stopped(turn: TurnView): TurnView {
  const steps = turn.steps.map((step) =>
    step.state === 'next' || step.state === 'running' ? { ...step, state: 'cancelled' as const } : step,
  );
  return { ...turn, state: 'stopped', status: null, streaming: false, steps };
}

/** A new plan for the same turn (a replan) keeps the results of earlier steps. */
function newStep(turn: TurnView, step: PlanStep, index: number): StepView {
  const before = turn.steps.find((one) => one.key === step.key);
  return {
    key: step.key,
    number: index + 1,
    say: step.say,
    why: step.why,
    tool: step.tool,
    risk: before?.risk ?? null,
    state: step.status,
    summary: before?.summary ?? null,
    ms: before?.ms ?? null,
    error: before?.error ?? null,
    found: before?.found ?? null,
    research: before?.research ?? null,
    effect: before?.effect ?? null,
    approval: before?.approval ?? null,
    question: before?.question ?? null,
  };
}

function withStep(turn: TurnView, key: string, change: Partial<StepView>): TurnView {
  return { ...turn, steps: turn.steps.map((step) => (step.key === key ? { ...step, ...change } : step)) };
}

/** Applies the result lines of a pause or end: each gives a step's state, in words made from receipts. */
function withResults(turn: TurnView, results: ResultLine[]): TurnView {
  if (results.length === 0) return turn;
  const lines = new Map(results.map((line) => [line.step, line]));
  return {
    ...turn,
    results,
    steps: turn.steps.map((step) => {
      const line = lines.get(step.key);
      return line
        ? { ...step, state: line.status, summary: line.say || step.summary, error: line.error ?? step.error }
        : step;
    }),
    effects: turn.effects.map((effect) => ({ ...effect, say: lines.get(effect.step)?.say || effect.say })),
  };
}

function toolResult(turn: TurnView, event: Extract<TurnEvent, { event: 'tool_result' }>): TurnView {
  const effect = effectId(event.receipt);
  const before = turn.steps.find((step) => step.key === event.step);
  const next = withStep(turn, event.step, {
    // An unknown outcome arrives as an error without a receipt; the result lines of the turn tell them apart.
    state: event.ok ? 'done' : 'failed',
    error: event.error ?? null,
    ms: event.ms ?? null,
    found: event.found ?? null,
    research: begunBy(before?.tool, event.result),
    effect,
  });
  // An approved action shows its receipt in place of its card.
  if (effect === null || before?.approval || turn.effects.some((one) => one.id === effect)) return next;
  return { ...next, effects: [...turn.effects, { id: effect, step: event.step, say: before?.say ?? '' }] };
}

/** The research that a `research.start` step started. */
function begunBy(tool: string | undefined, result: unknown): Id | null {
  if (tool !== 'research.start') return null;
  const { output } = (result ?? {}) as { output?: { run?: unknown } | null };
  return typeof output?.run === 'string' ? output.run : null;
}

function effectId(receipt: unknown): Id | null {
  const id = receipt !== null && typeof receipt === 'object' && 'id' in receipt ? receipt.id : null;
  return typeof id === 'string' ? id : null;
}

/** The answer of a waiting turn without its questions: each has its own card with the choices. */
function withoutQuestions({ answer, results }: Extract<TurnEvent, { event: 'waiting' }>): string {
  return results
    .filter((line) => line.status === 'needs_answer')
    .reduce((text, line) => text.replace(line.say, ''), answer)
    .trim();
}

/** Replaces the streamed words with the engine's final ones; shows repeated words only once. */
function closePart(turn: TurnView, answer: string): TurnView {
  const before = turn.streaming ? turn.parts.slice(0, -1) : turn.parts;
  const text = answer.trim();
  const parts = text && before.at(-1)?.trim() !== text ? [...before, text] : before;
  return { ...turn, parts, streaming: false };
}
