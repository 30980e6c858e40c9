interface Box {
  left: number;
  right: number;
  top: number;
}
interface Size {
  width: number;
  height: number;
}

/** Between a box and what it is about, and between a box and the edge of the window; in pixels. */
const GAP = 8;
const EDGE = 12;

/** Where a box stands so that what it is about stays in view: after it, else before it; null where there is no room. */
export function beside(about: Box, box: Size, view: Size): { left: number; top: number } | null {
  const after = about.right + GAP;
  const before = about.left - GAP - box.width;
  const left = after + box.width <= view.width - EDGE ? after : before >= EDGE ? before : null;
  if (left === null || box.height > view.height - 2 * EDGE) return null;
  return { left, top: Math.max(EDGE, Math.min(about.top, view.height - EDGE - box.height)) };
}
