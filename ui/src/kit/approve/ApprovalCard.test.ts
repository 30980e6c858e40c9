import { render, screen, fireEvent } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { host, HostFault, type Approval } from '../../host';
import { approval, batchArgs, batchCard, mailArgs, mailCard, mailSources, moveCard } from '../../host/fake/cards';
import { fake } from '../../host/fake';
import { clock } from '../clock.svelte';
import { isTainted } from '../live.svelte';
import ApprovalCard from './ApprovalCard.svelte';
import { GUARD_MS } from './guard';
import { eventually } from '../test/eventually';

let mono = 0;
let place = { top: 400, right: 700, left: 600, height: 30 };
/** Heights of the scrolling boxes: everything fits unless a test says otherwise. */
let letter = { clientHeight: 190, scrollHeight: 190 };

beforeEach(() => {
  mono = 1000;
  clock.mono = () => mono;
  place = { top: 400, right: 700, left: 600, height: 30 };
  letter = { clientHeight: 190, scrollHeight: 190 };
  HTMLElement.prototype.getBoundingClientRect = () => place as DOMRect;
  for (const name of ['clientHeight', 'scrollHeight'] as const) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => letter[name] });
  }
});

function show(made: Partial<Approval> & { minutes?: number } = {}, card = moveCard, tool = 'calendar.update') {
  const one = approval('a-test', tool, card, clock.now(), made);
  fake.world.put(one);
  fake.calls = [];
  const view = render(ApprovalCard, { approval: one, keys: 'window', autofocus: true });
  flushSync();
  return { one, view };
}

/** Presses an element at a given time of the event clock. */
async function press(node: Element, at: number) {
  mono = Math.max(mono, at);
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: at });
  node.dispatchEvent(event);
  await tick();
}

/** Presses X at a given time of the event clock. */
async function typeX(at: number) {
  mono = Math.max(mono, at);
  const event = new KeyboardEvent('keydown', { key: 'x', code: 'KeyX', bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: at });
  window.dispatchEvent(event);
  await tick();
}

const rejected = () => fake.calls.filter((call) => call.op === 'reject');
const button = (name: RegExp | string) => screen.getByRole('button', { name });
const approved = () => fake.calls.filter((call) => call.op === 'approve');

