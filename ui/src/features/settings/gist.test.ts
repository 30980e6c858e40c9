import { describe, expect, it } from 'vitest';
import { gistText } from './gist';

describe('what a reply came to', () => {
  it('is said in a few words', () => {
    expect(gistText({ kind: 'action', domains: ['task', 'calendar'], is_followup: false })).toBe(
      'action, task, calendar',
    );
    expect(gistText({ tools: ['task.create', 'email.send'], asks: false })).toBe('task.create, email.send');
    expect(gistText({ tools: [], asks: true })).toBe('no step, asks first');
    expect(gistText('unusable')).toBe('an unusable reply');
    expect(gistText('no reply')).toBe('no reply');
    expect(gistText('not rendered')).toBe('a wording that cannot be filled in');
    expect(gistText('modify')).toBe('modify');
    // A shape from a newer engine.
    expect(gistText([1, { a: 2 }])).toBe('[1,{"a":2}]');
  });
});
