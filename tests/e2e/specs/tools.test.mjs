// Settings › Tools as a person uses it: a server pasted from another program is tried, accepted, and asked for
// something only it can do, and nothing is sent to it before the person approves. Three presses lead from the pasted
// text to its tools.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { App, pictured } from "../lib/app.mjs";
import { Machine } from "../lib/machine.mjs";
import { becomes } from "../lib/wait.mjs";

const SERVER = new URL("../lib/tides_server.mjs", import.meta.url).pathname;

let machine, app, asked;
before(async () => {
  machine = await Machine.start();
  await machine.openKeyring();
  asked = join(machine.home, "asked");
  app = await App.open(machine);
});
after(async () => {
  await app?.close();
  await machine?.stop();
});

const scene = (name, body) => test(name, () => pictured(app, name, body));
const calls = () => {
  try {
    return readFileSync(asked, "utf8").split("\n").filter(Boolean);
  } catch {
    // It has not been called yet.
    return [];
  }
};

scene(
  "a server pasted from another program is tried and shows its tools before they count",
  async () => {
    await app.go("settings/tools");
    await app.sees("No server adds tools yet");
    await app.shot("tools-none");
    await app.click("Add a server");
    await app.click("Pasted JSON", 'input[type="radio"]');
    const tides = {
      command: process.execPath,
      args: [SERVER],
      env: { TIDES_ASKED: asked },
    };
    await app.write("mcpServers", JSON.stringify({ mcpServers: { tides } }));
    await app.shot("tools-pasted");
    await app.click("Try it");
    await app.sees("tides answers");
    await app.sees("high_tide");
    await app.shot("tools-tried");
    await app.click("Use these tools");
    await app.sees("In use, 1 tool");
    await app.shot("tools-used");
    assert.deepEqual(calls(), [], "trying called nothing");
  },
);

scene(
  "what only it can do is asked for in words, and goes to it after the approval alone",
  async () => {
    await app.go("chat/new");
    await app.ask("high tide in Dover");
    await app.button("Approve");
    await app.sees("Dover");
    await app.shot("tools-asks");
    assert.deepEqual(calls(), [], "nothing was sent before");
    await app.pressOnce("Approve");
    // The receipt says that it was called; its answer is kept with it.
    await app.sees("Called “high_tide”");
    await app.sees("High tide in Dover is at 11:42.");
    await app.shot("tools-answer");
    assert.deepEqual(calls(), ["Dover"]);
  },
);

scene("it can be switched off and on again, and removed", async () => {
  await app.go("settings/tools");
  await app.click("Switch off: tides");
  await app.sees("Switched off");
  await app.click("Switch on: tides");
  await app.sees("In use, 1 tool");
  await app.click("Remove: tides");
  await app.click("Remove", "dialog button");
  await app.sees("No server adds tools yet");
  await becomes(
    async () =>
      (await machine.cli("mcp", "list", "--json")).stdout.includes("tides"),
    false,
  );
});
