/** A hidden window draws no frames; then nothing is gained by waiting for one. */
const HIDDEN_MS = 100;

/** Resolves once the frame with the current state of the page is painted: where the next one begins. */
export function painted(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, HIDDEN_MS);
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
  });
}
