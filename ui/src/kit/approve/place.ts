import { endSeen, type Place } from './guard';

/**
 * How often the place is read while nothing says that it changed. An animation, a font that arrives, or a line added
 * further up moves the button without an event; a person who waited must not learn of that by being refused.
 */
const LOOK_EVERY_MS = 100;

/** The end corner of the button: growing towards the start is not a move. */
export function placeOf(button: HTMLElement | undefined): Place | null {
  const box = button?.getBoundingClientRect();
  const rtl = document.documentElement.dir === 'rtl';
  return box ? { x: rtl ? box.left : box.right, y: box.top, width: 0, height: box.height } : null;
}

/** Calls `look` whenever the place of what is in these boxes may have changed, and now. Returns how to stop. */
export function watchPlace(boxes: (Element | null | undefined)[], look: () => void): () => void {
  look();
  const sizes = new ResizeObserver(look);
  for (const box of boxes) if (box) sizes.observe(box);
  addEventListener('scroll', look, { capture: true, passive: true });
  addEventListener('resize', look);
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => {
    sizes.disconnect();
    removeEventListener('scroll', look, { capture: true });
    removeEventListener('resize', look);
    clearInterval(timer);
  };
}

/** Scrolls what is still to be read of a card to its end, as End does in the box itself; whether there was anything. */
export function toEnd(card: HTMLElement | undefined): boolean {
  const boxes = [...(card?.querySelectorAll('.batch, .letter') ?? [])].filter((box) => !endSeen(box));
  for (const box of boxes) box.scrollTop = box.scrollHeight;
  return boxes.length > 0;
}
