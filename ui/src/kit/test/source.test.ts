import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { en } from '../strings/en';

// Rules for the source that no linter covers.

const SRC = join(process.cwd(), 'src');

function files(dir: string, ending: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return files(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

const components = files(SRC, '.svelte').map((path) => ({
  path: relative(SRC, path),
  source: readFileSync(path, 'utf8'),
}));
const styles = files(SRC, '.css').map((path) => ({ path: relative(SRC, path), source: readFileSync(path, 'utf8') }));

/** Attributes that a person hears or reads. */
const SPOKEN = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
]);
/** Key names and single letters, which are the same in every language. */
const CAPS = /^(Esc|Enter|Tab|Shift|Space|Ctrl|Alt|Delete|[A-Z])$/;

interface Node {
  type: string;
  name?: string;
  data?: string;
  value?: unknown;
  [key: string]: unknown;
}

/** Matches text a person would read; a value such as `small`, a class or a key has no capital and no space. */
const WORDS = /^\p{Lu}\p{Ll}+|\p{L}{2,} \p{L}{2,}/u;

/** The texts an expression can evaluate to, without those it compares or passes on. */
function saidBy(node: unknown): string[] {
  if (node === null || typeof node !== 'object') return [];
  const one = node as Node;
  switch (one.type) {
    case 'Literal':
      return typeof one.value === 'string' && WORDS.test(one.value) ? [one.value] : [];
    case 'TemplateLiteral': {
      const parts = one['quasis'] as { value: { cooked: string } }[];
      const inner = (one['expressions'] as unknown[]).flatMap(saidBy);
      return [...parts.map((part) => part.value.cooked.trim()).filter((text) => WORDS.test(text)), ...inner];
    }
    case 'ConditionalExpression':
      return [...saidBy(one['consequent']), ...saidBy(one['alternate'])];
    case 'LogicalExpression':
      return [...saidBy(one['left']), ...saidBy(one['right'])];
    case 'BinaryExpression':
      return one['operator'] === '+' ? [...saidBy(one['left']), ...saidBy(one['right'])] : [];
    case 'ArrayExpression':
      return (one['elements'] as unknown[]).flatMap(saidBy);
    default:
      return [];
  }
}

/** Visible text and forbidden attributes in the markup. */
function literals(source: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object') return;
    const one = node as Node;
    if (one.type === 'Text' && /\p{L}{2,}|^\s*[A-Z]\s*$/u.test(one.data ?? '') && !CAPS.test(one.data?.trim() ?? '')) {
      found.push((one.data ?? '').trim());
    }
    if (one.type === 'ExpressionTag') found.push(...saidBy(one['expression']).filter((text) => !CAPS.test(text)));
    if (one.type === 'Attribute') {
      const texts = (Array.isArray(one.value) ? one.value : [one.value]) as Node[];
      if (SPOKEN.has(one.name ?? '')) found.push(...texts.flatMap((text) => saidBy(text?.['expression'])));
      if (one.name === 'style') found.push(`style="…"`);
      if (SPOKEN.has(one.name ?? '') && texts.some((text) => text.type === 'Text' && /\p{L}/u.test(text.data ?? ''))) {
        found.push(`${one.name}="${texts.map((text) => text.data ?? '').join('')}"`);
      }
      return;
    }
    for (const [key, value] of Object.entries(one)) if (key !== 'metadata') walk(value);
  };
  walk(parse(source, { modern: true }).fragment);
  return found;
}

describe('components', () => {
  it('take every word from the catalogue, and no style attribute (the content policy would refuse it)', () => {
    const found = components.flatMap(({ path, source }) => literals(source).map((text) => `${path}: ${text}`));
    expect(found).toEqual([]);
  });

  it('are caught when they do not (this check can fail)', () => {
    expect(literals('<p>Hello there</p>')).toEqual(['Hello there']);
    expect(literals('<button aria-label="Close" style="color:red"></button>')).toEqual([
      'aria-label="Close"',
      'style="…"',
    ]);
    expect(literals('<kbd>Esc</kbd>{t("x")}')).toEqual([]);
    expect(literals('<p>{busy ? "Please wait" : t("x")} {`${n} things left`}</p>')).toEqual([
      'Please wait',
      'things left',
    ]);
    expect(literals('<Button label={open ? "Close" : t("x")} class={open ? "Big one" : ""} />')).toEqual(['Close']);
    expect(literals('{#if state === "Not yet"}{say("Not yet")}{/if}')).toEqual([]);
  });
});

