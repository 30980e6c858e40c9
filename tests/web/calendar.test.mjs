// The calendar by keyboard and mouse: what is pressed, the requests to the engine, and what is shown.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, settle, waitFocused } from './lib.mjs';

const { start, called, applied, undo, end, place } = harness({ before, after });
const at = (page) => page.evaluate(() => document.activeElement?.querySelector('.n')?.textContent ?? '');

describe('the week', () => {
  it('opens with W, is one stop of Tab, and arrows walk over days and times', async () => {
    const page = await start({ at: 'today' });
    await page.locator('.slot').first().waitFor();
    await page.keyboard.press('w');
    await page.locator('.wk .blk').first().waitFor();
    await eventually(() => place(page), /calendar\/week-2026-01-13$/);
    // Today's tab stop. Before the events of this day arrived, it was another one.
    const stop = page.locator('.wk [data-stop][tabindex="0"]');
    await eventually(() => stop.locator('.n').allTextContents(), ['Stand-up']);
    await stop.focus();
    for (const [key, name] of [
      [null, 'Stand-up'],
      ['ArrowDown', 'Pricing review'],
      ['ArrowRight', 'Mara / Raj'],
      ['ArrowLeft', 'Pricing review'],
      ['End', 'Board pre-read'],
    ]) {
      if (key) await page.keyboard.press(key);
      await eventually(() => at(page), name);
    }
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Room 4B').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => at(page), 'Board pre-read');
    await page.keyboard.press('d');
    await eventually(() => place(page), /calendar\/day-2026-01-13$/);
    await eventually(() => page.locator('.wk .col').count(), 1);
    await end(page);
  });

  it('shows where a waiting approval would put an event, and leads to its card', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const ghost = page.locator('.wk .blk.ghost');
    await ghost.waitFor();
    await eventually(() => ghost.textContent(), /Mara \/ Raj.*11:00.*Moves here from Wed 14 Jan, if you approve/s);
    await eventually(() => page.locator('.wk .blk.leaving').count(), 1);
    await press(ghost);
    await page.waitForFunction(() => location.hash === '#/approvals/a-move');
    await end(page);
  });

  it('lists a proposed event in a narrow window in one line with its time', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13', size: 'narrow' });
    const ghost = page.locator('.as-list .slot.ghost');
    await ghost.waitFor();
    const top = (one) => ghost.locator(one).evaluate((node) => Math.round(node.getBoundingClientRect().top));
    await eventually(async () => Math.abs((await top('.when')) - (await top('.n'))) < 4, true);
    await end(page);
  });

  it('has no ghost once nothing waits', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    await page.locator('.wk .blk.ghost').waitFor();
    await page.evaluate(() => window.fake.world.reject('a-move'));
    await page.locator('.wk .blk.ghost').waitFor({ state: 'detached' });
    await eventually(() => page.locator('.wk .blk.leaving').count(), 0);
    await end(page);
  });

  it('goes on with the arrow keys past its end, and the focus goes along', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13', fake: 'crowded' });
    const last = page.locator('.wk .col').last().locator('[data-stop]').first();
    await last.focus();
    await waitFocused(last);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-day') === '2026-01-19');
    await eventually(() => place(page), /week-2026-01-20$/);
    await end(page);
  });

  it('draws few things of ten thousand, and counts the rest', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13', fake: 'crowded' });
    await page.locator('.fold').first().waitFor();
    await settle(page);
    const drawn = await page.locator('.wk [data-stop]').count();
    assert.ok(drawn < 1000, `${drawn} drawn`);
    await eventually(() => page.locator('.fold').first().getAttribute('aria-label'), /\d+ more, Monday, 12 January/);
    await end(page);
  });
});

