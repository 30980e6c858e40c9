import { host, type Changed } from '../host';

type Kind = Changed['kinds'][number];
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
        if (event.kinds.some((kind) => one.kinds.includes(kind))) one.run();
      }
    });
  }
  const listener = { kinds, run };
  listeners.add(listener);
  return () => listeners.delete(listener);
}
