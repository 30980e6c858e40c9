/** Longer than anyone types a sum; also limits the nesting of brackets. */
const CHARS_MAX = 120;
/** The precision of results, to hide rounding errors such as in 0.1 + 0.2. */
const DIGITS = 12;
const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([-+*/^()%]))/y;
const SIGNS: Record<string, string> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' };

/** The result of a sum; null if the text is no sum or has no result. */
export function sumOf(text: string): number | null {
  if (text.length > CHARS_MAX) return null;
  const read = tokensOf(text.replace(/[×·÷−–]/g, (sign) => SIGNS[sign] ?? sign).replace(/%\s+of\s+/g, '% * '));
  // A single number, or a date such as 3-4-2026, is no sum.
  if (read === null || read.length < 3 || /^\s*\d+([-/])\d+\1\d+\s*$/.test(text)) return null;
  const tokens: readonly string[] = read;
  let at = 0;
  const take = (...any: string[]) => (any.includes(tokens[at] ?? '') ? tokens[at++] : undefined);

  function single(): number {
    if (take('-')) return -single();
    if (take('(')) {
      const inner = total();
      return take(')') ? inner : NaN;
    }
    const number = Number(tokens[at++]);
    return take('%') ? number / 100 : number;
  }
  function power(): number {
    const base = single();
    return take('^') ? base ** power() : base;
  }
  function product(): number {
    let value = power();
    for (let sign = take('*', '/'); sign; sign = take('*', '/'))
      value = sign === '*' ? value * power() : value / power();
    return value;
  }
  function total(): number {
    let value = product();
    for (let sign = take('+', '-'); sign; sign = take('+', '-'))
      value = sign === '+' ? value + product() : value - product();
    return value;
  }

  const value = total();
  return at === tokens.length && Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    tokens.push(found[1] ?? found[2] ?? '');
  }
  return tokens;
}
