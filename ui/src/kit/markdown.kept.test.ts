import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown';

/** Ordinary inline marks, with the selector and words they must produce. */
const INLINE: [mark: string, selector: string | null, words: string][] = [
  ['plain words', null, 'plain words'],
  ['**strong words**', 'strong', 'strong words'],
  ['__strong words__', 'strong', 'strong words'],
  ['*soft words*', 'em', 'soft words'],
  ['_soft words_', 'em', 'soft words'],
  ['***both at once***', 'em strong, strong em', 'both at once'],
  ['~~gone~~', 'del', 'gone'],
  ['`code()`', 'code', 'code()'],
  ['`a < b && c > d`', 'code', 'a < b && c > d'],
  ['``a ` tick``', 'code', 'a ` tick'],
  ['[a page](https://example.org/a?b=1&c=2)', 'a[href$="c=2"]', 'a page'],
  ['[example.org](https://example.org)', 'a[href="https://example.org/"]', 'example.org'],
  ['[README.md](https://example.org/README.md)', 'a[href="https://example.org/README.md"]', 'README.md'],
  ['<https://example.org/a>', 'a[href="https://example.org/a"]', 'https://example.org/a'],
  ['https://example.org/a_b_c', 'a[href="https://example.org/a_b_c"]', 'https://example.org/a_b_c'],
  ['www.example.org', 'a[href="http://www.example.org/"]', 'www.example.org'],
  ['kim@example.org', 'a[href="mailto:kim@example.org"]', 'kim@example.org'],
  ['[write to Kim](mailto:kim@example.org)', 'a[href="mailto:kim@example.org"]', 'write to Kim'],
  ['**[a page](https://example.org)**', 'strong a', 'a page'],
  ['[**a page**](https://example.org)', 'a strong', 'a page'],
  ['2 * 3 * 4 = 24', null, '2 * 3 * 4 = 24'],
  ['snake_case_name', null, 'snake_case_name'],
  ['5 < 6 and 7 > 3', null, '5 < 6 and 7 > 3'],
  ['Tom & Jerry', null, 'Tom & Jerry'],
  ['a \\*star\\*', null, 'a *star*'],
  ['“quoted” — dash … 100 %', null, '“quoted” — dash … 100 %'],
  ['Grüße, 你好, שלום, Привет', null, 'Grüße, 你好, שלום, Привет'],
  ['👍 🎉 ok', null, '👍 🎉 ok'],
  ['$5, €7 and #3', null, '$5, €7 and #3'],
  ['first\\\nsecond', 'br', ''],
];

/** Places where inline marks can occur, with the surrounding element. */
const PLACES: [name: string, wrap: (inner: string) => string, selector: string][] = [
  ['a paragraph', (inner) => inner, 'p'],
  ['between paragraphs', (inner) => `Before.\n\n${inner}\n\nAfter.`, 'p'],
  ['a heading', (inner) => `## ${inner}`, 'h3'],
  ['a list', (inner) => `- one\n- ${inner}\n- three`, 'ul > li'],
  ['a numbered list', (inner) => `3. one\n4. ${inner}`, 'ol[start="3"] > li'],
  ['a list in a list', (inner) => `- one\n  - ${inner}`, 'ul ul > li'],
  ['a task list', (inner) => `- [x] ${inner}`, 'ul > li'],
  ['a quotation', (inner) => `> ${inner}`, 'blockquote p'],
  ['a table', (inner) => `| a | b |\n|:--|--:|\n| 1 | ${inner} |`, 'td.to-right'],
  ['after code', (inner) => `\`\`\`js\nlet a = '<b>';\n\`\`\`\n\n${inner}`, 'p'],
];

// Headings and table cells cannot contain a line break.
const SINGLE = new Set(['a heading', 'a table']);
type Case = [name: string, text: string, around: string, selector: string | null, words: string];
const CASES: Case[] = PLACES.flatMap(([place, wrap, around]) =>
  INLINE.filter(([mark]) => !(mark.includes('\n') && SINGLE.has(place))).map(([mark, selector, words]): Case => [
    `${mark} in ${place}`,
    wrap(mark),
    around,
    selector,
    words,
  ]),
).concat([
  ['a rule', 'a\n\n---\n\nb', 'hr', null, ''],
  ['a block of code', '```\na\n  b <i>\n```', 'pre code', null, 'a\n  b <i>'],
]);

describe('ordinary Markdown', () => {
  it('is three hundred snippets', () => {
    expect(CASES).toHaveLength(300);
  });

  it.each(CASES)('is kept: %s', (_, text, around, selector, words) => {
    const box = document.createElement('div');
    box.innerHTML = renderMarkdown(text, false);
    const places = [...box.querySelectorAll(around)];
    expect(places.length, box.innerHTML).toBeGreaterThan(0);
    const found = selector === null ? places : places.flatMap((place) => [...place.querySelectorAll(selector)]);
    expect(
      found.some((one) => one.textContent.includes(words)),
      box.innerHTML,
    ).toBe(true);
  });
});
