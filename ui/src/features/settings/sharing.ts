import type { Setting } from '../../host';
import { parts } from './sections';

/** The setting for what is shared with other programs. */
export const SHARE = 'mcp.serve.share';

/** What can be shared, by the engine's names, in the order of the checkboxes. */
export const KINDS = ['calendar', 'tasks', 'contacts', 'notes', 'mail', 'memory'] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds that are shared now. */
export const sharedIn = (setting: Setting): Kind[] => {
  const chosen = parts(setting.value);
  return KINDS.filter((kind) => chosen.includes(kind));
};

/** The new value of the setting after a checkbox changed. */
export const withKind = (shared: readonly Kind[], kind: Kind, on: boolean): string =>
  KINDS.filter((one) => (one === kind ? on : shared.includes(one))).join(', ');

/** The configuration another program needs, in its list of servers. */
export const SERVERS_JSON = JSON.stringify(
  { mcpServers: { adjutant: { command: 'adjutant', args: ['mcp', 'serve'] } } },
  null,
  2,
);

/** The command for programs that connect by address. */
export const HTTP_COMMAND = 'adjutant mcp serve --http';
