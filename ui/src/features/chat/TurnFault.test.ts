import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import TurnFault from './TurnFault.svelte';

const fault = {
  code: 'model',
  message: 'Ollama took longer than 60 seconds and was stopped.',
  hint: 'Ask again in a minute, or connect a second model in Settings, Models.',
};

describe('an answer that did not come', () => {
  it('says what happened and what to do', () => {
    render(TurnFault, { fault, onagain: vi.fn() });
    screen.getByText(fault.message);
    screen.getByText('Ask again in a minute, or connect a second model in Settings, Models.');
    expect(screen.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('#/settings/models');
  });

  it('is asked for again with one press, and copied whole', async () => {
    const onagain = vi.fn();
    render(TurnFault, { fault, onagain });
    await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onagain).toHaveBeenCalledTimes(1);
    await fireEvent.click(screen.getByRole('button', { name: 'Copy details' }));
    await eventually(() => expect(fake.copied).toEqual([`model: ${fault.message} ${fault.hint}`]));
  });

  it('has no settings to open where none would help', () => {
    render(TurnFault, {
      fault: { code: 'broken', message: 'The archive could not be read.', hint: '' },
      onagain: null,
    });
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});
