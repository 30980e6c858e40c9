import { describe, expect, it } from 'vitest';
import { checks } from '../../host/fake/recorded';
import { byUrgency, checkText, needsYou } from './health';

const check = (name: string, state: string, found = 'as the engine says it', hint = 'Do this.') => ({
  name,
  state,
  found,
  hint,
});

describe('a check', () => {
  it('is told in words for each thing that the engine reports', () => {
    for (const one of checks) {
      expect(checkText(one).means, one.name).not.toBe('');
      expect(checkText(one).means.toLowerCase(), one.name).not.toContain(one.found.toLowerCase());
    }
  });

  it('says what to do and where, unless it is in order', () => {
    const time = checkText(check('Time', 'missing', 'the system has no time zone set'));
    expect(time).toEqual({
      what: 'Time zone',
      means: 'This computer does not say where it is, so times are in UTC.',
      next: 'Do this.',
      section: 'time',
    });
    expect(checkText(check('Time', 'ok'))).toMatchObject({ next: '', section: null });
  });

  it('names the one of several that it is about', () => {
    expect(checkText(check('Model My lab', 'broken')).what).toBe('Model “My lab”');
    expect(checkText(check('Files', 'broken', '/home/mara/Old papers: permission denied')).what).toBe(
      'Folder “Old papers”',
    );
  });

  it('that is not known here stands in the words of the engine', () => {
    expect(checkText(check('Tides', 'broken', 'the moon is late'))).toEqual({
      what: 'Tides',
      means: 'The moon is late.',
      next: 'Do this.',
      section: null,
    });
  });
});

describe('the checks', () => {
  it('begin with what needs the person', () => {
    const all = [check('Time', 'ok'), check('You', 'optional'), check('Search', 'missing'), check('Storage', 'broken')];
    expect(byUrgency(all).map((one) => one.name)).toEqual(['Storage', 'Search', 'Time', 'You']);
    expect(all.filter(needsYou).map((one) => one.name)).toEqual(['Search', 'Storage']);
  });
});
