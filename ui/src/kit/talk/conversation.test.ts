import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../../host/fake';
import { host, HostFault, type TurnEvent } from '../../host';
import { announce } from '../announce.svelte';
import { live } from '../live.svelte';
import { toasts } from '../toast.svelte';
import { Conversation } from './conversation.svelte';
import { eventually } from '../test/eventually';
import { drafts } from './drafts.svelte';

const frames = () => new Promise((done) => setTimeout(done, 150));
const refusal = () => new HostFault({ code: 'disk_full', message: 'The disk is full.', hint: '' });
let talk: Conversation;

beforeEach(() => {
  fake.reset('populated', 0);
  toasts.current = null;
  talk = new Conversation();
  for (const id of [null, 'c-lease', 'c-bank']) drafts.set(id, '');
});
afterEach(() => talk.close());

describe('drafts', () => {
  it('are kept by conversation, and what could not be sent comes before what was written since', () => {
    drafts.set('c-lease', 'For the lease');
    drafts.set(null, 'Not begun');
    expect(drafts.of('c-bank')).toBe('');
    drafts.giveBack('c-lease', 'Sent before');
    expect(drafts.of('c-lease')).toBe('Sent before\n\nFor the lease');
    drafts.move(null, 'c-lease');
    expect(drafts.of(null)).toBe('Not begun');
    drafts.move(null, 'c-bank');
    expect([drafts.of(null), drafts.of('c-bank')]).toEqual(['', 'Not begun']);
  });
});

describe('a message that is refused', () => {
  it('goes back once, so that the field can be emptied', async () => {
    await talk.open('c-lease');
    vi.spyOn(host, 'call').mockRejectedValueOnce(refusal());
    await talk.send('hello');
    expect(talk.refused).toMatchObject({ text: 'hello', back: true });
    expect(drafts.of('c-lease')).toBe('hello');
    drafts.set('c-lease', '');
    await frames();
    expect(drafts.of('c-lease')).toBe('');
  });

  it('stays with its own conversation when another is open by then', async () => {
    await talk.open('c-lease');
    let refuse: (why: HostFault) => void = () => undefined;
    vi.spyOn(host, 'call').mockImplementationOnce(() => new Promise((_, no) => (refuse = no)));
    const sent = talk.send('secret for the lease');
    await talk.open('c-bank');
    refuse(refusal());
    await sent;
    expect(talk.refused).toBeNull();
    expect(drafts.of('c-bank')).toBe('');
    expect(drafts.of('c-lease')).toBe('secret for the lease');
    expect(toasts.current?.text).toContain('was not sent');
    expect(toasts.current?.action?.label).toBe('Open');
  });

  it('does not begin a conversation: its words are where a new one is written', async () => {
    live.conversations = [];
    vi.spyOn(host, 'call').mockRejectedValueOnce(refusal());
    await talk.send('first words');
    expect(talk.refused?.back).toBe(true);
    expect(drafts.of(talk.id)).toBe('first words');
    await talk.open('c-lease');
    expect(drafts.of('c-lease')).toBe('');
    expect(drafts.of(null)).toBe('first words');
  });

  it('is not given back when it was a button, which is still there', async () => {
    await talk.open('c-lease');
    vi.spyOn(host, 'call').mockRejectedValueOnce(refusal());
    await talk.answer('q1', 'a', 'Ana Ruiz');
    expect(talk.refused).toMatchObject({ back: false });
    expect(drafts.of('c-lease')).toBe('');
  });
});

