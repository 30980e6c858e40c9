import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OutboxRow } from '../../host';
import { fake } from '../../host/fake';
import { clock } from '../../kit/clock.svelte';
import { eventually } from '../../kit/test/eventually';
import Reader from './Reader.svelte';

beforeEach(() => {
  clock.tz = 'America/New_York';
});

const draft = (more: Partial<OutboxRow>): OutboxRow => ({
  ...{ id: 'o-1', to: ['raj.patel@northwind.example'], cc: [], bcc: [], subject: 'Re: 1:1', body: 'Later is fine' },
  ...{ in_reply_to: 'mail-raj@test.example', state: 'draft', not_before: null, updated: '2026-01-13T09:00:00-05:00' },
  ...more,
});
const kept = () =>
  fake.calls.flatMap(({ op, args }) => {
    const call = args as { tool: string; args: unknown };
    return op === 'apply' && call.tool === 'email.draft' ? [call.args] : [];
  });

async function opened(key: string, ...drafts: OutboxRow[]) {
  fake.world.tables.outbox = drafts;
  const view = render(Reader, { id: 'mail-raj', opened: false });
  await screen.findByRole('toolbar');
  await userEvent.keyboard(key);
  return { view, text: await screen.findByLabelText<HTMLTextAreaElement>('Text') };
}

describe('a reply that was begun', () => {
  it('is shown in its thread, and goes on with R as the same draft', async () => {
    fake.world.tables.outbox = [
      draft({ cc: ['una@x.example'] }),
      draft({ id: 'o-0', body: 'Older', updated: '2026-01-12T09:00:00-05:00' }),
      draft({ id: 'o-2', body: 'On its way', state: 'queued', updated: '2026-01-13T09:10:00-05:00' }),
    ];
    const view = render(Reader, { id: 'mail-raj', opened: false });
    await screen.findByText('Later is fine');
    await userEvent.keyboard('r');
    const text = await screen.findByLabelText<HTMLTextAreaElement>('Text');
    expect([text.value, screen.getByLabelText<HTMLInputElement>('Cc').value]).toEqual([
      'Later is fine',
      'una@x.example',
    ]);
    await eventually(() => expect(document.activeElement).toBe(text));
    await userEvent.type(text, ' by me');
    view.unmount();
    await eventually(() => expect(kept()).toMatchObject([{ body: 'Later is fine by me', draft: 'o-1' }]));
  });

  it('is not stored again when nothing was changed', async () => {
    const { view, text } = await opened('r', draft({}));
    expect(text.value).toBe('Later is fine');
    view.unmount();
    await Promise.resolve();
    await eventually(() => expect(fake.calls.some(({ op }) => op === 'show')).toBe(true));
    expect(kept()).toEqual([]);
  });

  it('keeps to its thread', async () => {
    const { text } = await opened('r', draft({ in_reply_to: 'mail-kelm@test.example' }));
    expect(text.value).toBe('');
  });

  it('names only those in a reply to all who do not get it anyway', async () => {
    const mail = fake.world.tables.mail.find((one) => one.id === 'mail-raj');
    const cc = [...(mail?.to ?? []), 'una@x.example'];
    await opened('a', draft({ cc }));
    expect(screen.getByLabelText<HTMLInputElement>('Cc').value).toBe('una@x.example');
  });
});
