import type { Connection, ConnectionDraft, Fault, FoundModel } from '../../host';
import type { PlainKey } from '../../kit/strings';
import '../../kit/strings/en/models';
import { TIERS, type Tier } from '../../kit/tiers';

export { TIERS, type Tier };

type Model = NonNullable<ConnectionDraft['models'][string]>;

/** The kind of a connection that runs a model file. */
export const FILE_KIND = 'file';
/** The engine's limits (`service/models.rs`). */
export const NAME_CHARS_MAX = 40;
export const HEADERS_MAX = 20;
const CONTEXT_TOKENS_MIN = 256;
const CONTEXT_TOKENS_MAX = 100_000_000;
const PRICE_UNITS_MAX = 1_000_000;
const MICROS = 1_000_000;
const PROXY_SCHEMES = new Set(['http:', 'https:', 'socks4:', 'socks4a:', 'socks5:', 'socks5h:']);

/** One model as typed; only its name is required. */
export interface TypedModel {
  id: string;
  context: string;
  /** Price per million tokens, in whole units of the currency. */
  input: string;
  output: string;
  /** A remote model that costs nothing; its price fields are ignored. */
  free: boolean;
}

/** A connection as typed. */
export interface Typed {
  kind: string;
  name: string;
  base_url: string;
  tiers: Record<Tier, TypedModel>;
  embedding: string;
  headers: { name: string; value: string }[];
  proxy: string;
  /** Key and headers may be sent unencrypted. */
  unencrypted: boolean;
}

/** Whether a provider needs a key: always, only if its server is set up that way, or never. */
export function asksKey(kind: string): 'needed' | 'maybe' | null {
  if (['open_ai', 'anthropic', 'gemini'].includes(kind)) return 'needed';
  return kind === 'compatible' ? 'maybe' : null;
}

/** The message for each wrong field: `name`, `fast.input`, `header.0.name` … */
export type Wrong = Partial<Record<string, PlainKey>>;

/** The engine's fault for one field. */
export interface Refused {
  fault: Fault;
  /** The person asked for this request; false when the window made it on its own. */
  wanted: boolean;
}

/** The field for each fault code of the engine (`service/models.rs`). */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['kind', 'kind'],
  ['address', 'base_url'],
  ['key', 'key'],
  ['model', 'standard.id'],
  ['headers', 'headers'],
  ['proxy', 'proxy'],
  ['unencrypted', 'unencrypted'],
]);

/** The form field of a fault; null when it has none. The name of a connection being edited cannot change. */
export function fieldOf(fault: Fault, { kind, fixed }: { kind: string; fixed: boolean }): string | null {
  const field = FIELDS.get(fault.code) ?? null;
  if (field === 'name' && fixed) return null;
  if (kind === FILE_KIND && !['name', 'kind', 'base_url'].includes(field ?? '')) return null;
  return field;
}

/** The initial values of a form. */
export function typedOf(draft: Partial<ConnectionDraft>): Typed {
  const model = (tier: Tier): TypedModel => {
    const known = draft.models?.[tier];
    return {
      id: known?.id ?? '',
      context: known && known.context_tokens > 0 ? String(known.context_tokens) : '',
      input: priceText(known?.input_micros_per_million ?? 0),
      output: priceText(known?.output_micros_per_million ?? 0),
      free: known?.free === true,
    };
  };
  return {
    kind: draft.kind ?? 'ollama',
    name: draft.name ?? '',
    base_url: draft.base_url ?? '',
    // A connection may have only one tier, and not necessarily the standard one.
    tiers: { fast: model('fast'), standard: model('standard'), deep: model('deep') },
    embedding: draft.embedding ?? '',
    headers: Object.entries(draft.headers ?? {}).map(([name, value]) => ({ name, value: value ?? '' })),
    proxy: draft.proxy ?? '',
    unencrypted: draft.unencrypted ?? false,
  };
}

