import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import { toasts } from '../../kit/toast.svelte';
import Activity from './Activity.svelte';

beforeEach(() => {
  fake.reset('populated', 0);
  toasts.current = null;
});

describe('an entry of the log', () => {
  it('says why U cannot undo it', async () => {
    render(Activity, { id: 'r-moved' });
    await screen.findByRole('heading', { level: 2, name: /moved to 09:00/ });
    await fireEvent.keyDown(window, { key: 'u', code: 'KeyU' });
    await eventually(() => expect(toasts.current?.text).toMatch(/^Changed since, so it cannot be undone/));
  });

  it('names what was changed, without the number of its version', async () => {
    const { container } = render(Activity, { id: 'r-moved' });
    await screen.findByRole('heading', { name: 'What was changed' });
    expect(container.textContent).not.toMatch(/version \d/);
  });
});
