import type { Args, Op, Replies } from '../../wire';
import type { World } from '../world';

/** What answers each request, in a world. */
export type Answers<K extends Op = Op> = {
  [P in K]: (world: World, args: Args<P>) => Replies[P] | Promise<Replies[P]>;
};

export const ok = { reply: 'ok' } as const;
