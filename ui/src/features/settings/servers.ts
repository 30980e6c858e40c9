import {
  host,
  type Attachable,
  type Server,
  type ServerAct,
  type ServerOffers,
  type ServerReport,
  type ServerTool,
} from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/tools';

/** Sends a request about servers; returns the servers and a note on what could not be done. */
export async function servers(request: ServerAct): Promise<{ list: Server[]; note: string }> {
  const reply = await host.call('servers', { request });
  return reply.reply === 'servers' ? { list: reply.servers, note: reply.note ?? '' } : { list: [], note: '' };
}

/** Tries a server and returns the report. */
export async function tried(name: string): Promise<ServerReport> {
  const reply = await host.call('servers', { request: { act: 'try', name } });
  if (reply.reply !== 'server_tried') throw new Error('a server was tried, and something else came back');
  return reply.report;
}

/** Starts a sign-in at a server; the page opens in the system browser. */
export async function signIn(name: string): Promise<{ id: string; address: string }> {
  const reply = await host.call('servers', { request: { act: 'sign_in', name } });
  if (reply.reply !== 'sign_in') throw new Error('a sign-in was begun, and something else came back');
  return { id: reply.id, address: reply.address };
}

/** Waits until the person has signed in; the engine then tries the server. */
export async function signedIn(name: string, sign_in: string): Promise<ServerReport> {
  const reply = await host.call('servers', { request: { act: 'signed_in', name, sign_in } });
  if (reply.reply !== 'server_tried') throw new Error('a server was tried, and something else came back');
  return reply.report;
}

/** The resources and prompts of a server. */
export async function offersOf(name: string): Promise<ServerOffers> {
  const reply = await host.call('servers', { request: { act: 'offers', name } });
  return reply.reply === 'server_offers' ? reply.offers : { resources: [], prompts: [] };
}

/** Stores something from a server as a note; returns its title. */
export async function attach(name: string, what: Attachable): Promise<string> {
  const reply = await host.call('servers', { request: { act: 'attach', name, what } });
  return reply.reply === 'attached' ? reply.title : '';
}

/** The pins of the tools as shown, so that accepting covers no other version. */
export const pinsOf = (tools: readonly ServerTool[]): Record<string, string> =>
  Object.fromEntries(tools.filter((tool) => tool.state !== 'gone').map((tool) => [tool.tool, tool.pin]));

/** Splits a command line into words; quotes keep words together. */
export function wordsOf(line: string): string[] {
  const found = line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...found].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

/** Parses `NAME=value` lines. */
export function valuesOf(lines: string): Record<string, string> {
  const pairs = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.includes('='))
    .map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()] as const);
  return Object.fromEntries(pairs);
}

/** The state of a server, in words. */
export function stateOf(server: Server): string {
  if (server.status === 'off') return t('servers.off');
  if (server.status === 'new') return t('servers.new');
  return t('servers.on', { n: server.tools.filter((tool) => tool.state === 'accepted').length });
}
