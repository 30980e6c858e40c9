import { HostFault } from '../host';
import type { Approval, Id, JsonValue } from '../wire';
import * as cards from './cards';
import * as journal from './journal';
import { Records } from './records';
import { digest, instant } from './rows';
import { fault } from './scenario';

/** Waiting actions, and their decisions. */
export class Gate extends Records {
  approvals: Approval[] = [];

  approval(id: Id): Approval {
    const found = this.approvals.find((one) => one.id === id);
    if (!found) throw new HostFault(fault('not_found', 'There is no such action.', 'See Approvals for what waits.'));
    return found;
  }

  put(next: Approval): Approval {
    this.approvals = this.approvals.some((one) => one.id === next.id)
      ? this.approvals.map((one) => (one.id === next.id ? next : one))
      : [next, ...this.approvals];
    this.changed('approvals');
    return next;
  }

  /** Stores a waiting action and tells the conversation. */
  ask(one: Approval): void {
    this.put(one);
    const { id, step, digest, tool, args, shown, risk, sources } = one;
    this.say(one.conversation, one.turn, {
      event: 'approval_needed',
      id,
      step,
      digest,
      tool,
      args,
      shown: journal.told(shown),
      risk,
      sources,
    });
  }

  async approve(id: Id, digest: string): Promise<{ conversation: Id; turn: Id }> {
    const one = this.approval(id);
    if (one.digest !== digest || one.state !== 'pending' || Date.parse(one.expires) <= this.now()) {
      throw new HostFault(
        fault('stale', 'This changed since it was shown, so nothing was done.', 'Look at the new card.'),
      );
    }
    this.put({ ...one, state: 'executing' });
    this.say(one.conversation, one.turn, { event: 'turn_started', text: '' });
    void this.pause(400).then(() => this.finish(id));
    return one;
  }

  finish(id: Id): void {
    const one = this.approval(id);
    if (one.state !== 'executing') return;
    const mail = one.tool.startsWith('email.');
    const say = mail ? 'The mail is saved. No account can send it yet.' : 'Thu 15 Jan, 11:00';
    const effect = this.did(one.tool, say, id, mail ? null : () => this.changed('events'));
    if (mail) {
      const args = one.args as typeof cards.mailArgs;
      const { to, cc, bcc, subject, body } = args;
      const made = {
        id: this.fresh('o'),
        to,
        cc,
        bcc,
        subject,
        body,
        state: 'queued' as const,
        not_before: null,
        updated: this.iso(),
      };
      this.tables.outbox = [made, ...this.tables.outbox];
      this.changed('outbox');
    }
    this.put({ ...one, state: 'succeeded' });
    this.say(one.conversation, one.turn, {
      ...journal.result(one.step, say),
      receipt: effect.receipt ?? {},
    });
    const lines = [journal.line(one.step, one.tool, say)];
    this.say(one.conversation, one.turn, journal.finished(`Done: ${one.shown.title}.`, [one.tool], 42, lines));
  }

  reject(id: Id): { conversation: Id; turn: Id } {
    const one = this.put({ ...this.approval(id), state: 'denied' });
    this.say(one.conversation, one.turn, journal.finished('Nothing was done.', [], 2));
    return one;
  }

  /** Replaces an action with a new card. */
  again(id: Id, args?: JsonValue, call?: number): { conversation: Id; turn: Id } {
    const old = this.approval(id);
    const fresh = this.fresh('a');
    const next = cards.approval(fresh, old.tool, old.shown, this.now(), {
      ...old,
      ...(args === undefined ? {} : cards.rendered(old, args, call)),
      id: fresh,
      state: 'pending',
      turn: this.fresh('turn'),
      minutes: 15,
      expires: instant(this.now() + 15 * 60_000),
      created: this.iso(),
      digest: digest(),
    });
    if (old.state === 'pending') this.put({ ...old, state: 'superseded', superseded_by: next.id });
    this.say(next.conversation, next.turn, { event: 'turn_started', text: '' });
    this.ask(next);
    this.say(next.conversation, next.turn, {
      event: 'waiting',
      answer: '',
      approvals: [next.id],
      questions: [],
      results: [],
    });
    return next;
  }

  /** Stops one conversation, or everything. Waiting actions stay; stopping everything cancels approved ones. */
  interrupt(conversation: Id | null): void {
    this.stop(conversation);
    if (conversation === null) {
      this.approvals = this.approvals.map((one) =>
        ['approved', 'executing'].includes(one.state) ? { ...one, state: 'cancelled' } : one,
      );
      this.tables.outbox = this.tables.outbox.map(({ waits, ...one }) =>
        waits ? { ...one, state: 'draft', not_before: null } : one,
      );
      this.changed('approvals', 'outbox');
    }
  }
}
