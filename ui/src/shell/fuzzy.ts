/** Where the letters of a query matched, as [start, end) ranges. */
export interface Match {
  score: number;
  runs: [number, number][];
}

/** The score of text that begins a word, nearly; only text inside a word scores less among whole matches. */
export const WORD_START = 1100;

/**
 * Fuzzy subsequence match that favours word starts and unbroken runs, and ignores case and accents. A higher score is
 * better; an empty query matches everything equally. Null if the letters do not occur in this order.
 */
export function fuzzy(query: string, text: string): Match | null {
  const wanted = fold(query).replace(/\s+/g, '');
  if (wanted === '') return { score: 0, runs: [] };
  const hay = fold(text);
  if (hay.length !== text.length) return plainMatch(wanted, hay);
  const direct = hay.indexOf(fold(query).trim());
  if (direct >= 0) {
    const length = query.trim().length;
    const start = direct === 0 || /[^\p{L}\p{N}]/u.test(hay[direct - 1] ?? '');
    return { score: 1000 + (start ? 200 : 0) - direct - hay.length / 100, runs: [[direct, direct + length]] };
  }
  const runs: [number, number][] = [];
  let score = 0;
  let at = 0;
  for (const letter of wanted) {
    const found = hay.indexOf(letter, at);
    if (found < 0) return null;
    const last = runs.at(-1);
    if (last && last[1] === found) {
      last[1] = found + 1;
      score += 8;
    } else {
      runs.push([found, found + 1]);
      score += found === 0 || /[^\p{L}\p{N}]/u.test(hay[found - 1] ?? '') ? 10 : 1;
      score -= Math.min(6, found - at);
    }
    at = found + 1;
  }
  // Letters scattered over many places match by chance.
  return runs.length > Math.max(3, wanted.length / 2) ? null : { score, runs };
}

export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function plainMatch(wanted: string, hay: string): Match | null {
  return hay.replace(/\s+/g, '').includes(wanted) ? { score: 100, runs: [] } : null;
}
