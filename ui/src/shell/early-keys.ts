/** What is typed between the wish for the palette and its field: nobody should wait for a window. */
export interface Early {
  /** The letters so far. */
  text: string;
  /** Enter was pressed: the first thing found is meant. */
  enter: boolean;
}

/** Longer than anyone types in that time. */
const CHARS_MAX = 200;

/**
 * Keeps keys from whatever has the focus until `stop` gives them back. Escape is told at once. Combinations with Ctrl, Alt
 * or ⌘ are left alone.
 */
export function collectKeys(onescape: () => void): { stop: () => Early } {
  const early: Early = { text: '', enter: false };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') onescape();
    else if (event.key === 'Enter') early.enter ||= !event.repeat;
    else if (event.key === 'Backspace') early.text = [...early.text].slice(0, -1).join('');
    else if ([...event.key].length === 1 && early.text.length < CHARS_MAX) early.text += event.key;
    else return;
    // Nothing behind the palette may take it: not the field one was in, not a key of a surface.
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('keydown', key, { capture: true });
  return {
    stop: () => {
      removeEventListener('keydown', key, { capture: true });
      return early;
    },
  };
}
