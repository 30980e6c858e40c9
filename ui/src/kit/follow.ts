import { host, HostFault, type Reply, type TurnEvent } from '../host';
import { t } from './strings';

/** The reply to a request that starts or continues a turn. */
export type Asked = Extract<Reply, { reply: 'turn' }>;
type End = Extract<TurnEvent, { event: 'done' | 'waiting' | 'interrupted' | 'error' }>;

const ENDS = new Set(['done', 'waiting', 'interrupted', 'error']);
/** Longer than any turn without a model takes; the surface shows turns that end later. */
const PATIENCE_MS = 30_000;

/** The fault of a request that the engine received but refused: the journal has no event for it. */
export function refusedFault(): HostFault {
  return new HostFault({ code: 'refused', message: t('turn.refused'), hint: t('turn.refused_hint') });
}

/**
 * Waits for the end of a turn that a button started; resolves to null if that takes too long. Rejects if the engine
 * refused the request or the turn ended in an error.
 */
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
    // The same turn may have stopped before: count only what follows this request.
    stop = host.subscribe({ conversation: asked.conversation, from_seq: asked.seq - 1 }, (event) => {
      if (event.turn === asked.turn && ENDS.has(event.event)) finish(event as End);
    });
    // The event may have arrived before `stop` was set.
    if (over) stop();
  });
}
