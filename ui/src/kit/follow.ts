import { host, HostFault, type Reply, type TurnEvent } from '../host';
import { t } from './strings';

/** The reply to a request that leads to a turn. */
export type Asked = Extract<Reply, { reply: 'turn' }>;
type End = Extract<TurnEvent, { event: 'done' | 'waiting' | 'interrupted' | 'error' }>;

const ENDS = new Set(['done', 'waiting', 'interrupted', 'error']);
/** Longer than any turn without a model; what ends later is seen on its surface. */
const PATIENCE_MS = 30_000;

/** What a request came to that the engine took in but refused: it has no event in the journal. */
export function refusedFault(): HostFault {
  return new HostFault({ code: 'refused', message: t('turn.refused'), hint: t('turn.refused_hint') });
}

/** Waits for the end of a turn that a button started. Rejects when it was refused, or ended in an error. */
export function turnEnd(asked: Asked): Promise<End | null> {
  if (asked.seq <= 0) return Promise.reject(refusedFault());
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
    // The same turn may have rested before: only what this request led to counts.
    stop = host.subscribe({ conversation: asked.conversation, from_seq: asked.seq - 1 }, (event) => {
      if (event.turn === asked.turn && ENDS.has(event.event)) finish(event as End);
    });
    // It may have been told while subscribing.
    if (over) stop();
  });
}
