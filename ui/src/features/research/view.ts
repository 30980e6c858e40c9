import type {
  Claim,
  Compared,
  DocumentChange,
  PageCheck,
  Id,
  Lane,
  LaneStep,
  ResearchRow,
  ResearchState,
  SourceRow,
} from '../../host';
import type { PlainKey } from '../../kit/strings';
import '../../kit/strings/en/research';

/** From this share on, a budget counts as nearly used up. */
const NEAR = 0.8;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

export type Level = 'plain' | 'near' | 'full';

/** How full a budget is. */
export function levelOf(used: number, max: number): Level {
  if (max <= 0 || used >= max) return 'full';
  return used / max >= NEAR ? 'near' : 'plain';
}

/** `6:12` */
export function clockText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whole minutes, rounded up; 0 for less than one. */
export const minutesOf = (ms: number): number => (ms < MINUTE_MS ? 0 : Math.ceil(ms / MINUTE_MS));

export interface May {
  stop: boolean;
  writeNow: boolean;
  resume: boolean;
}

/** What the person can do with a run in this state. */
export function mayOf(state: ResearchState): May {
  const busy = state === 'running' || state === 'waiting';
  const halted = state === 'stopped' || state === 'paused' || state === 'failed';
  return { stop: busy, writeNow: state === 'running', resume: halted };
}

export type Tone = '' | 'run' | 'wait' | 'done' | 'stop';

export function toneOf(state: ResearchState): Tone {
  const tones = { asking: 'wait', paused: 'wait', running: 'run', done: 'done', failed: 'stop' } as const;
  return state in tones ? tones[state as keyof typeof tones] : '';
}

/** Groups runs: those that need the person, those at work, those that are over. */
export function groupsOf(rows: ResearchRow[]): { label: PlainKey; items: ResearchRow[] }[] {
  const of = (states: ResearchState[]) => rows.filter((row) => states.includes(row.state));
  const groups: { label: PlainKey; items: ResearchRow[] }[] = [
    { label: 'research.group_ask', items: of(['asking', 'paused']) },
    { label: 'research.group_run', items: of(['running', 'waiting']) },
    { label: 'research.group_done', items: of(['done', 'stopped', 'failed']) },
  ];
  return groups.filter((group) => group.items.length > 0);
}

/** The searches and reflections of a lane, in order. */
export function trackOf(steps: LaneStep[]): ('search' | 'reflect')[] {
  return steps.flatMap(({ step }) => (step === 'search' || step === 'reflect' ? [step] : []));
}

export const countOf = (steps: LaneStep[], step: LaneStep['step']): number =>
  steps.filter((one) => one.step === step).length;

/** The word for what a lane is doing. In a run that has stopped, no lane is at work. */
export function laneWord(lane: Lane, moving: boolean): PlainKey {
  if (lane.state === 'done') return 'research.lane_done';
  if (!moving) return 'research.lane_stopped';
  if (lane.state === 'pending') return 'research.lane_pending';
  const words: Record<string, PlainKey> = {
    choosing: 'research.lane_choosing',
    opening: 'research.lane_opening',
    reflecting: 'research.lane_reflecting',
    documenting: 'research.lane_documenting',
  };
  return words[lane.phase] ?? 'research.lane_searching';
}

/** A source as something to show and open. */
export type Place =
  | { kind: 'page'; label: string; url: string }
  | { kind: 'file'; label: string; path: string }
  | { kind: 'record'; label: string; record: { kind: string; id: Id } }
  | { kind: 'unknown'; label: string };

export function placeOf(address: string): Place {
  const record = /^record:([a-z_]+)\/(.+)$/.exec(address);
  if (record) return { kind: 'record', label: '', record: { kind: record[1] ?? '', id: record[2] ?? '' } };
  if (address.startsWith('file:')) {
    const path = decoded(address.replace(/^file:(\/\/)?/, ''));
    return { kind: 'file', label: path.split('/').slice(-3, -1).join(' › '), path };
  }
  try {
    const url = new URL(address);
    if (url.protocol === 'https:' || url.protocol === 'http:') return { kind: 'page', label: url.host, url: url.href };
  } catch {
    // Not a URL; shown as it is.
  }
  return { kind: 'unknown', label: address };
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** The number of a claim's source in the list beside it; null when the list does not contain it. */
export function pinOf(claim: Claim, sources: SourceRow[]): number | null {
  const at = sources.findIndex(
    (one) => (one.sha256 !== '' && one.sha256 === claim.sha256) || one.address === claim.source,
  );
  return at < 0 ? null : sources[at]?.number || at + 1;
}

export interface Mark {
  text: string;
  /** The index of the quote; null for the text between quotes. */
  quote: number | null;
}

/**
 * Splits a text at the quotes in it. They must match letter for letter, except for white space, which a page may break
 * anywhere. Where two quotes overlap, the first one given wins.
 */
export function marksOf(text: string, quotes: string[]): Mark[] {
  const { plain, at } = collapsed(text);
  const taken: { from: number; to: number; quote: number }[] = [];
  quotes.forEach((words, quote) => {
    const wanted = collapsed(words.trim()).plain;
    const found = wanted === '' ? -1 : plain.indexOf(wanted);
    if (found < 0) return;
    const from = at[found] ?? 0;
    const to = (at[found + wanted.length - 1] ?? 0) + 1;
    if (!taken.some((one) => from < one.to && one.from < to)) taken.push({ from, to, quote });
  });
  taken.sort((a, b) => a.from - b.from);
  const marks: Mark[] = [];
  let end = 0;
  for (const one of taken) {
    if (one.from > end) marks.push({ text: text.slice(end, one.from), quote: null });
    marks.push({ text: text.slice(one.from, one.to), quote: one.quote });
    end = one.to;
  }
  if (end < text.length || marks.length === 0) marks.push({ text: text.slice(end), quote: null });
  return marks;
}

/** Collapses runs of white space into one space, and keeps the original position of every character. */
function collapsed(text: string): { plain: string; at: number[] } {
  const letters: string[] = [];
  const at: number[] = [];
  let space = false;
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place] ?? '';
    const isSpace = /\s/.test(letter);
    if (isSpace && space) continue;
    letters.push(isSpace ? ' ' : letter);
    at.push(place);
    space = isSpace;
  }
  return { plain: letters.join(''), at };
}

/** The changes after version `from` up to version `to`, newest first, without those that have no lines. */
export const between = (all: DocumentChange[], from: number, to: number): DocumentChange[] =>
  all.filter(({ version, lines }) => version > from && version <= to && lines.length > 0).reverse();

/** The message for a page that was fetched again. */
export function checkWord({
  is_same,
  gone,
}: PageCheck): 'research.check_same' | 'research.check_kept' | 'research.check_gone' {
  if (is_same) return 'research.check_same';
  return gone.length === 0 ? 'research.check_kept' : 'research.check_gone';
}

/** Whether two reports have no differences. */
export const isSame = ({ changed, new: added, gone }: Compared): boolean =>
  changed.length + added.length + gone.length === 0;
