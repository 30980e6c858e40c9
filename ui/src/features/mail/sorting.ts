import type { MailRow } from '../../host';
import { threadsOf, type Thread } from './threads';

export type Writer = 'person' | 'notice' | 'list';
/** People first: they wait for an answer. */
const ORDER: readonly Writer[] = ['person', 'notice', 'list'];

/** Threads of one kind of sender, in the order in which they are decided. */
export interface Pile {
  writer: Writer;
  threads: Thread[];
}

/** Unread mail, newest first, as piles that are gone through one after the other. Who is not known counts as a person. */
export function pilesOf(rows: MailRow[]): Pile[] {
  const threads = threadsOf(rows);
  return ORDER.map((writer) => ({
    writer,
    threads: threads.filter((one) => (one.newest.writer ?? 'person') === writer),
  })).filter((pile) => pile.threads.length > 0);
}
