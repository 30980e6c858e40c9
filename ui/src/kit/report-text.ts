/** A report in one line, with the things it is about. */
export interface ReportText {
  line: string;
  /** One entry per thing; empty if the line says it all. */
  list: string[];
  /** How many things the report does not list. */
  more: number;
}

const ENTRY = /^[-•]\s+/;
/** The last line of a list that was cut. */
const REST = /^and (\d+) more$/;

/**
 * Splits the engine's report of an effect into its line and list: a change of many things lists the first of them line
 * by line, then how many more there are.
 */
export function reportOf(text: string): ReportText {
  const lines = text.split('\n').map((line) => line.trim());
  const list = lines.filter((line) => ENTRY.test(line)).map((line) => line.replace(ENTRY, ''));
  const isRest = (line: string) => list.length > 0 && REST.test(line);
  const more = Number(lines.filter(isRest).at(-1)?.match(REST)?.[1] ?? 0);
  return { line: lines.filter((line) => line !== '' && !ENTRY.test(line) && !isRest(line)).join(' '), list, more };
}

/** Just the line, for places with room for only one. */
export const reportLine = (text: string): string => reportOf(text).line || text;

/** All things of a report: the names in its receipt stand in for a list that was cut, if they are as many. */
export function thingsOf({ list, more }: ReportText, names: readonly string[]): string[] {
  return more > 0 && names.length === list.length + more ? [...names] : list;
}
