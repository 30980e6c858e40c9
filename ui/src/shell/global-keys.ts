import { frame } from '../kit/frame.svelte';
import { bindKeys, inTextField } from '../kit/keys.svelte';
import { router } from '../kit/router.svelte';
import { stopEverything } from '../kit/stop';
import { undoLast } from '../kit/undo';
import { digitOf, surfaces } from './surfaces';

/** The regions of the window in F6 order. Hidden regions are skipped. */
const REGIONS = [
  '[data-region="storage"]',
  '[data-region="sample"]',
  '[data-region="rail"]',
  '[data-region="content"]',
  '[data-region="compose"]',
  '[data-region="plan"]',
];

/** Where the focus lands in a region, in order of preference. */
const STARTS = ['[data-region-start]', 'h1, h2[tabindex]', 'a[tabindex="0"]', 'button:not([tabindex="-1"])'];

/** Binds the keys that work anywhere in the main window. */
export function globalKeys(): () => void {
  const places = Object.fromEntries(
    surfaces.flatMap((surface) => {
      const digit = digitOf(surface);
      return digit === null ? [] : [[`mod+${digit}`, () => router.go(surface.name)] as const];
    }),
  );
  return bindKeys({
    ...places,
    'mod+k': () => frame.openPalette(),
    'mod+shift+f': () => frame.openPalette(),
    'mod+n': () => router.go('chat', 'new'),
    'mod+shift+h': () => router.go('conversations'),
    'mod+,': () => router.go('settings'),
    'mod+shift+.': () => void stopEverything(),
    'mod+\\': () => {
      if (innerWidth < 70 * rem()) frame.sheet = !frame.sheet;
      else void (frame.plan ? frame.hidePlan() : frame.showPlan());
    },
    // In a text field, leave undo to the field.
    'mod+z': () => {
      if (inTextField()) return false;
      void undoLast();
      return true;
    },
    'mod+shift+a': () => {
      const cards = document.querySelectorAll<HTMLElement>('[data-card="pending"]');
      const newest = [...cards].at(-1);
      if (newest) newest.focus();
      else router.go('approvals');
    },
    F6: () => nextRegion(1),
    'shift+F6': () => nextRegion(-1),
    '?': () => {
      frame.keys = true;
    },
  });
}

function rem(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

function nextRegion(step: 1 | -1): void {
  const shown = REGIONS.flatMap((selector) => {
    const region = document.querySelector<HTMLElement>(selector);
    return region && region.offsetParent !== null ? [region] : [];
  });
  // Take the innermost region: the composer lies inside the content.
  const here = document.activeElement?.closest('[data-region]');
  const at = shown.findIndex((region) => region === here);
  const next = shown.at((at < 0 ? (step > 0 ? 0 : -1) : at + step) % shown.length);
  if (!next) return;
  const stops = STARTS.flatMap((selector) => [...next.querySelectorAll<HTMLElement>(selector)]);
  const stop = stops.find((one) => one.offsetParent !== null && one.closest('[data-region]') === next);
  (stop ?? next).focus();
}
