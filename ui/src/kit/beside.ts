interface Box {
  left: number;
  right: number;
  top: number;
}
interface Size {
  width: number;
  height: number;
}

/** Gaps in pixels: between a box and its anchor, and between a box and the window edge. */
const GAP = 8;
const EDGE = 12;

/** Positions a box beside its anchor without covering it: to the right, else to the left; null if there is no room. */
export function beside(about: Box, box: Size, view: Size): { left: number; top: number } | null {
  const after = about.right + GAP;
  const before = about.left - GAP - box.width;
  const left = after + box.width <= view.width - EDGE ? after : before >= EDGE ? before : null;
  if (left === null || box.height > view.height - 2 * EDGE) return null;
  return { left, top: Math.max(EDGE, Math.min(about.top, view.height - EDGE - box.height)) };
}
