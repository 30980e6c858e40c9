import { render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { live } from '../../kit/live.svelte';
import Chat from './Chat.svelte';

const strip = createRawSnippet(() => ({ render: () => '<span></span>' }));
const welcome = () => screen.queryByText('What can I take off your hands?');

describe('the conversation at a start', () => {
  it('is no empty one before it is known which it is; after a moment it says that it waits', async () => {
    fake.reset('empty', 0);
    render(Chat, { id: null, hasPlan: false, strip });
    expect(welcome()).toBeNull();
    expect(screen.queryByRole('status', { busy: true })).toBeNull();
    // The person can type at once.
    expect(document.activeElement).toBe(screen.getByLabelText('Message Adjutant'));
    await screen.findByRole('status', { busy: true });
    expect(welcome()).toBeNull();
    live.start();
    await screen.findByText('What can I take off your hands?');
    expect(screen.queryByRole('status', { busy: true })).toBeNull();
  });
});
