import { describe, expect, it } from 'vitest';
import { hrefOf, marked } from './sources';

describe('sources', () => {
  it('marks the words wherever they stand, in any case, and loses nothing of the text', () => {
    const text = 'Write to A@x.example, not to b@x.example; a@x.example it is.';
    const pieces = marked(text, 'a@X.example');
    expect(pieces.filter((_, place) => place % 2 === 1)).toEqual(['A@x.example', 'a@x.example']);
    expect(pieces.join('')).toBe(text);
    expect(marked(text, null)).toEqual([text]);
    expect(marked(text, '')).toEqual([text]);
    // Lowercasing changes the length of these letters: highlight nothing rather than the wrong place.
    expect(marked('İİ a@x.example', 'a@x.example')).toHaveLength(1);
  });

  it('have an address when they have a place in the window', () => {
    expect(hrefOf({ kind: 'event', id: 'e 1' }, 'main')).toBe('#/today/e%201');
    expect(hrefOf({ kind: 'message', id: 't1' }, 'main')).toBe('#/chat/main');
    expect(hrefOf({ kind: 'mail', id: 'm1' }, 'main')).toBe('#/mail/m1');
    expect(hrefOf({ kind: 'contact', id: 'c1' }, 'main')).toBe('#/contacts/c1');
    expect(hrefOf({ kind: 'telepathy', id: 't1' }, 'main')).toBeNull();
  });
});
