/** Moves the focus inside a grid of days: up and down within a day, sideways to the block nearest in time. */

const stopsOf = (grid: HTMLElement) => [...grid.querySelectorAll<HTMLElement>('[data-stop]')];
const dayAt = (node: HTMLElement) => node.dataset['day'] ?? '';
const minuteAt = (node: HTMLElement) => Number(node.dataset['minute'] ?? 0);

/** How far an arrow key moves: days sideways and steps down; null for any other key. */
export function arrow(event: KeyboardEvent): { aside: -1 | 0 | 1; down: -1 | 0 | 1 } | null {
  const rtl = document.documentElement.dir === 'rtl';
  switch (event.key) {
    case 'ArrowUp':
      return { aside: 0, down: -1 };
    case 'ArrowDown':
      return { aside: 0, down: 1 };
    case 'ArrowLeft':
      return { aside: rtl ? 1 : -1, down: 0 };
    case 'ArrowRight':
      return { aside: rtl ? -1 : 1, down: 0 };
    default:
      return null;
  }
}

/** Handles Home, End and the arrows; calls `past` when an arrow leaves the grid. */
export function walkKeys(grid: HTMLElement, event: KeyboardEvent, past: (step: 1 | -1) => void): void {
  const at = (event.target as HTMLElement).closest<HTMLElement>('[data-stop]');
  if (!at || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const all = stopsOf(grid);
  const day = all.filter((one) => dayAt(one) === dayAt(at));
  const move = arrow(event);
  if (event.key === 'Home' || event.key === 'End') {
    event.preventDefault();
    (event.key === 'Home' ? day[0] : day.at(-1))?.focus();
  } else if (move) {
    event.preventDefault();
    if (move.down !== 0) day[day.indexOf(at) + move.down]?.focus();
    else if (move.aside !== 0) sideways(all, at, move.aside, past);
  }
}

function sideways(all: HTMLElement[], at: HTMLElement, step: 1 | -1, past: (step: 1 | -1) => void) {
  const days = [...new Set(all.map(dayAt))].sort();
  const next = days[days.indexOf(dayAt(at)) + step];
  if (next === undefined) return past(step);
  const there = all.filter((one) => dayAt(one) === next);
  const gap = (one: HTMLElement) => Math.abs(minuteAt(one) - minuteAt(at));
  there.sort((a, b) => gap(a) - gap(b))[0]?.focus();
}

/** Focuses the next or previous block in reading order. */
export function walkOn(grid: HTMLElement, step: 1 | -1): void {
  const all = stopsOf(grid);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const from = at < 0 ? all.findIndex((one) => one.tabIndex === 0) - step : at;
  all[Math.max(0, Math.min(all.length - 1, from + step))]?.focus();
}

/** Focuses the first block, or the last one when going back. */
export function walkIn(grid: HTMLElement, step: 1 | -1): void {
  const all = stopsOf(grid);
  (step > 0 ? all[0] : all.at(-1))?.focus();
}
