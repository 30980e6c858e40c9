import { describe, expect, it } from 'vitest';
import { host } from '../host';
import { keepSignature, signatureFor, signaturesIn } from './signatures';

describe('a signature', () => {
  it('is that of the own address which got the mail, or else of the usual one', async () => {
    await host.call('config_set', { key: 'owner.emails', value: 'me@home.example, me@work.example' });
    await keepSignature(['me@home.example'], 'At home');
    await keepSignature(['Me@Work.example'], 'At work');
    expect(await signatureFor([])).toBe('At home');
    expect(await signatureFor(['bob@x.example', 'ME@work.example'])).toBe('At work');
    await keepSignature(['me@home.example'], ' ');
    expect(await signatureFor([])).toBe('');
  });

  it('is none where the setting cannot be read', () => {
    for (const damaged of ['', '{', '[]', 'null', '{"a":1}']) expect(signaturesIn(damaged).size).toBe(0);
  });
});
