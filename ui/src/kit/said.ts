/** A report in one line, with the things it is about. */
export interface Said {
  line: string;
  /** One entry per thing; empty if the line says it all. */
  list: string[];
}

const ENTRY = /^[-•]\s+/;

/** Splits the engine's report of an effect into its line and list: a change of many things lists them line by line. */
export function saidOf(text: string): Said {
  const lines = text.split('\n').map((line) => line.trim());
  const list = lines.filter((line) => ENTRY.test(line)).map((line) => line.replace(ENTRY, ''));
  return { line: lines.filter((line) => line !== '' && !ENTRY.test(line)).join(' '), list };
}

/** Just the line, for places with room for only one. */
export const saidLine = (text: string): string => saidOf(text).line || text;
