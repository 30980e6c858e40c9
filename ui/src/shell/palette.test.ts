import { render, screen, fireEvent } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../host/fake';
import { live } from '../kit/live.svelte';
import { recent } from '../kit/recent';
import { router } from '../kit/router.svelte';
import { talk } from '../kit/talk/conversation.svelte';
import ChatSurface from './ChatSurface.svelte';
import { askCommand, commands, GROUPS } from './commands';
import { fuzzy } from './fuzzy';
import Palette from './Palette.svelte';
import { eventually } from '../kit/test/eventually';

beforeEach(async () => {
  await live.reloadApprovals();
});

describe('the palette', () => {
  it('can open what waits, and has nothing that approves it', async () => {
    const all = commands();
    expect(all.filter((one) => one.group === 'waiting')).toHaveLength(4);
    fake.calls = [];
    for (const one of all) one.run();
    await tick();
    expect(fake.calls.filter((call) => ['approve', 'send_now'].includes(call.op))).toEqual([]);
    expect(all.every((one) => GROUPS.includes(one.group))).toBe(true);
  });

  it('opens the card of the chosen approval with Enter', async () => {
    render(Palette);
    await fireEvent.input(screen.getByRole('combobox'), { target: { value: 'mara raj' } });
    await eventually(() => expect(screen.getAllByRole('option')[0]?.textContent).toContain('Mara / Raj'));
    await fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
    await eventually(() => expect(router.route).toEqual({ surface: 'approvals', id: 'a-move' }));
  });

  it('finds what is kept here through the engine', async () => {
    render(Palette);
    await fireEvent.input(screen.getByRole('combobox'), { target: { value: 'raj works' } });
    await eventually(() => expect(screen.getByText('memory')).toBeTruthy());
  });
});

describe('the options of the palette', () => {
  it('are drawn at once as far as they have room, and the rest later', async () => {
    const before = innerHeight;
    window.innerHeight = 600;
    render(Palette);
    expect(screen.getAllByRole('option')).toHaveLength(12);
    await eventually(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(12));
    window.innerHeight = before;
  });
});

describe('people and mails', () => {
  const type = async (words: string) => {
    render(Palette);
    await fireEvent.input(screen.getByRole('combobox'), { target: { value: words } });
  };

  it('are found by their beginnings, and a person can be written to', async () => {
    await type('raj p');
    await eventually(() => expect(screen.getAllByRole('option')[0]?.textContent).toContain('Raj Patel'));
    await fireEvent.click(screen.getByRole('option', { name: /Write to Raj Patel/ }));
    await eventually(() => expect(router.route).toEqual({ surface: 'mail', id: 'to:raj.patel@northwind.example' }));
  });

  it('come after what is called by the words, where a person is only described by them', async () => {
    fake.world.search = () => [
      { topic: 'contacts', id: 'c-raj', title: 'Alan Rossi', snippet: 'Dentist · Rossi Dental' },
      { topic: 'events', id: 'e-offsite', title: 'Dentist', snippet: '' },
      { topic: 'mail', id: 'm1', title: 'Your visit', snippet: 'the dentist is ill' },
    ];
    await type('dentist');
    await eventually(() => expect(screen.getByRole('option', { name: /Alan Rossi/ })).toBeTruthy());
    const found = screen.getAllByRole('option').map((one) => one.textContent);
    const place = (words: string) => found.findIndex((text) => text.includes(words));
    expect([place('Thu 15 Jan'), place('Alan Rossi'), place('Your visit')]).toEqual([0, 1, 2]);
    expect(screen.queryByRole('option', { name: /Write to/ })).toBeNull();
  });

  it('say when an event is, and how it repeats', async () => {
    fake.world.search = () => [
      { topic: 'events', id: 'e-raj', title: 'Mara / Raj', snippet: '' },
      { topic: 'events', id: 'e-offsite', title: 'Team offsite', snippet: 'bring shoes' },
      { topic: 'events', id: 'e-gone', title: 'Raj has gone', snippet: 'from an old index' },
    ];
    await type('raj');
    const detail = (name: RegExp) => screen.getByRole('option', { name }).textContent;
    await eventually(() => expect(detail(/^Mara \/ Raj/)).toMatch(/Wed 14 Jan, \d\d:00, every week on Wed/));
    expect(detail(/Team offsite/)).toContain('Thu 15 Jan · bring shoes');
    expect(detail(/Raj has gone/)).toContain('from an old index');
  });

  it('are not cut off by what is only alike, and two mails with one subject are two', async () => {
    fake.world.search = () => [
      { topic: 'mail', id: 'm1', title: 'Morning briefing', snippet: 'Markets' },
      { topic: 'mail', id: 'm2', title: 'Morning briefing', snippet: 'Weather' },
      { topic: 'notes', id: 'n1', title: 'Shopping', snippet: 'the briefing is at nine' },
    ];
    live.conversations = Array.from({ length: 60 }, (_, n) => ({
      id: `c${n}`,
      title: `Bring friends home ${n}`,
      created: '',
      updated: '',
      messages: 2,
      pinned: false,
      archived: false,
    }));
    await type('brief');
    await eventually(() => expect(screen.getAllByRole('option', { name: /Morning briefing/ })).toHaveLength(2));
    // The match is only in its text.
    expect(screen.getByRole('option', { name: /Shopping/ })).toBeTruthy();
  });
});

