import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../host/fake';
import { live } from './live.svelte';

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
