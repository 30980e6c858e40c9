// Compares the app with an empty window of the same Tauri in the same run: time to the first contentful paint, and
// memory at rest.
// Usage: tests/e2e/measure APP EMPTY [RUNS]

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { App } from './lib/app.mjs';
import { ended, Machine } from './lib/machine.mjs';
import { program, stat, tree } from './lib/processes.mjs';
import { eventually } from './lib/wait.mjs';

const [app, empty, runs = '5'] = process.argv.slice(2);

/** Maximum ratio to the empty window. */
const PAINT_RATIO_MAX = 1.3;
const MEMORY_RATIO_MAX = 1.25;

/** Time after its start at which a window is at rest. */
const SETTLED_MS = 8_000;

/** Clock ticks per second in /proc, on every Linux that runs WebKitGTK. */
const TICKS_PER_SECOND = 100;

/** Returns the time at which a process started, in milliseconds since 1970. */
function started(pid) {
  const [uptime] = readFileSync('/proc/uptime', 'utf8').split(' ');
  const boot = Date.now() - Number(uptime) * 1000;
  return boot + (Number(stat(pid)[19]) / TICKS_PER_SECOND) * 1000;
}

async function paint(binary) {
  const machine = await Machine.start();
  const app = await App.open(machine, { application: binary });
  try {
    const painted = await eventually(
      () =>
        app.driver.executeScript(`
          const [paint] = performance.getEntriesByName('first-contentful-paint');
          return paint && performance.timeOrigin + paint.startTime;`),
      'a first paint',
    );
    const pid = tree(app.process.pid).find((pid) => program(pid) === binary);
    return painted - started(pid);
  } finally {
    await app.close();
    await machine.stop();
  }
}

async function memory(binary) {
  const machine = await Machine.start();
  const child = spawn(binary, [], { env: machine.env, stdio: 'ignore', detached: true });
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    let kib = 0;
    for (const pid of tree(child.pid)) {
      kib += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]);
    }
    return kib / 1024;
  } finally {
    // Kills the whole group, because its web processes still write into the home folder that is deleted next.
    process.kill(-child.pid, 'SIGKILL');
    await ended(child);
    await machine.stop();
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function compare(what, unit, measure, limit) {
  const values = { app: [], empty: [] };
  for (let run = 0; run < Number(runs); run += 1) {
    // Alternate, so that both run under the same load.
    values.empty.push(await measure(empty));
    values.app.push(await measure(app));
  }
  const ratio = median(values.app) / median(values.empty);
  const good = ratio <= limit;
  console.log(
    `${what}: ${median(values.app).toFixed(0)} ${unit}, empty window ${median(values.empty).toFixed(0)} ${unit}, ` +
      `ratio ${ratio.toFixed(2)} (at most ${limit}) ${good ? 'ok' : 'FAILED'}`,
  );
  return good;
}

const good = [
  await compare('First contentful paint', 'ms', paint, PAINT_RATIO_MAX),
  await compare('Memory at rest', 'MiB', memory, MEMORY_RATIO_MAX),
];
process.exitCode = good.every(Boolean) ? 0 : 1;
