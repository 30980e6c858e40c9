import { host, HostFault, type Id, type TurnEvent } from '../host';

type End = Extract<TurnEvent, { event: 'done' | 'waiting' | 'interrupted' | 'error' }>;

const ENDS = new Set(['done', 'waiting', 'interrupted', 'error']);
/** Longer than any turn without a model; what ends later is seen on its surface. */
const PATIENCE_MS = 30_000;

/** Waits for the end of a turn that a button started. Rejects when the turn ended in an error. */
export function turnEnd(turn: { conversation: Id; turn: Id }): Promise<End | null> {
  return new Promise((resolve, reject) => {
    let stop: (() => void) | null = null;
    let over = false;
    const finish = (event: End | null) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      stop?.();
      if (event?.event === 'error') reject(new HostFault(event));
      else resolve(event);
    };
    const timer = setTimeout(() => finish(null), PATIENCE_MS);
    stop = host.subscribe({ conversation: turn.conversation, from_seq: 0 }, (event) => {
      if (event.turn === turn.turn && ENDS.has(event.event)) finish(event as End);
    });
    // It may have been told while subscribing.
    if (over) stop();
  });
}
