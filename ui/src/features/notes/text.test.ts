import { describe, expect, it } from 'vitest';
import { belowTitle } from './text';

describe('the text below the title', () => {
  it('does not begin with the title again', () => {
    expect(belowTitle('Alarm code', '# Alarm code\n\nIt changed.')).toBe('\nIt changed.');
    expect(belowTitle('alarm code', '\n## Alarm code ##\nIt changed.')).toBe('It changed.');
    expect(belowTitle('Alarm code', '# Alarm code')).toBe('');
  });
  it('is found at once, however a text of others begins', () => {
    const run = ' '.repeat(20_000);
    for (const body of [`# a${run}b\nText`, `# a${run}\tb`, `${'\n'.repeat(20_000)}# b`, `# ${'#'.repeat(20_000)}b`]) {
      expect(belowTitle('a', body)).toBe(body);
    }
    expect(belowTitle('a', `# a${run}##${run}\nText`)).toBe('Text');
  });
  it('keeps any other beginning', () => {
    for (const body of ['# Other\nText', 'Alarm code\nText', 'Text\n# Alarm code', '#Alarm code', '']) {
      expect(belowTitle('Alarm code', body)).toBe(body);
    }
    expect(belowTitle('', '# \nText')).toBe('# \nText');
  });
});
