/** A run of lines of a mail: what its sender wrote, or what was quoted of earlier mails. */
export interface Block {
  quoted: boolean;
  text: string;
}

const QUOTED = /^\s{0,3}>/;
/** “On Monday, Raj wrote:” and its like stand before a quotation and belong to it. */
const LEADS_IN = /:\s*$/;
const LEAD_IN_CHARS_MAX = 200;

/** The text of a mail as what was written and what was quoted, in order. */
export function blocks(text: string): Block[] {
  const all: Block[] = [];
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const quoted = QUOTED.test(line);
    const last = all.at(-1);
    if (last && (last.quoted === quoted || (last.quoted && line.trim() === ''))) last.text += `\n${line}`;
    else all.push({ quoted, text: line });
  }
  for (const [at, block] of all.entries()) {
    const next = all[at + 1];
    if (block.quoted || !next) continue;
    const lines = block.text.trimEnd().split('\n');
    const lead = lines.at(-1) ?? '';
    if (!LEADS_IN.test(lead) || lead.length > LEAD_IN_CHARS_MAX || lines.length < 2) continue;
    block.text = lines.slice(0, -1).join('\n');
    next.text = `${lead}\n${next.text}`;
  }
  return all.map(({ quoted, text }) => ({ quoted, text: text.trim() })).filter(({ text }) => text !== '');
}

export interface Piece {
  text: string;
  /** An address in the text: it opens only after it was asked about. */
  href: string | null;
}

const ADDRESS = /https?:\/\/[^\s<>"'`\\^{}|]+/gi;
/** What ends a sentence and not an address. */
const AFTER = /[.,;:!?)\]]+$/;

/** A text with the addresses in it told apart. */
export function pieces(text: string): Piece[] {
  const all: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const href = match[0].replace(AFTER, '');
    if (match.index > from) all.push({ text: text.slice(from, match.index), href: null });
    all.push({ text: href, href });
    from = match.index + href.length;
  }
  if (from < text.length) all.push({ text: text.slice(from), href: null });
  return all;
}
