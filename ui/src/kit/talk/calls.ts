import { host, type CallRow, type Usage } from '../../host';
import { money } from '../money.svelte';
import { t } from '../strings';
import type { TurnView } from './view';

/** Stages whose reply the person reads. */
const WRITES = new Set(['respond', 'refine', 'tone', 'synthesise']);

/** Whether a model was involved, so that there are tokens and a cost to report. */
export function usedModel(turn: TurnView): boolean {
  const { by, usage } = turn.trace;
  return (
    (by !== null && by !== 'embedded') || (usage !== null && usage.input + usage.output > 0) || turn.thinking !== ''
  );
}

/** Who answered: null for the embedded engine alone, the model's name if the turn knows it, else just “a model”. */
export function answeredBy(turn: TurnView): string | null {
  if (!usedModel(turn)) return null;
  const { by } = turn.trace;
  return by !== null && by !== 'embedded' ? by : t('chat.a_model');
}

/** Whether it is known who answered: a confident route does not tell who planned; only the final usage does. */
export function knowsModel(turn: TurnView): boolean {
  return usedModel(turn) || turn.trace.usage !== null;
}

/** What a turn cost and which models it used, from its total or its calls so far; null until either is known. */
export function spentText(turn: TurnView, calls: readonly CallRow[] | null): string | null {
  if (calls && calls.length > 0) {
    const models = [...new Set(calls.map((call) => call.model))].join(', ');
    const micros = calls.reduce((sum, call) => sum + call.cost_micros, 0);
    return t('plan.cost_by', { model: models, cost: micros > 0 ? money.text(micros) : t('chat.no_cost') });
  }
  const { usage } = turn.trace;
  const model = answeredBy(turn);
  if (usage && model !== null) return t('plan.cost_by', { model, cost: costText(usage) ?? t('chat.no_cost') });
  return model === null && (usage || calls) ? t('plan.cost_none') : null;
}

/** Every model call of a turn, in order. */
export async function callsOf(turn: string): Promise<CallRow[]> {
  const { rows } = await host.call('show', { what: 'usage', id: turn, from: null, to: null, limit: null, text: null });
  return rows.topic === 'calls' ? rows.list : [];
}

export interface Instead {
  /** The model that did not answer, and why. */
  model: string;
  why: string;
  /** The model that answered. */
  by: string;
}

/** The last model that failed, if another one then answered. If none did, the turn itself reports the failure. */
export function insteadOf(calls: readonly CallRow[]): Instead | null {
  const at = calls.findLastIndex((one) => one.state === 'failed' || one.state === 'lost');
  const failed = calls[at];
  if (!failed) return null;
  const after = calls.slice(at + 1).find((one) => one.state === 'done' && one.stage === failed.stage);
  return after && after.model !== failed.model
    ? { model: failed.model, why: failed.fault ?? '', by: after.model }
    : null;
}

/** The model whose words are the answer: the one in the last successful call of a writing stage. */
export function answererOf(calls: readonly CallRow[]): string | null {
  return calls.findLast((one) => one.state === 'done' && WRITES.has(one.stage))?.model ?? null;
}

/** The total tokens of a model's context. */
export function contextTokens(turn: TurnView): number {
  return turn.trace.sections.reduce((sum, one) => sum + one.tokens, 0);
}

/** `1,240` */
export function countText(n: number): string {
  return new Intl.NumberFormat('en').format(n);
}

/** `$0.0021`; null when nothing was paid. */
export function costText(usage: Usage): string | null {
  return usage.cost_micros === 0 ? null : money.text(usage.cost_micros);
}
