// Drives the real app in its real window: tauri-driver → WebKitWebDriver → the binary.

import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Builder, By, Capabilities, Key, logging, until } from 'selenium-webdriver';
import { ended } from './machine.mjs';
import { freePort } from './port.mjs';
import { program, tree } from './processes.mjs';
import { APPEAR_MS, eventually } from './wait.mjs';

export { By, Key, until };

// The path as /proc shows it.
const APP = realpathSync(process.env.ADJUTANT_APP);
const DRIVER = process.env.TAURI_DRIVER ?? 'tauri-driver';
const NATIVE_DRIVER = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver';
const BUTTONS = 'button, [role="button"]';
const SHOTS = new URL('../shots/', import.meta.url).pathname;

/** Longer than a guarded button ignores input after a move: 600 ms, plus 100 until it notices the move. */
const STILL_MS = 800;

/** Errors of a click or key that arrives while the page is being redrawn. */
const NOT_YET = new Set([
  'StaleElementReferenceError',
  'ElementNotInteractableError',
  'ElementClickInterceptedError',
  'NoSuchElementError',
]);

/** Maximum time for a session to end; one whose app has exited never answers. */
const CLOSE_MS = 5_000;

export class App {
  /** Opens the app on a machine, with arguments. */
  static async open(machine, { application = APP, words = [] } = {}) {
    const app = new App();
    app.machine = machine;
    // What the bus receives from here on belongs to this start.
    app.heardFrom = machine.heardSoFar();
    const [port, nativePort] = [await freePort(), await freePort()];
    // A process group of its own, so that whatever it starts can be ended with it.
    app.process = spawn(DRIVER, ['--port', port, '--native-port', nativePort, '--native-driver', NATIVE_DRIVER], {
      env: machine.env,
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    });
    await listening(port);
    const capabilities = new Capabilities();
    capabilities.set('tauri:options', { application, args: words });
    capabilities.setBrowserName('wry');
    logging.getLogger().setLevel(logging.Level.OFF);
    app.driver = await new Builder().withCapabilities(capabilities).usingServer(`http://127.0.0.1:${port}/`).build();
    await app.driver.manage().setTimeouts({ script: APPEAR_MS });
    return app;
  }