describe('answers and actions in place', () => {
  const field = () => screen.getByRole('combobox');
  const type = (words: string) => fireEvent.input(field(), { target: { value: words } });
  const labels = () =>
    screen.getAllByRole('option').map((one) => one.querySelector('.trunc')?.textContent?.trim() ?? '');

  it('says when there is time while it is typed, and asks it where it can be acted on', async () => {
    render(Palette);
    await type('next free hour Thursday');
    await eventually(() => expect(labels()[0]).toMatch(/^Free: Thu 15 Jan, 13:30–16:00/));
    expect(fake.calls.filter((call) => call.op === 'ask')).toHaveLength(0);
    await type('remind me of it');
    await eventually(() => expect(labels().join()).not.toMatch(/Free:/));
  });

  it('opens the actions of a hit by Tab, and goes back to where it was', async () => {
    fake.world.search = () => [
      { topic: 'notes', id: 'n-raj', title: 'Passport photos', snippet: '' },
      { topic: 'tasks', id: 't-passport', title: 'Renew passport', snippet: '' },
    ];
    render(Palette);
    await type('passport');
    await eventually(() => expect(labels()).toContain('Renew passport'));
    // One word is a search, so asking comes last.
    expect(labels().at(-1)).toContain('Ask “passport”');
    await fireEvent.keyDown(field(), { key: 'ArrowDown' });
    await fireEvent.keyDown(field(), { key: 'Tab' });
    expect(labels()).toEqual(['Open', 'Complete', 'Put off until tomorrow']);
    expect((field() as HTMLInputElement).value).toBe('');
    await fireEvent.keyDown(field(), { key: 'Tab' });
    expect((field() as HTMLInputElement).value).toBe('passport');
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('Renew passport');

    await fireEvent.keyDown(field(), { key: 'Tab' });
    await type('compl');
    expect(labels()).toEqual(['Complete']);
    fake.calls = [];
    await fireEvent.keyDown(field(), { key: 'Enter' });
    await eventually(() =>
      expect(fake.calls.filter((call) => call.op === 'apply').map((call) => call.args)).toEqual([
        { tool: 'task.complete', args: { id: 't-passport' } },
      ]),
    );
  });

  it('asks what is said in more than two words, whatever has the words', async () => {
    fake.world.search = () => [{ topic: 'notes', id: 'n-raj', title: 'When am I', snippet: '' }];
    render(Palette);
    await type('when am I free');
    await eventually(() => expect(labels()).toContain('When am I'));
    // The answer to the question may stand above it.
    expect(labels().find((label) => !label.startsWith('Free: '))).toContain('Ask “when am I free”');
  });

  it('has what was opened last first, until everything is erased', async () => {
    fake.world.search = () => [{ topic: 'notes', id: 'n-raj', title: 'Alarm code', snippet: '' }];
    const first = render(Palette);
    await type('alarm');
    // Enter waits for search results that are not there yet.
    await fireEvent.keyDown(field(), { key: 'Enter' });
    await eventually(() => expect(router.route).toEqual({ surface: 'notes', id: 'n-raj' }));
    first.unmount();
    const again = render(Palette);
    const kept = () => labels().find((label) => !label.startsWith('Look at'));
    expect(kept()).toBe('Alarm code');
    again.unmount();
    recent.forget();
    render(Palette);
    expect(kept()).not.toBe('Alarm code');
  });
});

describe('asking from the palette', () => {
  it('opens the conversation that was asked in, with its turn', async () => {
    await live.reloadApprovals();
    router.go('tasks');
    askCommand('Remind me to call the bank').run();
    const { surface, id } = router.route;
    expect(surface).toBe('chat');
    expect(fake.calls.find((call) => call.op === 'ask')?.args).toMatchObject({ conversation: id });
    render(ChatSurface, { id });
    await eventually(() => expect(screen.getByText('Reminder “Call the bank”, Wed 14 Jan, 09:00')).toBeTruthy());
    expect(fake.calls.filter((call) => call.op === 'ask')).toHaveLength(1);
    expect(talk.id).toBe(id);
  });

  it('gives the words back when they could not be stored', async () => {
    fake.world.options.scenario = 'failing';
    askCommand('Do not lose this').run();
    await eventually(() => expect(talk.refused).not.toBeNull());
    // The surface may render only now.
    render(ChatSurface, { id: router.route.id });
    await eventually(() => expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Do not lose this'));
  });
});

describe('fuzzy', () => {
  it('prefers words and their starts', () => {
    const score = (text: string) => fuzzy('set', text)?.score ?? -Infinity;
    expect(score('Settings')).toBeGreaterThan(score('Reset'));
    expect(score('Reset')).toBeGreaterThan(score('Some entries there'));
    expect(fuzzy('xyz', 'Settings')).toBeNull();
  });
  it('does not count case and accents, and marks the right letters', () => {
    expect(fuzzy('muller', 'Zoë Müller')?.runs).toEqual([[4, 10]]);
    expect(fuzzy('', 'anything')?.runs).toEqual([]);
  });
});
