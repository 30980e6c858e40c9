import { describe, expect, it } from 'vitest';
import { approval, mailCard, moveCard } from '../../host/fake/cards';
import { emptyTalk, fold } from '../../kit/talk/fold';
import type { TurnView } from '../../kit/talk/view';
import { moveRaj } from '../../host/fake/journal';
import type { TurnEvent } from '../../host';
import { yesHint } from './hint';

const card = approval('a1', 'calendar.update', moveCard, 0, { conversation: 'main' });
const other = approval('a2', 'email.send', mailCard, 0);
const turn = moveRaj(card)
  .map((one, index) => ({ ...one, conversation: 'main', turn: 't1', seq: index + 1 }) as TurnEvent)
  .reduce(fold, emptyTalk).turns[0] as TurnView;

describe('the hint about a typed yes', () => {
  it('says nothing when nothing waits', () => {
    expect(yesHint([], turn, 'main')).toBeNull();
  });
  it('names the one action that waits and was shown last', () => {
    expect(yesHint([card], turn, 'main')).toContain('“Yes” approves “Move “Mara / Raj” and tell Raj” above');
  });
  it('sends a long list to the card, whose end has to be seen', () => {
    const items = Array.from({ length: 24 }, (_, n) => ({ id: `m${n}`, label: 'A mail', detail: null }));
    const long = { ...card, shown: { ...card.shown, items } };
    expect(yesHint([long], turn, 'main')).toContain('Look at it to the end');
  });
  it('says that yes approves nothing when several wait', () => {
    expect(yesHint([card, other], turn, 'main')).toBe(
      'Two actions wait, so “yes” approves nothing here. Use the card.',
    );
  });
  it('says nothing where all that waits was asked elsewhere', () => {
    expect(yesHint([other], turn, 'main')).toBeNull();
    expect(yesHint([card], turn, 'c-other')).toBeNull();
    expect(yesHint([card, other], undefined, null)).toBeNull();
  });
  it('says so too when the one that waits is no longer the last thing shown', () => {
    expect(yesHint([card, other], turn, 'main')).toContain('approves nothing here');
    expect(yesHint([card], { ...turn, state: 'done' }, 'main')).toContain('approves nothing here');
    expect(
      yesHint([card], { ...turn, questions: [{ id: 'q', step: 's', text: 'Which?', choices: [] }] }, 'main'),
    ).toContain('nothing here');
  });
});
