/** Matches everything that can take focus by Tab, as far as a selector can tell. */
const STOPS = 'a[href], button, input, select, textarea, [tabindex]';

/**
 * Keeps the focus from getting lost: when the focused row, card or button disappears or becomes unusable, focus moves
 * to the nearest part of the page that is still there. A component that knows a better place moves it first, because
 * this runs two frames later. A click on empty space and leaving the window change nothing. Returns a function that
 * stops this.
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  /** The ancestors of the last focused element, innermost first. */
  let around: Element[] = [];
  let frame = 0;

  function entered(event: FocusEvent) {
    if (!(event.target instanceof Element)) return;
    last = event.target;
    around = [];
    for (let one = last.parentElement; one; one = one.parentElement) around.push(one);
  }

  function look() {
    cancelAnimationFrame(frame);
    if (document.activeElement !== document.body || last === null || usable(last)) return;
    // Wait two frames: components that move the focus do so after rendering.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (document.activeElement !== document.body || last === null || usable(last)) return;
        nearest(around)?.focus({ preventScroll: true });
      });
    });
  }

  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  addEventListener('focusin', entered);
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    removeEventListener('focusin', entered);
  };
}

function usable(one: Element): boolean {
  return one.isConnected && !one.matches(':disabled') && one.checkVisibility();
}

/** The first focusable element in the innermost part that still exists and has one; else the heading of the surface. */
export function nearest(around: readonly Element[]): HTMLElement | null {
  for (const part of around) {
    // Skip parts that contain `main`: their first focusable element is the skip link.
    if (!part.isConnected || part.matches('main') || part.querySelector('main') !== null) continue;
    const stops = [part, ...part.querySelectorAll<HTMLElement>(STOPS)];
    const stop = stops.find(
      (one) => one instanceof HTMLElement && one.matches(STOPS) && one.tabIndex >= 0 && usable(one),
    );
    if (stop instanceof HTMLElement) return stop;
  }
  return document.querySelector<HTMLElement>('#main h1');
}
