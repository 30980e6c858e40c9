import { HostFault } from '../host';
import type { Comparisons, Connection, ConnectionDraft, FoundServer, ModelsView, ModelTest, ModelView } from '../wire';

const KINDS = [
  { kind: 'ollama', label: 'Ollama', base_url: 'http://127.0.0.1:11434/v1' },
  { kind: 'compatible', label: 'OpenAI-compatible', base_url: '' },
  { kind: 'anthropic', label: 'Anthropic', base_url: 'https://api.anthropic.example' },
];

/** Connected models, as the engine keeps them. */
export class Models {
  connections: Connection[] = [];

  comparisons: Comparisons = { agreement: [], differences: [] };

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
    return { connections: this.connections, kinds: KINDS, answering, offline: false };
  }

  find(): FoundServer[] {
    const model = (id: string, embeds = false) => ({ id, context_tokens: 8192, embeds });
    const models = [model('llama3.2:3b'), model('qwen2.5:7b'), model('nomic-embed-text', true)];
    return [{ label: 'Ollama', kind: 'ollama', base_url: 'http://127.0.0.1:11434/v1', models }];
  }

  connect(draft: ConnectionDraft, key: string | null): ModelsView {
    if (draft.kind === 'anthropic' && !key) {
      throw new HostFault({ code: 'key', message: 'Anthropic wants a key.', hint: 'Make one in its console.' });
    }
    const usual = KINDS.find((one) => one.kind === draft.kind)?.base_url ?? '';
    const before = this.connections.find((one) => one.name === draft.name);
    const { name, kind, models, embedding, proxy } = draft;
    const headers = Object.keys(draft.headers);
    const made: Connection = {
      name,
      kind,
      models,
      embedding,
      base_url: draft.base_url || usual,
      proxy,
      headers: headers.length > 0 || draft.no_headers ? headers : (before?.headers ?? []),
      has_key: key !== null || (before?.has_key ?? false),
      local: /127\.0\.0\.1|localhost/.test(draft.base_url || usual),
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
