import { withoutCommands, type Id } from '../../host';
import { beside, besideCards } from './plain';
import type { EffectView, TurnView, TalkView } from './view';

/** A turn that stands, and those whose place it took, oldest first. */
export interface Exchange {
  turn: TurnView;
  before: TurnView[];
}

/** The conversation as it stands: what was asked another way later on is behind what took its place. */
export function exchanges(turns: readonly TurnView[]): Exchange[] {
  const standing: Exchange[] = [];
  for (const turn of turns) {
    const from = turn.insteadOf === null ? -1 : standing.findIndex((one) => holds(one, turn.insteadOf));
    const replaced = from < 0 ? [] : standing.splice(from);
    standing.push({ turn, before: replaced.flatMap((one) => [...one.before, one.turn]) });
  }
  return standing;
}

const holds = ({ turn, before }: Exchange, id: Id | null) => turn.id === id || before.some((one) => one.id === id);

/** What turns changed for good, with or without a card. */
export function effectsOf(turns: readonly TurnView[]): EffectView[] {
  return turns.flatMap((turn) =>
    turn.steps.flatMap(({ effect, key, summary, say }) =>
      effect === null ? [] : [{ id: effect, step: key, say: summary ?? say }],
    ),
  );
}

/** The plan beside the conversation: of the newest turn whose plan says more than its answer does. */
export function currentPlan(view: TalkView): TurnView | null {
  const wanted = ({ turn }: Exchange) => turn.steps.length > 1 || hasOpenStep(turn);
  return exchanges(view.turns).findLast(wanted)?.turn ?? null;
}

/** A question stands in the answer with its choices; beside it, it would be said twice. */
const hasOpenStep = (turn: TurnView) => turn.steps.some((step) => step.state === 'waiting');

/** How the names of tools of servers begin. */
const FOREIGN = 'mcp.';

/**
 * What is left to say where receipts stand: words that only repeat one are not said twice. A receipt of a server's tool
 * says that it was called, never what it answered.
 */
export function partsBeside(turn: TurnView): string[] {
  const own = turn.steps.filter((step) => !step.tool.startsWith(FOREIGN));
  const foreign = new Set(turn.steps.filter((step) => !own.includes(step)).map((step) => step.key));
  const approved = own.flatMap(({ effect, approval, summary }) => (effect && approval && summary ? [summary] : []));
  const effects = turn.effects.filter((effect) => !foreign.has(effect.step));
  const told = [...effects.map((effect) => effect.say), ...approved].map((say) => say.trim());
  return turn.parts
    .map((part) => told.reduce(without, part))
    .map((part) => beside(withoutCommands(part), turn.error))
    .map((part) => (turn.approvals.length > 0 ? besideCards(part) : part))
    .filter((part) => part !== '');
}

/** A text without a passage, where that stands in paragraphs of its own. */
function without(text: string, passage: string): string {
  const at = passage === '' ? -1 : text.indexOf(passage);
  if (at < 0) return text;
  const [before, after] = [text.slice(0, at), text.slice(at + passage.length)];
  const alone = /(^|\n)\s*$/.test(before) && /^\s*(\n|$)/.test(after);
  return alone ? `${before.trimEnd()}\n\n${after.trimStart()}`.trim() : text;
}

export function stepsDone(turn: TurnView): number {
  return turn.steps.filter((step) => step.state === 'done').length;
}

export function isOpen(turn: TurnView | undefined): boolean {
  return turn?.state === 'running';
}
