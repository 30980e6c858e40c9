/** What was done, in a line, and what it was done to. */
export interface Said {
  line: string;
  /** One entry for each thing; empty where the line says it all. */
  list: string[];
}

const ENTRY = /^[-•]\s+/;

/** Cuts what the engine says of an effect: a change of many things names them one below the other. */
export function saidOf(text: string): Said {
  const lines = text.split('\n').map((line) => line.trim());
  const list = lines.filter((line) => ENTRY.test(line)).map((line) => line.replace(ENTRY, ''));
  return { line: lines.filter((line) => line !== '' && !ENTRY.test(line)).join(' '), list };
}

/** The line alone, for where there is room for one. */
export const saidLine = (text: string): string => saidOf(text).line || text;
