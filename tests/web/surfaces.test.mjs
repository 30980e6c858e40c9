// The surfaces beside the conversation with the keyboard alone: what is pressed, the requests to the engine, and what
// is shown.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, say, settle, waitFocused, watchFor } from './lib.mjs';

const { start, calls, called, applied, place, focused, toast, undo, end } = harness({ before, after });

describe('every surface', () => {
  it('is reached with Ctrl 1 … 9, Ctrl 0 and Ctrl ,', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').first().waitFor();
    const names = ['chat', 'today', 'calendar', 'approvals', 'tasks', 'mail', 'notes', 'contacts', 'research'];
    for (const [index, name] of names.entries()) {
      await page.keyboard.press(`Control+${index + 1}`);
      await page.waitForFunction((name) => location.hash.startsWith(`#/${name}`), name);
    }
    await page.keyboard.press('Control+0');
    await page.waitForFunction(() => location.hash.startsWith('#/memory'));
    await page.keyboard.press('Control+2');
    await page.locator('.slot').first().waitFor();
    await page.keyboard.press('Control+,');
    await page.locator('.set').first().waitFor();
    await end(page);
  });
});

describe('twelve hours and the month first', () => {
  /** The engine uses this format from its first reply on. */
  const american = () => {
    let fake;
    Object.defineProperty(window, 'fake', {
      get: () => fake,
      set(made) {
        const status = made.world.status.bind(made.world);
        made.world.status = () => ({ ...status(), clock: '12h', day_first: false });
        fake = made;
      },
    });
  };

  it('stand in one line on Today, and in every date and hour', async () => {
    const page = await start({ at: 'today', before: american });
    const when = page.locator('.agenda time.when', { hasText: '11:30 am' });
    await when.waitFor();
    const times = page.locator('.agenda .when');
    await eventually(() => times.evaluateAll((all) => all.every((one) => one.offsetHeight < 24)), true);
    await page.getByRole('heading', { level: 2, name: 'Tuesday, January 13' }).waitFor();
    await page.evaluate(() => (location.hash = '#/calendar/week-2026-01-13'));
    await page.locator('.head', { hasText: 'Thu Jan 15' }).waitFor();
    await page.locator('.hours .hour', { hasText: '5 pm' }).waitFor();
    await end(page);
  });
});

describe('the sample data', () => {
  it('has requests of its own to try', async () => {
    const page = await start({ at: 'chat/new', query: '&profile=sample' });
    const suggested = page.getByRole('button', { name: 'Move the budget review to 4 pm' });
    await suggested.waitFor();
    assert.equal(await page.getByRole('button', { name: 'What is 18 % of 2,450?' }).count(), 0);
    await suggested.click();
    await page.locator('.said', { hasText: 'Move the budget review to 4 pm' }).waitFor();
    await end(page);
  });
});

describe('an empty day', () => {
  it('offers the sample data, which can be removed from where it is seen', async () => {
    const page = await start({ at: 'today', fake: 'empty' });
    await page.getByRole('button', { name: 'Try it on sample data' }).click();
    const bar = page.getByRole('complementary', { name: 'Sample data' });
    await bar.waitFor();
    await bar.getByRole('button', { name: 'Remove it' }).click();
    const sure = page.getByRole('dialog');
    await sure.getByText('What you tried here goes with it.').waitFor();
    await sure.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await called(page, 'erase'), 0);
    await bar.getByRole('button', { name: 'Remove it' }).click();
    await sure.getByRole('button', { name: 'Remove it' }).click();
    await bar.waitFor({ state: 'detached' });
    await end(page);
  });
});

describe('Activity', () => {
  it('has what was refused among everything, and leads to its card', async () => {
    const page = await start({ at: 'activity' });
    await page.locator('.item').first().waitFor();
    const refused = page.locator('.item', { hasText: 'Rejected, nothing was done' });
    const before = await refused.count();
    await page.evaluate(() => window.fake.world.reject('a-move'));
    await eventually(() => refused.count(), before + 1);
    const line = refused.first();
    await press(line);
    await press(page.locator('.detail').getByRole('link', { name: 'Open the card' }));
    await eventually(() => place(page), /approvals\/a-move$/);
    await page.goBack();
    await press(page.getByRole('button', { name: 'Changes' }));
    await line.waitFor({ state: 'detached' });
    await end(page);
  });
});

