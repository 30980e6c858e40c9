import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { saysOtherAddress } from './link';
import { renderMarkdown } from './markdown';

/** Attack cases written by others; a plain clone of the repository does not contain them. */
const CASES = '../../shared/data/safety/render/markdown_html.jsonl';

interface Case {
  id: string;
  input: string;
}

/** Returns everything in the rendered HTML that would load, run, take input or mislead. */
function findings(html: string): string[] {
  const box = document.createElement('div');
  box.innerHTML = html;
  const known = /^(p|br|strong|em|del|code|pre|blockquote|[uo]l|li|a|hr|span|h[2-5]|table|thead|tbody|tr|th|td|div)$/;
  return [...box.querySelectorAll('*')].flatMap((node) => {
    const found = known.test(node.localName) ? [] : [`<${node.localName}>`];
    for (const { name, value } of node.attributes) {
      if (!/^(href|class|start|tabindex)$/.test(name)) found.push(name);
      if (name === 'href' && !/^(https?|mailto):/.test(value)) found.push(value);
      if (name === 'href' && saysOtherAddress(new URL(value), node.textContent))
        found.push(`${node.textContent}: ${value}`);
    }
    return found;
  });
}

describe.skipIf(!existsSync(CASES))('attacks of the shared data', () => {
  it('are inert', () => {
    const rows = readFileSync(CASES, 'utf8').trim().split('\n');
    const cases = rows.map((row) => JSON.parse(row) as Case);
    expect(cases.length).toBeGreaterThan(150);
    const active = cases.map(({ id, input }) => [id, findings(renderMarkdown(input, false))]);
    expect(active.filter(([, found]) => (found?.length ?? 0) > 0)).toEqual([]);
  });
});
