/** A piece of text on a card: plain, or a potentially deceptive character shown by its code. */
export type Piece = { kind: 'plain'; text: string } | { kind: 'escaped'; text: string; code: string };

/**
 * Invisible characters that change how text reads, as inclusive ranges of code points: controls, bidi marks, zero-width
 * and other format characters, fillers, variation selectors, tags. Line feed and tab are left to the layout.
 */
const HIDDEN: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffc],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe01ef],
];

function isHidden(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return HIDDEN.some(([from, to]) => code >= from && code <= to);
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** Printable ASCII and Latin letters, of which nothing can mislead: almost all text, and lists show a lot of it. */
const HARMLESS = /^[\t\n\x20-\x7e\xa1-\xac\xae-\u024f]+$/;

/**
 * Splits a text so that nothing in it can mislead: hidden and bidi characters, and look-alike letters inside an
 * otherwise Latin word, become escaped pieces. Emoji presentation and accents in plain words survive.
 */
export function inspect(text: string): Piece[] {
  if (HARMLESS.test(text)) return [{ kind: 'plain', text }];
  const mixed = mixedLetters(text);
  const pieces: Piece[] = [];
  let plain = '';
  let at = 0;
  let previous = '';
  for (const char of text) {
    const emoji =
      (char === '\ufe0f' || char === '\u200d') && /\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier}/u.test(previous);
    if ((isHidden(char) && !emoji) || mixed.has(at)) {
      if (plain) pieces.push({ kind: 'plain', text: plain });
      plain = '';
      const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      pieces.push({ kind: 'escaped', text: mixed.has(at) ? char : '', code });
    } else {
      plain += char;
    }
    at += char.length;
    previous = char;
  }
  if (plain) pieces.push({ kind: 'plain', text: plain });
  return pieces;
}

/** Offsets of look-alike letters inside words that also contain Latin letters. */
function mixedLetters(text: string): Set<number> {
  const offsets = new Set<number>();
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    if (!LATIN.test(word) || !LOOKALIKE.test(word)) continue;
    let at = match.index;
    for (const char of word) {
      if (LOOKALIKE.test(char)) offsets.add(at);
      at += char.length;
    }
  }
  return offsets;
}

/** Splits `Raj Patel <raj@x.example>` into name and address; null for any other text. */
export function addressParts(line: string): { name: string; address: string } | null {
  const match = /^(.*?)\s*<([^<>\s]+@[^<>\s]+)>$/.exec(line.trim());
  return match ? { name: match[1] ?? '', address: match[2] ?? '' } : null;
}