describe('Today', () => {
  it('walks with J, opens an event with Enter, completes a task with Space and takes it back', async () => {
    const page = await start({ at: 'today' });
    await page.locator('.slot').first().waitFor();
    // What needs the person comes first, then the day in order, with free periods between its events.
    await page.locator('.slot > button').first().focus();
    await page.keyboard.press('j');
    await eventually(() => focused(page), /free until 10:00/);
    await page.keyboard.press('j');
    await eventually(() => focused(page), /Pricing review/);
    await page.keyboard.press('Enter');
    await press(page.getByRole('button', { name: /Priya Nair/ }));
    await page.getByText('priya.nair@northwind.example').waitFor();
    await press(page.locator('a.name[data-task="t-board"]'), 'Space');
    const back = await undo(page, '“Read the board draft” is done.');
    assert.deepEqual(await applied(page), [['task.complete', { id: 't-board' }]]);
    await page.locator('.task.is-done').getByText('Read the board draft').waitFor();
    await back.click();
    await page.locator('.task:not(.is-done)').getByText('Read the board draft').waitFor();
    await end(page);
  });

  it('goes a day on with → and back with ←, and follows what changes', async () => {
    const page = await start({ at: 'today' });
    await page.getByText('Tuesday, 13 January').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Wednesday, 14 January').waitFor();
    await eventually(() => place(page), '#/today/2026-01-14');
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Tuesday, 13 January').waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      world.tables.events = [
        { ...world.tables.events[1], id: 'e-new', summary: 'Just moved here' },
        ...world.tables.events,
      ];
      world.changed('events');
    });
    await page.locator('.slot').getByText('Just moved here').waitFor();
    // Two at the same time are both marked.
    await page.locator('.slot .tag.wait').nth(1).waitFor();
    await end(page);
  });

  it('deletes an event at once, and brings it back', async () => {
    const page = await start({ at: 'today/e-pricing' });
    await page.getByRole('button', { name: 'Delete event' }).click();
    await page.locator('.slot').getByText('Pricing review').waitFor({ state: 'detached' });
    assert.deepEqual(await applied(page), [['calendar.delete', { id: 'e-pricing' }]]);
    await (await undo(page, '“Pricing review” is deleted.')).click();
    await page.locator('.slot').getByText('Pricing review').waitFor();
    await eventually(() => place(page), '#/today/e-pricing');
    await end(page);
  });

  it('shows the card where one is, when the person wants to be asked', async () => {
    const page = await start({ at: 'today/e-pricing' });
    await page.evaluate(() => {
      const { world } = window.fake;
      world.settings = world.settings.map((one) => (one.key === 'ask_always' ? { ...one, value: 'true' } : one));
    });
    await page.getByRole('button', { name: 'Delete event' }).click();
    const card = page.getByRole('dialog').locator('[data-card="pending"]');
    await card.getByText('Delete “Pricing review”').first().waitFor();
    await eventually(() => place(page), '#/today/e-pricing');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await page.locator('.slot').getByText('Pricing review').waitFor();
    assert.equal(await called(page, 'approve'), 0);
    await end(page);
  });

  it('takes a line in, and offers the next step for two things at the same time', async () => {
    const page = await start({ at: 'today' });
    await say(page.getByLabel('Add to this day'), 'Call the bank');
    await page.locator('.tasks .task').getByText('Call the bank').waitFor();
    assert.deepEqual(await applied(page), [['task.create', { title: 'Call the bank', due: '2026-01-13' }]]);
    await page.evaluate(() => {
      const { world } = window.fake;
      const lunch = world.tables.events.find((one) => one.id === 'e-lunch');
      const clash = { ...lunch, id: 'e-clash', uid: 'clash', summary: 'Interview' };
      clash.end = '2026-01-13T14:00:00-05:00';
      world.tables.events = [...world.tables.events, clash];
      world.changed('events');
    });
    // The shorter event moves to the next free half hour.
    await press(page.getByRole('button', { name: 'Move “Lunch with Ana” to 09:30' }));
    await page.getByRole('button', { name: /^Move “Lunch/ }).waitFor({ state: 'detached' });
    const [, args] = (await applied(page)).at(-1);
    assert.deepEqual(args, {
      id: 'e-lunch',
      changes: {
        start: '2026-01-13T09:30:00-05:00[America/New_York]',
        end: '2026-01-13T10:00:00-05:00[America/New_York]',
      },
    });
    await end(page);
  });
});

