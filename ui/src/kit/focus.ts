/**
 * Takes the focus as soon as the element is there: `{@attach takesFocus}`. For what opens inside the page; a dialog has
 * `autofocus`, which the browser may also heed some frames later, when the person is in the next field already.
 */
export function takesFocus(element: HTMLElement): void {
  element.focus();
}
