import { host, type ResearchEvent, type Topic, type WireEvent } from '../host';

/** Kinds of data that can change while a surface shows them. */
export type Kind = Topic | 'settings' | 'servers';
type Listener = { kinds: readonly Kind[]; run: () => void };

/** The progress of a long operation, such as an import. */
export type Progress = Extract<WireEvent, { event: 'progress' }>;

const listeners = new Set<Listener>();
const watchers = new Set<(progress: Progress) => void>();
const followers = new Set<(event: ResearchEvent) => void>();
let listening = false;

function listen(): void {
  if (listening) return;
  listening = true;
  host.subscribe({ conversation: null, from_seq: 0 }, (event) => {
    if (event.event === 'progress') for (const one of [...watchers]) one(event);
    if (isResearch(event)) for (const one of [...followers]) one(event);
    if (event.event !== 'changed') return;
    for (const one of [...listeners]) {
      if (event.kinds.some((kind) => one.kinds.includes(kind as Kind))) one.run();
    }
  });
}

/** Calls `run` with the progress of long operations. Returns a function that stops this. */
export function onProgress(run: (progress: Progress) => void): () => void {
  listen();
  watchers.add(run);
  return () => watchers.delete(run);
}

const isResearch = (event: WireEvent): event is ResearchEvent => event.event.startsWith('research_');

/** Calls `run` with every research event. Returns a function that stops this. */
export function onResearch(run: (event: ResearchEvent) => void): () => void {
  listen();
  followers.add(run);
  return () => followers.delete(run);
}

/** Calls `run` whenever the engine reports changed data of these kinds. Returns a function that stops this. */
export function onChanged(kinds: readonly Kind[], run: () => void): () => void {
  listen();
  const listener = { kinds, run };
  listeners.add(listener);
  return () => listeners.delete(listener);
}
