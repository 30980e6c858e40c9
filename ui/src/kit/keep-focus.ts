/** What can take the focus by Tab, as far as a selector can say. */
const STOPS = 'a[href], button, input, select, textarea, [tabindex]';

/**
 * The focus is never lost with what had it: when a row, a card or a button goes, or can no longer be used, the nearest
 * part of the page that is still there takes it. What knows a better place goes first; this comes a frame later. Whoever
 * pressed beside everything, or left the window, is left alone. Returns how to stop.
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  /** From the inside out: what the focus was in. */
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
    // Two frames: components that move the focus do so after they were drawn.
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

/** The first stop in the innermost part that is still there and has one; else the heading of the surface. */
export function nearest(around: readonly Element[]): HTMLElement | null {
  for (const part of around) {
    // What holds the surface itself begins with the link that skips to it.
    if (!part.isConnected || part.matches('main') || part.querySelector('main') !== null) continue;
    const stops = [part, ...part.querySelectorAll<HTMLElement>(STOPS)];
    const stop = stops.find(
      (one) => one instanceof HTMLElement && one.matches(STOPS) && one.tabIndex >= 0 && usable(one),
    );
    if (stop instanceof HTMLElement) return stop;
  }
  return document.querySelector<HTMLElement>('#main h1');
}
