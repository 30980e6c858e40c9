/** Puts the focus on what a list of actions shows by now, or on the list where that is nothing. */
export function focusNext(list: HTMLElement): void {
  (list.querySelector<HTMLElement>('[data-card], .hold') ?? list).focus();
}
