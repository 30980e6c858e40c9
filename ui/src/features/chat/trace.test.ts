import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DROPS, dropText, readText, sectionText, sureText } from './trace';

/** The Rust file that names the reasons for leaving something out. */
const EVENTS = join(process.cwd(), '../src-tauri/crates/domain/src/event.rs');

describe('the trace', () => {
  it.runIf(existsSync(EVENTS))('has words for every reason the engine may give', () => {
    const reasons = /pub enum DropReason \{([^}]*)\}/.exec(readFileSync(EVENTS, 'utf8'))?.[1] ?? '';
    const names = [...reasons.matchAll(/^\s*([A-Z]\w+),/gm)].map(([, name]) =>
      (name ?? '').replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    );
    expect(names).toContain('summarised');
    expect(names.toSorted()).toEqual(Object.keys(DROPS).toSorted());
  });

  it('says in words what was read and looked at, and leaves what it does not know as it is', () => {
    expect(readText('chat', [])).toBe('Talk');
    expect(readText('action', ['calendar', 'email'])).toBe('Something to do: calendar, mail');
    expect(sectionText('history')).toBe('This conversation');
    expect(dropText('summarised')).toBe('older messages, in a summary');
    expect(sectionText('new_thing')).toBe('new_thing');
    expect(sureText(0.914)).toBe('91 %');
  });
});
