/** The start of a heading (`## Title ##`), which takes up to six marks. */
const HEADING = /^#{1,6}[ \t]/;

/**
 * The text of a note without a leading heading that only repeats the title. The text may be foreign, so nothing here
 * looks at any part of it more than once.
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
