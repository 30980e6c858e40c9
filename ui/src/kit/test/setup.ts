import { cleanup, configure } from '@testing-library/svelte';
import { afterEach, beforeEach } from 'vitest';
import { fake } from '../../host/fake';
import '../../host';
import { clock } from '../clock.svelte';
import { forgetResults } from '../result-cache';
import { APPEAR_MS } from './eventually';

// jsdom has no layout and no top layer; these stand in for the browser APIs that components use.
class NoResize {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoResize as unknown as typeof ResizeObserver;
globalThis.IntersectionObserver ??= NoResize as unknown as typeof IntersectionObserver;
globalThis.matchMedia ??= ((media: string) => ({
  matches: false,
  media,
  addEventListener() {},
  removeEventListener() {},
})) as never;
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
};
// Ids in tests need no escaping.
globalThis.CSS ??= { escape: (text: string) => text } as never;
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.scrollTo ??= (() => {}) as never;
Element.prototype.animate ??= (() => ({ finished: Promise.resolve(), cancel() {}, onfinish: null })) as never;

// `findBy…` waits as long as `eventually` does.
configure({ asyncUtilTimeout: APPEAR_MS });

const real = { mono: clock.mono, now: clock.now };

beforeEach(() => {
  fake.reset('populated', 0);
  localStorage.clear();
  forgetResults();
});

afterEach(() => {
  cleanup();
  clock.mono = real.mono;
  clock.now = real.now;
  location.hash = '';
});
