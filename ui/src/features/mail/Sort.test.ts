import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import Mail from './Mail.svelte';

const tools = () => fake.calls.flatMap(({ op, args }) => (op === 'apply' ? [(args as { tool: string }).tool] : []));
const page = () => screen.getByRole('region', { name: 'Sort' });

async function sort() {
  const { rerender } = render(Mail, { id: null });
  await userEvent.click(await screen.findByRole('link', { name: 'Sort' }));
  await rerender({ id: 'sort' });
  await eventually(() => expect(screen.getByText('1 of', { exact: false })).toBeTruthy());
}

describe('sorting mail', () => {
  it('opened by mouse has the focus, so that its keys decide', async () => {
    await sort();
    expect(document.activeElement).toBe(page());
    await userEvent.keyboard(' ');
    await waitFor(() => expect(tools()).toEqual(['email.mark']));
    expect(screen.getByLabelText<HTMLInputElement>('Search mail').value).toBe('');
  });

  it('has the focus again after a decision by mouse', async () => {
    await sort();
    await userEvent.click(screen.getByRole('button', { name: /Archive/ }));
    await waitFor(() => expect(tools()).toEqual(['email.archive']));
    await eventually(() => expect(screen.getByText('2 of', { exact: false })).toBeTruthy());
    await userEvent.keyboard(' ');
    await waitFor(() => expect(tools()).toEqual(['email.archive', 'email.mark']));
  });
});
