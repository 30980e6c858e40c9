/**
 * What makes a box that scrolls in place one that the keyboard reaches and a screen reader names: the arrows read it to its
 * end. `<div class="letter" {...region(t('ask.text'))}>`.
 */
export const region = (label: string) => ({ tabindex: 0, role: 'region', 'aria-label': label }) as const;
