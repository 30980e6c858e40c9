import { expect, it } from 'vitest';
import { Selection } from './selection.svelte';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const picked = (selection: Selection) => selection.among(ORDER, (one) => one).join('');

it('stretches from where it began, in both directions, and starts anew at what is picked alone', () => {
  const selection = new Selection();
  selection.stretch(ORDER, 'b', 'd');
  expect(picked(selection)).toBe('bcd');
  selection.stretch(ORDER, 'd', 'a');
  expect(picked(selection)).toBe('ab');
  selection.toggle('e');
  expect(picked(selection)).toBe('abe');
  selection.stretch(ORDER, 'a', 'c');
  expect(picked(selection)).toBe('cde');
});

it('lets go of what is gone, and a stretch never begins at a row that is gone', () => {
  const selection = new Selection();
  selection.toggle('b');
  selection.all(ORDER);
  selection.keep(new Set(['c', 'd']));
  expect(picked(selection)).toBe('cd');
  selection.stretch(['c', 'd', 'e'], 'd', 'e');
  expect(picked(selection)).toBe('de');
  selection.clear();
  expect([picked(selection), selection.size]).toEqual(['', 0]);
});
