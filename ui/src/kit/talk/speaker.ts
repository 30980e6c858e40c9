import type { TurnEvent } from '../../host';
import { announce, wholeSentences } from '../announce.svelte';
import { t } from '../strings';
import { stepsDone } from './standing';
import type { TurnView } from './view';

/** Says aloud what is new in a conversation: an answer by whole sentences as it arrives, a plan, a step, a question. */
export class Speaker {
  /** The beginning of a sentence whose end has not come. */
  #unsaid = '';
  #streamed = false;

  /** What was begun to be said belongs to a conversation that was left. */
  forget(): void {
    this.#unsaid = '';
  }

  say(event: TurnEvent, turn: TurnView | undefined): void {
    if (!turn) return;
    switch (event.event) {
      case 'turn_started':
        this.#streamed = false;
        this.#unsaid = '';
        break;
      case 'status':
        announce.status(event.text);
        break;
      case 'plan':
        announce.say(t('plan.announce', { n: event.steps.length }));
        break;
      case 'tool_result': {
        const step = turn.steps.find((one) => one.key === event.step);
        const left = turn.steps.length - stepsDone(turn);
        if (event.ok && step && turn.steps.length > 1) {
          announce.status(t('plan.announce_done', { step: step.number, n: left }));
        }
        break;
      }
      case 'token': {
        // What a model said that gave up is void, also the half of a sentence that nobody has heard yet.
        if (event.restart) this.#unsaid = '';
        const { said, rest } = wholeSentences(this.#unsaid + event.text);
        this.#unsaid = rest;
        this.#streamed = true;
        if (said) announce.say(said);
        break;
      }
      case 'question':
        announce.say(event.text);
        break;
      case 'done':
      case 'waiting': {
        // Not streamed at all: the whole answer is said now.
        const text = this.#unsaid.trim() || (this.#streamed ? '' : event.answer);
        if (text) announce.say(text);
        this.#unsaid = '';
        this.#streamed = false;
        break;
      }
      case 'error':
        announce.alert(`${event.message} ${event.hint}`);
        break;
    }
  }
}
