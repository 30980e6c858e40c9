import { faultOf, type Host } from './host';
import type { Args, Fault, Op, Replies } from './wire';

/** Called when a request ends: with null when it succeeded, with the fault when it was refused or failed. */
type Watcher = (op: Op, fault: Fault | null) => void;
const watchers = new Set<Watcher>();

/** Returns a function that stops. */
export function onEnded(run: Watcher): () => void {
  watchers.add(run);
  return () => watchers.delete(run);
}

/** Wraps a host so that watchers learn how each request ends. */
export function watched(host: Host): Host {
  return {
    ...host,
    async call<K extends Op>(op: K, args: Args<K>): Promise<Replies[K]> {
      try {
        const reply = await host.call(op, args);
        const failed = reply.reply === 'applied' && reply.outcome.state === 'failed' ? reply.outcome.fault : null;
        for (const run of watchers) run(op, failed);
        return reply;
      } catch (thrown) {
        for (const run of watchers) run(op, faultOf(thrown));
        throw thrown;
      }
    },
  };
}
