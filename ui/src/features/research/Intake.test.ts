import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import Run from './Run.svelte';

const answers = () =>
  fake.calls.flatMap(({ op, args }) => {
    const { act } = args as { act?: { act: string; text?: string } };
    return op === 'research' && act?.act === 'answer' ? [act.text] : [];
  });

describe('a question of a research', () => {
  it('is answered by its number while it shows', async () => {
    render(Run, { id: 'r-ask', others: [] });
    await screen.findByRole('button', { name: /To compare with flying/ });
    await userEvent.keyboard('2');
    await waitFor(() => expect(answers()).toEqual(['To compare with flying']));
  });

  it('leaves a number to the field where it is typed', async () => {
    render(Run, { id: 'r-ask', others: [] });
    const field = await screen.findByPlaceholderText<HTMLInputElement>('Or in your own words');
    await userEvent.type(field, '2');
    await eventually(() => expect([field.value, answers()]).toEqual(['2', []]));
  });
});
