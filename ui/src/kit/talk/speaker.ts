import type { TurnEvent } from '../../host';
import { announce, wholeSentences } from '../announce.svelte';
import { t } from '../strings';
import { stepsDone } from './standing';
import type { TurnView } from './view';

/**
 * Announces what is new in a conversation: an answer sentence by sentence as it arrives, a plan, a step, a question.
 */
export class Speaker {
  /** The start of a sentence that is still incomplete. */
  #unsaid = '';
  #streamed = false;

  /** Drops the incomplete sentence, because it belongs to a conversation that was left. */
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
        // The model gave up: drop its words, including the incomplete sentence.
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
        // If nothing was streamed, announce the whole answer now.
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
