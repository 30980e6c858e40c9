/** What the person types before the palette's field is ready: nobody should have to wait for a window. */
export interface Early {
  /** The typed letters. */
  text: string;
  /** Enter was pressed: choose the first result. */
  enter: boolean;
}

/** More than anyone types in that time. */
const CHARS_MAX = 200;

/**
 * Takes keys away from the focused element until `stop` returns them. Reports Escape at once. Leaves combinations with
 * Ctrl, Alt or ⌘ alone.
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
    // Nothing behind the palette may get the key: neither the focused field nor a surface's key binding.
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
