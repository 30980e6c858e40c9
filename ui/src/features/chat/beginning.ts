/** Space above the question, in pixels, so that it does not touch the bar. */
const ABOVE_PX = 8;
/** Browsers round the place they are given. */
const NEAR_PX = 2;

/**
 * Shows the newest exchange of a conversation from its beginning: an answer that is taller than the window starts with
 * its question on screen, and any other ends at the end. Lets go as soon as the person scrolls.
 */
export class Beginning {
  /** Whether the place is still chosen here. */
  held = true;
  readonly #scroller: HTMLElement;
  readonly #atEnd: () => boolean;
  /** Where this put the conversation, and how tall the newest exchange was then. */
  #put = { top: 0, tall: 0 };

  /**
   * The scroller counts back from its end: 0 is the end, and places further up are negative. `atEnd` tells whether the
   * end is what counts, as where a card below the answer waits for the person.
   */
  constructor(scroller: HTMLElement, atEnd: () => boolean) {
    this.#scroller = scroller;
    this.#atEnd = atEnd;
  }

  /** Takes hold again at the end, where a new message or the newest exchange of another conversation appears. */
  hold(): void {
    this.held = true;
    this.#place(0, this.#tall());
  }

  /** Follows the layout until the returned function is called. */
  follow(): () => void {
    const scroller = this.#scroller;
    const scrolled = () => this.#scrolled();
    scroller.addEventListener('scroll', scrolled, { passive: true });
    const sizes = new ResizeObserver(() => this.#settle());
    sizes.observe(scroller);
    if (scroller.firstElementChild) sizes.observe(scroller.firstElementChild);
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', scrolled);
    };
  }

  #settle(): void {
    if (!this.held) return;
    const tall = this.#tall();
    this.#place(this.#atEnd() ? 0 : Math.min(0, this.#scroller.clientHeight - tall), tall);
  }

  /** A place other than the chosen one, although nothing has grown since, is the person's. */
  #scrolled(): void {
    const { top, tall } = this.#put;
    const moved = Math.abs(this.#scroller.scrollTop - top) > NEAR_PX;
    if (moved && Math.abs(this.#tall() - tall) <= NEAR_PX) this.held = false;
  }

  #place(top: number, tall: number): void {
    this.#put = { top, tall };
    this.#scroller.scrollTop = top;
  }

  /** Height of the newest exchange, in pixels; 0 if there is none. */
  #tall(): number {
    const question = [...this.#scroller.querySelectorAll('.said')].at(-1);
    const content = this.#scroller.firstElementChild;
    if (!question || !content) return 0;
    return content.getBoundingClientRect().bottom - question.getBoundingClientRect().top + ABOVE_PX;
  }
}