/** Where scripts produce text: calls that show or announce it, and fields that pass it to a component. */
const SAYS = /\b(?:toasts\.(?:show|queue)|announce\.(?:say|alert|status))\(\s*(['"`])(?!\$\{)(.*?)\1/g;
const FIELDS = /\b(?:label|title|text|message|hint|placeholder|detail|body|say)\??: (['"`])(\p{Lu}.*?)\1/gu;

describe('scripts', () => {
  const saidIn = (source: string) => [...source.matchAll(SAYS), ...source.matchAll(FIELDS)].map((match) => match[2]);

  it('take what they say from the catalogue', () => {
    const scripts = [
      ...components.map(({ path, source }) => ({
        path,
        source: /<script[^>]*>([\s\S]*?)<\/script>/.exec(source)?.[1] ?? '',
      })),
      ...files(SRC, '.ts')
        .filter((path) => !/\/(?:host|gen|strings|test)\/|\.test\.ts$/.test(path))
        .map((path) => ({ path: relative(SRC, path), source: readFileSync(path, 'utf8') })),
    ];
    expect(scripts.flatMap(({ path, source }) => saidIn(source).map((text) => `${path}: ${text}`))).toEqual([]);
  });

  it('are caught when they do not (this check can fail)', () => {
    expect(saidIn("toasts.show('Saved.')")).toEqual(['Saved.']);
    expect(saidIn("const fault = { code: 'x', message: 'It failed.', hint: t('y') }")).toEqual(['It failed.']);
    expect(saidIn("toasts.show(t('x')); announce.say(`${fault.message} ${fault.hint}`)")).toEqual([]);
  });
});

/** Everything that looks like a button must use `Button`, except these, which hold more than an icon and words. */
const BUTTONS = new Set(['kit/Button.svelte', 'kit/approve/ApproveButton.svelte', 'kit/TopBar.svelte']);

describe('buttons', () => {
  it('are drawn in one place', () => {
    const own = components.filter(({ source }) => /<(button|a)[^>]*\sclass="(btn|icb)\b/.test(source));
    expect(own.map(({ path }) => path).filter((path) => !BUTTONS.has(path))).toEqual([]);
  });
});

/** The keys a source uses: written out, or built from a fixed prefix and a state, such as t(`risk.${risk}`). */
function saidIn(source: string, keys: string[]): string[] {
  const prefixes = [...source.matchAll(/`([a-z]+[._a-z]*)\$\{/g)].map((match) => match[1] as string);
  return keys.filter(
    (key) => source.includes(`'${key}'`) || prefixes.some((prefix) => prefix.length > 3 && key.startsWith(prefix)),
  );
}

const sources = [
  ...components,
  ...files(SRC, '.ts')
    .filter((path) => !path.includes('/strings/') && !path.endsWith('.test.ts'))
    .map((path) => ({ path: relative(SRC, path), source: readFileSync(path, 'utf8') })),
];

describe('the catalogue', () => {
  it('has no entry that nothing uses', () => {
    const used = new Set(saidIn(sources.map((one) => one.source).join('\n'), Object.keys(en)));
    expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
  });

  it('comes with what says it: a source imports each part whose words are not there from the start', () => {
    const start = readFileSync(join(SRC, 'kit/strings/index.ts'), 'utf8');
    const parts = files(join(SRC, 'kit/strings/en'), '.ts').map((path) => {
      const name = /(\w+)\.ts$/.exec(path)?.[1] as string;
      const text = readFileSync(path, 'utf8');
      const keys = Object.keys(en).filter((key) => text.includes(`  '${key}':`) || text.includes(`\n  ${key}:`));
      return { name, keys, atStart: start.includes(`from './en/${name}'`), registers: text.includes(' = words({') };
    });
    expect(parts.filter((part) => part.atStart === part.registers)).toEqual([]);
    const imported = /import '[./]+kit\/strings\/en\/(\w+)'|import '\.{1,2}\/strings\/en\/(\w+)'/g;
    // The host shows no text; its examples have fields that look like keys.
    const speaking = sources.filter(({ path }) => !path.startsWith('host/'));
    const missing = speaking.flatMap(({ path, source }) => {
      const has = new Set([...source.matchAll(imported)].map((match) => match[1] ?? match[2]));
      return parts
        .filter((part) => !part.atStart && has.has(part.name) !== saidIn(source, part.keys).length > 0)
        .map((part) => `${path}: ${has.has(part.name) ? 'needs no' : 'needs'} strings/en/${part.name}`);
    });
    expect(missing).toEqual([]);
  });

  it('writes plainly: no exclamation marks, no “successfully”, no “sorry”, three dots as one character', () => {
    const texts = Object.values(en).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : [entry.one, entry.other],
    );
    expect(texts.filter((text) => /!|successfully|sorry|please wait|\.\.\./i.test(text))).toEqual([]);
  });
});

describe('styles', () => {
  const sheets = [
    ...styles,
    ...components.map(({ path, source }) => ({ path, source: /<style>([\s\S]*)<\/style>/.exec(source)?.[1] ?? '' })),
  ];

  it('use logical properties, so that the window mirrors', () => {
    const physical =
      /(^|[;{\s])(left|right|top|bottom|(margin|padding|border)-(left|right|top|bottom)[a-z-]*|(min-|max-)?(width|height)|text-align:\s*(left|right))\s*:/gm;
    const found = sheets
      .filter(({ path }) => !path.endsWith('tokens.css'))
      .flatMap(({ path, source }) =>
        [...source.replace(/@(media|container)[^{]*/g, '').matchAll(physical)].map(
          (match) => `${path}: ${match[0].trim()}`,
        ),
      );
    expect(found).toEqual([]);
  });

  it('name every colour by its token', () => {
    const raw = /#[0-9a-f]{3,8}\b|\b(rgb|hsl)a?\(/gi;
    const found = sheets
      .filter(({ path }) => !path.endsWith('tokens.css'))
      .flatMap(({ path, source }) => [...source.matchAll(raw)].map((match) => `${path}: ${match[0]}`));
    // The only exceptions: the shadow of a switch's knob, and the dialog backdrop for web views that do not inherit
    // tokens there.
    expect(found).toEqual(['kit/css/controls.css: rgb(', 'kit/Dialog.svelte: rgb(']);
  });

  it('keep the two dark blocks of the tokens identical', () => {
    const tokens = styles.find(({ path }) => path.endsWith('tokens.css'))?.source ?? '';
    const declarations = (text: string) =>
      text
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .split(/[;{}]/)
        .map((one) => one.trim())
        .filter((one) => one.includes(':') && !one.includes(':root'));
    const system = /prefers-color-scheme: dark\) \{\s*:root:not\(\[data-theme="light"\]\) \{([\s\S]*?)\n {2}\}/.exec(
      tokens,
    )?.[1];
    const chosen = /:root\[data-theme="dark"\] \{([\s\S]*?)\n\}/.exec(tokens)?.[1];
    expect(system).toBeTruthy();
    expect(declarations(system ?? '')).toEqual(declarations(chosen ?? ''));
  });
});

describe('folders', () => {
  it('only the host speaks to Tauri', () => {
    const found = [
      ...components.map((one) => one.path),
      ...files(SRC, '.ts').map((path) => relative(SRC, path)),
    ].filter(
      (path) =>
        !path.startsWith('host/') &&
        !path.endsWith('source.test.ts') &&
        readFileSync(join(SRC, path), 'utf8').includes('@tauri-apps/'),
    );
    expect(found).toEqual([]);
  });
});
