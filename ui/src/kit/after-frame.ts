/** A hidden window draws no frames. */
const HIDDEN_MS = 100;

/** Calls `run` once the next frame is drawn, or soon in a window that draws none. */
export function afterFrame(run: () => void): void {
  let ran = false;
  const once = () => {
    if (ran) return;
    ran = true;
    clearTimeout(timer);
    run();
  };
  const timer = setTimeout(once, HIDDEN_MS);
  // Frame callbacks run before the frame is drawn, and a message they post after it.
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      once();
    };
    port2.postMessage(null);
  });
}