describe('opening a conversation', () => {
  it('is loading until the first event of its journal, when it has messages', async () => {
    const follow = host.subscribe.bind(host);
    let begin: () => void = () => undefined;
    vi.spyOn(host, 'subscribe').mockImplementationOnce((from, on) => {
      begin = () => void follow(from, on);
      return () => undefined;
    });
    await talk.open('c-lease');
    await frames();
    expect(talk.loading).toBe(true);
    begin();
    await eventually(() => expect(talk.loading).toBe(false));
    expect(talk.view.turns.length).toBeGreaterThan(0);
  });

  it('that is late says so instead of looking like an empty one, and is shown when it comes', async () => {
    const follow = host.subscribe.bind(host);
    let begin: () => void = () => undefined;
    vi.spyOn(host, 'subscribe').mockImplementationOnce((from, on) => {
      begin = () => void follow(from, on);
      return () => undefined;
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await talk.open('c-lease');
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect(talk.fault?.code).toBe('late');
    begin();
    await eventually(() => expect(talk.view.turns.length).toBeGreaterThan(0));
    expect(talk.fault).toBeNull();
  });

  it('is not loading when there is nothing to wait for', async () => {
    await talk.open('c-nothing');
    expect(talk.loading).toBe(false);
  });

  it('says so when its events cannot be had, and is opened again', async () => {
    vi.spyOn(host, 'subscribe').mockImplementationOnce((_from, _on, onfault) => {
      queueMicrotask(() => onfault?.({ code: 'subscriptions', message: 'Too much already.', hint: '' }));
      return () => undefined;
    });
    await talk.open('c-lease');
    await eventually(() => expect(talk.fault?.message).toBe('Too much already.'));
    expect(talk.loading).toBe(false);
    await talk.again();
    await eventually(() => expect(talk.view.turns.length).toBeGreaterThan(0));
    expect(talk.fault).toBeNull();
  });
});

describe('a conversation that was deleted or erased elsewhere', () => {
  it('is left, with what was written in it', async () => {
    await talk.open('c-lease');
    await eventually(() => expect(talk.view.turns.length).toBeGreaterThan(0));
    drafts.set('c-lease', 'Not sent');
    fake.world.erase();
    await eventually(() => expect(talk.id).toBeNull());
    expect(talk.view.turns).toEqual([]);
    expect(drafts.of('c-lease')).toBe('');
  });

  it('stays while only others change', async () => {
    await talk.open('c-lease');
    await eventually(() => expect(talk.view.turns.length).toBeGreaterThan(0));
    fake.world.changed('conversations');
    await frames();
    expect(talk.id).toBe('c-lease');
  });

  it('and begun again under the same name shows what is said in it by now, and nothing of before', async () => {
    await talk.open('c-lease');
    await eventually(() => expect(talk.view.turns.length).toBeGreaterThan(0));
    // Erased and asked again so quickly that the window never noticed.
    const changed = vi.spyOn(fake.world, 'changed').mockImplementation(() => undefined);
    fake.world.erase();
    await host.call('ask', { conversation: 'c-lease', text: 'What is on today?' });
    await eventually(() => expect(talk.view.turns.map((turn) => turn.text)).toEqual(['What is on today?']));
    changed.mockRestore();
  });
});

describe('what is said aloud of a turn', () => {
  it('begins anew with each turn and each model: half a sentence that was cut off is never said', async () => {
    let tell: (event: TurnEvent) => void = () => undefined;
    vi.spyOn(host, 'subscribe').mockImplementation((_, on) => {
      tell = on;
      return () => undefined;
    });
    await talk.open('c-new');
    let seq = 0;
    const of = (turn: string, said: object) =>
      tell({ ...said, conversation: 'c-new', turn, seq: (seq += 1) } as unknown as TurnEvent);
    const before = announce.polite.length;
    of('t1', { event: 'turn_started', text: 'one' });
    of('t1', { event: 'token', text: 'The lease ends' });
    of('t1', { event: 'token', text: 'It runs', restart: true });
    of('t1', { event: 'interrupted', results: [] });
    of('t2', { event: 'turn_started', text: 'two' });
    of('t2', { event: 'token', text: 'Nothing is on today. ' });
    await frames();
    expect(announce.polite.slice(before).map((one) => one.text)).toEqual(['Nothing is on today.']);
    of('t2', { event: 'token', text: 'Tomorrow as' });
    of('t2', { event: 'token', text: 'Tomorrow as well. ', restart: true });
    await frames();
    expect(announce.polite.at(-1)?.text).toBe('Tomorrow as well.');
  });
});

describe('a turn whose end was not stored', () => {
  it('is over, said aloud, and read anew when its end is stored after all', async () => {
    let tell: (event: TurnEvent) => void = () => undefined;
    const followed = vi.spyOn(host, 'subscribe').mockImplementation((_, on) => {
      tell = on;
      return () => undefined;
    });
    await talk.open('c-new');
    const of = (seq: number, said: object) =>
      tell({ ...said, conversation: 'c-new', turn: 't1', seq } as unknown as TurnEvent);
    of(1, { event: 'turn_started', text: 'one' });
    of(2, { event: 'status', text: 'Working' });
    of(0, { event: 'error', code: 'disk_full', message: 'The disk is full.', hint: '' });
    await frames();
    expect(talk.running).toBe(false);
    expect(talk.last).toMatchObject({ state: 'failed', error: { code: 'disk_full' } });
    expect(announce.assertive.at(-1)?.text).toContain('The disk is full.');
    const before = followed.mock.calls.length;
    of(1, { event: 'interrupted', results: [] });
    await vi.waitFor(() => expect(followed.mock.calls.length).toBe(before + 1));
    expect(followed.mock.calls.at(-1)?.[0]).toMatchObject({ conversation: 'c-new', from_seq: 0 });
  });
});
