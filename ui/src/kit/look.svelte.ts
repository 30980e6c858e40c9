/**
 * The appearance of the window. Stored in the window so that the first frame is right; `boot.js` applies it before any
 * other script.
 */
export interface Look {
  theme: 'system' | 'light' | 'dark';
  motion: 'system' | 'reduced';
  /** 1 is the system's own text size. */
  text: number;
  /** Single-letter keys (WCAG 2.1.4). */
  letters: boolean;
}

export const TEXT_SIZES = [0.9, 1, 1.15, 1.3, 1.5, 2] as const;
const STORE = 'adjutant.look';
const DEFAULT: Look = { theme: 'system', motion: 'system', text: 1, letters: true };

function stored(): Look {
  try {
    return { ...DEFAULT, ...(JSON.parse(localStorage.getItem(STORE) ?? '{}') as Partial<Look>) };
  } catch {
    return { ...DEFAULT };
  }
}

class Looks {
  current = $state<Look>(stored());
  /** Counts changes, so that a request sent before a change is known to be outdated. */
  changes = 0;

  set(change: Partial<Look>): void {
    this.changes += 1;
    this.current = { ...this.current, ...change };
    try {
      localStorage.setItem(STORE, JSON.stringify(this.current));
    } catch {
      // Without storage, the choice lasts until the window closes.
    }
    this.apply();
  }

  apply(): void {
    const root = document.documentElement;
    const { theme, motion, text } = this.current;
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    if (motion === 'reduced') root.dataset['motion'] = 'reduced';
    else delete root.dataset['motion'];
    root.style.fontSize = text === 1 ? '' : `${text * 100}%`;
  }

  /** Whether to avoid motion, by system preference or by this setting. */
  get calm(): boolean {
    return this.current.motion === 'reduced' || matchMedia('(prefers-reduced-motion: reduce)').matches;
  }
}

export const look = new Looks();
