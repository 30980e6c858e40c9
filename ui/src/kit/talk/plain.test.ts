import { describe, expect, it } from 'vitest';
import { beside, besideCards } from './plain';

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

  it('do not say what the card below them says', () => {
    const one = 'Waiting for you: Reply to Emily, and 1 more. Nothing has been sent.';
    expect(besideCards(one)).toBe('');
    expect(besideCards(`${one}\n\nStill waiting for you in Approvals: Move “Dentist”.`)).toBe(
      'Still waiting for you in Approvals: Move “Dentist”.',
    );
    expect(besideCards('Added “Lunch”.\n\nWaiting for you. This has not been sent yet.\n\n- Reply\n- Write\n')).toBe(
      'Added “Lunch”.',
    );
    expect(besideCards('Nothing was deleted.')).toBe('');
    expect(besideCards('Added “Lunch”.\nNothing was sent.')).toBe('Added “Lunch”.');
    expect(besideCards('Nothing was said about it.')).toBe('Nothing was said about it.');
    expect(besideCards('He wrote that it is waiting for you.')).toBe('He wrote that it is waiting for you.');
  });
});
