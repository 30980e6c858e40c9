import { describe, expect, it } from 'vitest';
import { addressParts, inspect } from './inspect';

const codes = (text: string) => inspect(text).flatMap((piece) => (piece.kind === 'escaped' ? [piece.code] : []));
const plain = (text: string) => inspect(text).every((piece) => piece.kind === 'plain');

describe('inspect', () => {
  it.each([
    ['Zoë Müller, straße 5 €', 'accents'],
    ['Владимир Иванов', 'a name wholly in another script'],
    ['Σοφία 2026', 'Greek'],
    ['محمد علي', 'Arabic'],
    ['日本語のメール', 'Japanese'],
    ['👩‍👧 ok ❤️', 'emoji sequences'],
    ['line one\nline two\tand a tab', 'line breaks'],
  ])('leaves ordinary text alone: %s (%s)', (text) => {
    expect(plain(text)).toBe(true);
  });

  it('names hidden and bidi characters', () => {
    expect(codes('invoice\u202egpj.exe')).toEqual(['U+202E']);
    expect(codes('a\u200bb\u2066c\u2069')).toEqual(['U+200B', 'U+2066', 'U+2069']);
    expect(codes('tag\u{e0041}s')).toEqual(['U+E0041']);
    expect(codes('null\u0000')).toEqual(['U+0000']);
  });

  it('names look-alike letters inside Latin words, and only those', () => {
    expect(codes('p\u0430ypal')).toEqual(['U+0430']);
    expect(codes('\u0391pple and Αθήνα')).toEqual(['U+0391']);
  });

  it('loses nothing of the text', () => {
    const text = 'x\u202ey p\u0430y';
    const back = inspect(text)
      .map((piece) =>
        piece.kind === 'plain' ? piece.text : piece.text || String.fromCodePoint(parseInt(piece.code.slice(2), 16)),
      )
      .join('');
    expect(back).toBe(text);
  });
});

describe('addressParts', () => {
  it('sets name and address apart', () => {
    expect(addressParts('Raj Patel <raj@x.example>')).toEqual({ name: 'Raj Patel', address: 'raj@x.example' });
    expect(addressParts('raj@x.example')).toBeNull();
    expect(addressParts('a < b, c > d')).toBeNull();
  });
});
