/** Focuses the first card or held action in a list, or the list itself if there is none. */
export function focusNext(list: HTMLElement): void {
  (list.querySelector<HTMLElement>('[data-card], .hold') ?? list).focus();
}
