/**
 * Shapes of values on the wire: which fields exist, what kind of value they hold, and which can be null. `Shape` learns
 * from the engine's values; `misfits` lists where another value differs.
 */

type Variants = Map<string, Shape>;
type Fields = Record<string, unknown>;

/** Fields that tell variants of an object apart. */
const TAGS = ['event', 'reply', 'topic'] as const;
/** Fields whose content has no fixed shape; arguments are checked against the schema of their tool instead. */
const OPAQUE = new Set(['schema', 'gist', 'args', 'items of output']);
const TIERS = new Set(['fast', 'standard', 'deep']);

/** Whether an object is a dictionary: sources by JSON pointer, models by tier. */
function isMap(fields: Fields, name: string): boolean {
  return name === 'sources' || (name === 'models' && Object.keys(fields).every((key) => TIERS.has(key)));
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?/;

/** The format of a text; instants also differ by how they are written. */
function formatOf(text: string): string {
  if (text === '') return 'empty';
  if (/^[0-9a-f]{64}$/.test(text)) return 'digest';
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return 'date';
  if (!INSTANT.test(text)) return 'text';
  if (text.endsWith(']')) return 'instant with zone';
  return text.endsWith('Z') ? 'instant in UTC' : 'instant';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? formatOf(value) : typeof value;
}

const isFields = (value: unknown): value is Fields => kindOf(value) === 'object';

export class Shape {
  readonly #kinds = new Set<string>();
  readonly #variants: Variants = new Map();
  readonly #fields: Variants = new Map();
  readonly #counts = new Map<string, number>();
  #objects = 0;
  #items: Shape | null = null;

  learn(value: unknown, name = ''): void {
    this.#kinds.add(kindOf(value));
    if (Array.isArray(value)) {
      this.#items ??= new Shape();
      for (const one of value) this.#items.learn(one, name);
    } else if (isFields(value)) {
      const tag = tagOf(value, name);
      if (tag !== null) variant(this.#variants, tag).#learnFields(value, name);
      else this.#learnFields(value, name);
    }
  }

  #learnFields(fields: Fields, name: string): void {
    this.#objects += 1;
    for (const [key, value] of Object.entries(fields)) {
      const field = isMap(fields, name) ? '*' : key;
      this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
      variant(this.#fields, field).learn(value, inside(fields, name, key));
    }
  }

  /** Lists the differences as `place: how`; empty when the engine could have sent the value. */
  misfits(value: unknown, at = '', name = ''): string[] {
    if (OPAQUE.has(name)) return [];
    const kind = kindOf(value);
    if (!this.#takes(kind)) return [`${at}: ${kind}, never seen there (${[...this.#kinds].sort().join(', ')})`];
    if (Array.isArray(value)) {
      return value.flatMap((one, place) => this.#items?.misfits(one, `${at}[${place}]`, name) ?? []);
    }
    if (!isFields(value)) return [];
    const tag = tagOf(value, name);
    if (tag === null) return this.#misfitsOfFields(value, at, name);
    const known = this.#variants.get(tag);
    if (known) return known.#misfitsOfFields(value, at, name);
    // The recorded day does not contain every kind of source.
    return name === 'one of sources' ? [] : [`${at}: ${tag}, never seen there`];
  }

  #misfitsOfFields(fields: Fields, at: string, name: string): string[] {
    // The recording had no object here, only an empty list or null.
    if (this.#objects === 0) return [];
    const map = isMap(fields, name);
    const seen = Object.entries(fields).flatMap(([key, value]) => {
      const known = this.#fields.get(map ? '*' : key);
      return known?.misfits(value, `${at}.${key}`, inside(fields, name, key)) ?? [`${at}.${key}: never seen there`];
    });
    if (map) return seen;
    const always = [...this.#counts].filter(([, count]) => count === this.#objects);
    return [...seen, ...always.flatMap(([field]) => (field in fields ? [] : [`${at}.${field}: missing`]))];
  }

  #takes(kind: string): boolean {
    if (this.#kinds.size === 0 || this.#kinds.has(kind)) return true;
    // A field that was always null or empty tells nothing about its other values.
    const told = [...this.#kinds].filter((one) => one !== 'null' && one !== 'empty');
    if (told.length === 0) return this.#kinds.has('empty') ? kind !== 'null' && kind !== 'object' : true;
    return kind === 'empty' && told.includes('text');
  }
}

function variant(variants: Variants, name: string): Shape {
  const known = variants.get(name) ?? new Shape();
  variants.set(name, known);
  return known;
}

/** Field names that tell variants apart, by the name of the object. */
const TAG_UNDER: Record<string, string> = { outcome: 'state', 'one of sources': 'kind' };

function tagOf(fields: Fields, name: string): string | null {
  const tag = TAG_UNDER[name] ?? TAGS.find((tag) => typeof fields[tag] === 'string');
  return tag === undefined ? null : `${tag} ${String(fields[tag])}`;
}

/** The name of a value inside another one. */
function inside(fields: Fields, name: string, key: string): string {
  if (isMap(fields, name)) return `one of ${name}`;
  return name === 'output' ? `${key} of output` : key;
}
