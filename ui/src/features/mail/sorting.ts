import type { MailRow } from '../../host';
import { threadsOf, type Thread } from './threads';

export type Writer = 'person' | 'notice' | 'list';
/** People come first, because they wait for an answer. */
const ORDER: readonly Writer[] = ['person', 'notice', 'list'];

/** The threads of one kind of sender, in the order the person decides about them. */
export interface Pile {
  writer: Writer;
  threads: Thread[];
}

/** Groups unread mail by kind of sender; each pile stays newest first. An unknown sender counts as a person. */
export function pilesOf(rows: MailRow[]): Pile[] {
  const threads = threadsOf(rows);
  return ORDER.map((writer) => ({
    writer,
    threads: threads.filter((one) => (one.newest.writer ?? 'person') === writer),
  })).filter((pile) => pile.threads.length > 0);
}
