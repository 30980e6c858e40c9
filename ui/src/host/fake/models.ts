import { HostFault } from '../host';
import type {
  Comparisons,
  Connection,
  ConnectionDraft,
  Estimate,
  FoundServer,
  ModelFiles,
  ModelOffer,
  ModelOutcome,
  ModelsView,
  ModelTest,
  ModelView,
  UsageRow,
} from '../wire';

const KINDS = [
  { kind: 'ollama', label: 'Ollama', base_url: 'http://127.0.0.1:11434/v1' },
  { kind: 'compatible', label: 'OpenAI-compatible', base_url: '' },
  { kind: 'anthropic', label: 'Anthropic', base_url: 'https://api.anthropic.example' },
  { kind: 'file', label: 'Model on this computer', base_url: '' },
];

const usualOf = (kind: string) => KINDS.find((one) => one.kind === kind)?.base_url ?? '';

const FOLDER = '/home/mara/.local/share/adjutant/models/gguf';
const PAGE = 'https://models.example/small';
const known = (name: string, title: string, good_for: string) => ({
  name,
  title,
  good_for,
  by: 'Qwen',
  licence: 'Apache-2.0',
  page: PAGE,
  host: 'models.example',
});
const KNOWN = [
  known('small', 'Small 0.5B', 'The smallest: sorts out and sums up short texts.'),
  known('middle', 'Middle 1.5B', 'A good start where 4 GB of memory are free.'),
];

export const STOPPED = {
  code: 'stopped',
  message: 'Fetching was stopped.',
  hint: 'Ask for it again to continue where it stopped.',
};

const MILLION = 1_000_000;
/** The price assumed for a remote model without a known one. */
const DEAR = [15_000_000, 75_000_000] as const;
const COMPARED = [
  ['route', 'fast'],
  ['plan', 'standard'],
  ['resume', 'fast'],
] as const;

const isUnpriced = (model: ModelView, local: boolean) =>
  !model.free && !local && (model.input_micros_per_million === 0 || model.output_micros_per_million === 0);

function priced(model: ModelView, local: boolean): readonly [number, number] {
  if (model.free) return [0, 0];
  return isUnpriced(model, local) ? DEAR : [model.input_micros_per_million, model.output_micros_per_million];
}

/** An estimate for background work, with a limit of `day_limit` whole units of the currency a day. */
function estimated(requests: Estimate['requests'], unpriced: string | null, day_limit: number): Estimate {
  const at_most_micros = requests.reduce((sum, one) => sum + one.at_most_micros, 0);
  return {
    requests,
    at_most_micros,
    at_most: (at_most_micros / MILLION).toFixed(2),
    currency: 'USD',
    ...(unpriced !== null && requests.length > 0 ? { unpriced } : {}),
    over_call_limit: false,
    day_limit_micros: Math.round(day_limit * MILLION),
    day_limit: day_limit.toFixed(2),
  };
}

/** Connected models as the engine keeps them. */
export class Models {
  connections: Connection[] = [];

  comparisons: Comparisons = { agreement: [], differences: [] };

  /** How each model fared when it was last asked. */
  last: ModelOutcome[] = [];

  /** The names of the downloaded models, and the download under way. */
  fetched: string[] = [];
  fetching: ModelFiles['fetching'] = null;

  files(): ModelFiles {
    const path = (name: string) => (this.fetched.includes(name) ? `${FOLDER}/${name}.gguf` : null);
    const known = KNOWN.map((one) => ({ ...one, path: path(one.name) }));
    return { unable: null, folder: FOLDER, known, fetching: this.fetching };
  }

  offer(what: string, sha256: string | null): ModelOffer {
    const one = KNOWN.find((one) => one.name === what);
    if (!one) {
      throw new HostFault({ code: 'usage', message: `No model called “${what}” is known here.`, hint: '' });
    }
    return {
      title: one.title,
      file: `${what}.gguf`,
      host: one.host,
      bytes: 491_400_032,
      have: 0,
      licence: one.licence,
      page: one.page,
      sum: sha256 ?? 'ab'.repeat(32),
      sum_from: sha256 ? 'person' : 'server',
      path: `${FOLDER}/${what}.gguf`,
      here: this.fetched.includes(what),
    };
  }

