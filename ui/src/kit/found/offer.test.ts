import { describe, expect, it } from 'vitest';
import { Models } from '../../host/fake/models';
import { offerOf } from './offer';

describe('what is offered', () => {
  const models = new Models();
  const servers = models.find();

  it('is the first model that talks, as it is', () => {
    expect(offerOf(models.view(), servers)).toMatchObject({
      server: 'Ollama',
      model: 'llama3.2:3b',
      draft: { name: 'Ollama', kind: 'ollama', models: { standard: { id: 'llama3.2:3b', context_tokens: 8192 } } },
    });
  });

  it('is nothing when no model talks, or one is connected already', () => {
    const vectors = servers.map((one) => ({ ...one, models: one.models.filter((model) => model.embeds) }));
    expect(offerOf(models.view(), vectors)).toBeNull();
    expect(offerOf(models.view(), [])).toBeNull();
    const { draft } = offerOf(models.view(), servers)!;
    expect(offerOf(models.connect(draft, null), servers)).toBeNull();
  });
});
