import { host, type Topic } from '../host';

/** What can change behind a surface. */
export type Kind = Topic | 'settings';
type Listener = { kinds: readonly Kind[]; run: () => void };

const listeners = new Set<Listener>();
let listening = false;

/** Runs `run` whenever the engine says data of these kinds changed. Returns how to stop. */
export function onChanged(kinds: readonly Kind[], run: () => void): () => void {
  if (!listening) {
    listening = true;
    host.subscribe({ conversation: null, from_seq: 0 }, (event) => {
      if (event.event !== 'changed') return;
      for (const one of [...listeners]) {
        if (event.kinds.some((kind) => one.kinds.includes(kind as Kind))) one.run();
      }
    });
  }
  const listener = { kinds, run };
  listeners.add(listener);
  return () => listeners.delete(listener);
}