  /** Downloads in pieces; rejects when it is stopped. */
  async fetch(what: string, tell: (done: number, total: number) => Promise<void>): Promise<string> {
    const { file, bytes, path } = this.offer(what, null);
    this.fetching = { file, done: 0, total: bytes };
    for (const part of [0, 1, 2, 3, 4]) {
      const done = Math.round((bytes * part) / 4);
      await tell(done, bytes);
      if (this.fetching === null) throw new HostFault(STOPPED);
      this.fetching = { file, done, total: bytes };
    }
    this.fetching = null;
    this.fetched = [...this.fetched, what];
    return path;
  }

  model(id: string): ModelView {
    return {
      id,
      context_tokens: 8192,
      tools: true,
      structure: true,
      input_micros_per_million: 0,
      output_micros_per_million: 0,
    };
  }

  view(): ModelsView {
    const first = this.connections.find((one) => one.problem === null);
    const answering = first ? `${first.name}/${first.models['standard']?.id ?? ''}` : null;
    return { connections: this.connections, kinds: KINDS, answering, offline: false, last: this.last };
  }

  /** A plan and an answer, at the price of the first standard model. */
  estimate(text: string): Estimate | null {
    const model = this.connections.flatMap((one) => one.models['standard'] ?? [])[0];
    if (!model) return null;
    const request = (stage: string, times: number) => {
      const input = 6000 + text.length;
      const output = 1000;
      const each = input * model.input_micros_per_million + output * model.output_micros_per_million;
      const at_most_micros = Math.ceil((times * each) / 1_000_000);
      return { stage, tier: 'standard', model: model.id, times, input, output, at_most_micros };
    };
    const requests = [request('plan', 3), request('respond', 1)];
    const at_most_micros = requests.reduce((sum, one) => sum + one.at_most_micros, 0);
    const at_most = (at_most_micros / 1_000_000).toFixed(2);
    return { requests, at_most_micros, at_most, currency: 'USD', over_call_limit: at_most_micros > 1_000_000 };
  }

  /** The comparable requests in `usage`, at the prices of the connection; an unknown price counts as a high one. */
  comparison(name: string, usage: readonly UsageRow[], day_limit: number): Estimate {
    const one = this.connections.find((one) => one.name === name);
    if (!one) {
      throw new HostFault({ code: 'not_found', message: 'There is no connection with that name.', hint: '' });
    }
    const requests = COMPARED.flatMap(([stage, tier]) => {
      const model = one.models[tier] ?? one.models['standard'];
      const rows = usage.filter((row) => row.stage === stage && row.purpose === 'foreground');
      const sum = (of: (row: UsageRow) => number) => rows.reduce((all, row) => all + of(row), 0);
      const [times, input, output] = [sum((row) => row.calls), sum((row) => row.input), sum((row) => row.output)];
      if (!model || times === 0) return [];
      const [price_in, price_out] = priced(model, one.local);
      const at_most_micros = Math.ceil((input * price_in + output * price_out) / MILLION);
      const each = { input: Math.ceil(input / times), output: Math.ceil(output / times) };
      return [{ stage, tier, model: model.id, times, ...each, at_most_micros }];
    });
    const unknown = Object.values(one.models).some((model) => model && isUnpriced(model, one.local));
    return {
      ...estimated(
        requests,
        unknown ? `The price of ${name} is not known, so a dear one is counted.` : null,
        day_limit,
      ),
      days: 31,
    };
  }

