import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';

// Classes in `kit/css/` are global, and a stylesheet loaded with a component stays loaded. If one of its rules matched
// a component that does not import it, that component would look different after a visit to another surface.

const SRC = join(process.cwd(), 'src');
const SHEETS = join(SRC, 'kit/css');

interface Source {
  path: string;
  text: string;
}

/** Source files by path. */
type Files = ReadonlyMap<string, Source>;

function read(dir: string): Source[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return read(path);
    return /\.(svelte|ts|css)$/.test(path) && !path.endsWith('.test.ts')
      ? [{ path, text: readFileSync(path, 'utf8') }]
      : [];
  });
}

function target(files: Files, from: string, written: string): string[] {
  const path = resolve(dirname(from), written);
  return [path, `${path}.ts`, `${path}/index.ts`].filter((one) => files.has(one)).slice(0, 1);
}

/** A file's imports: static ones and dynamic ones. */
function imports(files: Files, { path, text }: Source): { now: string[]; later: string[] } {
  const found = (pattern: RegExp) =>
    [...text.matchAll(pattern)].flatMap((match) => target(files, path, match[1] as string));
  return {
    now: found(/import\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/g),
    later: found(/import\('(\.[^']+)'\)/g),
  };
}

/** The classes a component puts on its elements, including conditional ones. */
function classesIn(source: string): Set<string> {
  const classes = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object') return;
    const one = node as Record<string, unknown> & { type?: string; name?: string };
    if (one.type === 'ClassDirective' && one.name) classes.add(one.name);
    if (one.type === 'Attribute' && one.name === 'class') {
      const words = JSON.stringify(one['value'], (key, value) => (key === 'metadata' ? undefined : value));
      for (const [, word] of words.matchAll(/"(?:data|value|cooked)":"((?:[^"\\]|\\.)*)"/g)) {
        word?.split(/\s+/).forEach((name) => name !== '' && classes.add(name));
      }
    }
    for (const [key, value] of Object.entries(one)) if (key !== 'metadata') walk(value);
  };
  walk(parse(source, { modern: true }).fragment);
  return classes;
}

/** The selectors of a stylesheet, one by one. */
function selectors(css: string): string[] {
  return [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)]
    .map((match) => (match[1] as string).trim())
    .filter((one) => !/^(@|from$|to$|\d)/.test(one))
    .flatMap((one) => one.split(/,(?![^(]*\))/).map((part) => part.trim()));
}

/**
 * Selectors that could match components that do not always come with their stylesheet. To be safe, a selector must name
 * a class that is used only by components that always bring the stylesheet along.
 */
function leaks(files: Files, lazy: string[]): string[] {
  const graph = new Map([...files.values()].map((file) => [file.path, imports(files, file)]));
  const parents = new Map<string, string[]>();
  for (const [path, { now, later }] of graph) {
    for (const child of [...now, ...later]) parents.set(child, [...(parents.get(child) ?? []), path]);
  }
  const brings = (path: string, sheet: string, seen = new Set<string>()): boolean => {
    if (path === sheet) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    return (graph.get(path)?.now ?? []).some((child) => brings(child, sheet, seen));
  };
  // The file imports the sheet itself, or everything that could render it does.
  const always = (path: string, sheet: string, seen = new Set<string>()): boolean => {
    if (brings(path, sheet)) return true;
    const above = (parents.get(path) ?? []).filter((one) => !seen.has(one));
    return above.length > 0 && above.every((one) => always(one, sheet, new Set(seen).add(path)));
  };
  const users = new Map<string, string[]>();
  for (const { path, text } of files.values()) {
    if (path.endsWith('.svelte'))
      for (const name of classesIn(text)) users.set(name, [...(users.get(name) ?? []), path]);
  }
  return lazy.flatMap((sheet) => {
    const own = (name: string) => (users.get(name) ?? []).every((path) => always(path, sheet));
    return selectors(files.get(sheet)?.text ?? '')
      .filter((selector) => ![...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].some((match) => own(match[1] as string)))
      .map((selector) => `${relative(SRC, sheet)}: ${selector}`);
  });
}

const files: Files = new Map(read(SRC).map((one) => [one.path, one]));
const atStart = readFileSync(join(SHEETS, 'start.css'), 'utf8');
const lazy = [...files.keys()].filter(
  (path) => path.startsWith(SHEETS) && !path.endsWith('start.css') && !atStart.includes(`./${relative(SHEETS, path)}'`),
);

describe('global styles that come later', () => {
  it('hold only for what they come with', () => {
    expect(lazy.length).toBeGreaterThan(3);
    expect(leaks(files, lazy)).toEqual([]);
  });

  it('are caught when they do not (this check can fail)', () => {
    const made = (name: string, text: string): [string, Source] => {
      const path = join(SRC, name);
      return [path, { path, text }];
    };
    const sheet = join(SRC, 'own.css');
    const some = new Map([
      made('own.css', '.own > .shared { color: red }\n.shared,\nins { color: red }\n.inner { color: red }'),
      made(
        'Own.svelte',
        `<script>import './own.css'; import Inner from './Inner.svelte';</script><p class="own shared"></p>`,
      ),
      made('Inner.svelte', '<p class="inner"></p>'),
      made('Other.svelte', `<p class="btn {wide ? 'shared' : ''}"></p>`),
      made('Both.svelte', `<script>import Own from './Own.svelte'; import Other from './Other.svelte';</script>`),
      made('Alone.svelte', `<script>const one = import('./Other.svelte');</script>`),
    ]);
    expect(leaks(some, [sheet])).toEqual(['own.css: .shared', 'own.css: ins']);
  });
});

describe('styles of a component', () => {
  it('begin at one of its own elements', () => {
    const found = [...files.values()]
      .filter(({ path }) => path.endsWith('.svelte'))
      .flatMap(({ path, text }) =>
        selectors(/<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '')
          // A script names highlights, so they belong to no element.
          .filter((one) => one.startsWith(':global(') && !one.startsWith(':global(::highlight('))
          .map((one) => `${relative(SRC, path)}: ${one}`),
      );
    expect(found).toEqual([]);
  });
});
