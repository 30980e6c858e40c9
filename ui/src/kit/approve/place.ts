import { endSeen, type Place } from './guard';

/**
 * How often to check the button's position when no event reports a change. An animation, a late font or a line added
 * further up moves the button without an event; without the check, a person who waited would learn of the move only
 * when the press is refused.
 */
const LOOK_EVERY_MS = 100;

/** The end corner of the button: a button that grows towards the start has not moved. */
export function placeOf(button: HTMLElement | undefined): Place | null {
  const box = button?.getBoundingClientRect();
  const rtl = document.documentElement.dir === 'rtl';
  return box ? { x: rtl ? box.left : box.right, y: box.top, width: 0, height: box.height } : null;
}

/** Calls `look` now and whenever the content of these boxes may have moved. Returns a function that stops this. */
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

/** Scrolls the unread boxes of a card to their end, as End does inside a box. Returns whether there were any. */
export function toEnd(card: HTMLElement | undefined): boolean {
  const boxes = [...(card?.querySelectorAll('.batch, .letter') ?? [])].filter((box) => !endSeen(box));
  for (const box of boxes) box.scrollTop = box.scrollHeight;
  return boxes.length > 0;
}
