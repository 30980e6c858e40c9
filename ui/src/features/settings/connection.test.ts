import { describe, expect, it } from 'vitest';
import { checked, draftOf, fileStem, freeName, modelOf, typedOf, type Typed } from './connection';

const around = { usual: 'http://127.0.0.1:11434/v1', name: 'Ollama', taken: [] };
const typed = (change: (typed: Typed) => void): Typed => {
  const begun = typedOf({ models: { standard: modelOf('qwen3:8b') } });
  change(begun);
  return begun;
};
const wrong = (change: (typed: Typed) => void, more = {}) =>
  checked(
    typed((one) => change(one)),
    { ...around, ...more },
  ).wrong;

describe('a connection as it is typed', () => {
  it('needs the name of one model and nothing else', () => {
    expect(
      checked(
        typed(() => undefined),
        around,
      ).draft,
    ).toEqual({
      name: 'Ollama',
      kind: 'ollama',
      base_url: '',
      models: { standard: modelOf('qwen3:8b') },
      embedding: null,
      headers: {},
      proxy: '',
    });
    expect(wrong((one) => (one.tiers.standard.id = ' '))).toEqual({ 'standard.id': 'models.wrong_model' });
    // One model is enough, whichever tier it serves.
    expect(
      wrong((one) => {
        one.tiers.standard.id = '';
        one.tiers.deep.id = 'big';
      }),
    ).toBeNull();
  });

  it('has its prices and sizes as people write them', () => {
    const { draft } = checked(
      typed((one) => {
        one.tiers.fast = { id: 'small', context: '128,000', input: '0.15', output: '0,6', free: false };
      }),
      around,
    );
    expect(draft?.models['fast']).toEqual({
      ...modelOf('small', 128_000),
      input_micros_per_million: 150_000,
      output_micros_per_million: 600_000,
    });
    for (const bad of ['-1', 'free', '1.2.3', '1e9', '0.1234567', '99999999']) {
      expect(wrong((one) => (one.tiers.standard.input = bad))).toEqual({ 'standard.input': 'models.wrong_price' });
    }
    for (const bad of ['8k', '12', '-4096', ',', '99999999999']) {
      expect(wrong((one) => (one.tiers.standard.context = bad))).toEqual({
        'standard.context': 'models.wrong_context',
      });
    }
    expect(wrong((one) => (one.tiers.deep.output = '3'))).toEqual({ 'deep.id': 'models.wrong_model' });
  });

  it('keeps what a test found out about a model that stays, and nothing of one that goes', () => {
    const known = { models: { standard: { ...modelOf('qwen3:8b', 4096), tools: false } } };
    const again = typedOf(known);
    expect(checked(again, { ...around, known }).draft?.models['standard']?.tools).toBe(false);
    again.tiers.standard.id = 'other';
    expect(checked(again, { ...around, known }).draft?.models['standard']?.tools).toBe(true);
  });

  it('never takes the place of another by its name', () => {
    expect(wrong(() => undefined, { taken: ['Ollama'] })).toEqual({ name: 'models.wrong_taken' });
    expect(wrong((one) => (one.name = 'a/b'))).toEqual({ name: 'models.wrong_name' });
    expect(freeName('Ollama', ['Ollama', 'Ollama 2'])).toBe('Ollama 3');
    expect(freeName('Ollama', [])).toBe('Ollama');
  });

  it('says which address, header or proxy is none', () => {
    expect(wrong((one) => (one.base_url = 'localhost:11434'))).toEqual({ base_url: 'models.wrong_address' });
    expect(wrong(() => undefined, { usual: '' })).toEqual({ base_url: 'models.wrong_address' });
    expect(wrong((one) => (one.proxy = 'proxy.example:3128'))).toEqual({ proxy: 'models.wrong_proxy' });
    expect(wrong((one) => (one.proxy = 'socks5h://127.0.0.1:9050'))).toBeNull();
    expect(wrong((one) => (one.proxy = 'none'))).toBeNull();
    const headers = [
      { name: 'X-Org', value: 'a' },
      { name: 'x-org', value: 'b' },
      { name: 'not one', value: 'c' },
      { name: 'X-Empty', value: ' ' },
      { name: '', value: '' },
    ];
    expect(wrong((one) => (one.headers = headers))).toEqual({
      'header.1.name': 'models.wrong_header_twice',
      'header.2.name': 'models.wrong_header',
      'header.3.value': 'models.wrong_header_value',
    });
  });

  it('begins with what may be seen of one that is changed', () => {
    const models = { deep: { ...modelOf('big', 200_000), input_micros_per_million: 2_500_000 } };
    const one = { name: 'Lab', kind: 'compatible', base_url: 'https://lab.example/v1', models, embedding: 'vec' };
    const view = {
      ...one,
      has_key: true,
      proxy: 'none',
      headers: ['X-Org'],
      local: false,
      from_environment: false,
      problem: null,
    };
    const again = typedOf(draftOf(view));
    expect(again.tiers.deep).toEqual({ id: 'big', context: '200000', input: '2.5', output: '', free: false });
    const known = draftOf(view);
    // An empty value keeps the stored header; removing all headers must be explicit.
    expect(checked(again, { ...around, known }).draft).toEqual({ ...one, headers: { 'X-Org': '' }, proxy: 'none' });
    again.headers = [{ name: 'X-New', value: '' }];
    expect(checked(again, { ...around, known }).wrong).toEqual({ 'header.0.value': 'models.wrong_header_value' });
    again.headers = [];
    expect(checked(again, { ...around, known }).draft?.no_headers).toBe(true);
    expect(checked(again, around).draft?.no_headers).toBeUndefined();
  });

  it('says that a key may go out unencrypted, and takes it back', () => {
    const draft = (allowed: boolean, known = {}) =>
      checked(
        typed((one) => (one.unencrypted = allowed)),
        { ...around, known },
      ).draft;
    expect(draft(true)?.unencrypted).toBe(true);
    expect(draft(false)?.unencrypted).toBeUndefined();
    expect(draft(false, { unencrypted: true })?.unencrypted).toBe(false);
  });
});

describe('a model in a file', () => {
  const file = (path: string) => ({ ...typedOf({ kind: 'file' }), base_url: path });

  it('is a whole path, and is called like the file', () => {
    for (const path of ['/models/small.q4.gguf', 'C:\\models\\small.q4.GGUF', 'file:///models/small.q4.gguf']) {
      expect(checked(file(` ${path} `), around).draft).toEqual({
        name: 'Ollama',
        kind: 'file',
        base_url: path,
        models: { standard: modelOf('small.q4') },
        embedding: null,
        headers: {},
        proxy: '',
      });
    }
    expect(fileStem('file:///models/small%20one.gguf')).toBe('small one');
    expect(fileStem('file:///models/100%.gguf')).toBe('100%');
  });

  it('is no address, no folder and nothing else', () => {
    for (const path of ['', 'small.gguf', 'http://127.0.0.1/small.gguf', '/models/', '/models/.gguf', '/small.bin'])
      expect(checked(file(path), around).wrong, path).toEqual({ base_url: 'models.wrong_file' });
  });
});