  /** Waits for and returns the newest visible element of a kind whose accessible name starts with `name`. */
  async named(kind, name) {
    return this.driver.wait(() => this.#find(kind, name), APPEAR_MS, `no ${kind} named “${name}” in the window`);
  }

  button(name) {
    return this.named(BUTTONS, name);
  }

  /** Waits until a button is there and enabled, and clicks it. */
  click(name, kind = BUTTONS) {
    return this.#once(async () => {
      const button = await this.named(kind, name);
      if (!(await button.isEnabled())) return false;
      await button.click();
      return true;
    }, `“${name}” that takes a click`);
  }

  /**
   * Waits, as a person would, until a guarded button has stood still for longer than its guard, and presses it once.
   */
  async pressOnce(name) {
    await (await this.still(name)).click();
  }

  /**
   * Returns a guarded button once it has stood still for longer than its guard, when it accepts keys as well as clicks.
   */
  async still(name) {
    const button = await this.button(name);
    await this.driver.executeAsyncScript(
      `const [button, still, done] = arguments;
       let since = performance.now(), before = '';
       const look = () => {
         const box = button.getBoundingClientRect();
         const now = [box.right, box.top, box.height].map(Math.round).join();
         if (now !== before) since = performance.now();
         before = now;
         if (performance.now() - since > still) done();
         else requestAnimationFrame(look);
       };
       look();`,
      button,
      STILL_MS,
    );
    return button;
  }

  /** Chooses the list entry that starts with these words. */
  choose(name, words) {
    return this.#once(async () => {
      const list = await this.named('select', name);
      await (await list.findElement(By.xpath(`./option[starts-with(normalize-space(), "${words}")]`))).click();
      return this.driver.executeScript('return arguments[0].selectedOptions[0].text.trim().startsWith(arguments[1])', list, words);
    }, `list “${name}” with “${words}” chosen`);
  }

  /** Waits for a field and writes into it. */
  write(name, ...keys) {
    return this.#once(async () => {
      await (await this.field(name)).sendKeys(...keys);
      return true;
    }, `field “${name}” that takes keys`);
  }

  #find(kind, name) {
    return this.driver.executeScript(
      `const [kind, name] = arguments;
       const nameOf = (one) => (one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? '').replace(/\\s+/g, ' ').trim();
       return [...document.querySelectorAll(kind)].reverse().find((one) => one.checkVisibility() && nameOf(one).startsWith(name)) ?? null;`,
      kind,
      name,
    );
  }

  /** Repeats an attempt until the page stands still long enough for it to succeed. */
  async #once(tries, what) {
    await this.driver.wait(
      async () => {
        try {
          return await tries();
        } catch (error) {
          if (NOT_YET.has(error.name)) return false;
          throw error;
        }
      },
      APPEAR_MS,
      `no ${what}`,
    );
  }

  field(name) {
    return this.named('input, textarea', name);
  }

  /** Presses keys wherever the focus is. */
  async press(...keys) {
    await this.driver.actions().sendKeys(...keys).perform();
  }

  /** Opens a surface by its link. */
  async go(route) {
    await this.driver.executeScript('location.hash = arguments[0]', `#/${route}`);
  }

  /** Sends a message in the conversation, and waits until it is shown. */
  async ask(text) {
    await this.write('Message Adjutant', text, Key.ENTER);
    await this.sees(text);
  }

  /** Switches to the window whose address ends like this. */
  async inWindow(end) {
    await this.driver.wait(
      async () => {
        for (const handle of await this.driver.getAllWindowHandles()) {
          await this.driver.switchTo().window(handle);
          if ((await this.driver.getCurrentUrl()).endsWith(end)) return true;
        }
        return false;
      },
      APPEAR_MS,
      `no window at ${end}`,
    );
  }

  /** Waits until the window shows a text anywhere. */
  async sees(text, ms = APPEAR_MS) {
    await this.driver.wait(
      () => this.driver.executeScript('return document.body.innerText.includes(arguments[0])', text),
      ms,
      `the window does not show “${text}”`,
    );
  }

  /** Waits until everything set in motion inside the page so far has been handled and drawn. */
  async settle() {
    await this.driver.executeAsyncScript(
      'const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))',
    );
  }

  async reload() {
    await this.driver.navigate().refresh();
  }

  /** Right after a change, the web view still returns the frame before it. */
  async shot(name) {
    await this.settle();
    mkdirSync(SHOTS, { recursive: true });
    writeFileSync(`${SHOTS}${name}.png`, await this.driver.takeScreenshot(), 'base64');
  }

  /** Quits the app as the person would, and waits until it has released everything it held. */
  async quit() {
    // Its own menu must be in the tray; that of the previous start may still be known there.
    await this.machine.heard.wait((line) => line.kind === 'menu', 'the menu of this start', { after: this.heardFrom });
    const [pid] = tree(this.process.pid).filter((pid) => program(pid) === APP);
    await this.machine.press('Quit');
    await eventually(() => program(pid) === undefined, 'the app has ended');
    await this.kill();
  }

  /** Ends the session and everything it started. */
  async close() {
    await Promise.race([this.driver?.quit().catch(() => undefined), pause(CLOSE_MS)]);
    await this.kill();
  }

  /** Kills everything, as a power cut would. */
  async kill() {
    try {
      process.kill(-this.process.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
    await ended(this.process);
  }
}

/** Runs a test's body, and takes a screenshot of the window if it fails. */
export async function pictured(app, name, body) {
  try {
    await body();
  } catch (error) {
    await app.shot(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => undefined);
    throw error;
  }
}

async function listening(port) {
  const end = Date.now() + APPEAR_MS;
  for (;;) {
    const open = await new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (open) return;
    if (Date.now() > end) throw new Error(`nothing listens on port ${port}`);
    await pause(50);
  }
}
