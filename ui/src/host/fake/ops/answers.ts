import type { Args, Op, Replies } from '../../wire';
import type { World } from '../world';

/** The function that answers each request. */
export type Answers<K extends Op = Op> = {
  [P in K]: (world: World, args: Args<P>) => Replies[P] | Promise<Replies[P]>;
};

export const ok = { reply: 'ok' } as const;
