import { expect, it } from 'vitest';
import { beside } from './beside';

const view = { width: 1000, height: 700 };
const box = { width: 400, height: 300 };

it('puts a box after what it is about, else before it, and never over it', () => {
  expect(beside({ left: 100, right: 200, top: 80 }, box, view)).toEqual({ left: 208, top: 80 });
  expect(beside({ left: 700, right: 800, top: 80 }, box, view)).toEqual({ left: 292, top: 80 });
  expect(beside({ left: 300, right: 700, top: 80 }, box, view)).toBeNull();
});

it('keeps it in the window', () => {
  expect(beside({ left: 100, right: 200, top: 650 }, box, view)?.top).toBe(388);
  expect(beside({ left: 100, right: 200, top: -20 }, box, view)?.top).toBe(12);
  expect(beside({ left: 100, right: 200, top: 80 }, { ...box, height: 690 }, view)).toBeNull();
});
