import type { GrantRow, Id, QuestionsRow } from '../wire';
import { HostFault } from '../host';
import { instant } from './rows';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The initial grants: one used often, one that ends today, one whose tool has changed. */
export function standing(now: number): GrantRow[] {
  const one = (id: Id, tool: string, target: string, more: Partial<GrantRow>): GrantRow => ({
    id,
    tool,
    account: 'local',
    target,
    created: instant(now - 6 * DAY_MS),
    expires: instant(now + 20 * DAY_MS),
    uses: 0,
    last_used: null,
    state: 'holds',
    action: `a-${id}`,
    ...more,
  });
  return [
    one('grant-rowing', 'calendar.update', 'Rowing practice', { uses: 7, last_used: instant(now - 3 * HOUR_MS) }),
    one('grant-board', 'mcp.linear.move', 'card NW-12, to “Done”', {
      account: 'mcp:linear',
      expires: instant(now + 5 * HOUR_MS),
      uses: 1,
      last_used: instant(now - 2 * DAY_MS),
    }),
    one('grant-wiki', 'mcp.wiki.append', 'page “Standup notes”', { account: 'mcp:wiki', state: 'tool_changed' }),
  ];
}

/** The approval requests of the last month. */
export const questions: QuestionsRow[] = [
  { id: 'calendar.update', asked: 12, approved: 9, at_once: 4, rejected: 1, changed: 1, expired: 1, needless: 0 },
  { id: 'email.send', asked: 31, approved: 22, at_once: 3, rejected: 5, changed: 3, expired: 1, needless: 0 },
  { id: 'task.delete', asked: 4, approved: 3, at_once: 2, rejected: 1, changed: 0, expired: 0, needless: 1 },
];

/** Revokes or restores a grant under the engine's rules: only one that holds, or one that was just revoked. */
export function turned(all: GrantRow[], id: Id, to: 'revoked' | 'holds'): { all: GrantRow[]; row: GrantRow } {
  const row = all.find((one) => one.id === id);
  if (!row) {
    const message = `There is no permission “${id}”.`;
    throw new HostFault({ code: 'not_found', message, hint: 'Look at the list of standing permissions.' });
  }
  if ((row.state === 'revoked') === (to === 'revoked')) {
    const message = to === 'revoked' ? 'It was taken back before.' : 'This permission can no longer be restored.';
    throw new HostFault({ code: 'not_granted', message, hint: 'Nothing was changed.' });
  }
  const next: GrantRow = { ...row, state: to };
  return { all: all.map((one) => (one === row ? next : one)), row: next };
}
