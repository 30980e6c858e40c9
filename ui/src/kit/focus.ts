/**
 * Focuses an element as soon as it is mounted: `{@attach takesFocus}`. Use it for content that opens inside the page.
 * Dialogs use `autofocus` instead, which the browser may apply some frames later, when the person has already moved on.
 */
export function takesFocus(element: HTMLElement): void {
  element.focus();
}
