import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import { Fetching } from './fetching.svelte';

const FILE = { file: 'small.gguf', done: 100, total: 1000 };
const tell = (done: number) => fake.world.tell({ event: 'progress', what: FILE.file, done, total: FILE.total });
let fetching: Fetching;
let stop: () => void;

/** A form that is opened while another one fetches. */
beforeEach(async () => {
  fake.world.models.fetching = FILE;
  fetching = new Fetching();
  stop = fetching.follow();
  await eventually(() => expect(fetching.now).toEqual(FILE));
});
afterEach(() => stop());

describe('a model file that another form fetches', () => {
  it('is gone from the form when it is stopped here', async () => {
    await fetching.stop();
    await eventually(() => expect(fetching.now).toBeNull());
  });

  it('can be used once it was checked, which nothing tells', async () => {
    tell(1000);
    await eventually(() => expect(fetching.now?.done).toBe(1000));
    // Still being checked.
    expect(fetching.files?.known[0]?.path).toBeNull();
    fake.world.models.fetching = null;
    fake.world.models.fetched = ['small'];
    await eventually(() => expect(fetching.files?.known[0]?.path).toMatch(/small\.gguf$/));
    expect(fetching.now).toBeNull();
  });

  it('is gone when it failed, which nothing tells either', async () => {
    fake.world.models.fetching = null;
    await eventually(() => expect(fetching.now).toBeNull());
  });
});
