// A machine for one test file: its own home, session bus, notification server and tray. The real ones are not touched.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Lines } from './lines.mjs';
import { becomes } from './wait.mjs';
import { morning } from './zone.mjs';

const here = new URL('..', import.meta.url).pathname;
// Debian's own Python has the D-Bus bindings; another one earlier in the path may lack them.
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';

export class Machine {
  static async start() {
    const machine = new Machine();
    machine.zone = morning();
    machine.home = mkdtempSync(join(tmpdir(), 'adjutant-e2e-'));
    const at = (name) => {
      const path = join(machine.home, name);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return path;
    };
    machine.env = {
      ...process.env,
      HOME: machine.home,
      XDG_DATA_HOME: at('data'),
      XDG_CONFIG_HOME: at('config'),
      XDG_CACHE_HOME: at('cache'),
      XDG_STATE_HOME: at('state'),
      XDG_RUNTIME_DIR: at('runtime'),
      LANG: 'C.UTF-8',
      TZ: machine.zone.name,
    };
    for (const name of ['ADJUTANT_HOME', 'WAYLAND_DISPLAY']) delete machine.env[name];

    machine.bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1'], {
      env: machine.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const address = await new Lines(machine.bus.stdout, (line) => line).wait((line) => line.length > 0, 'the bus');
    machine.env.DBUS_SESSION_BUS_ADDRESS = address;

    machine.stub = spawn(PYTHON, [join(here, 'bus_stub.py')], { env: machine.env, stdio: ['pipe', 'pipe', 'inherit'] });
    machine.heard = new Lines(machine.stub.stdout);
    await machine.heard.wait((line) => line.kind === 'ready', 'the desktop on the bus');
    return machine;
  }

  /** Starts an unlocked, empty keyring on the bus, in which accounts store their sign-ins. */
  async openKeyring() {
    this.keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
      env: this.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const missing = once(this.keyring, 'error').then(() => {
      throw new Error('gnome-keyring is not there. Run scripts/setup test, which installs it');
    });
    this.keyring.stdin.end('a password');
    const there = (line) => line.kind === 'name' && line.name === 'org.freedesktop.secrets';
    await Promise.race([missing, this.heard.wait(there, 'the keyring on the bus')]);
  }

  /**
   * Waits until the labels of the tray's menu pass `fits`, and returns them. With `after`, only considers later menus.
   */
  async menu(fits, what, options) {
    return (await this.heard.wait((line) => line.kind === 'menu' && fits(line.labels), `a menu with ${what}`, options)).labels;
  }

  /** Presses the entry of the tray's menu that starts with `label`. */
  async press(label) {
    const after = this.heardSoFar();
    this.#order({ do: 'press', label });
    await this.heard.wait((line) => line.kind === 'pressed' && line.label.startsWith(label), `a press on ${label}`, { after });
  }

  /** Waits for a notification whose title and text match. */
  notification(fits, what, options) {
    return this.heard.wait((line) => line.kind === 'notification' && fits(line), `a notification ${what}`, options);
  }

  click(notification, action = 'default') {
    this.#order({ do: 'click', id: notification.id, action });
  }

  /** Runs the command line on the same profile. A non-zero exit code does not throw. */
  async cli(...words) {
    const program = process.env.ADJUTANT_CLI;
    try {
      const { stdout, stderr } = await promisify(execFile)(program, words, { env: this.env, maxBuffer: 1 << 26 });
      return { code: 0, stdout, stderr };
    } catch (error) {
      if (typeof error.code !== 'number') throw error;
      return { code: error.code, stdout: error.stdout, stderr: error.stderr };
    }
  }

  /** Returns the rows of `show WHAT`. */
  async show(...words) {
    const { code, stdout, stderr } = await this.cli('show', ...words, '--json');
    if (code !== 0) throw new Error(`show ${words.join(' ')}: ${code} ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Changes a setting. */
  async set(key, value) {
    const { code, stderr } = await this.cli('config', 'set', key, value);
    if (code !== 0) throw new Error(`config set ${key}: ${code} ${stderr}`);
  }

  /** Returns the entry that starts Adjutant with the system, or null. */
  async autostart() {
    const folder = join(this.home, '.config', 'autostart');
    const names = await readdir(folder).catch(() => []);
    // It may be removed between the two calls.
    return names.length > 0 ? readFile(join(folder, names[0]), 'utf8').catch(() => null) : null;
  }

  /** Sends keys from the keyboard, wherever the focus is. */
  async keys(...names) {
    await promisify(execFile)('xdotool', ['key', '--clearmodifiers', ...names], { env: this.env });
  }

  /** Returns the number of messages heard on the bus so far. What a later act causes comes after that. */
  heardSoFar() {
    return this.heard.all.length;
  }

  /** Returns the ids of the visible windows with this title. */
  async windows(title) {
    try {
      const { stdout } = await promisify(execFile)('xdotool', ['search', '--onlyvisible', '--name', `^${title}$`], { env: this.env });
      return stdout.split('\n').filter(Boolean);
    } catch (error) {
      if (error.code === 1) return [];
      throw error;
    }
  }

  /** Waits until this many windows with this title are visible, and returns their ids. */
  async shows(title, number = 1) {
    await becomes(async () => (await this.windows(title)).length, number);
    return this.windows(title);
  }

  /** Closes a window as its close button does. */
  async closeWindow(id) {
    await promisify(execFile)(PYTHON, [join(here, 'close_window.py'), id], { env: this.env });
  }

  async stop() {
    this.stub?.stdin.end();
    await ended(this.stub);
    this.keyring?.kill();
    this.bus?.kill();
    await ended(this.bus);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20 });
  }

  #order(wish) {
    this.stub.stdin.write(`${JSON.stringify(wish)}\n`);
  }
}

/** Resolves when a child process has ended, or at once if it already has. */
export async function ended(child) {
  if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
