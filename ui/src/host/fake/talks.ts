import { HostFault } from '../host';
import type { ConversationRow, Id, TurnEvent } from '../wire';
import { fault } from './scenario';
import type { World } from './world';

const ok = { reply: 'ok' } as const;
/** Deleted conversations, by world. */
const deleted = new WeakMap<World, Map<Id, ConversationRow>>();

function missing(id: Id): HostFault {
  return new HostFault(fault('not_found', `There is no conversation ${id}.`, 'It may have been deleted meanwhile.'));
}

/** Pinned conversations first, then the newest; filtered by whether they are archived, unless that is null. */
export function listed(all: readonly ConversationRow[], archived: boolean | null): ConversationRow[] {
  return all
    .filter((one) => archived === null || one.archived === archived)
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || Date.parse(b.updated) - Date.parse(a.updated));
}

/** Conversations with all words in the title or in one message; the matching message is returned as well. */
export function find(world: World, text: string): ConversationRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (all: string) => words.every((word) => all.toLowerCase().includes(word));
  return listed(world.tables.conversations, null).flatMap((one) => {
    const said = world.saidIn(one.id).flatMap(textsOf).findLast(has);
    if (said === undefined && !has(one.title)) return [];
    return [said === undefined ? one : { ...one, found: said }];
  });
}

function textsOf(event: TurnEvent): string[] {
  if (event.event === 'turn_started') return [event.text];
  return event.event === 'done' || event.event === 'waiting' ? [event.answer] : [];
}

/** Renames, pins or archives a conversation. */
export function place(world: World, id: Id, change: Partial<ConversationRow>): typeof ok {
  if (!world.tables.conversations.some((one) => one.id === id)) throw missing(id);
  world.tables.conversations = world.tables.conversations.map((one) => (one.id === id ? { ...one, ...change } : one));
  world.changed('conversations');
  return ok;
}

export function remove(world: World, id: Id): typeof ok {
  const row = world.tables.conversations.find((one) => one.id === id);
  if (!row) throw missing(id);
  const gone = deleted.get(world) ?? new Map<Id, ConversationRow>();
  deleted.set(world, gone.set(id, row));
  world.tables.conversations = world.tables.conversations.filter((one) => one.id !== id);
  for (const one of world.approvals) {
    if (one.conversation === id && one.state === 'pending') one.state = 'cancelled';
  }
  world.changed('conversations', 'approvals');
  return ok;
}

export function restore(world: World, id: Id): typeof ok {
  const row = deleted.get(world)?.get(id);
  if (!row) throw missing(id);
  deleted.get(world)?.delete(id);
  world.tables.conversations = [...world.tables.conversations, row];
  world.changed('conversations');
  return ok;
}