describe('Tasks', () => {
  it('adds a line, finds it, edits it, deletes it and brings it back', async () => {
    const page = await start({ at: 'tasks' });
    const line = page.getByLabel('Add a task');
    await say(line, 'Buy stamps');
    await page.locator('.task').getByText('Buy stamps').waitFor();
    await eventually(() => line.inputValue(), '');
    await page.locator('a.name', { hasText: 'Buy stamps' }).click();
    const title = page.getByLabel('Task', { exact: true });
    await title.fill('Buy ten stamps');
    await press(title, 'Tab');
    await toast(page, 'is changed');
    await say(page.getByLabel('Due on'), '2026-01-20');
    await page.locator('.task').getByText('Tue 20 Jan').waitFor();
    const changes = (await applied(page)).filter(([tool]) => tool === 'task.update').map(([, args]) => args.changes);
    assert.deepEqual(changes, [{ title: 'Buy ten stamps' }, { due: '2026-01-20' }]);
    await press(page.locator('a.name', { hasText: 'Buy ten stamps' }), 'Delete');
    await page.locator('a.name', { hasText: 'Buy ten stamps' }).waitFor({ state: 'detached' });
    await (await undo(page, '“Buy ten stamps” is deleted.')).click();
    await page.locator('a.name', { hasText: 'Buy ten stamps' }).waitFor();
    await end(page);
  });

  it('gives a time its zone', async () => {
    const page = await start({ at: 'tasks/t-passport' });
    const time = page.getByLabel('At', { exact: true });
    await time.fill('15:30');
    await settle(page);
    assert.equal(await called(page, 'apply'), 0);
    // Stored when it loses the focus.
    await time.blur();
    await eventually(() => called(page, 'apply'), 1);
    assert.deepEqual((await applied(page))[0][1].changes, { due: '2026-01-13T15:30:00-05:00[America/New_York]' });
    await end(page);
  });

  it('draws only what is in view of thousands', async () => {
    const page = await start({ at: 'tasks' });
    await page.locator('.task').first().waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      const [one] = world.tables.tasks;
      world.tables.tasks = Array.from({ length: 2000 }, (_, n) => ({
        ...one,
        id: `t${n}`,
        title: `Task ${n}`,
        notes: '',
        due: null,
      }));
      world.changed('tasks');
    });
    await page.locator('.task').getByText('Task 0', { exact: true }).waitFor();
    // As long as there are few, all of them are drawn.
    await eventually(async () => (await page.locator('.task').count()) < 120, true);
    await page.keyboard.press('j');
    await page.waitForFunction(() => document.activeElement?.closest('[data-row]'));
    // The end of what is loaded; coming there loads more.
    await page.keyboard.press('End');
    await page.locator('.task').getByText('Task 199', { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[data-row]')?.textContent.includes('Task 199'));
    await page.waitForFunction(() => {
      const row = document.activeElement;
      const [box, list] = [row, row.closest('.list, .scroll')].map((one) => one.getBoundingClientRect());
      return box.top >= list.top && box.bottom <= list.bottom + 1;
    });
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(() => document.activeElement?.closest('[data-row]')?.textContent.includes('Task 198'));
    await page.keyboard.press('Home');
    await page.waitForFunction(() => /Task 0\b/.test(document.activeElement?.closest('[data-row]')?.textContent ?? ''));
    await eventually(async () => (await page.locator('.task').count()) < 120, true);
    await end(page);
  });

  it('says a refusal and keeps the line', async () => {
    const page = await start({ at: 'tasks', fake: 'empty' });
    const line = page.getByLabel('Add a task');
    await line.waitFor();
    await page.evaluate(() => (window.fake.world.options.scenario = 'failing'));
    await say(line, 'Buy stamps');
    await toast(page, 'This could not be saved. Free some space, then try again.');
    await eventually(() => line.inputValue(), 'Buy stamps');
    await end(page);
  });
});