  /** Vectors of all tools, made once by the first connection with a model for them; costs nothing when they exist. */
  vectors(draft: ConnectionDraft, day_limit: number): Estimate {
    const first = this.connections.find((one) => one.embedding !== null);
    const made = first?.name === draft.name && first.embedding === draft.embedding;
    const model = draft.models['standard'] ?? Object.values(draft.models)[0];
    const local = /127\.0\.0\.1|localhost/.test(draft.base_url || usualOf(draft.kind));
    if (!draft.embedding || !model || made || (first && first.name !== draft.name))
      return estimated([], null, day_limit);
    const [times, input] = [4, 5000];
    const at_most_micros = Math.ceil((times * input * priced(model, local)[0]) / MILLION);
    const request = {
      stage: 'embed',
      tier: 'fast',
      model: `${draft.name}/${draft.embedding}`,
      times,
      input,
      output: 0,
      at_most_micros,
    };
    const unpriced = isUnpriced(model, local)
      ? `The price of ${draft.name} is not known, so a dear one is counted.`
      : null;
    return estimated([request], unpriced, day_limit);
  }

  find(): FoundServer[] {
    const model = (id: string, embeds = false) => ({ id, context_tokens: 8192, embeds });
    const models = [model('llama3.2:3b'), model('qwen2.5:7b'), model('nomic-embed-text', true)];
    return [{ label: 'Ollama', kind: 'ollama', base_url: 'http://127.0.0.1:11434/v1', models }];
  }

  list(draft: ConnectionDraft): FoundServer['models'] {
    if (/:9\//.test(draft.base_url)) {
      throw new HostFault({ code: 'address', message: 'Nothing answers there.', hint: 'Look at the address.' });
    }
    return this.find()[0]?.models ?? [];
  }

  connect(draft: ConnectionDraft, key: string | null): ModelsView {
    if (draft.name === 'quick') {
      const message = '“quick” is the connection from ADJUTANT_MODEL_URL and ADJUTANT_MODEL.';
      throw new HostFault({ code: 'name', message, hint: 'Choose another name, or change those variables.' });
    }
    if ('Host' in draft.headers) {
      const message = '“Host” is not a header that you can set.';
      throw new HostFault({
        code: 'headers',
        message,
        hint: 'A header has letters, digits and dashes, such as X-Org.',
      });
    }
    if (draft.kind === 'anthropic' && !key) {
      throw new HostFault({ code: 'key', message: 'Anthropic wants a key.', hint: 'Make one in its console.' });
    }
    const usual = usualOf(draft.kind);
    const before = this.connections.find((one) => one.name === draft.name);
    const { name, kind, models, embedding, proxy } = draft;
    const headers = Object.keys(draft.headers);
    const made: Connection = {
      name,
      kind,
      models,
      embedding,
      base_url: draft.base_url || usual,
      ...(proxy ? { proxy } : {}),
      headers: headers.length > 0 || draft.no_headers ? headers : (before?.headers ?? []),
      has_key: key !== null || (before?.has_key ?? false),
      local: kind === 'file' || /127\.0\.0\.1|localhost/.test(draft.base_url || usual),
      from_environment: false,
      problem: null,
    };
    this.connections = before
      ? this.connections.map((one) => (one === before ? made : one))
      : [...this.connections, made];
    return this.view();
  }

  prefer(name: string): ModelsView {
    const first = this.connections.filter((one) => one.name === name);
    this.connections = [...first, ...this.connections.filter((one) => one.name !== name)];
    return this.view();
  }

  disconnect(name: string): ModelsView {
    this.connections = this.connections.filter((one) => one.name !== name);
    return this.view();
  }

  test(name: string, tier: string | null): ModelTest {
    const model = this.connections.find((one) => one.name === name)?.models[tier ?? 'standard']?.id ?? '';
    const check = (what: string, verdict: string, say = '') => ({ what, verdict, say });
    return {
      model,
      checks: [
        check('chat', 'works'),
        check('stream', 'works'),
        check('tools', 'missing', 'It answers in words. Plans are asked for as text instead.'),
        check('structure', 'works'),
        check('embeddings', 'not_tried'),
      ],
      first_ms: 310,
      tokens_per_second: 41.3,
      cost_micros: 0,
    };
  }
}
