import { describe, expect, it } from 'vitest';
import { belowTitle } from './text';

describe('the text below the title', () => {
  it('does not begin with the title again', () => {
    expect(belowTitle('Alarm code', '# Alarm code\n\nIt changed.')).toBe('\nIt changed.');
    expect(belowTitle('alarm code', '\n## Alarm code ##\nIt changed.')).toBe('It changed.');
    expect(belowTitle('Alarm code', '# Alarm code')).toBe('');
  });
  it('keeps any other beginning', () => {
    for (const body of ['# Other\nText', 'Alarm code\nText', 'Text\n# Alarm code', '#Alarm code', '']) {
      expect(belowTitle('Alarm code', body)).toBe(body);
    }
    expect(belowTitle('', '# \nText')).toBe('# \nText');
  });
});
