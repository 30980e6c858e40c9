import type { Args, Fault, Id, Op, Replies, RowOf, Topic, WireEvent } from './wire';

/** Everything the window needs from the computer it runs on. Tauri implements it, and an in-memory host for tests. */
export interface Host {
  /** One request, one reply. Rejects with a `HostFault`, never with anything else. */
  call<K extends Op>(op: K, args: Args<K>): Promise<Replies[K]>;
  /**
   * Subscribes to the events of one conversation after `from_seq` (replayed from the journal, then live) and to every
   * `changed`; without a conversation, only to `changed`. Returns a function that unsubscribes. `onfault` reports that
   * no events will come.
   */
  subscribe(
    from: { conversation: Id | null; from_seq: number },
    on: (event: WireEvent) => void,
    onfault?: (fault: Fault) => void,
  ): () => void;
  /** Opens a link in the system's browser. The caller has already shown its host to the person. */
  openLink(url: string): Promise<void>;
  /** Opens the system's file chooser; returns an empty list when the person cancels. */
  choosePaths(kind: 'files' | 'folder', title: string): Promise<string[]>;
  copy(text: string): Promise<void>;
  /** Saves a text through the system's save dialog. Returns the path, or null when the person cancels. */
  saveText(name: string, title: string, text: string): Promise<string | null>;
  /** Shows a file in the file manager, or opens a folder there; refuses paths outside the readable folders. */
  showPath(path: string): Promise<void>;
  /** Reports files that are dragged over this window or dropped on it. Returns a function that stops. */
  onFiles(on: (files: Files) => void): () => void;
  /** The existing profiles, and the one this window shows. */
  profiles(): Promise<Profiles>;
  /**
   * Opens another profile; every window restarts on it, including this one. Rejects when the profile cannot be opened;
   * the previous one then stays open.
   */
  switchProfile(name: string): Promise<void>;
  readonly window: HostWindow;
}

export interface Profiles {
  current: string;
  /** The person's own profile, to return to from the sample data. */
  own: string;
  /** The profile for the sample data, whether or not it exists yet. */
  sample: string;
  names: string[];
}

/** Files of the system that are dragged to the window. */
export type Files = { state: 'over' } | { state: 'left' } | { state: 'dropped'; paths: string[] };

export interface HostWindow {
  /** Shows the main window at an address such as `approvals/a1`. */
  openMain(route: string): Promise<void>;
  /** Called with an address when a notification, the tray or another window asks for one. */
  onRoute(on: (route: string) => void): () => void;
  hide(): Promise<void>;
  /** The height in logical pixels; quick ask grows with its answer. */
  setHeight(px: number): Promise<void>;
  /** Called each time this window is shown again (quick ask). */
  onShown(on: () => void): () => void;
}

/** A refusal or failure in plain words: what happened, then what to do next. */
export class HostFault extends Error {
  readonly code: string;
  readonly hint: string;
  constructor(fault: Fault) {
    super(fault.message);
    this.name = 'HostFault';
    this.code = fault.code;
    this.hint = fault.hint;
  }
}

/** `show`, typed by its topic. All arguments but the topic are optional. */
export async function show<T extends Topic>(
  host: Host,
  what: T,
  args: Partial<Omit<Args<'show'>, 'what'>> = {},
): Promise<RowOf<T>[]> {
  return (await showPart(host, what, args)).rows;
}

/** A part of a list. */
export interface Part<Row> {
  rows: Row[];
  /** The number of rows in the whole list or, if the engine gives none, in `rows`. */
  total: number;
}

/** `show`, with the number of rows in the whole list. */
export async function showPart<T extends Topic>(
  host: Host,
  what: T,
  args: Partial<Omit<Args<'show'>, 'what'>> = {},
): Promise<Part<RowOf<T>>> {
  const reply = await host.call('show', { what, id: null, from: null, to: null, limit: null, text: null, ...args });
  const rows = reply.rows.list as RowOf<T>[];
  return { rows, total: reply.total ?? rows.length };
}

/** Turns anything thrown into a fault that can be shown. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof HostFault) return { code: thrown.code, message: thrown.message, hint: thrown.hint };
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'window', message: text, hint: '' };
}
