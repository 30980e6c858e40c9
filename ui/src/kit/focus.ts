import { tick } from 'svelte';

/**
 * Focuses an element as soon as it is mounted: `{@attach takesFocus}`. Use it for content that opens inside the page.
 * Dialogs use `autofocus` instead, which the browser may apply some frames later, when the person has already moved on.
 */
export function takesFocus(element: HTMLElement): void {
  element.focus();
}

/**
 * Focuses the first field of a form that shows an error; resolves to whether there is one. A form asks this before it
 * stores anything. Fields mark themselves with `aria-invalid`.
 */
export async function focusFault(form: HTMLElement): Promise<boolean> {
  // Text reported by the same key press or click may still have to mark its field.
  await tick();
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  field?.focus();
  return field !== null;
}
