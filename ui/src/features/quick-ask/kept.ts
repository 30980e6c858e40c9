/** How long a hidden window keeps what was typed and answered. */
export const KEPT_MS = 60_000;

/** Whether what was there when the window was hidden is still wanted when it is shown again. */
export function isKept(hiddenAt: number | null, now: number): boolean {
  return hiddenAt === null || now - hiddenAt <= KEPT_MS;
}

export const HEIGHT_MIN_PX = 64;
export const HEIGHT_MAX_PX = 420;

/** The window is as high as what it shows, between its two bounds. */
export function heightFor(content: number): number {
  return Math.round(Math.max(HEIGHT_MIN_PX, Math.min(HEIGHT_MAX_PX, content)));
}
