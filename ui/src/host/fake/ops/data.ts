import * as research from '../research';
import * as talks from '../talks';
import type { Topic } from '../../wire';
import { HostFault } from '../../host';
import { glance } from '../answers';
import { offered } from '../calendar';
import { ok, type Answers } from './answers';

/** Topics whose replies include the total number of rows. */
const COUNTED = new Set<Topic>([
  ...(['tasks', 'events', 'notes', 'memories', 'past_memories', 'mail', 'outbox', 'contacts'] as const),
  ...(['conversations', 'archived_conversations'] as const),
]);

/** Answers to requests for rows, search, memories, research and jobs. */
export const data = {
  use_memory: (world, { id, on }) => ({ reply: 'applied', outcome: world.useMemory(id, on) }),
  repeats: (_, { rule, last }) => ({ reply: 'repeats', rules: offered(rule, last) }),
  research: (world, { act }) => ({ reply: 'research', found: research.act(world, act) }),
  memory_uses: (world, { id }) => world.memoryUses(id),
  notify: () => ok,
  subscribe: () => ok,
  show: async (world, { what, id, limit, offset, from, to, text, only }) => {
    if (what === 'conversations' && text?.trim()) {
      const list = talks.find(world, text).slice(0, limit ?? undefined);
      return { reply: 'rows', rows: { topic: 'conversations', list }, total: list.length };
    }
    const rows = await world.show(what, id, null, from, to, only);
    const words = text?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
    const has = (row: unknown) => {
      const all = JSON.stringify(row).toLowerCase();
      return words.every((word) => all.includes(word));
    };
    const all = words.length === 0 ? rows.list : rows.list.filter(has);
    const list = all.slice(offset ?? 0).slice(0, limit ?? undefined);
    const total = id === null && COUNTED.has(what) ? { total: all.length } : {};
    return { reply: 'rows', rows: { ...rows, list } as typeof rows, ...total };
  },
  search: (world, { text, limit }) => ({ reply: 'hits', hits: world.search(text, limit) }),
  glance: (world, { text }) => {
    const found = glance(world, text);
    return { reply: 'glanced', ...(found ? { glance: found } : {}) };
  },
  run_due: () => ({ reply: 'due_done', done: [] }),
  stop_job: (world, { id }) => {
    const job = world.jobs.find((one) => one.id === id);
    if (!job) throw new HostFault({ code: 'not_found', message: `There is no job “${id}”.`, hint: '' });
    Object.assign(job, { state: 'stopped', next: null, stoppable: false });
    world.changed('jobs');
    return { reply: 'rows', rows: { topic: 'jobs', list: structuredClone([job]) } };
  },
} satisfies Answers<
  | 'use_memory'
  | 'repeats'
  | 'research'
  | 'memory_uses'
  | 'notify'
  | 'subscribe'
  | 'show'
  | 'search'
  | 'glance'
  | 'run_due'
  | 'stop_job'
>;
