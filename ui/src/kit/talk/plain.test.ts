import { describe, expect, it } from 'vitest';
import { beside, withoutCommands } from './plain';

describe('words of the engine', () => {
  it.each([
    [
      'Check that it runs and can be reached (Settings, Check or `adjutant doctor` tries), or choose another in Settings, Models.',
      'Check that it runs and can be reached (Settings, Check tries), or choose another in Settings, Models.',
    ],
    [
      'Ask again, or connect a second model in Settings, Models (`adjutant models add`).',
      'Ask again, or connect a second model in Settings, Models.',
    ],
    [
      'Raise the limit in Settings, Models (`adjutant config set models.spend.day`), connect a model on this computer, or wait until tomorrow.',
      'Raise the limit in Settings, Models, connect a model on this computer, or wait until tomorrow.',
    ],
    ['Call `adjutant` what you like.', 'Call `adjutant` what you like.'],
  ])('come without commands', (said, shown) => expect(withoutCommands(said)).toBe(shown));

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