describe('Notes', () => {
  it('writes, saves by itself, and undoes the save', async () => {
    const page = await start({ at: 'notes/n-alarm' });
    await page.getByRole('heading', { name: 'Alarm code' }).waitFor();
    await page.keyboard.press('e');
    const text = page.getByLabel('Text', { exact: true });
    await text.waitFor();
    // Shown only until it is saved automatically.
    const typing = await watchFor(page, '.detail', 'Not saved yet');
    await text.fill('The code is with Tomás.');
    await typing();
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.deepEqual(await applied(page), [
      ['note.update', { id: 'n-alarm', changes: { body: 'The code is with Tomás.' } }],
    ]);
    await page.locator('.detail').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.doc').getByText('Ask Tomás for the new one').waitFor();
    // Without the focus it is shown formatted; E returns to editing.
    await page.getByLabel('Title').focus();
    await eventually(() => text.count(), 0);
    await page.locator('a.item[aria-current]').focus();
    await page.keyboard.press('e');
    await text.waitFor();
    await end(page);
  });

  it('saves when another note is opened, and makes a new one ready to name', async () => {
    const page = await start({ at: 'notes/n-alarm' });
    // A click into the text edits it in place.
    await page.locator('.doc').click();
    await waitFocused(page.getByLabel('Text', { exact: true }));
    await page.getByLabel('Text', { exact: true }).fill('Left at once');
    await page.locator('a.item', { hasText: 'Lisbon' }).click();
    await page.getByRole('heading', { name: 'Lisbon in April' }).waitFor();
    await eventually(
      () => page.evaluate(() => window.fake.world.tables.notes.find((one) => one.id === 'n-alarm').body),
      'Left at once',
    );
    await page.getByRole('button', { name: 'New note' }).click();
    await waitFocused(page.getByLabel('Title'));
    await page.keyboard.type('Shopping');
    await page.keyboard.press('Enter');
    await waitFocused(page.getByLabel('Text', { exact: true }));
    await page.keyboard.type('Milk');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.locator('a.item', { hasText: 'Shopping' }).waitFor();
    await eventually(() => page.getByRole('button', { name: 'Read' }).count(), 0);
    await end(page);
  });

  it('adds a line without opening the editor', async () => {
    const page = await start({ at: 'notes/n-lisbon' });
    await say(page.getByLabel('Add a line at the end'), 'Pack the charger');
    await page.locator('.md').getByText('Pack the charger').waitFor();
    await end(page);
  });
});

