import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Beginning } from './beginning';

const VIEW_PX = 500;

describe('the place of the newest exchange', () => {
  let resized: () => void = () => undefined;
  beforeEach(() => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(told: () => void) {
          resized = told;
        }
        observe() {}
        disconnect() {}
      },
    );
  });
  afterEach(() => vi.unstubAllGlobals());

  /** A conversation whose newest question begins this far above its end, in pixels. */
  function talk(tall: number, atEnd = false) {
    const scroller = document.createElement('div');
    scroller.innerHTML = '<div><p class="said">First</p><p class="said">Last</p><button>Row</button></div>';
    Object.defineProperty(scroller, 'clientHeight', { value: VIEW_PX });
    const size = { tall };
    const rect = (top: number, bottom: number) => ({ top, bottom }) as DOMRect;
    const [content] = scroller.children;
    const [first, last] = scroller.querySelectorAll('.said');
    if (!content || !first || !last) throw new Error('no conversation');
    content.getBoundingClientRect = () => rect(-5000, 900);
    first.getBoundingClientRect = () => rect(-4000, -3960);
    last.getBoundingClientRect = () => rect(900 - size.tall, 940 - size.tall);
    const place = new Beginning(scroller, () => atEnd);
    place.follow();
    return { scroller, place, size };
  }

  it('begins with the question where the answer is taller than the window, and ends at the end where not', () => {
    const { scroller, size } = talk(1492);
    resized();
    expect(scroller.scrollTop).toBe(-1000);
    size.tall = 300;
    resized();
    expect(scroller.scrollTop).toBe(0);
  });

  it('stays at the end where a card below waits', () => {
    const { scroller } = talk(1492, true);
    resized();
    expect(scroller.scrollTop).toBe(0);
  });

  it('is left to the person once they scroll, until the next message', () => {
    const { scroller, place, size } = talk(1492);
    resized();
    // What the browser does on its own when something grows is not the person.
    size.tall = 1592;
    scroller.scrollTop = -1090;
    scroller.dispatchEvent(new Event('scroll'));
    resized();
    expect(scroller.scrollTop).toBe(-1100);
    scroller.scrollTop = -200;
    scroller.dispatchEvent(new Event('scroll'));
    size.tall = 1692;
    resized();
    expect(scroller.scrollTop).toBe(-200);
    place.hold();
    expect(scroller.scrollTop).toBe(0);
    size.tall = 1792;
    resized();
    expect(scroller.scrollTop).toBe(-1300);
  });
});
