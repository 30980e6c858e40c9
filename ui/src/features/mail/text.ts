/** A run of lines of a mail: the sender's own, or quoted ones. */
export interface Block {
  quoted: boolean;
  text: string;
}

const QUOTED = /^\s{0,3}>/;
/** A line such as “On Monday, Raj wrote:” introduces a quotation and belongs to it. */
const LEADS_IN = /:\s*$/;
const LEAD_IN_CHARS_MAX = 200;

/** Splits the text of a mail into own and quoted blocks, in order. */
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
  /** The URL of a link; opening it asks the person first. */
  href: string | null;
}

const ADDRESS = /https?:\/\/[^\s<>"'`\\^{}|]+/gi;
/** Punctuation that ends the sentence and does not belong to the URL. */
const AFTER = /[.,;:!?)\]]+$/;

/** Splits a text into plain pieces and URLs. */
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
