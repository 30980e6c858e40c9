import { faultOf, HostFault, type Host } from './host';
import type { Args, Op, Replies } from './wire';

/** A command as one of two ways: `(Settings, Check or `adjutant doctor` tries)`. */
const OR_COMMAND = /,? or `(?:adjutant\b|--)[^`]*`/g;
/** A command or an option of it, in brackets of its own. */
const COMMAND = /\s*\([^()]*`(?:adjutant\b|--)[^()]*\)/g;

/** A variable of the environment as one of two ways. */
const OR_VARIABLE = /,? or [^,;.]*\bADJUTANT_[A-Z_]+/g;
/** A page of Settings, as the engine writes it for a terminal. */
const PAGE = /\bSettings, (?=[A-Z])/g;

/** Words of the engine without what would be typed into a terminal: they name the place in the window as well. */
export const withoutCommands = (text: string): string =>
  text.replace(OR_COMMAND, '').replace(COMMAND, '').replace(OR_VARIABLE, '').replace(PAGE, 'Settings › ');

/** Fields in which the engine says what to do. No text of a person or of others stands in them. */
const ADVICE: ReadonlySet<string> = new Set(['hint', 'problem', 'why', 'note']);
/** What tools take and give, which is the person's or that of others, whatever its fields are called. */
const DATA: ReadonlySet<string> = new Set(['args', 'sources', 'result', 'output', 'receipt', 'value']);

/**
 * The same host, whose advice is for the window: the engine writes it for every front end, the command in brackets. Changes
 * replies and events where they are, before anybody has seen them.
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
