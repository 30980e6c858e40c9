import { describe, expect, it } from 'vitest';
import { settings } from '../../host/fake/recorded';
import { t } from '../../kit/strings';
import {
  ELSEWHERE,
  before,
  fits,
  inSection,
  isFixed,
  KNOWN,
  parts,
  placesFor,
  SECTIONS,
  sectionOf,
  shortcutOf,
} from './sections';

describe('settings', () => {
  it('each stand in exactly one section, and one nobody knows stands under “other”', () => {
    const all = [...settings, { ...settings[0], key: 'brand.new' } as (typeof settings)[number]];
    expect(SECTIONS.flatMap((section) => inSection(all, section)).length).toBe(all.length - ELSEWHERE.size);
    expect([...ELSEWHERE].every((key) => settings.some((setting) => setting.key === key))).toBe(true);
    expect(settings.filter((setting) => sectionOf(setting) === 'other')).toEqual([]);
    expect(inSection(all, 'other').map((one) => [one.setting.key, one.known])).toEqual([['brand.new', null]]);
  });

  it('are found by all of the words, in any of their texts', () => {
    expect(fits('dark THEME', ['Theme', 'Light, dark, or as the system.'])).toBe(true);
    expect(fits('dark banana', ['Theme', 'dark'])).toBe(false);
  });

  it('go back to the default when they were not set, and to the value when they were', () => {
    const [first] = settings;
    if (!first) throw new Error('no rows');
    expect(before({ ...first, value: 'x', origin: 'default' })).toBeNull();
    expect(before({ ...first, value: 'x', origin: 'profile' })).toBe('x');
    expect([isFixed({ ...first, origin: 'environment' }), isFixed({ ...first, origin: 'profile' })]).toEqual([
      true,
      false,
    ]);
    expect(parts(' a, ,b ')).toEqual(['a', 'b']);
  });

  it('take a shortcut only with a key that is not typed', () => {
    const press = (init: KeyboardEventInit) => shortcutOf(new KeyboardEvent('keydown', init));
    expect(press({ key: ' ', code: 'Space', ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+Space');
    expect(press({ key: 'a', code: 'KeyA', altKey: true })).toBe('Alt+A');
    expect(press({ key: 'A', code: 'KeyA', shiftKey: true })).toBeNull();
    expect(press({ key: 'Shift', shiftKey: true, ctrlKey: true })).toBeNull();
    expect(press({ key: 'a', code: 'KeyA' })).toBeNull();
  });

  it('are explained where the name leaves something open, and never by saying the name again', () => {
    const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, '');
    const again = Object.values(KNOWN).filter((one) => one.note && bare(t(one.note)) === bare(t(one.label)));
    expect(again).toEqual([]);
  });

  it('and what else is there are found by what people call them', () => {
    const first = (words: string) => {
      const [place] = placesFor(words, SECTIONS);
      return place && (place.at === null ? place.section : `${place.section}/${place.at}`);
    };
    for (const [words, at] of [
      ['erase', 'data/erase'],
      ['delete everything', 'data/erase'],
      ['export', 'data/export'],
      ['import', 'data/import'],
      ['privacy', 'data'],
      ['spending', 'models/spending'],
      ['budget', 'models/spending'],
      ['ollama', 'models'],
      ['model', 'models'],
      ['health', 'health'],
      ['doctor', 'health'],
      ['keyboard', 'keyboard'],
      ['shortcuts', 'keyboard/keys'],
      ['key', 'keyboard'],
    ] as const) {
      expect([words, first(words)]).toEqual([words, at]);
    }
    expect(placesFor('key', SECTIONS).map((one) => one.at)).toContain('add');
    expect(placesFor('nothing has this', SECTIONS)).toEqual([]);
  });
});
