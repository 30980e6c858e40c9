import type { Setting } from '../../host';
import { look, type Look } from '../../kit/look.svelte';

const THEMES = ['system', 'light', 'dark'] as const;
const PER_CENT = 100;

/** What these settings mean for the window: only what they say, so one alone changes only its own part. */
export function lookOf(settings: readonly Setting[]): Partial<Look> {
  const change: Partial<Look> = {};
  for (const { key, value } of settings) {
    if (key === 'desktop.theme') {
      const theme = THEMES.find((one) => one === value);
      if (theme) change.theme = theme;
    }
    if (key === 'desktop.text_size') {
      const size = Number(value);
      if (Number.isFinite(size) && size > 0) change.text = size / PER_CENT;
    }
    if (key === 'desktop.motion') change.motion = value === 'reduced' ? 'reduced' : 'system';
    if (key === 'desktop.single_keys') change.letters = value !== 'false';
  }
  return change;
}

/** The window looks as the settings say. What nobody set leaves what this window was told in the palette. */
export function adopt(settings: readonly Setting[]): void {
  const change = lookOf(settings.filter((setting) => setting.origin !== 'default'));
  const current = look.current;
  const differs = (Object.keys(change) as (keyof Look)[]).some((key) => change[key] !== current[key]);
  if (differs) look.set(change);
}
