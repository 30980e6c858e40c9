import * as talks from '../talks';
import type { Id, Replies } from '../../wire';
import type { World } from '../world';
import { HostFault } from '../../host';
import { editPlan } from '../plan';
import { ok, type Answers } from './answers';
import { play } from '../script';
import { turned } from '../grants';

const turn = ({ conversation, turn }: { conversation: string; turn: string }) =>
  ({ reply: 'turn', conversation, turn, seq: 0 }) as const;

/** Revokes or restores a grant. */
function turnGrant(world: World, id: Id, to: 'revoked' | 'holds'): Replies['revoke_grant'] {
  const { all, row } = turned(world.grants, id, to);
  world.grants = all;
  world.changed('approvals');
  return { reply: 'rows', rows: { topic: 'grants', list: [row] } };
}

/** Answers to messages, decisions and actions by hand. */
export const talk = {
  ask: (world, { conversation, text }) => {
    if (world.options.scenario === 'failing') {
      throw new HostFault({
        code: 'disk_full',
        message: 'The disk is full.',
        hint: 'Free some space, then send it again.',
      });
    }
    if (!world.tables.conversations.some((one) => one.id === conversation)) {
      const at = world.iso();
      const made = {
        ...{ id: conversation, title: text.slice(0, 40), updated: at, created: at },
        ...{ messages: 1, pinned: false, archived: false },
      };
      world.tables.conversations = [made, ...world.tables.conversations];
      world.changed('conversations');
    }
    const id = world.fresh('turn');
    void play(world, conversation, id, text);
    return turn({ conversation, turn: id });
  },
  retry: (world, { turn: of, text }) => {
    const found = world.turnOf(of);
    const started = found?.said.find((event) => event.event === 'turn_started');
    if (!found || !started) {
      const fault = { code: 'not_found', message: `There is no turn ${of}.` };
      throw new HostFault({ ...fault, hint: 'The conversation shows what was asked.' });
    }
    const id = world.fresh('turn');
    void play(world, found.conversation, id, text ?? started.text, of);
    return turn({ conversation: found.conversation, turn: id });
  },
  answer: (world, { value }) => {
    const conversation = world.tables.conversations[0]?.id ?? 'main';
    const id = world.fresh('turn');
    void play(world, conversation, id, `Answered ${String(value)}`);
    return turn({ conversation, turn: id });
  },
  approve: async (world, { id, digest }) => turn(await world.approve(id, digest)),
  reject: (world, { id }) => turn(world.reject(id)),
  edit: (world, { id, args, call }) => turn(world.again(id, args, call)),
  edit_plan: (world, { turn: of, change }) => turn(editPlan(world, of, change)),
  ask_again: (world, { id }) => turn(world.again(id)),
  undo: (world, { id }) => turn(world.undo(id)),
  interrupt: (world, { conversation }) => {
    world.interrupt(conversation);
    return ok;
  },
  apply: (world, { tool, args }) => ({
    reply: 'applied',
    outcome: world.apply(tool, args as Parameters<World['apply']>[1]),
  }),
  outbox: (world, { id, act }) => ({ reply: 'applied', outcome: world.outbox(id, act) }),
  grant: () => {
    const message = 'This can only be allowed one at a time.';
    throw new HostFault({ code: 'not_granted', message, hint: 'Approve it as it is shown.' });
  },
  revoke_grant: (world, { id }) => turnGrant(world, id, 'revoked'),
  restore_grant: (world, { id }) => turnGrant(world, id, 'holds'),
  rename_conversation: (world, { id, title }) => talks.place(world, id, { title }),
  pin_conversation: (world, { id, on }) => talks.place(world, id, { pinned: on }),
  archive_conversation: (world, { id, on }) => talks.place(world, id, { archived: on }),
  delete_conversation: (world, { id }) => talks.remove(world, id),
  restore_conversation: (world, { id }) => talks.restore(world, id),
} satisfies Answers<
  | 'ask'
  | 'retry'
  | 'answer'
  | 'approve'
  | 'reject'
  | 'edit'
  | 'edit_plan'
  | 'ask_again'
  | 'undo'
  | 'interrupt'
  | 'apply'
  | 'outbox'
  | 'grant'
  | 'revoke_grant'
  | 'restore_grant'
  | 'rename_conversation'
  | 'pin_conversation'
  | 'archive_conversation'
  | 'delete_conversation'
  | 'restore_conversation'
>;
