/**
 * Shapes of values on the wire: which fields there are, what they hold, what may be null. `Shape` learns from what the
 * engine said, `misfits` says where another value differs from that.
 */

type Variants = Map<string, Shape>;
type Fields = Record<string, unknown>;

/** Fields by which objects of one place differ in kind. */
const TAGS = ['event', 'reply', 'topic'] as const;
/** Fields that hold whatever somebody else made of them; arguments are held to the schema of their tool instead. */
const OPAQUE = new Set(['schema', 'gist', 'args', 'items of output']);
const TIERS = new Set(['fast', 'standard', 'deep']);

/** Whether an object is a dictionary: sources by pointer, models by tier. */
function isMap(fields: Fields, name: string): boolean {
  return name === 'sources' || (name === 'models' && Object.keys(fields).every((key) => TIERS.has(key)));
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?/;

/** What a text is: an instant is written in one way where the engine writes it so. */
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

  /** Where a value differs, as `place: how`; nothing where it could have come from the engine. */
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
    // A day has not every source of values in it.
    return name === 'one of sources' ? [] : [`${at}: ${tag}, never seen there`];
  }

  #misfitsOfFields(fields: Fields, at: string, name: string): string[] {
    // Objects of another place may have been empty there, or null.
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
    // What was always null, or always empty, says nothing of what it would be.
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

/** Fields by which objects under a name differ in kind. */
const TAG_UNDER: Record<string, string> = { outcome: 'state', 'one of sources': 'kind' };

function tagOf(fields: Fields, name: string): string | null {
  const tag = TAG_UNDER[name] ?? TAGS.find((tag) => typeof fields[tag] === 'string');
  return tag === undefined ? null : `${tag} ${String(fields[tag])}`;
}

/** What a value is called inside of another one. */
function inside(fields: Fields, name: string, key: string): string {
  if (isMap(fields, name)) return `one of ${name}`;
  return name === 'output' ? `${key} of output` : key;
}
