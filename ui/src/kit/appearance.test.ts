import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { host } from '../host';
import { fake } from '../host/fake';
import { settings } from '../host/fake/recorded';
import { chooseLook, followAppearance, lookOf } from './appearance';
import { look } from './look.svelte';
import { eventually } from './test/eventually';

const root = document.documentElement;
const listed = () => fake.calls.filter((call) => call.op === 'config_list').length;
let stop = () => {};

/** Changes a setting like the command line does: stores it and notifies every window. */
const set = (key: string, value: string) => {
  fake.world.settings = fake.world.settings.map((one) => (one.key === key ? { ...one, value } : one));
  fake.world.changed('settings');
};

/** A window subscribes only once, to the world of the first test. */
let world: typeof fake.world | undefined;

beforeEach(() => {
  world ??= fake.world;
  fake.world = world;
  world.settings = structuredClone(settings);
  look.set({ theme: 'system', motion: 'system', text: 1, letters: true });
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

describe('the look of the window', () => {
  it('is asked for only once the first frame is painted, and then is what the settings say', async () => {
    let paint: FrameRequestCallback = () => {};
    vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((run) => ((paint = run), 1));
    look.set({ theme: 'light' });
    fake.world.settings = fake.world.settings.map(
      (one) =>
        ({ 'desktop.theme': { ...one, value: 'dark' }, 'desktop.text_size': { ...one, value: '130' } })[one.key] ?? one,
    );
    stop = followAppearance();
    await tick();
    expect([listed(), root.dataset['theme']]).toEqual([0, 'light']);
    paint(0);
    await eventually(() => expect(root.dataset['theme']).toBe('dark'));
    expect([root.style.fontSize, listed()]).toEqual(['130%', 1]);
  });

  it('is not touched when the settings say what is shown already', async () => {
    stop = followAppearance();
    const before = look.changes;
    const answers = vi.spyOn(host, 'call');
    await eventually(() => expect(answers).toHaveResolved());
    await tick();
    expect([listed(), look.changes]).toEqual([1, before]);
  });

  it('follows a change made elsewhere, back to the default as well', async () => {
    stop = followAppearance();
    set('desktop.motion', 'reduced');
    set('desktop.single_keys', 'false');
    await eventually(() => expect([root.dataset['motion'], look.current.letters]).toEqual(['reduced', false]));
    expect(listed()).toBeGreaterThan(1);
    set('desktop.motion', 'system');
    await eventually(() => expect(root.dataset['motion']).toBeUndefined());
  });

  it('is not set back by rows that are older than what was chosen', async () => {
    const real = host.call.bind(host);
    const waiting: (() => void)[] = [];
    const older = (await real('config_list', {})) as never;
    vi.spyOn(host, 'call').mockImplementationOnce(() => new Promise((done) => waiting.push(() => done(older))));
    stop = followAppearance();
    await eventually(() => expect(waiting).toHaveLength(1));
    await chooseLook('desktop.theme', 'dark');
    const themes: (string | undefined)[] = [];
    const watch = new MutationObserver(() => themes.push(root.dataset['theme']));
    watch.observe(root, { attributes: true });
    waiting[0]?.();
    await eventually(() => expect(listed()).toBeGreaterThan(1));
    await tick();
    expect([look.current.theme, themes.filter((one) => one !== 'dark')]).toEqual(['dark', []]);
    watch.disconnect();
  });

  it('chosen from the palette is stored, and taken back when it is refused', async () => {
    await chooseLook('desktop.theme', 'dark');
    expect(fake.world.settings.find((one) => one.key === 'desktop.theme')?.value).toBe('dark');
    vi.spyOn(host, 'call').mockRejectedValueOnce(new Error('no'));
    await chooseLook('desktop.theme', 'light');
    expect(root.dataset['theme']).toBe('dark');
  });

  it('is what each setting says, and nothing for a value nobody knows', () => {
    expect(lookOf([{ key: 'desktop.text_size', value: '150' }])).toEqual({ text: 1.5 });
    expect(lookOf([{ key: 'desktop.theme', value: 'pink' }])).toEqual({});
    expect(lookOf([{ key: 'desktop.text_size', value: 'huge' }])).toEqual({});
  });
});
