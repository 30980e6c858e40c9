import type { Setting } from '../../host';
import { parts } from './sections';

/** The setting that says what other programs get. */
export const SHARE = 'mcp.serve.share';

/** What can be shared, as the engine calls it, in the order in which it is offered. */
export const KINDS = ['calendar', 'tasks', 'contacts', 'notes', 'mail', 'memory'] as const;
export type Kind = (typeof KINDS)[number];

/** What is shared. */
export const sharedIn = (setting: Setting): Kind[] => {
  const chosen = parts(setting.value);
  return KINDS.filter((kind) => chosen.includes(kind));
};

/** What is shared once a kind is ticked or no more. */
export const withKind = (shared: readonly Kind[], kind: Kind, on: boolean): string =>
  KINDS.filter((one) => (one === kind ? on : shared.includes(one))).join(', ');

/** What another program is given, as its list of servers has it. */
export const SERVERS_JSON = JSON.stringify(
  { mcpServers: { adjutant: { command: 'adjutant', args: ['mcp', 'serve'] } } },
  null,
  2,
);

/** The command for programs that connect by address. */
export const HTTP_COMMAND = 'adjutant mcp serve --http';
