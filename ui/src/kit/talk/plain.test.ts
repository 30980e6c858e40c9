import { describe, expect, it } from 'vitest';
import { beside } from './plain';

describe('words of the engine', () => {
  it('do not say a fault again that stands by itself', () => {
    const fault = { code: 'model', message: 'Ollama was cut off.', hint: 'Ask again.' };
    expect(beside('Ollama was cut off. Ask again.\n\nI did not understand “x”.', fault)).toBe(
      'I did not understand “x”.',
    );
    expect(beside('The lease ends\n\n(Ollama was cut off. The answer ends here; ask for the rest.)', fault)).toBe(
      'The lease ends',
    );
    expect(beside('Two tasks.', null)).toBe('Two tasks.');
  });
});
