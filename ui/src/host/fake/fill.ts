import type { Approval, ApprovalState, Id } from '../wire';
import * as cards from './cards';
import { flood } from './flood';
import { standing } from './grants';
import { fillHuge } from './huge';
import * as journal from './journal';
import { runs } from './research-rows';
import * as rows from './rows';
import type { World } from './world';

/** Fills a new world for its scenario. */
export function fill(world: World): void {
  const { scenario } = world.options;
  world.research = scenario === 'empty' || scenario === 'first-run' ? [] : runs();
  world.grants = scenario === 'empty' || scenario === 'first-run' ? [] : standing(world.now());
  if (scenario === 'empty' || scenario === 'first-run') {
    world.tables = {
      tasks: [],
      notes: [],
      memories: [],
      activity: [],
      events: [],
      outbox: [],
      mail: [],
      contacts: [],
      conversations: [],
      egress: [],
      imports: [],
      plans: [],
    };
    return;
  }
  if (scenario === 'crowded') world.tables.events = rows.crowd();
  const now = world.now();
  const move = cards.approval('a-move', 'calendar.update', cards.moveCard, now, {
    minutes: 14,
    args: cards.moveArgs,
    proposed: cards.moveProposed,
    conversation: 'main',
    turn: 'turn-1',
    step: 'move',
  });
  const mail = { args: cards.mailArgs, sources: cards.mailSources };
  const settled = (id: string, title: string, state: ApprovalState, hours: number, more: Partial<Approval> = {}) =>
    cards.approval(id, 'email.send', { ...cards.mailCard, title, notes: [] }, now, {
      ...mail,
      state,
      created: rows.instant(now - hours * 3_600_000),
      expires: rows.instant(now - (hours - 0.25) * 3_600_000),
      ...more,
    });
  world.approvals =
    scenario === 'one'
      ? [move]
      : [
          cards.approval('a-mail', 'email.send', cards.mailCard, now, { minutes: 9, ...mail }),
          move,
          cards.approval('a-batch', 'task.delete', cards.batchCard, now, {
            minutes: 12,
            args: cards.batchArgs,
          }),
          scenario === 'tricky'
            ? cards.approval('a-trick', 'email.send', cards.trickCard, now, { minutes: 13 })
            : cards.approval('a-forget', 'memory.forget', cards.forgetCard, now, { minutes: 13 }),
          settled('a-unknown', 'Invoice to Bergmann AG', 'unknown', 15, {
            args: { to: ['accounts@bergmann.example'], subject: 'Invoice to Bergmann AG' },
          }),
          settled('a-done', 'Mail to Priya Nair', 'succeeded', 1),
          settled('a-expired', 'Cancel “Design sync”', 'expired', 40),
          settled('a-denied', 'Mail to everyone in the team', 'denied', 44),
          settled('a-super', 'Reply to Hannah Voss', 'superseded', 45, { superseded_by: 'a-mail' }),
          settled('a-failed', 'Mail to the old Kelm address', 'failed', 60),
        ];
  if (scenario === 'crowded') {
    const archive = cards.approval('a-archive', 'email.archive', cards.archiveCard, now, { args: cards.archiveArgs });
    const replies = cards.approval('a-replies', 'email.reply', cards.repliesCard, now, {
      args: [{}, {}],
      sources: [{}, {}],
    });
    world.approvals = [archive, replies, ...world.approvals];
  }
  if (scenario === 'flood') world.approvals = flood(now);
  if (scenario === 'huge') fillHuge(world);
  if (scenario === 'held') {
    const out = {
      ...cards.mailArgs,
      id: 'o-held',
      state: 'held' as const,
      not_before: rows.instant(now + 18_000),
      waits: { why: 'hold' as const, until: rows.instant(now + 18_000) },
      updated: world.iso(),
    };
    world.tables.outbox = [out, ...world.tables.outbox];
  }
  write(world, 'c-lease', 'turn-l1', journal.leaseTurn);
  write(world, 'c-bank', 'turn-b1', journal.bankTurn);
  if (scenario === 'failing') write(world, 'main', 'turn-f', journal.failedTurn);
  else if (scenario === 'waiting') write(world, 'main', 'turn-w', journal.inFlight);
  else write(world, 'main', 'turn-1', journal.moveRaj(move));
}

function write(world: World, conversation: Id, turn: Id, said: journal.Said[]): void {
  for (const one of said) world.say(conversation, turn, one);
}
