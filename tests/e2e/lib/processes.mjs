// Running processes, read from /proc.

import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Returns the fields of /proc/PID/stat after the name, which may contain spaces: state, parent, group, … */
export const stat = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');

/** Returns a process and everything it started, itself first. */
export function tree(root) {
  const of = new Map();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(stat(name)[1]);
      of.set(parent, [...(of.get(parent) ?? []), Number(name)]);
    } catch {
      // It ended in the meantime.
    }
  }
  const all = [];
  for (const todo = [root]; todo.length > 0; ) {
    const pid = todo.pop();
    all.push(pid);
    todo.push(...(of.get(pid) ?? []));
  }
  return all;
}

/** Returns the program that a process runs; undefined if the process has ended. */
export function program(pid) {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}
