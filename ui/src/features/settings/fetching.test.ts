import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Fault } from '../../host';
import { fake } from '../../host/fake';
import { announce } from '../../kit/announce.svelte';
import { eventually } from '../../kit/test/eventually';
import { Fetching } from './fetching.svelte';

const FILE = { file: 'small.gguf', done: 100, total: 1000 };
const FULL = { code: 'disk_full', message: 'The disk is full.', hint: 'Free some space.' };
const STOPPED = { code: 'stopped', message: 'Fetching was stopped.', hint: '' };

const tell = (done: number, ended?: { fault?: Fault }, what = FILE.file) =>
  fake.world.tell({ event: 'progress', what, done, total: FILE.total, ...(ended ? { ended } : {}) });
const asked = () => fake.calls.filter((one) => one.op === 'model_files').length;
let fetching: Fetching;
let stop: () => void;

/** The form opens while another window or the command line downloads. */
beforeEach(async () => {
  fake.world.models.fetching = FILE;
  fetching = new Fetching();
  stop = fetching.follow();
  await eventually(() => expect(fetching.now).toEqual(FILE));
});
afterEach(() => stop());

function over(fault?: Fault) {
  fake.world.models.fetching = null;
  tell(FILE.total, fault ? { fault } : {});
}

describe('a model file that another form fetches', () => {
  it('is gone from the form when it is stopped here, and who stopped it is told nothing', async () => {
    await fetching.stop();
    await eventually(() => expect(fetching.now).toBeNull());
    expect(fetching.fault).toBeNull();
  });

  it('is said to be stopped where another one did that', async () => {
    over(STOPPED);
    await eventually(() => expect(fetching.fault).toEqual(STOPPED));
    expect(fetching.now).toBeNull();
  });

  it('can be used once it ended, and not before', async () => {
    tell(1000);
    await eventually(() => expect(fetching.now?.done).toBe(1000));
    // The file is still being checked.
    expect(fetching.files?.known[0]?.path).toBeNull();
    fake.world.models.fetched = ['small'];
    over();
    await eventually(() => expect(fetching.files?.known[0]?.path).toMatch(/small\.gguf$/));
    expect(fetching.now).toBeNull();
    expect(fetching.fault).toBeNull();
    expect(announce.polite.at(-1)?.text).toBe('small.gguf is here. Next: connect it.');
  });

  it('is gone when it failed, and why is told', async () => {
    over(FULL);
    await eventually(() => expect(fetching.fault).toEqual(FULL));
    expect(fetching.now).toBeNull();
  });

  it('is followed when it begins later; an import is none', async () => {
    over();
    await eventually(() => expect(fetching.now).toBeNull());
    tell(10, undefined, 'mail.mbox');
    expect(fetching.now).toBeNull();
    tell(20, undefined, 'middle.gguf');
    expect(fetching.now).toEqual({ file: 'middle.gguf', done: 20, total: FILE.total });
  });

  it('is read anew when settings changed, which is also told to whoever missed how it ended', async () => {
    fake.world.models.fetching = null;
    fake.world.changed('settings');
    await eventually(() => expect(fetching.now).toBeNull());
  });

  it('is asked about only when something is told', async () => {
    vi.useFakeTimers();
    try {
      const other = new Fetching();
      const leave = other.follow();
      const before = asked();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(other.now).toEqual(FILE);
      expect(asked()).toBe(before);
      leave();
    } finally {
      vi.useRealTimers();
    }
  });
});
