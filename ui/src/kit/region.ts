/**
 * Attributes for a box that scrolls in place: the keyboard can reach and scroll it, and a screen reader names it. `<div
 * class="letter" {...region(t('ask.text'))}>`.
 */
export const region = (label: string) => ({ tabindex: 0, role: 'region', 'aria-label': label }) as const;
