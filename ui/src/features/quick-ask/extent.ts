/** How long a hidden window keeps its question and answer. */
export const KEPT_MS = 60_000;

/** Whether the content is kept when the window is shown again. */
export function isKept(hiddenAt: number | null, now: number): boolean {
  return hiddenAt === null || now - hiddenAt <= KEPT_MS;
}

export const HEIGHT_MIN_PX = 64;
export const HEIGHT_MAX_PX = 420;

/** The height for this content, between the two bounds. */
export function heightFor(content: number): number {
  return Math.round(Math.max(HEIGHT_MIN_PX, Math.min(HEIGHT_MAX_PX, content)));
}