/** The draft for editing a connection, with everything the window may see. */
export function draftOf(one: Connection): Partial<ConnectionDraft> {
  const { name, kind, base_url, models, embedding, proxy = '' } = one;
  // An empty value keeps the stored one.
  const headers = Object.fromEntries(one.headers.map((header) => [header, '']));
  const allowed = one.unencrypted ? { unencrypted: true } : {};
  return { name, kind, base_url, models, embedding, headers, proxy, ...allowed };
}

/** A model of which only the name is known; the test finds out what it can do. */
export function modelOf(id: string, context_tokens: number | null = null): Model {
  return {
    id,
    context_tokens: context_tokens ?? 0,
    tools: true,
    structure: true,
    input_micros_per_million: 0,
    output_micros_per_million: 0,
  };
}

/** A free name, such as `Ollama` or `Ollama 2`: a connection of the same name would be replaced. */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let n = 2; taken.includes(name); n += 1) name = `${wanted} ${n}`;
  return name;
}

/**
 * Turns the typed values into a draft for the engine, or says what is wrong with them. `known` is the draft before,
 * which keeps what a test found out about unchanged models; `taken` are the names of other connections.
 */
export function checked(
  typed: Typed,
  {
    usual,
    name,
    taken,
    known,
  }: { usual: string; name: string; taken: readonly string[]; known?: Partial<ConnectionDraft> },
): { draft: ConnectionDraft; wrong: null } | { draft: null; wrong: Wrong } {
  const wrong: Wrong = {};
  const given = typed.name.trim() || name;
  if (!/^[\p{L}\p{N} ._-]+$/u.test(given)) wrong['name'] = 'models.wrong_name';
  else if (taken.includes(given)) wrong['name'] = 'models.wrong_taken';
  if (typed.kind === FILE_KIND) return checkedFile(given, typed.base_url.trim(), wrong);
  if (!isWeb(typed.base_url.trim() || usual)) wrong['base_url'] = 'models.wrong_address';
  const models: ConnectionDraft['models'] = {};
  for (const tier of TIERS) {
    const { id, context, input, output, free } = typed.tiers[tier];
    // A model marked as free has no price, whatever the disabled fields contain.
    const made = {
      context_tokens: count(context),
      input_micros_per_million: free ? 0 : price(input),
      output_micros_per_million: free ? 0 : price(output),
    };
    if (made.context_tokens === null) wrong[`${tier}.context`] = 'models.wrong_context';
    if (made.input_micros_per_million === null) wrong[`${tier}.input`] = 'models.wrong_price';
    if (made.output_micros_per_million === null) wrong[`${tier}.output`] = 'models.wrong_price';
    if (id.trim()) {
      const before = known?.models?.[tier];
      models[tier] = {
        ...modelOf(id.trim()),
        ...(before?.id === id.trim() ? { tools: before.tools, structure: before.structure } : {}),
        context_tokens: made.context_tokens ?? 0,
        input_micros_per_million: made.input_micros_per_million ?? 0,
        output_micros_per_million: made.output_micros_per_million ?? 0,
        ...(free ? { free } : {}),
      };
    } else if (context.trim() || input.trim() || output.trim() || free) wrong[`${tier}.id`] = 'models.wrong_model';
  }
  // One model is enough, whichever tier it serves.
  if (Object.keys(models).length === 0) wrong['standard.id'] = 'models.wrong_model';
  const headers: ConnectionDraft['headers'] = {};
  const names = new Set<string>();
  typed.headers.forEach((header, place) => {
    const key = header.name.trim();
    if (!key && !header.value) return;
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(key)) wrong[`header.${place}.name`] = 'models.wrong_header';
    else if (names.has(key.toLowerCase())) wrong[`header.${place}.name`] = 'models.wrong_header_twice';
    if (!header.value.trim() && !(key in (known?.headers ?? {})))
      wrong[`header.${place}.value`] = 'models.wrong_header_value';
    names.add(key.toLowerCase());
    headers[key] = header.value.trim();
  });
  const proxy = typed.proxy.trim();
  if (!['', 'none', 'system'].includes(proxy) && !isProxy(proxy)) wrong['proxy'] = 'models.wrong_proxy';
  if (Object.keys(wrong).length > 0) return { draft: null, wrong };
  const { kind } = typed;
  const draft = { name: given, kind, base_url: typed.base_url.trim(), models, headers, proxy };
  const embedding = typed.embedding.trim() || null;
  // Without headers in the draft, the engine would keep the stored ones.
  const bare = Object.keys(headers).length === 0 && Object.keys(known?.headers ?? {}).length > 0;
  // If the draft left this out, the engine would keep an earlier permission.
  const { unencrypted } = typed;
  const allowed = unencrypted || known?.unencrypted ? { unencrypted } : {};
  return { draft: { ...draft, embedding, ...allowed, ...(bare ? { no_headers: true } : {}) }, wrong: null };
}