describe('the approval card', () => {
  it('takes the focus itself, never a button', () => {
    const { view } = show();
    expect(document.activeElement).toBe(view.container.querySelector('.ask'));
  });

  it('does not take the focus from someone typing', () => {
    const field = document.body.appendChild(document.createElement('textarea'));
    field.focus();
    show();
    expect(document.activeElement).toBe(field);
    field.remove();
  });

  it('does not take the focus from someone in a form, such as the steps of a plan', () => {
    const form = document.body.appendChild(document.createElement('form'));
    const box = form.appendChild(document.createElement('input'));
    box.type = 'checkbox';
    box.focus();
    show();
    expect(document.activeElement).toBe(box);
    form.remove();
  });

  it('does nothing on Enter, Space or Y while the card has the focus', async () => {
    const { view } = show();
    mono += 10_000;
    const card = view.container.querySelector('.ask') as HTMLElement;
    for (const key of ['Enter', ' ', 'y', 'Y']) await fireEvent.keyDown(card, { key });
    expect(approved()).toHaveLength(0);
  });

  it('ignores a press within 600 ms of appearing, and takes one after', async () => {
    const { one } = show();
    await press(button('Approve move'), 1000 + GUARD_MS - 1);
    expect(approved()).toHaveLength(0);
    await press(button('Approve move'), 1000 + GUARD_MS + 1);
    expect(approved()).toEqual([{ op: 'approve', args: { id: 'a-test', digest: one.digest } }]);
  });

  it('ignores a press within 600 ms of moving', async () => {
    show();
    place = { ...place, top: 300 };
    await press(button('Approve move'), 5000);
    expect(approved()).toHaveLength(0);
    await press(button('Approve move'), 5000 + GUARD_MS);
    expect(approved()).toHaveLength(1);
  });

  it('ignores a press within 600 ms of changing', async () => {
    const { view } = show();
    mono = 8000;
    const changed = approval(
      'a-test',
      'calendar.update',
      { ...moveCard, title: 'Move “Mara / Raj” to Friday' },
      clock.now(),
    );
    await view.rerender({ approval: changed });
    flushSync();
    await press(button('Approve move'), 8000 + GUARD_MS - 10);
    expect(approved()).toHaveLength(0);
    await press(button('Approve move'), 8000 + GUARD_MS);
    expect(approved()).toHaveLength(1);
  });

  it('stays closed until the end of a long text was seen', async () => {
    letter = { clientHeight: 190, scrollHeight: 900 };
    const { view } = show({}, mailCard, 'email.reply');
    const approve = button('Approve send');
    expect(approve.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('Read to the end of the text to approve').classList).not.toContain('idle');
    await press(approve, 9000);
    expect(approved()).toHaveLength(0);
    const box = view.container.querySelector('.letter') as HTMLElement;
    box.scrollTop = 300;
    await fireEvent.scroll(box);
    expect(approve.getAttribute('aria-disabled')).toBe('true');
    box.scrollTop = 710;
    await fireEvent.scroll(box);
    expect(approve.getAttribute('aria-disabled')).toBe('false');
    await press(approve, 19_000);
    expect(approved()).toHaveLength(1);
  });

  it('stays closed until the end of a long list was seen', async () => {
    letter = { clientHeight: 190, scrollHeight: 900 };
    const { view } = show({}, batchCard, 'task.delete');
    await press(button('Approve: delete 23 tasks'), 9000);
    expect(approved()).toHaveLength(0);
    const box = view.container.querySelector('.batch') as HTMLElement;
    box.scrollTop = 710;
    await fireEvent.scroll(box);
    await press(button('Approve: delete 23 tasks'), 19_000);
    expect(approved()).toHaveLength(1);
  });

  it('is armed by A, shows Enter, and is disarmed by leaving', async () => {
    show();
    await fireEvent.keyDown(window, { key: 'a', code: 'KeyA' });
    const approve = button(/^Approve move/);
    expect(document.activeElement).toBe(approve);
    const cap = approve.querySelector('kbd');
    expect(cap?.classList.contains('idle')).toBe(false);
    expect(approved()).toHaveLength(0);
    approve.blur();
    await tick();
    expect(cap?.classList.contains('idle')).toBe(true);
  });

  it('does not take Space, nor Enter from a key held down, on the button', () => {
    show();
    const approve = button('Approve move');
    for (const init of [{ key: ' ' }, { key: 'Enter', repeat: true }]) {
      const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
      approve.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(true);
    }
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    approve.dispatchEvent(enter);
    expect(enter.defaultPrevented).toBe(false);
  });

  it('is rejected by X, but not by one within 600 ms of appearing, which is said', async () => {
    show();
    await typeX(1000 + GUARD_MS - 1);
    expect(rejected()).toHaveLength(0);
    expect(screen.getByText(/Press again/).classList.contains('idle')).toBe(false);
    await typeX(1000 + GUARD_MS);
    await eventually(() => expect(rejected()).toHaveLength(1));
  });

  it('ignores a click on Reject within 600 ms of appearing or moving, and says so', async () => {
    show();
    await press(button('Reject'), 1000 + GUARD_MS - 1);
    place = { ...place, top: 300 };
    await press(button('Reject'), 5000);
    expect(rejected()).toHaveLength(0);
    expect(screen.getByText(/Press again/).classList.contains('idle')).toBe(false);
    await press(button('Reject'), 5000 + GUARD_MS);
    expect(rejected()).toHaveLength(1);
  });

  it('takes no X meant for the card whose keys it was given', async () => {
    const { one, view } = show();
    await view.rerender({ approval: one, keys: 'focus' });
    mono = 9000;
    await view.rerender({ approval: one, keys: 'window' });
    flushSync();
    await typeX(9100);
    expect(rejected()).toHaveLength(0);
    await typeX(9000 + GUARD_MS);
    await eventually(() => expect(rejected()).toHaveLength(1));
  });

  it('says so when Approve came too early', async () => {
    show();
    await press(button('Approve move'), 1000 + GUARD_MS - 1);
    expect(screen.getByText(/Press again/).classList.contains('idle')).toBe(false);
  });

  it('says why Approve is shut once it is pressed, also after a hasty Reject', async () => {
    letter = { clientHeight: 190, scrollHeight: 900 };
    show({}, mailCard, 'email.reply');
    await typeX(1000 + GUARD_MS - 1);
    const idle = (words: RegExp) => screen.getByText(words).classList.contains('idle');
    expect(idle(/Press again/)).toBe(false);
    await press(screen.getByRole('button', { name: /^Approve/ }), 1000 + GUARD_MS * 3);
    expect(idle(/Press again/)).toBe(true);
    expect(idle(/end of the text/)).toBe(false);
    expect(approved()).toHaveLength(0);
  });

  it('leaves the focus where the person went while it worked', async () => {
    const { view } = show();
    const call = vi.spyOn(host, 'call').mockRejectedValueOnce(new HostFault({ code: 'x', message: 'No.', hint: '' }));
    const field = document.body.appendChild(document.createElement('textarea'));
    mono += 10_000;
    await press(button('Approve move'), mono);
    field.focus();
    await eventually(() => expect(view.container.textContent).toContain('No.'));
    expect(document.activeElement).toBe(field);
    field.remove();
    call.mockRestore();
  });

  it.each([
    ['a pointer, where the focus stayed around the card', 1, true],
    ['the keyboard', 0, false],
  ])('decided by %s, it gives the focus to the message field or its result', async (_, detail, leaves) => {
    const one = approval('a-focus', 'calendar.update', moveCard, clock.now());
    fake.world.put(one);
    const onpointed = vi.fn();
    const { container, rerender } = render(ApprovalCard, { approval: one, onpointed });
    flushSync();
    container.tabIndex = 0;
    if (leaves) container.focus();
    else button('Approve move').focus();
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, detail });
    mono = 9000;
    Object.defineProperty(event, 'timeStamp', { value: mono });
    button('Approve move').dispatchEvent(event);
    await eventually(() => expect(fake.world.approval('a-focus').state).not.toBe('pending'));
    await rerender({ approval: { ...one, state: 'succeeded' } });
    await eventually(() => expect(onpointed).toHaveBeenCalledTimes(leaves ? 1 : 0));
    if (!leaves) await eventually(() => expect(document.activeElement?.classList).toContain('settled'));
  });

  it('shows every part: seal, account, untrusted note, bcc, hidden characters, attachments, undo, digest', () => {
    const { view } = show({}, mailCard, 'email.reply');
    const text = view.container.textContent ?? '';
    for (const part of [
      'hannah.voss@kelm-estates.example',
      'billing@kelm-estates-office.example',
      'Bcc',
      'Nobody',
      'Unit-4-signed.pdf',
      'Cannot be undone once sent',
      'What you see is exactly what is sent',
      'Mail of 12 Jan',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('collapses when it ran out, does nothing, and can be asked again', async () => {
    show({ minutes: -1 });
    expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull();
    expect(screen.getByText('Expired unanswered, nothing done')).toBeTruthy();
    await fireEvent.click(button('Ask again'));
    await eventually(() => expect(fake.calls.some((call) => call.op === 'ask_again')).toBe(true));
  });

  it('edits its arguments in place; saving asks for a new card with them complete', async () => {
    const { one } = show({ args: mailArgs }, mailCard, 'email.reply');
    await fireEvent.click(button('Edit'));
    const subject = await screen.findByLabelText(/^Subject/);
    await fireEvent.input(subject, { target: { value: 'Lease' } });
    await fireEvent.click(button('Save as a new card'));
    await eventually(() =>
      expect(fake.calls.find((call) => call.op === 'edit')?.args).toEqual({
        id: one.id,
        args: { ...mailArgs, subject: 'Lease' },
      }),
    );
    expect(approved()).toHaveLength(0);
  });

  it('leaves out what was found in a message, and nothing else', async () => {
    show({ args: mailArgs, sources: mailSources }, mailCard, 'email.reply');
    await fireEvent.click(button('Leave it out'));
    await eventually(() =>
      expect(fake.calls.find((call) => call.op === 'edit')?.args).toMatchObject({ args: { ...mailArgs, cc: [] } }),
    );
  });

  it('keeps its list and the focus while items are left out, and asks for nothing before that is saved', async () => {
    const { view } = show({ args: batchArgs }, batchCard, 'task.delete');
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
    const [first, second] = boxes as [HTMLInputElement, HTMLInputElement];
    for (const one of [first, second]) {
      one.focus();
      await fireEvent.click(one);
      expect(document.activeElement).toBe(one);
    }
    expect(screen.getAllByRole('checkbox')).toEqual(boxes);
    expect([first.checked, second.checked]).toEqual([false, false]);
    expect(button(/^New card without 2 items/)).toBeTruthy();
    // What is stored is not what is ticked, so it cannot be approved.
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    mono = 9000;
    await fireEvent.keyDown(window, { key: 'a', code: 'KeyA' });
    expect(document.activeElement).toBe(button(/^New card without 2 items/));
    await typeX(9500);
    await fireEvent.click(second);
    expect(second.checked).toBe(true);
    await fireEvent.click(button('Keep all'));
    expect(first.checked).toBe(true);
    expect(document.activeElement).toBe(view.container.querySelector('.ask'));
    expect(fake.calls.map((call) => call.op)).not.toContain('edit');
    expect(rejected()).toEqual([]);
    // A second press of “Keep all” is no decision.
    await press(button('Approve: delete 23 tasks'), mono + GUARD_MS - 10);
    expect(approved()).toEqual([]);
  });

  it('takes an item out of a batch by asking for a new card', async () => {
    show({ args: batchArgs }, batchCard, 'task.delete');
    await fireEvent.click(screen.getByRole('checkbox', { name: /Renew domain/ }));
    await fireEvent.click(button(/^New card without 1 item/));
    const ids = batchCard.items.map((item) => item.id).filter((id) => id !== 'old-3');
    await eventually(() =>
      expect(fake.calls.find((call) => call.op === 'edit')?.args).toMatchObject({ args: { ids } }),
    );
    const fresh = await eventually(() => {
      const { superseded_by } = fake.world.approval('a-test');
      if (superseded_by === null) throw new Error('not replaced yet');
      return fake.world.approval(superseded_by);
    });
    expect(fresh.shown.items.map((item) => item.id)).toEqual(ids);
    expect(fresh.args).toEqual({ ids });
  });

  it('takes one out of what was named by its ids, each time from what is left', async () => {
    const ids = ['old-1', 'old-2', 'old-3'];
    show({ args: { ids } }, { ...batchCard, items: batchCard.items.slice(0, 3) }, 'task.delete');
    await fireEvent.click(screen.getByRole('checkbox', { name: /quote/ }));
    await fireEvent.click(button(/^New card without 1 item/));
    await eventually(() => expect(fake.world.approval('a-test').state).toBe('superseded'));
    const next = fake.world.approval(String(fake.world.approval('a-test').superseded_by));
    expect(next.args).toEqual({ ids: ['old-1', 'old-3'] });
  });

  it('offers no item of several calls: they are one decision', () => {
    show({ args: batchCard.items.map(({ id }) => ({ id })) }, batchCard, 'task.delete');
    expect(screen.queryAllByRole('checkbox')).toEqual([]);
    expect(screen.getByText('Renew domain')).toBeTruthy();
    expect(button('Approve: delete 23 tasks')).toBeTruthy();
  });

  it('shows under each of several calls what is in it: its notes, facts and text', () => {
    const [first, second] = batchCard.items;
    if (!first || !second) throw new Error('no items');
    const found = { label: 'To', value: 'x@elsewhere.example', before: null, source: { kind: 'found', detail: null } };
    const items = [
      first,
      {
        ...second,
        notes: [{ kind: 'untrusted', text: 'This address comes from a message.' }],
        facts: [found],
        body: 'Thank you, until Friday.',
      },
    ];
    const { one } = show({ args: [{}, {}] }, { ...batchCard, items }, 'email.reply');
    const [, mine] = screen.getAllByRole('listitem');
    for (const text of ['This address comes from a message.', 'x@elsewhere.example', 'Thank you, until Friday.'])
      expect(mine?.textContent).toContain(text);
    expect(isTainted(one)).toBe(true);
  });

  it('edits one of several calls by itself, where each stands as an item of its own', async () => {
    const items = batchCard.items.slice(0, 3);
    const args = items.map(({ id, label }) => ({ id, title: label }));
    show({ args }, { ...batchCard, items }, 'task.update');
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    await fireEvent.click(button('Edit: Call Bergmann about the quote'));
    const field = await screen.findByLabelText<HTMLInputElement>(/^Title/);
    expect(field.value).toBe('Call Bergmann about the quote');
    // Approve is gone while the card is being edited.
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    await fireEvent.input(field, { target: { value: 'Write to Bergmann' } });
    await fireEvent.click(button(/^Save/));
    await eventually(() =>
      expect(fake.calls.find((call) => call.op === 'edit')?.args).toEqual({
        id: 'a-test',
        args: { id: 'old-2', title: 'Write to Bergmann' },
        call: 1,
      }),
    );
    await eventually(() => expect(fake.world.approval('a-test').state).toBe('superseded'));
    const next = fake.world.approval(String(fake.world.approval('a-test').superseded_by));
    expect(next.shown.items.map((item) => item.label)).toEqual([items[0]?.label, 'Write to Bergmann', items[2]?.label]);
  });

  it('edits no call of several where the card does not show each as an item', () => {
    show({ args: [{ id: 'a', title: 'A' }] }, batchCard, 'task.update');
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
  });

  it('says why when the engine refuses, and stays open', async () => {
    const { one } = show();
    fake.world.put({ ...one, digest: 'other' });
    await press(button('Approve move'), 9000);
    await eventually(() => expect(screen.getByRole('alert').textContent).toContain('nothing was done'));
    expect(fake.world.approval('a-test').state).toBe('pending');
  });

  it.each([
    ['succeeded', 'Done'],
    ['failed', 'Not done'],
    ['unknown', 'May have been done'],
    ['denied', 'Rejected, nothing done'],
    ['cancelled', 'Cancelled, nothing done'],
    ['superseded', 'Replaced by a newer card'],
    ['executing', 'Working…'],
  ] as const)('has no Approve once it is %s', (state, words) => {
    const { view } = show({ state, superseded_by: 'a2' });
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    expect(view.container.textContent).toContain(words);
  });
});
