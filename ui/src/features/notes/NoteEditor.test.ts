import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NoteRow } from '../../host';
import { fake } from '../../host/fake';
import NoteEditor from './NoteEditor.svelte';

const changes = () =>
  fake.calls.flatMap(({ op, args }) => (op === 'apply' ? [(args as { args: { changes: unknown } }).args.changes] : []));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

let note: NoteRow;
beforeEach(() => {
  const found = fake.world.tables.notes[0];
  if (!found) throw new Error('no note');
  note = { ...found, body: '', tags: ['home'] };
});

describe('the labels of a note', () => {
  it('are saved when the note is left while they are typed', async () => {
    const { unmount } = render(NoteEditor, { note });
    await userEvent.type(field('Labels, separated by commas'), ', work, ');
    expect(field('Labels, separated by commas').value).toBe('home, work, ');
    expect(screen.queryByText('Saved')).toBeNull();
    unmount();
    await waitFor(() => expect(changes()).toEqual([{ add_tags: ['work'] }]));
  });

  it('are written plainly once the field is left', async () => {
    render(NoteEditor, { note });
    await userEvent.type(field('Labels, separated by commas'), ' ,work,');
    await userEvent.tab();
    expect(field('Labels, separated by commas').value).toBe('home, work');
    await waitFor(() => expect(changes()).toEqual([{ add_tags: ['work'] }]));
  });
});

describe('a note by keyboard', () => {
  it('leads from the title to the text', async () => {
    render(NoteEditor, { note });
    field('Title').focus();
    await userEvent.tab();
    expect(document.activeElement?.tagName).toBe('TEXTAREA');
  });
});
