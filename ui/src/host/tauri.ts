import { Channel, invoke } from '@tauri-apps/api/core';
import { faultOf, HostFault, type Host, type Profiles } from './host';
import type { Args, Fault, Op, Replies, WireEvent } from './wire';

/** The names of the Tauri commands and events; the permissions list exactly these. */
const COMMAND = {
  call: 'call',
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
  openLink: 'open_link',
  choosePaths: 'choose_paths',
  copy: 'copy_text',
  saveText: 'save_text',
  showPath: 'show_path',
  profiles: 'profiles',
  switchProfile: 'switch_profile',
  openMain: 'open_main',
  hide: 'hide_window',
  setHeight: 'set_window_height',
} as const;
const EVENT = { route: 'adjutant://route', shown: 'adjutant://shown' } as const;

/** The events Tauri sends while files are dragged over the window. */
const DRAG = { enter: 'tauri://drag-enter', leave: 'tauri://drag-leave', drop: 'tauri://drag-drop' } as const;

export function createHost(): Host {
  return {
    // After a reload, Tauri sends pending calls again; the key makes sure that each call runs once.
    call: <K extends Op>(op: K, args: Args<K>) =>
      send<Replies[K]>(COMMAND.call, { key: crypto.randomUUID(), request: { op, ...args } }),

    subscribe(from, on, onfault) {
      const channel = new Channel<WireEvent>();
      let open = true;
      channel.onmessage = (event) => {
        if (open) on(event);
      };
      const id = send<number>(COMMAND.subscribe, { from, channel });
      id.catch((thrown: unknown) => {
        if (open) onfault?.(faultOf(thrown));
      });
      return () => {
        open = false;
        void id.then((subscription) => send(COMMAND.unsubscribe, { subscription })).catch(() => undefined);
      };
    },

    openLink: (url) => send(COMMAND.openLink, { url }),
    choosePaths: (kind, title) => send<string[]>(COMMAND.choosePaths, { kind, title }),
    copy: (text) => send(COMMAND.copy, { text }),
    saveText: (name, title, text) => send<string | null>(COMMAND.saveText, { name, title, text }),
    showPath: (path) => send(COMMAND.showPath, { path }),
    onFiles(on) {
      const stops = [
        listening<unknown>(DRAG.enter, () => on({ state: 'over' })),
        listening<unknown>(DRAG.leave, () => on({ state: 'left' })),
        listening<{ paths: string[] }>(DRAG.drop, ({ paths }) => on({ state: 'dropped', paths })),
      ];
      return () => stops.forEach((stop) => stop());
    },
    profiles: () => send<Profiles>(COMMAND.profiles),
    switchProfile: (name) => send(COMMAND.switchProfile, { key: crypto.randomUUID(), name }),

    window: {
      openMain: (route) => send(COMMAND.openMain, { route }),
      hide: () => send(COMMAND.hide),
      setHeight: (px) => send(COMMAND.setHeight, { px }),
      onRoute: (on) => listening<string>(EVENT.route, on),
      onShown: (on) => listening<null>(EVENT.shown, () => on()),
    },
  };
}

/** Rust returns errors as `Fault`; anything else is a failure of the bridge. */
async function send<T>(command: string, args: Record<string, unknown> = {}): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (thrown) {
    const fault = thrown as Partial<Fault> | string | null;
    if (fault !== null && typeof fault === 'object' && typeof fault.message === 'string') {
      throw new HostFault({ code: fault.code ?? 'engine', message: fault.message, hint: fault.hint ?? '' });
    }
    throw new HostFault({ code: 'bridge', message: String(thrown), hint: '' });
  }
}

function listening<T>(name: string, on: (payload: T) => void): () => void {
  let stop: (() => void) | null = null;
  let stopped = false;
  void import('@tauri-apps/api/event').then(async ({ listen }) => {
    const off = await listen<T>(name, ({ payload }) => on(payload));
    if (stopped) off();
    else stop = off;
  });
  return () => {
    stopped = true;
    stop?.();
  };
}
