import { host, type ResearchEvent, type Topic, type WireEvent } from '../host';
import { painted } from './painted';

/** Kinds of data that can change while a surface shows them. */
export type Kind = Topic | 'settings' | 'servers';
type Listener = { kinds: readonly Kind[]; run: () => void };

/** The progress of a long operation, such as an import. */
export type Progress = Extract<WireEvent, { event: 'progress' }>;

const listeners = new Set<Listener>();
const droppers = new Set<Listener>();
const watchers = new Set<(progress: Progress) => void>();
const followers = new Set<(event: ResearchEvent) => void>();
/** Changes since the last frame. */
const changed = new Set<Kind>();
let listening = false;

function listen(): void {
  if (listening) return;
  listening = true;
  host.subscribe({ conversation: null, from_seq: 0 }, (event) => {
    if (event.event === 'progress') for (const one of [...watchers]) one(event);
    if (isResearch(event)) for (const one of [...followers]) one(event);
    if (event.event !== 'changed') return;
    if (changed.size === 0) void painted().then(deliver);
    for (const kind of event.kinds) changed.add(kind as Kind);
    tell(droppers, event.kinds as Kind[]);
  });
}

function tell(whom: Set<Listener>, kinds: readonly Kind[]): void {
  for (const one of [...whom]) if (kinds.some((kind) => one.kinds.includes(kind))) one.run();
}

/**
 * Tells the listeners once what several events reported. It runs after the frame, so that what the person waits for is
 * drawn before lists beside it load again.
 */
function deliver(): void {
  const kinds = [...changed];
  changed.clear();
  tell(listeners, kinds);
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

/**
 * Calls `run` when the engine has reported changed data of these kinds, once the next frame is painted. Returns a function
 * that stops this.
 */
export function onChanged(kinds: readonly Kind[], run: () => void): () => void {
  return add(listeners, { kinds, run });
}

/** Like `onChanged`, but at once: for what must no longer be shown. */
export function onOutdated(kinds: readonly Kind[], run: () => void): () => void {
  return add(droppers, { kinds, run });
}

function add(to: Set<Listener>, listener: Listener): () => void {
  listen();
  to.add(listener);
  return () => to.delete(listener);
}
