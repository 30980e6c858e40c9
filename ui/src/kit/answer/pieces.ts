import { withoutCommands, type Found } from '../../host';
import { partsBeside } from '../talk/standing';
import type { TurnView } from '../talk/view';

/** The parts of an answer, in order: words, and rows in place of the words that say the same. */
export type Piece =
  | { kind: 'words'; text: string; streaming: boolean }
  /** Suggested requests, ready to press. */
  | { kind: 'tries'; requests: string[] }
  /** `basis`: the answer is words, by a model or from a text, and these are the rows it comes from. */
  | { kind: 'rows'; found: Found; basis: boolean };

/** `first` comes before receipts, cards and questions, `rest` after them. */
export function piecesOf(turn: TurnView): { first: Piece[]; rest: Piece[] } {
  const parts = partsBeside(turn);
  const placed = new Set<Found>();
  const [first = [], ...more] = parts.map((part, at) => {
    return split(part, turn, turn.streaming && at === parts.length - 1, placed);
  });
  if (turn.near.length > 0) first.push({ kind: 'tries', requests: turn.near });
  // If the turn changed something, its receipt, card or question already covers the rows it used.
  const acted = turn.effects.length > 0 || turn.approvals.length > 0 || turn.questions.length > 0;
  const said = turn.state === 'done' && !acted && parts.length > 0;
  const unsaid = said ? foundBy(turn).filter((found) => !placed.has(found)) : [];
  return { first, rest: [...more.flat(), ...unsaid.map((found): Piece => ({ kind: 'rows', found, basis: true }))] };
}

const foundBy = (turn: TurnView): Found[] => turn.steps.flatMap((step) => step.found ?? []);

function split(text: string, turn: TurnView, streaming: boolean, placed: Set<Found>): Piece[] {
  const next = foundBy(turn)
    .filter((found) => !placed.has(found))
    .map((found) => ({ found, say: withoutCommands(found.say) }))
    .map((one) => ({ ...one, at: text.indexOf(one.say) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  if (!next) return words(text, streaming);
  placed.add(next.found);
  return [
    ...words(text.slice(0, next.at), false),
    ...(saysMore(next.found) || isText(next.found) ? words(next.say, false) : []),
    { kind: 'rows', found: next.found, basis: isText(next.found) },
    ...split(text.slice(next.at + next.say.length), turn, streaming, placed),
  ];
}

/**
 * Whether a contact row needs its words as well: a question about somebody (birthday, phone number) is answered in
 * words, and the row is their source.
 */
function saysMore({ rows, say }: Found): boolean {
  if (rows.kind !== 'contacts') return false;
  const [first] = rows.list;
  // The words of a plain list mention everything known about the contact.
  return (
    first !== undefined && ![...first.emails, ...first.phones, first.organisation].every((one) => say.includes(one))
  );
}

/** Whether the words are the text of notes, each under its title in bold, and not a list: the rows are where it stands. */
const isText = ({ rows, head }: Found): boolean => rows.kind === 'notes' && head.startsWith('**');

const words = (text: string, streaming: boolean): Piece[] =>
  text.trim() === '' ? [] : [{ kind: 'words', text: text.trim(), streaming }];
