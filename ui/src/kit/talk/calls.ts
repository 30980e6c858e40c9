import { host, type CallRow, type Usage } from '../../host';
import { money } from '../money.svelte';
import { t } from '../strings';
import type { TurnView } from './fold';

/** Whether a model had a part in it: then there is something to tell about tokens and money. */
export function usedModel(turn: TurnView): boolean {
  const { by, usage } = turn.trace;
  return (
    (by !== null && by !== 'embedded') || (usage !== null && usage.input + usage.output > 0) || turn.thinking !== ''
  );
}

/** Who answered: null for the embedded engine alone, the model's name where the turn knows it, else just “a model”. */
export function answeredBy(turn: TurnView): string | null {
  if (!usedModel(turn)) return null;
  const { by } = turn.trace;
  return by !== null && by !== 'embedded' ? by : t('chat.a_model');
}

/** Every call to a model of one turn, first to last. */
export async function callsOf(turn: string): Promise<CallRow[]> {
  const { rows } = await host.call('show', { what: 'usage', id: turn, from: null, to: null, limit: null, text: null });
  return rows.topic === 'calls' ? rows.list : [];
}

export interface Instead {
  /** Who did not answer, and why. */
  model: string;
  why: string;
  /** Who did. */
  by: string;
}

/** The last model that did not answer, when another did after it. A failure that nobody made good is told by the turn. */
export function insteadOf(calls: readonly CallRow[]): Instead | null {
  const at = calls.findLastIndex((one) => one.state === 'failed' || one.state === 'lost');
  const failed = calls[at];
  if (!failed) return null;
  const after = calls.slice(at + 1).find((one) => one.state === 'done' && one.stage === failed.stage);
  return after && after.model !== failed.model
    ? { model: failed.model, why: failed.fault ?? '', by: after.model }
    : null;
}

/** Tokens of everything a model was given. */
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