/** A model file has only a path; what the model can do is known where it runs. */
function checkedFile(name: string, path: string, wrong: Wrong): ReturnType<typeof checked> {
  if (!isModelFile(path)) wrong['base_url'] = 'models.wrong_file';
  if (Object.keys(wrong).length > 0) return { draft: null, wrong };
  const models = { standard: modelOf(fileStem(path)) };
  const draft = { name, kind: FILE_KIND, base_url: path, models, embedding: null, headers: {}, proxy: '' };
  return { draft, wrong: null };
}

/**
 * The name of a model file: `/models/small.gguf` gives `small`, `file:///models/small%20one.gguf` gives `small one`.
 */
export function fileStem(path: string): string {
  const last = path.split(/[\\/]/).at(-1) ?? '';
  const stem = last.replace(/\.gguf$/i, '');
  if (!path.startsWith('file:')) return stem;
  try {
    return decodeURIComponent(stem);
  } catch {
    return stem;
  }
}

function isModelFile(path: string): boolean {
  return /^(\/|file:\/\/\/|[a-z]:[\\/])/i.test(path) && /[^\\/.]\.gguf$/i.test(path);
}

/** Reads `128,000`, `128 000` or `128000`; 0 for an empty field, null for anything that is no number of tokens. */
function count(text: string): number | null {
  const digits = text.replace(/[\s,.'’_]/g, '');
  if (digits === '') return text.trim() === '' ? 0 : null;
  const tokens = /^\d{1,9}$/.test(digits) ? Number(digits) : NaN;
  return tokens >= CONTEXT_TOKENS_MIN && tokens <= CONTEXT_TOKENS_MAX ? tokens : null;
}

/** Reads `0.15` or `0,15` as millionths; 0 for an empty field, null for anything that is no price. */
function price(text: string): number | null {
  const said = text.trim().replace(',', '.');
  if (said === '') return 0;
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(said)) return null;
  const units = Number(said);
  return units <= PRICE_UNITS_MAX ? Math.round(units * MICROS) : null;
}

function priceText(micros: number): string {
  return micros > 0 ? String(micros / MICROS) : '';
}

function isWeb(address: string): boolean {
  const url = urlOf(address);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '';
}

/** Whether an address points to this computer. */
export function isHere(address: string): boolean {
  const host = urlOf(address)?.hostname.toLowerCase() ?? '';
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function isProxy(address: string): boolean {
  // Only an address with `//` has a host for all of these schemes.
  const url = /^[a-z0-9]+:\/\/[^/]/i.test(address) ? urlOf(address) : null;
  return url !== null && PROXY_SCHEMES.has(url.protocol);
}

function urlOf(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** Fills in the context sizes the server reported where the person gave none. */
export function sized(draft: ConnectionDraft, found: readonly FoundModel[]): ConnectionDraft {
  const models = Object.entries(draft.models).flatMap(([tier, model]) => {
    if (!model) return [];
    const named = found.find((one) => one.id === model.id)?.context_tokens ?? 0;
    return [[tier, { ...model, context_tokens: model.context_tokens || named }]];
  });
  return { ...draft, models: Object.fromEntries(models) };
}
