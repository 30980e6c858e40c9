import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { approval, moveCard } from '../../host/fake/cards';
import CardGrant from './CardGrant.svelte';

it('names what it would always allow in words', () => {
  const card = approval('a1', 'calendar.update', moveCard, 0);
  render(CardGrant, {
    approval: card,
    offer: { tool: 'calendar.update', account: 'local', target: 'Work' },
    disabled: false,
  });
  expect(document.querySelector('summary')?.textContent).toBe('Always allow “Change an event”: Work');
  expect(screen.queryByText(/calendar\.update/)).toBeNull();
});