describe('Memory', () => {
  it('keeps what was set aside only when asked to, and forgets with a way back', async () => {
    const page = await start({ at: 'memory/m-kelm' });
    await page.getByText('It is not used until you keep it').waitFor();
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByText('Set aside until you decide').waitFor({ state: 'detached' });
    await eventually(async () => (await applied(page)).map(([tool]) => tool), ['memory.update']);
    await page.locator('a.item', { hasText: 'Raj works' }).click();
    await page.locator('.detail').getByRole('heading', { name: 'Raj works from London' }).waitFor();
    await page.keyboard.press('x');
    const kept = () => page.evaluate(() => window.fake.world.tables.memories.some((one) => one.id === 'm-raj'));
    await eventually(kept, false);
    await page.keyboard.press('Control+z');
    await eventually(kept, true);
    await end(page);
  });

  it('is corrected with E', async () => {
    const page = await start({ at: 'memory/m-raj' });
    await page.getByRole('heading', { name: 'Raj works from London' }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('What to remember').fill('Raj works from Lisbon');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('a.item', { hasText: 'Raj works from Lisbon' }).waitFor();
    await end(page);
  });
});

describe('Activity', () => {
  it('shows asked against stored, and undoes with U', async () => {
    const page = await start({ at: 'activity/r-train' });
    await page.locator('.cmp').getByText('Book the London train').nth(1).waitFor();
    await page.keyboard.press('u');
    await page.waitForFunction(() => window.fake.calls.some((call) => call.op === 'undo'));
    await page.locator('.detail').getByText('It was undone.').waitFor();
    await end(page);
  });

  it('lists what left this computer', async () => {
    const page = await start({ at: 'activity' });
    await page.getByRole('button', { name: 'Left this computer' }).click();
    await page.locator('.item').getByText('calendar.example').waitFor();
    await eventually(() => page.locator('.item').count(), 1);
    await end(page);
  });
});

describe('Settings', () => {
  it('saves at once and takes it back', async () => {
    const page = await start({ at: 'settings/appearance' });
    await page.getByLabel('Theme').selectOption('dark');
    const back = await undo(page, 'Theme is changed');
    await eventually(() => page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await back.click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === undefined);
    await eventually(
      async () => (await calls(page, 'config_set')).map(({ args }) => args),
      [
        { key: 'desktop.theme', value: 'dark' },
        { key: 'desktop.theme', value: null },
      ],
    );
    await end(page);
  });

  it('looks as the command line has set it, without Settings being opened', async () => {
    const page = await start({ at: 'chat/main', theme: 'light' });
    await page.locator('.ask').waitFor();
    await eventually(() => called(page, 'config_list'), 1);
    await page.evaluate(() => {
      const { world } = window.fake;
      const values = { 'desktop.theme': 'dark', 'desktop.text_size': '130', 'desktop.single_keys': 'false' };
      world.settings = world.settings.map((one) => ({ ...one, value: values[one.key] ?? one.value }));
      world.changed('settings');
    });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    await eventually(() => page.evaluate(() => document.documentElement.style.fontSize), '130%');
    // Stored, so that the first frame is right next time.
    await eventually(() => page.evaluate(() => JSON.parse(localStorage.getItem('adjutant.look')).theme), 'dark');
    await page.locator('h1').focus();
    await waitFocused(page.locator('h1'));
    await page.keyboard.press('?');
    // The palette is requested after it, and appears alone.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await eventually(() => page.getByRole('dialog').count(), 1);
    await page.evaluate(() => localStorage.clear());
    await end(page);
  });

  it('shows a refusal at the setting, with the value that is in force', async () => {
    const page = await start({ at: 'settings/appearance' });
    const size = page.getByLabel(/^Text size/);
    await size.fill('900');
    await press(size, 'Tab');
    await page.getByText('Text size is a number from 80 to 200.').waitFor();
    await eventually(() => size.inputValue(), '100');
    await end(page);
  });

  it('takes the keys of quick-ask as they are pressed', async () => {
    const page = await start({ at: 'settings/keyboard' });
    await page.getByRole('button', { name: 'Change' }).click();
    await eventually(() => focused(page), 'Press the keys');
    await page.keyboard.press('Control+Alt+KeyA');
    await toast(page, 'Shortcut of quick-ask is changed');
    await eventually(async () => (await calls(page, 'config_set'))[0]?.args.value, 'Ctrl+Alt+A');
    await end(page);
  });

  it('erases only after the name was typed', async () => {
    const page = await start({ at: 'settings/data' });
    await page.getByRole('button', { name: 'Erase…' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Type Work to confirm');
    await say(name, 'work');
    await settle(page);
    assert.equal(await dialog.getByRole('button', { name: 'Erase everything' }).isDisabled(), true);
    assert.equal(await called(page, 'erase'), 0);
    await name.fill('Work');
    await eventually(() => dialog.getByRole('button', { name: 'Erase everything' }).isDisabled(), false);
    await press(name);
    await toast(page, 'was erased');
    assert.equal(await called(page, 'erase'), 1);
    await end(page);
  });

  it('that left something elsewhere says what, and leads on', async () => {
    const page = await start({ at: 'settings/data' });
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.evaluate(() => {
      const { world } = window.fake;
      const erase = world.erase.bind(world);
      world.erase = () => {
        erase();
        throw new window.fake.HostFault({
          code: 'erased_in_part',
          message: 'The profile is erased, but keys may still be in the keyring.',
          hint: 'Remove them there.',
        });
      };
    });
    const dialog = page.getByRole('dialog');
    await say(dialog.getByLabel('Type Work to confirm'), 'Work');
    await dialog.getByRole('alert').getByText('keys may still be in the keyring. Remove them there.').waitFor();
    // There is nothing left to erase.
    await dialog.getByRole('button', { name: 'Erase everything' }).waitFor({ state: 'detached' });
    await press(dialog.getByRole('button', { name: 'Close' }));
    await page.getByText('Good morning, Mara.').waitFor();
    await end(page);
  });

  it('says that it erases while that takes time', async () => {
    const page = await start({ at: 'settings/data', pace: 2000 });
    await page.getByRole('button', { name: 'Erase…' }).click();
    await say(page.getByRole('dialog').getByLabel('Type Work to confirm'), 'Work');
    await page.getByRole('dialog').getByRole('button', { name: 'Erasing…' }).waitFor();
    await end(page);
  });

  it('shows nothing of what was erased: no conversation, no words that were not sent', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await page.getByLabel('Message Adjutant').fill('A secret not sent');
    await page.keyboard.press('Control+,');
    await page.getByRole('link', { name: 'Privacy and data' }).click();
    await page.getByRole('button', { name: 'Erase…' }).click();
    await say(page.getByRole('dialog').getByLabel('Type Work to confirm'), 'Work');
    await page.getByText('Good morning, Mara.').waitFor();
    assert.equal(await page.getByText('Raj').count(), 0);
    await press(page.getByRole('link', { name: 'Open', exact: true }));
    const message = page.getByLabel('Message Adjutant');
    await eventually(() => message.inputValue(), '');
    await page.getByText('What can I take off your hands?').waitFor();
    await say(message, 'What is on today?');
    await page.locator('.reply').getByText('46 ms').or(page.locator('.reply .md')).first().waitFor();
    assert.deepEqual(await page.locator('.said').allTextContents(), ['You: What is on today?']);
    await end(page);
  });

  it('finds by other words', async () => {
    const page = await start({ at: 'settings' });
    await page.locator('.set').first().waitFor();
    await page.keyboard.press('Control+f');
    await waitFocused(page.getByLabel('Search settings'));
    await page.keyboard.type('font');
    await page.getByLabel(/^Text size/).waitFor();
    await eventually(() => page.locator('.set').count(), 1);
    await end(page);
  });
});

describe('other circumstances', () => {
  const places = {
    today: '.slot',
    'tasks/t-lease': '.detail .form',
    'notes/n-raj': '.md ul',
    'memory/m-kelm': '.qt',
    'activity/r-train': '.cmp',
    'settings/data': '.set',
    'settings/time': '.set',
  };
  for (const [name, change] of [
    ['200 % text', (page) => page.evaluate(() => (document.documentElement.style.fontSize = '200%'))],
    ['right to left', (page) => page.evaluate(() => (document.documentElement.dir = 'rtl'))],
    ['400 px', (page) => page.setViewportSize({ width: 400, height: 480 })],
  ]) {
    for (const [at, ready] of Object.entries(places)) {
      it(`${name}: ${at} stays inside the window`, async () => {
        const page = await start({ at });
        await page.locator(ready).first().waitFor();
        await change(page);
        await settle(page);
        await eventually(() => page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
        // Nothing is cut off sideways inside the scrolling parts, except tables.
        const cut = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('.scroll, .list, .detail')]
              .filter((one) => one.offsetParent !== null && one.scrollWidth - one.clientWidth > 1)
              .map((one) => one.className),
          );
        await eventually(cut, []);
        await end(page);
      });
    }
  }
});
