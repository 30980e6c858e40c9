import { createHost } from '$this-host';
import type { Host } from './host';

export * from './host';
export type * from './wire';

/** The host of this window. Chosen when it is built: Tauri, or the one in memory (`--mode fake`). */
export const host: Host = createHost();
