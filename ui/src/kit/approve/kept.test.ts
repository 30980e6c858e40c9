import { render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRow } from '../../host';
import { approval, mailCard } from '../../host/fake/cards';
import { activity } from '../../host/fake/rows';
import { live } from '../live.svelte';
import ApprovalSettled from './ApprovalSettled.svelte';
import { keptDraft } from './kept';

const rejected = { ...approval('a1', 'email.send', mailCard, 0), state: 'denied' } as const;
const [row] = activity;
if (!row) throw new Error('no effects');
const draft: ActivityRow = {
  ...{ ...row, id: 'e1', tool: 'email.draft', outcome: 'succeeded', undo: 'available', approval: null },
  ...{ conversation: rejected.conversation, at: rejected.created, args: { body: mailCard.body } },
};

describe('a rejected mail', () => {
  beforeEach(() => {
    live.effects = [];
  });
  const show = () =>
    render(ApprovalSettled, {
      approval: rejected,
      phase: 'rejected',
      busy: false,
      fault: null,
      onagain: () => undefined,
    });

  it('says in one line that its text is kept, and leads there', () => {
    live.effects = [draft];
    show();
    screen.getByText('Not sent. The text is kept as a draft.');
    expect(screen.queryByText('Rejected, nothing done')).toBeNull();
    expect(screen.getByRole('link', { name: 'Receipt' }).getAttribute('href')).toContain('e1');
  });

  it('claims no draft that is another one, or was undone', () => {
    expect(keptDraft(rejected, [{ ...draft, args: { body: 'Other words.' } }])).toBeUndefined();
    expect(keptDraft(rejected, [{ ...draft, conversation: 'c-other' }])).toBeUndefined();
    expect(keptDraft(rejected, [{ ...draft, undo: 'used' }])).toBeUndefined();
    expect(keptDraft({ ...rejected, state: 'pending' }, [draft])).toBeUndefined();
    show();
    screen.getByText('Rejected, nothing done');
  });
});