describe('by hand', () => {
  const args = async (page) => (await applied(page)).at(-1)[1];
  const clock = (time, day = '2026-01-13') => `${day}T${time}:00-05:00[America/New_York]`;

  it('moves an event with M and the arrows, stretches it with Shift, and takes it back', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const block = page.locator('.wk .blk', { hasText: 'Board pre-read' });
    await block.focus();
    await waitFocused(block);
    for (const key of ['m', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await page.locator('.blk.held').getByText('Wed 14 Jan, 16:30–17:45').waitFor();
    assert.equal(await called(page, 'apply'), 0);
    await page.keyboard.press('Enter');
    const back = await undo(page, '“Board pre-read” is changed.');
    assert.deepEqual(await args(page), {
      id: 'e-board',
      changes: { start: clock('16:30', '2026-01-14'), end: clock('17:45', '2026-01-14') },
    });
    await page.locator('[data-column="2026-01-14"]').getByText('Board pre-read').waitFor();
    await back.click();
    await page.locator('[data-column="2026-01-13"]').getByText('Board pre-read').waitFor();
    await end(page);
  });

  it('lets go with Escape', async () => {
    const page = await start({ at: 'calendar/day-2026-01-13' });
    const block = page.locator('.wk .blk', { hasText: 'Board pre-read' });
    await block.focus();
    for (const key of ['m', 'ArrowDown', 'Escape']) await page.keyboard.press(key);
    await page.locator('.blk.held').waitFor({ state: 'detached' });
    await settle(page);
    assert.equal(await called(page, 'apply'), 0);
    await end(page);
  });

  it('shows the whole time of a short event that is held, and stays in view', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const block = page.locator('.wk .blk', { hasText: 'Stand-up' }).first();
    await block.focus();
    await waitFocused(block);
    await page.keyboard.press('m');
    for (let quarters = 0; quarters < 12; quarters++) await page.keyboard.press('ArrowUp');
    const when = page.locator('.wk .when', { hasText: 'Tue 13 Jan, 06:00–06:15' });
    await when.waitFor();
    await settle(page);
    const { cut, hidden } = await when.evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      return { cut: one.scrollWidth > one.clientWidth, hidden: !one.contains(over) };
    });
    assert.deepEqual({ cut, hidden }, { cut: false, hidden: false });
    await page.keyboard.press('Escape');
    await end(page);
  });

  it('moves with the mouse, and a press alone opens', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const block = page.locator('.wk .blk', { hasText: 'Pricing review' });
    const target = page.locator('[data-column="2026-01-16"]');
    await block.waitFor();
    const [from, to] = [await block.boundingBox(), await target.boundingBox()];
    const hour = to.height / 24;
    await page.mouse.move(from.x + 20, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, from.y + 8 + hour, { steps: 5 });
    await page.locator('.blk.held').getByText('Fri 16 Jan, 11:00–12:00').waitFor();
    await page.mouse.up();
    await undo(page, '“Pricing review” is changed.');
    assert.deepEqual(await args(page), {
      id: 'e-pricing',
      changes: { start: clock('11:00', '2026-01-16'), end: clock('12:00', '2026-01-16') },
    });
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.locator('.wk .blk', { hasText: 'Stand-up' }).click();
    await page.getByRole('dialog').getByText('Team').waitFor();
    await end(page);
  });

  it('moves no event of a calendar that is only read, and M says why', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const readOnly = () => {
      const { world } = window.fake;
      world.collections = world.collections.map((one) => (one.name === 'Team' ? { ...one, writable: false } : one));
      world.changed('collections');
    };
    const standUp = page.locator('.wk .blk', { hasText: 'Stand-up' });
    await eventually(() => standUp.locator('.grip').count(), 2);
    await page.evaluate(readOnly);
    // Its edges cannot be pulled any more; those of the other calendars still can.
    await eventually(() => standUp.locator('.grip').count(), 0);
    assert.equal(await page.locator('.wk .blk', { hasText: 'Pricing review' }).locator('.grip').count(), 2);
    for (const [event, to] of [
      [standUp, page.locator('[data-column="2026-01-16"]')],
      [page.locator('.wk .bar-ev', { hasText: 'Team offsite' }), page.locator('[data-whole="2026-01-16"]')],
    ]) {
      const [from, box] = [await event.boundingBox(), await to.boundingBox()];
      await page.mouse.move(from.x + 20, from.y + 8);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, from.y + 8, { steps: 5 });
      await settle(page);
      assert.equal(await page.locator('.held, .left').count(), 0);
      await page.mouse.up();
    }
    await standUp.focus();
    await page.keyboard.press('m');
    await page.locator('.toast').getByText('Team can only be read').waitFor();
    assert.equal(await page.locator('.held').count(), 0);
    await page.keyboard.press('o');
    const offsite = page.locator('[data-date="2026-01-15"] .bar-ev', { hasText: 'Team offsite' });
    await offsite.dragTo(page.locator('[data-date="2026-01-22"]'));
    await offsite.focus();
    for (const key of ['m', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog').getByText('Team can only be read').waitFor();
    assert.equal(await called(page, 'apply'), 0);
    await end(page);
  });

  it('shows the time and the place of an event beside its name where the block is wide', async () => {
    const page = await start({ at: 'calendar/day-2026-01-13' });
    const dentist = page.locator('.wk .blk', { hasText: 'Dentist' });
    await dentist.getByText('11:30–12:15 · 12 Ferry Street').waitFor();
    // What is kept for screen readers only is one pixel wide.
    const width = () => dentist.locator('.at').evaluate((one) => one.getBoundingClientRect().width);
    await eventually(async () => (await width()) > 80, true);
    await page.keyboard.press('w');
    await eventually(() => page.locator('.wk .col').count(), 7);
    await eventually(width, 1);
    await end(page);
  });

  it('draws a new event on a free place, and makes it from the form', async () => {
    const page = await start({ at: 'calendar/day-2026-01-13' });
    const column = page.locator('[data-column="2026-01-13"]');
    await page.locator('.wk .blk').first().waitFor();
    const box = await column.boundingBox();
    const y = (minute) => box.y + (minute / 1440) * box.height;
    await page.mouse.move(box.x + 80, y(14 * 60 + 2));
    await page.mouse.down();
    await page.mouse.move(box.x + 80, y(15 * 60 + 10), { steps: 4 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await waitFocused(dialog.getByLabel('Title'));
    await page.keyboard.type('Write the brief');
    await dialog.getByLabel('Repeats').selectOption('every week on Tue');
    await dialog.getByLabel('Name or address').or(dialog.getByLabel('Guests')).first().fill('Hannah Voss,');
    await dialog.getByLabel('Where').fill('Room 2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await column.getByText('Write the brief').waitFor();
    assert.deepEqual(await args(page), {
      summary: 'Write the brief',
      start: clock('14:00'),
      end: clock('15:15'),
      location: 'Room 2',
      rrule: 'FREQ=WEEKLY;BYDAY=TU',
      people: ['Hannah Voss'],
    });
    await end(page);
  });

  it('moves an event from its hour to the whole day, draws whole days, and gives one an hour', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const whole = (day) => page.locator(`[data-whole="${day}"]`);
    const block = page.locator('.wk .blk', { hasText: 'Pricing review' });
    await block.waitFor();
    const middle = async (locator) => {
      const { x, y, width, height } = await locator.boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const drag = async (from, to) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 6 });
    };
    const { x, y } = await block.boundingBox();
    await drag([x + 20, y + 8], await middle(whole('2026-01-16')));
    await whole('2026-01-16').locator('.held').waitFor();
    await page.mouse.up();
    await undo(page, '“Pricing review” is changed.');
    assert.deepEqual(await args(page), { id: 'e-pricing', changes: { start: '2026-01-16', end: '2026-01-16' } });
    const offsite = whole('2026-01-15').locator('.bar-ev', { hasText: 'Team offsite' });
    const column = await page.locator('[data-column="2026-01-17"]').boundingBox();
    const head = await page.locator('.heads').boundingBox();
    const hour = Math.ceil((head.y + head.height + 20 - column.y) / (column.height / 24));
    await drag(await middle(offsite), [column.x + 20, column.y + (hour * column.height) / 24]);
    const two = (n) => String(n).padStart(2, '0');
    await page
      .locator('.blk.held')
      .getByText(`Sat 17 Jan, ${two(hour)}:00–${two(hour + 1)}:00`)
      .waitFor();
    await page.mouse.up();
    await page.locator('[data-column="2026-01-17"]').getByText('Team offsite').waitFor();
    await eventually(async () => (await args(page)).changes.start, clock(`${two(hour)}:00`, '2026-01-17'));
    await drag(await middle(whole('2026-01-13')), await middle(whole('2026-01-14')));
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await waitFocused(dialog.getByLabel('Title'));
    await page.keyboard.type('Trade fair');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await args(page), { summary: 'Trade fair', start: '2026-01-13', end: '2026-01-14' });
    // One bar over both days.
    const fair = page.locator('.wholes .bar-ev', { hasText: 'Trade fair' });
    await fair.waitFor();
    const [bar, second] = [await fair.boundingBox(), await whole('2026-01-14').boundingBox()];
    assert.ok(bar.x + bar.width > second.x + second.width / 2, 'the bar ends before its second day');
    assert.equal(await fair.count(), 1);
    await end(page);
  });

  it('makes an event last the whole day and more with the keys', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const block = page.locator('.wk .blk', { hasText: 'Board pre-read' });
    await block.focus();
    await waitFocused(block);
    for (const key of ['m', 'a', 'ArrowRight', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
    await undo(page, '“Board pre-read” is changed.');
    assert.deepEqual(await args(page), { id: 'e-board', changes: { start: '2026-01-14', end: '2026-01-15' } });
    await end(page);
  });

  it('asks how much of a series is meant', async () => {
    const page = await start({ at: 'calendar/week-2026-01-13' });
    const block = page.locator('.wk button.blk', { hasText: 'Mara / Raj' });
    await block.focus();
    for (const key of ['m', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    const ask = page.getByRole('dialog', { name: 'How much of the series' });
    await ask.getByText('It repeats every week on Wed.').waitFor();
    assert.equal(await called(page, 'apply'), 0);
    await press(ask.getByRole('button', { name: 'This and all later ones' }));
    await undo(page, '“Mara / Raj” is changed.');
    const { id, scope, changes } = await args(page);
    assert.deepEqual(
      [id, scope, changes.start],
      ['e-raj@2026-01-14T10:00:00-05:00[America/New_York]', 'following', clock('10:00', '2026-01-15')],
    );
    await end(page);
  });

  it('edits an event in its form, and says what is wrong before anything is stored', async () => {
    const page = await start({ at: 'calendar/e-lunch' });
    const dialog = page.getByRole('dialog');
    await press(dialog.getByRole('button', { name: 'Edit' }));
    await dialog.getByLabel('Ends on').fill('2026-01-12');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('It ends before it starts.').waitFor();
    await waitFocused(dialog.getByLabel('Ends on'));
    assert.equal(await called(page, 'apply'), 0);
    await dialog.getByLabel('Ends on').fill('2026-01-13');
    await dialog.getByLabel('Title').fill('Lunch with Ana and Bo');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await args(page), { id: 'e-lunch', changes: { summary: 'Lunch with Ana and Bo' } });
    await end(page);
  });

  it('moves an event to another day of the month, by the arrows and by the mouse', async () => {
    const page = await start({ at: 'calendar/month-2026-01-13' });
    const lunch = page.locator('[data-date="2026-01-13"] .bar-ev', { hasText: 'Pricing review' });
    await lunch.focus();
    await waitFocused(lunch);
    for (const key of ['m', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    const back = await undo(page, '“Pricing review” is changed.');
    assert.deepEqual(await args(page), { id: 'e-pricing', changes: { date: '2026-01-20' } });
    await page.locator('[data-date="2026-01-20"]').getByText('Pricing review').waitFor();
    await back.click();
    await page.locator('[data-date="2026-01-13"]').getByText('Pricing review').waitFor();
    const offsite = page.locator('[data-date="2026-01-15"] .bar-ev', { hasText: 'Team offsite' });
    await offsite.dragTo(page.locator('[data-date="2026-01-22"]'));
    await page.locator('[data-date="2026-01-22"]').getByText('Team offsite').waitFor();
    assert.deepEqual(await args(page), { id: 'e-offsite', changes: { date: '2026-01-22' } });
    await end(page);
  });

  it('shows the calendars that are ticked, here and in Today, in the colours that were chosen', async () => {
    const page = await start({ at: 'calendar/month-2026-01-13' });
    const offsite = page.locator('[data-date="2026-01-15"] .bar-ev', { hasText: 'Team offsite' });
    await offsite.waitFor();
    const list = page.getByRole('complementary', { name: 'Calendars' });
    await list.getByRole('button', { name: 'Colour of Team' }).press('Enter');
    await page.getByRole('menuitemradio', { name: 'Pink, dotted' }).press('Enter');
    await eventually(() => offsite.getAttribute('class'), /cal-c4/);
    await list.getByRole('checkbox', { name: 'Team' }).press(' ');
    await offsite.waitFor({ state: 'detached' });
    const kept = await page.evaluate(() =>
      window.fake.world.settings.filter((one) => one.key.startsWith('calendar.')).map((one) => one.value),
    );
    assert.deepEqual(kept, ['col-team', '{"col-personal":"1","col-team":"4","col-work":"3"}']);
    await page.evaluate(() => (location.hash = '#/today'));
    await page.getByText('1 calendar is not shown.').waitFor();
    assert.equal(await page.locator('.slot', { hasText: 'Stand-up' }).count(), 0);
    await page.locator('.slot', { hasText: 'Pricing review' }).waitFor();
    await end(page);
  });

  it('fills a tall window with the month, and shows more of each day there', async () => {
    const page = await start({ at: 'calendar/month-2026-01-13', size: { width: 1440, height: 1100 } });
    const today = page.locator('[data-date="2026-01-13"]');
    await today.getByText('Board pre-read').waitFor();
    await eventually(() => page.locator('.mores').count(), 0);
    const rest = () =>
      page.evaluate(() => innerHeight - document.querySelector('.hint-keys').getBoundingClientRect().bottom);
    await eventually(async () => (await rest()) < 40, true);
    await page.setViewportSize({ width: 1440, height: 700 });
    await today.getByText('2 more').waitFor();
    await end(page);
  });

  it('walks over the days of a month into the next one', async () => {
    const page = await start({ at: 'calendar/month-2026-01-31' });
    const day = page.locator('[data-cell="2026-01-31"]');
    await day.focus();
    await page.keyboard.press('ArrowRight');
    await waitFocused(page.locator('[data-cell="2026-02-01"]'));
    await page.getByText('February 2026').first().waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => place(page), /calendar\/day-2026-02-01$/);
    await end(page);
  });

  it('opens the form for a line that says no time', async () => {
    const page = await start({ at: 'calendar/day-2026-01-13' });
    await page.locator('.wk .blk').first().waitFor();
    const line = page.getByLabel('Add an event');
    await page.keyboard.press('n');
    await waitFocused(line);
    await page.keyboard.type('Board dinner');
    await page.getByText('No time yet: Enter opens the form.').waitFor();
    await press(line);
    await eventually(() => page.getByRole('dialog').getByLabel('Title').inputValue(), 'Board dinner');
    await end(page);
  });
});

describe('an event over several days', () => {
  const add = (page, event) =>
    page.evaluate((event) => {
      const { events } = window.fake.world.tables;
      events.push({
        ...events[0],
        uid: event.id,
        all_day: false,
        instance: null,
        rrule: null,
        repeats: null,
        ...event,
      });
    }, event);
  const fair = {
    ...{ id: 'e-fair', summary: 'Trade fair in the exhibition halls of Leipzig' },
    ...{ start: '2026-01-13T10:00:00-05:00', end: '2026-01-15T12:00:00-05:00' },
  };
  const open = async (view) => {
    const page = await start({ at: 'chat/new' });
    await add(page, fair);
    await page.evaluate((view) => (location.hash = `#/calendar/${view}-2026-01-13`), view);
    return page;
  };
  /** Whether something lies over most of the width of each other thing. */
  const covers = async (page, bar, others) => {
    const box = await bar.boundingBox();
    for (const other of others) {
      const { x, width } = await page.locator(other).boundingBox();
      if (box.x > x + width / 4 || box.x + box.width < x + (3 * width) / 4) return false;
    }
    return true;
  };
  const days = (mark) => ['2026-01-13', '2026-01-14', '2026-01-15'].map((day) => `[${mark}="${day}"]`);

  it('is one bar over its days above the clock, which moves as it is', async () => {
    const page = await open('week');
    const bar = page.locator('[data-key^="e-fair"]');
    await bar.waitFor();
    assert.equal(await bar.count(), 1);
    assert.ok(await covers(page, bar, days('data-whole')));
    assert.match(await bar.getAttribute('title'), /^Tue 13 Jan, 10:00 – Thu 15 Jan, 12:00 Trade fair/);
    await bar.focus();
    for (const key of ['m', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await undo(page, 'is changed.');
    const [[, { changes }]] = await applied(page);
    assert.match(changes.start, /^2026-01-14T10:00/);
    assert.match(changes.end, /^2026-01-16T12:00/);
    await end(page);
  });

  it('is one bar over its days of a month, cut with an ellipsis and whole in its tooltip', async () => {
    const page = await open('month');
    const bar = page.locator('[data-key^="e-fair"]');
    await bar.waitFor();
    assert.equal(await bar.count(), 1);
    assert.ok(await covers(page, bar, days('data-date')));
    const cut = await page
      .locator('.of-1 .words')
      .evaluateAll((all) => all.map((one) => [getComputedStyle(one).textOverflow, one.parentElement.title !== '']));
    assert.ok(cut.length > 0 && cut.every(([how, title]) => how === 'ellipsis' && title), String(cut));
    await end(page);
  });
});

describe('an event that is moved with the keys', () => {
  for (const view of ['week', 'month'])
    it(`shows which keys do what, in view, until it is put down: ${view}`, async () => {
      const page = await start({ at: `calendar/${view}-2026-01-13`, size: 'medium' });
      const event = page.locator('[data-key^="e-lunch"], [data-key]').first();
      await event.waitFor();
      const line = page.locator('.hint-keys', { hasText: 'You are moving' });
      assert.equal(await line.count(), 0);
      await event.focus();
      await page.keyboard.press('m');
      await line.waitFor();
      await eventually(() => line.innerText(), /move it[^]*Enter\s+keep it here[^]*Esc\s+put it back/);
      const { y, height } = await line.boundingBox();
      assert.ok(y >= 0 && y + height <= 641, `the line is at ${y}`);
      await page.keyboard.press('Escape');
      await line.waitFor({ state: 'detached' });
      await end(page);
    });
});
