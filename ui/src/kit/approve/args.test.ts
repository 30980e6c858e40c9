import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../host';
import { approval, mailArgs, mailCard, mailSources } from '../../host/fake/cards';
import { canDropItems, fieldsOf, withFields, withoutFound, withoutItems } from './args';

const mail = approval('a', 'email.reply', mailCard, 0, { args: mailArgs, sources: mailSources });

describe('editing the arguments of an action', () => {
  it('offers what is text, not what points at records', () => {
    expect(fieldsOf(mail.args, 'email.send').map((field) => field.key)).toEqual(['to', 'cc', 'bcc', 'subject', 'body']);
    expect(fieldsOf({ body: 'Hi', cc: null, to: ['raj'] }, 'email.send').map((field) => field.key)).toEqual([
      'to',
      'cc',
      'bcc',
      'subject',
      'body',
    ]);
    expect(fieldsOf({ draft: 'o-1' }, 'email.send')).toEqual([]);
    expect(fieldsOf([mailArgs], 'email.send')).toEqual([]);
    expect(fieldsOf({ event: 'e1', all: true, start: '2026-01-15' }, 'calendar.update').map((one) => one.key)).toEqual([
      'start',
    ]);
  });

  it('writes lists one entry a line, and leaves the rest as it was', () => {
    const fields = fieldsOf(mail.args, 'email.send').filter((field) => field.key === 'to');
    const next = withFields(
      mailArgs,
      fields.map((field) => ({ ...field, text: 'a@x.example\n b@y.example ,' })),
    );
    expect(next).toEqual({ ...mailArgs, to: ['a@x.example', 'b@y.example'] });
  });

  it('offers recipients that an answer filled in, which the engine keeps in a list of their own', () => {
    const [to] = fieldsOf({ to: [['ana.ruiz@northwind.example'], 'raj.patel@northwind.example'] }, 'email.draft');
    expect(to).toMatchObject({
      key: 'to',
      list: true,
      text: 'ana.ruiz@northwind.example\nraj.patel@northwind.example',
    });
  });

  it('leaves out found values where the action makes sense without them', () => {
    expect(withoutFound(mail)).toEqual({ ...mailArgs, cc: [] });
    const only = { ...mail, sources: { '/to/0': { kind: 'untrusted', origin: 'mail' } } };
    expect(withoutFound(only)).toBeNull();
    expect(withoutFound({ ...mail, sources: {} })).toBeNull();
    const two = {
      ...mail,
      args: { ...mailArgs, to: ['a@x', 'b@y', 'c@z'] },
      sources: { '/to/0': { kind: 'untrusted' }, '/to/2': { kind: 'untrusted' } },
    };
    expect(withoutFound(two)).toMatchObject({ to: ['b@y'] });
  });
});

describe('taking an item out of a batch', () => {
  const ids = ['a', 'ev_x@2026-01-15T09:00:00-05:00[America/New_York]', 'c'];
  const items = ids.map((id) => ({ id, label: id, detail: null }));
  const batch = (args: JsonValue) => ({ ...mail, args, shown: { ...mail.shown, items } });

  it('filters the references of the call and leaves the rest as it was', () => {
    expect(withoutItems(batch({ ids, changes: { done: true } }), new Set([1]))).toEqual({
      ids: ['a', 'c'],
      changes: { done: true },
    });
    expect(withoutItems(batch({ id: ids }), new Set([0]))).toEqual({ ids: [ids[1], 'c'] });
    expect(withoutItems(batch({ ids }), new Set([0, 2]))).toEqual({ ids: [ids[1]] });
    expect(withoutItems(batch({ target: {} }), new Set([0, 2]))).toEqual({ ids: [ids[1]] });
    expect(withoutItems(batch({ id: 'a', ids: ids.slice(1) }), new Set([2]))).toEqual({ ids: ['a', ids[1]] });
  });

  it('names what remains on the card where the call describes it, or names a series', () => {
    expect(withoutItems(batch({ target: { text: 'x', pick: 'all' }, scope: 'this' }), new Set([2]))).toEqual({
      ids: ['a', ids[1]],
      scope: 'this',
    });
    expect(withoutItems(batch({ ids: ['a', 'ev_x', 'c'] }), new Set([1]))).toEqual({ ids: ['a', 'c'] });
  });

  it('is offered for one call about records only', () => {
    expect(canDropItems(batch({ ids }))).toBe(true);
    expect(canDropItems(batch({ target: {} }))).toBe(true);
    expect(canDropItems(batch([{ id: 'a' }, { id: 'b' }]))).toBe(false);
    expect(canDropItems(batch({ to: ['x@y.example'] }))).toBe(false);
    expect(canDropItems({ ...batch({ ids: ['a'] }), shown: { ...mail.shown, items: items.slice(0, 1) } })).toBe(false);
  });
});
