import { describe, expect, it } from 'vitest';
import { approval, mailArgs, mailCard, mailSources } from '../../host/fake/cards';
import { fieldsOf, withFields, withoutFound, withoutItem } from './args';

const mail = approval('a', 'email.reply', mailCard, 0, { args: mailArgs, sources: mailSources });

describe('editing the arguments of an action', () => {
  it('offers what is text, not what points at records', () => {
    expect(fieldsOf(mail).map((field) => field.key)).toEqual(['to', 'cc', 'bcc', 'subject', 'body']);
    expect(fieldsOf({ ...mail, args: [mailArgs] })).toEqual([]);
    expect(fieldsOf({ ...mail, args: { event: 'e1', all: true, start: '2026-01-15' } }).map((one) => one.key)).toEqual([
      'start',
    ]);
  });

  it('writes lists one entry a line, and leaves the rest as it was', () => {
    const fields = fieldsOf(mail).filter((field) => field.key === 'to');
    const next = withFields(
      mailArgs,
      fields.map((field) => ({ ...field, text: 'a@x.example\n b@y.example ,' })),
    );
    expect(next).toEqual({ ...mailArgs, to: ['a@x.example', 'b@y.example'] });
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

  it('takes one call out of a batch', () => {
    expect(withoutItem([{ task: 'a' }, { task: 'b' }], 0)).toEqual([{ task: 'b' }]);
  });
});
