/**
 * The text of a note below its title: a text that was written elsewhere often begins with the title as its heading, and
 * one of the two is enough.
 */
export function belowTitle(title: string, body: string): string {
  const heading = /^\s*#{1,6}[ \t]+([^\n]*?)[ \t]*#*[ \t]*(?:\n|$)/.exec(body);
  const same = heading && heading[1]?.trim().toLowerCase() === title.trim().toLowerCase() && title.trim() !== '';
  return same ? body.slice(heading[0].length) : body;
}
