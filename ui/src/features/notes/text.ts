/** Marks of a heading (`## Title ##`), which Markdown allows six of at its beginning. */
const HEADING = /^#{1,6}[ \t]/;

/**
 * The text of a note below its title: a text that was written elsewhere often begins with the title as its heading, and
 * one of the two is enough. The text may be anyone's, so nothing here looks at a piece of it more than once.
 */
export function belowTitle(title: string, body: string): string {
  const wanted = title.trim().toLowerCase();
  if (wanted === '') return body;
  const text = body.trimStart();
  if (!HEADING.test(text)) return body;
  const end = text.indexOf('\n');
  const line = end < 0 ? text : text.slice(0, end);
  let heading = line.slice(line.search(/[ \t]/)).trim();
  if (heading.toLowerCase() !== wanted) {
    let last = heading.length;
    while (last > 0 && heading[last - 1] === '#') last -= 1;
    heading = heading.slice(0, last).trimEnd();
  }
  if (heading.toLowerCase() !== wanted) return body;
  return end < 0 ? '' : text.slice(end + 1);
}
