import { createHost } from '$this-host';
import type { Host } from './host';
import { watched } from './watched';
import { inWindowWords } from './window-words';

export * from './host';
export { onEnded } from './watched';
export { withoutCommands } from './window-words';
export type * from './wire';

/** The host of this window, chosen at build time: Tauri, or the in-memory one (`--mode fake`). */
export const host: Host = watched(inWindowWords(createHost()));
