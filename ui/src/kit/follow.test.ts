import { describe, expect, it } from 'vitest';
import { host } from '../host';
import { fake } from '../host/fake';
import { turnEnd } from './follow';

const pending = (id: string) => fake.world.approval(id);

describe('the end of what a button started', () => {
  it('is not the rest the same turn came to before', async () => {
    // The action was approved before: the journal of this turn already ends in `waiting`.
    const { conversation, turn, digest } = pending('a-move');
    const before: string[] = [];
    host.subscribe({ conversation, from_seq: 0 }, (event) => {
      if (event.turn === turn) before.push(event.event);
    })();
    expect(before.at(-1)).toBe('waiting');
    const end = await turnEnd(await host.call('approve', { id: 'a-move', digest }));
    expect(end).toMatchObject({ event: 'done', turn });
  });

  it('is told even when it came before one listens', async () => {
    const asked = await host.call('reject', { id: 'a-move' });
    expect(await turnEnd(asked)).toMatchObject({ event: 'done', answer: 'Nothing was done.' });
  });

  it('is a refusal at once when the engine gave it no number', async () => {
    const { conversation, turn } = pending('a-move');
    const refused = turnEnd({ reply: 'turn', conversation, turn, seq: 0 });
    await expect(refused).rejects.toMatchObject({ code: 'refused' });
  });
});
