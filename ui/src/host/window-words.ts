import { faultOf, HostFault, type Host } from './host';
import type { Args, Op, Replies } from './wire';

/** A command as the second of two ways: `(Settings, Check or `adjutant doctor` tries)`. */
const OR_COMMAND = /,? or `(?:adjutant\b|--)[^`]*`/g;
/** A command or option in its own brackets. */
const COMMAND = /\s*\([^()]*`(?:adjutant\b|--)[^()]*\)/g;

/** An environment variable as the second of two ways. */
const OR_VARIABLE = /,? or [^,;.]*\bADJUTANT_[A-Z_]+/g;
/** A page of Settings as the engine writes it for a terminal. */
const PAGE = /\bSettings, (?=[A-Z])/g;

/** Removes what the person would type into a terminal; the text also names the place in the window. */
export const withoutCommands = (text: string): string =>
  text.replace(OR_COMMAND, '').replace(COMMAND, '').replace(OR_VARIABLE, '').replace(PAGE, 'Settings › ');

/** Fields with the engine's advice. They never contain text of the person, nor foreign text. */
const ADVICE: ReadonlySet<string> = new Set(['hint', 'next', 'problem', 'why', 'note']);
/** Arguments and results of tools: the person's or foreign text, whatever the fields inside are called. */
const DATA: ReadonlySet<string> = new Set(['args', 'sources', 'result', 'output', 'receipt', 'value']);

/**
 * Wraps a host so that its advice fits the window: the engine writes for every front end, with commands in brackets.
 * Changes replies and events in place, before anyone has seen them.
 */
export function inWindowWords(host: Host): Host {
  return {
    ...host,
    async call<K extends Op>(op: K, args: Args<K>): Promise<Replies[K]> {
      try {
        const reply = await host.call(op, args);
        adviseHere(reply);
        return reply;
      } catch (thrown) {
        const fault = faultOf(thrown);
        throw new HostFault({ ...fault, hint: withoutCommands(fault.hint) });
      }
    },
    subscribe: (from, on, onfault) =>
      host.subscribe(
        from,
        (event) => {
          adviseHere(event);
          on(event);
        },
        (fault) => onfault?.({ ...fault, hint: withoutCommands(fault.hint) }),
      ),
  };
}

function adviseHere(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    const field = fields[key];
    if (typeof field === 'object') {
      if (!DATA.has(key)) adviseHere(field);
    }
    if (typeof field === 'string' && ADVICE.has(key)) fields[key] = withoutCommands(field);
  }
}
