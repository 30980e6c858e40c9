import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { talk } from '../../kit/talk/conversation.svelte';
import { drafts } from '../../kit/talk/drafts.svelte';
import { emptyTalk } from '../../kit/talk/fold';
import { Afford, type Large } from './afford';
import { Sending } from './sending.svelte';

const WORDS = 'Compare all my leases';
const LARGE: Large = {
  estimate: { at_most_micros: 900_000 } as Large['estimate'],
  today_micros: 0,
  limit_micros: 2_000_000,
};

describe('a message whose price is asked', () => {
  let answer: (large: Large | null) => void;
  let sent: ReturnType<typeof vi.spyOn>;
  let sending: Sending;

  beforeEach(() => {
    talk.id = 'main';
    talk.view = emptyTalk;
    talk.sending = null;
    vi.spyOn(Afford.prototype, 'large').mockImplementation(() => new Promise((done) => (answer = done)));
    sent = vi.spyOn(talk, 'send').mockResolvedValue();
    sending = new Sending();
  });
  afterEach(() => {
    drafts.set('main', '');
    talk.sending = null;
    talk.id = null;
  });

  /** Sends, and waits until the price is asked. */
  async function send() {
    const done = sending.send(WORDS);
    const shown = talk.sending?.text;
    await vi.waitFor(() => expect(Afford.prototype.large).toHaveBeenCalled());
    return { done, shown };
  }

  it('is shown at once, and sent when the price is small', async () => {
    const { done, shown } = await send();
    expect([shown, sent.mock.calls.length]).toEqual([WORDS, 0]);
    answer(null);
    await done;
    expect(sent).toHaveBeenCalledExactlyOnceWith(WORDS, null);
  });

  it('is no longer shown while the person is asked about a large price', async () => {
    const { done } = await send();
    answer(LARGE);
    await done;
    await tick();
    expect([talk.sending, sending.costly?.words]).toEqual([null, WORDS]);
    expect(sent).not.toHaveBeenCalled();
  });

  it('goes back into the message field when it is stopped before', async () => {
    const { done } = await send();
    await talk.stop();
    expect(talk.sending).toBeNull();
    answer(null);
    await done;
    expect([sent.mock.calls.length, drafts.of('main')]).toEqual([0, WORDS]);
  });
});
