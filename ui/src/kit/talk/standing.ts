import { withoutCommands, type Id } from '../../host';
import { beside, besideCards } from './plain';
import type { EffectView, TurnView, TalkView } from './view';

/** A turn that counts, with the turns it replaced, oldest first. */
export interface Exchange {
  turn: TurnView;
  before: TurnView[];
}

/** The current exchanges: a turn asked in place of another replaces that one and all turns after it. */
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

/** All effects of these turns, with or without a card. */
export function effectsOf(turns: readonly TurnView[]): EffectView[] {
  return turns.flatMap((turn) =>
    turn.steps.flatMap(({ effect, key, summary, say }) =>
      effect === null ? [] : [{ id: effect, step: key, say: summary ?? say }],
    ),
  );
}

/** The plan to show beside the conversation: of the newest turn whose plan says more than its answer. */
export function currentPlan(view: TalkView): TurnView | null {
  const wanted = ({ turn }: Exchange) => turn.steps.length > 1 || hasOpenStep(turn);
  return exchanges(view.turns).findLast(wanted)?.turn ?? null;
}

/** Whether a step waits for approval. Questions do not count: the answer already shows them with their choices. */
const hasOpenStep = (turn: TurnView) => turn.steps.some((step) => step.state === 'waiting');

/** The name prefix of tools from servers. */
const FOREIGN = 'mcp.';

/**
 * The words to show beside receipts, without passages that only repeat one. Keeps the words of a server's tool, because
 * its receipt says that it was called but not what it returned.
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
    .map((part) => (turn.approvals.length > 0 || isPress(turn) ? besideCards(part) : part))
    .filter((part) => part !== '');
}

/** Whether the turn goes on after a press on a card, which says what came of it. */
const isPress = (turn: TurnView) => turn.text === '' && turn.error === null;

/** Removes a passage from a text, if it stands in paragraphs of its own. */
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
