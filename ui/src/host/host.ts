import type { Args, Fault, Id, Op, Replies, RowOf, Topic, WireEvent } from './wire';

/** Everything the window needs from the machine it runs on. Two implementations: Tauri, and one in memory for tests. */
export interface Host {
  /** One request, one reply. Rejects with a `HostFault`, never with anything else. */
  call<K extends Op>(op: K, args: Args<K>): Promise<Replies[K]>;
  /**
   * Events of one conversation after `from_seq` (replayed from the journal, then live), and every `changed`.
   * Without a conversation only `changed`. Returns how to stop; `onfault` is told when nothing will come.
   */
  subscribe(
    from: { conversation: Id | null; from_seq: number },
    on: (event: WireEvent) => void,
    onfault?: (fault: Fault) => void,
  ): () => void;
  /** Opens an address in the system's browser. The caller has shown the host to the person first. */
  openLink(url: string): Promise<void>;
  /** The system's own file chooser; empty when the person cancels. */
  choosePaths(kind: 'files' | 'folder', title: string): Promise<string[]>;
  copy(text: string): Promise<void>;
  /** Saves a text where the person chooses in the system's own dialog; where it went, or null when they cancel. */
  saveText(name: string, title: string, text: string): Promise<string | null>;
  /** Shows a file in its folder, or opens a folder, in the file manager; refused outside the folders that may be read. */
  showPath(path: string): Promise<void>;
  /** Called while files are dragged over this window, and when they are dropped. Returns how to stop. */
  onFiles(on: (files: Files) => void): () => void;
  /** The profiles there are, and the one this window shows. */
  profiles(): Promise<Profiles>;
  /**
   * Opens another profile; every window starts anew on it, this one as well. Rejects when it cannot be opened: then the
   * one before is still open.
   */
  switchProfile(name: string): Promise<void>;
  readonly window: HostWindow;
}

export interface Profiles {
  current: string;
  /** The one to come back to from the sample. */
  own: string;
  /** The one with the sample data, whether or not there is one yet. */
  sample: string;
  names: string[];
}

/** Files of the system on their way into the window. */
export type Files = { state: 'over' } | { state: 'left' } | { state: 'dropped'; paths: string[] };

export interface HostWindow {
  /** Brings the main window up, at a place such as `approvals/a1`. */
  openMain(route: string): Promise<void>;
  /** Called with a place when a notification, the tray or another window asks for it. */
  onRoute(on: (route: string) => void): () => void;
  hide(): Promise<void>;
  /** Logical pixels; quick-ask grows with its answer. */
  setHeight(px: number): Promise<void>;
  /** Called each time this window is shown again (quick-ask). */
  onShown(on: () => void): () => void;
}

/** A refusal or failure in the person's words: what happened, then what to do next. */
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

/** `show` with the rows of its topic. What is not given is not asked for. */
export async function show<T extends Topic>(
  host: Host,
  what: T,
  args: Partial<Omit<Args<'show'>, 'what'>> = {},
): Promise<RowOf<T>[]> {
  return (await showPart(host, what, args)).rows;
}

/** One part of a list. */
export interface Part<Row> {
  rows: Row[];
  /** How many there are, whatever part was asked for. */
  total: number;
}

/** `show` with how many rows there are besides those that were asked for. */
export async function showPart<T extends Topic>(
  host: Host,
  what: T,
  args: Partial<Omit<Args<'show'>, 'what'>> = {},
): Promise<Part<RowOf<T>>> {
  const reply = await host.call('show', { what, id: null, from: null, to: null, limit: null, text: null, ...args });
  const rows = reply.rows.list as RowOf<T>[];
  return { rows, total: reply.total ?? rows.length };
}

/** Whatever was thrown, as something that can be shown. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof HostFault) return { code: thrown.code, message: thrown.message, hint: thrown.hint };
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'window', message: text, hint: '' };
}
