import { faultOf, host, type Setting } from '../host';
import { onChanged } from './changes';
import { look, type Look } from './look.svelte';
import { toasts } from './toast.svelte';
import { Newest } from './newest';

const THEMES = ['system', 'light', 'dark'] as const;
const PER_CENT = 100;

/** Settings that the person can also change outside Settings. */
type Chosen = 'desktop.theme' | 'desktop.single_keys';

/**
 * Applies the appearance settings: loads them after the first frame (which shows the stored look), and again whenever
 * settings change anywhere. Returns a function that stops this.
 */
export function followAppearance(): () => void {
  const newest = new Newest();
  const load = async () => {
    const current = newest.begin();
    const before = look.changes;
    try {
      const { settings } = await host.call('config_list', {});
      if (!current()) return;
      // The look has changed in the meantime: these rows are outdated.
      if (look.changes !== before) return void load();
      adopt(settings);
    } catch {
      // Keep the stored look.
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A hidden window paints no frame to wait for.
  const frame = document.hidden ? 0 : requestAnimationFrame(() => (timer = setTimeout(() => void load())));
  if (document.hidden) void load();
  const stop = onChanged(['settings'], () => void load());
  return () => {
    newest.overtake();
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    stop();
  };
}

/**
 * Changes a setting from the palette or the list of keys: applies it at once, stores it, and reverts it if storing
 * fails.
 */
export async function chooseLook(key: Chosen, value: string): Promise<void> {
  const before = look.current;
  look.set(lookOf([{ key, value }]));
  try {
    await host.call('config_set', { key, value });
  } catch (thrown) {
    look.set(before);
    const fault = faultOf(thrown);
    toasts.show(`${fault.message} ${fault.hint}`.trim());
  }
}

/** Converts settings into a look; includes only the given settings, so that one setting changes only its own part. */
export function lookOf(settings: readonly Pick<Setting, 'key' | 'value'>[]): Partial<Look> {
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

/** Applies only real differences: no flash, no second layout. */
function adopt(settings: readonly Setting[]): void {
  const change = lookOf(settings);
  const current = look.current;
  const differs = (Object.keys(change) as (keyof Look)[]).some((key) => change[key] !== current[key]);
  if (differs) look.set(change);
}
