import { beforeEach, describe, expect, it, vi } from 'vitest';
import { host } from '../host';
import { fake } from '../host/fake';
import { live } from './live.svelte';
import { eventually } from './test/eventually';

beforeEach(() => fake.reset('failing', 0));

describe('what could not be loaded', () => {
  it('is a fault of its own: another part that works does not hide it, trying again does', async () => {
    await live.ensureApproval('a-none');
    await live.reloadApprovals();
    expect(live.approvalsFault).not.toBeNull();
    const { fault } = live;
    expect(fault?.message).toBeTruthy();
    fake.reset('populated', 0);
    await live.retry();
    expect(live.fault).toBeNull();
    expect(live.retrying).toBe(false);
  });
});

describe('an action that does not exist', () => {
  it('is no fault of the window', async () => {
    fake.reset('populated', 0);
    await live.retry();
    await live.ensureApproval('out_none');
    expect(fake.calls.some((call) => call.op === 'show' && (call.args as { id?: string }).id === 'out_none')).toBe(
      true,
    );
    expect(live.fault).toBeNull();
  });
});

describe('what is loaded again', () => {
  it('is what was asked for last, whichever answer comes last', async () => {
    fake.reset('populated', 0);
    live.start();
    await eventually(() => expect(live.conversations.length).toBeGreaterThan(1));
    const real = host.call.bind(host);
    const held: (() => void)[] = [];
    vi.spyOn(host, 'call').mockImplementation((async (op: never, args: { what?: string }) => {
      const answer = await real(op, args as never);
      if (args.what === 'conversations') await new Promise<void>((done) => held.push(done));
      return answer;
    }) as never);
    fake.world.changed('conversations');
    await eventually(() => expect(held.length).toBe(1));
    await real('rename_conversation', { id: 'c-lease', title: 'The new name' });
    await eventually(() => expect(held.length).toBe(2));
    held[1]?.();
    const title = () => live.conversations.find((one) => one.id === 'c-lease')?.title;
    await eventually(() => expect(title()).toBe('The new name'));
    held[0]?.();
    await new Promise((done) => setTimeout(done));
    expect(title()).toBe('The new name');
  });

  it('is what the list says, when it came before the reply to a card that was asked for alone', async () => {
    fake.reset('populated', 0);
    const real = host.call.bind(host);
    let release = (): void => undefined;
    vi.spyOn(host, 'call').mockImplementation((async (op: never, args: { id?: string }) => {
      const answer = structuredClone(await real(op, args as never));
      if (args.id === 'a-move') await new Promise<void>((done) => (release = done));
      return answer;
    }) as never);
    live.approvals = [];
    const alone = live.ensureApproval('a-move');
    await eventually(() => expect(fake.calls.some((call) => call.op === 'show')).toBe(true));
    await real('reject', { id: 'a-move' });
    await live.reloadApprovals();
    release();
    await alone;
    expect(live.approval('a-move')?.state).toBe('denied');
  });
});
