// Waiting for what no event tells: another program's windows, a row in a list.

/** Asks until the answer is true; the error says what never came. */
export async function eventually(asks, what, ms = 15_000) {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await asks();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
