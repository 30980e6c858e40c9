// Google, simulated by the npm package `emulate`. A proxy in front of it adds what `emulate` lacks: a mailbox's
// profile, tasks, people, and sync tokens. It can also refuse a client or a service, as Google does.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Lines } from './lines.mjs';
import { ended } from './machine.mjs';
import { freePort } from './port.mjs';

const PEER = new URL('../../google/node_modules/emulate/dist/index.js', import.meta.url).pathname;
const CALENDAR_EVENTS = /^\/calendar\/v3\/calendars\/[^/]+\/events$/;
/** `emulate` has no sync tokens: what was read once is not read again. */
const MARK = 'read';

export class Google {
  /** The client id it accepts. */
  client = 'desk.apps.example';
  /** Disabled services, as prefixes of their paths. */
  off = [];
  #tasks = [{ kind: 'tasks#task', id: 'task1', title: 'Water the ferns', status: 'needsAction', updated: '2026-01-10T09:00:00.000Z', etag: '"1"' }];

  /** Starts it with mailbox and calendar from a seed in the format of `emulate` (YAML). */
  static async start(machine, seed) {
    if (!existsSync(PEER)) throw new Error('emulate is not there. Run scripts/setup test, which installs it');
    const google = new Google();
    const file = join(machine.home, 'google.yaml');
    writeFileSync(file, seed);
    google.port = await freePort();
    google.process = spawn(process.execPath, [PEER, 'start', '--service', 'google', '--port', google.port, '--seed', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Lines(google.process.stdout, (line) => line).wait((line) => line.includes('http://localhost'), 'emulate');
    google.door = createServer((request, reply) => {
      google.#serve(request, reply).catch((error) => reply.writeHead(500).end(String(error)));
    });
    google.door.listen(0, '127.0.0.1');
    await once(google.door, 'listening');
    google.url = `http://127.0.0.1:${google.door.address().port}`;
    return google;
  }

  /** Returns the labels of the mail with this subject on the server. */
  async labels(subject) {
    const found = (await this.#mails()).find((mail) => header(mail, 'subject') === subject);
    return found?.labelIds ?? null;
  }

  /** Returns subject, recipient and beginning of the sent mails. */
  async sent() {
    const mails = (await this.#mails()).filter((mail) => mail.labelIds.includes('SENT'));
    return mails.map((mail) => ({ subject: header(mail, 'subject'), to: header(mail, 'to'), snippet: mail.snippet }));
  }

  async stop() {
    this.door?.closeAllConnections();
    this.door?.close();
    this.process?.kill();
    await ended(this.process);
  }

  async #mails() {
    const at = `http://127.0.0.1:${this.port}/gmail/v1/users/me/messages`;
    const ask = async (url) => (await fetch(url, { headers: { authorization: `Bearer ${this.token}` } })).json();
    const { messages = [] } = await ask(`${at}?includeSpamTrash=true`);
    return Promise.all(messages.map(({ id }) => ask(`${at}/${id}`)));
  }

  async #serve(request, reply) {
    const body = await bodyOf(request);
    const url = new URL(request.url, this.url);
    const json = (value, status = 200) => reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (this.off.some((path) => url.pathname.startsWith(path))) {
      const error = { code: 403, message: 'It has not been used in this project before.', status: 'PERMISSION_DENIED' };
      return json({ error: { ...error, errors: [{ reason: 'accessNotConfigured', domain: 'usageLimits', message: '' }] } }, 403);
    }
    switch (url.pathname) {
      case '/o/oauth2/v2/auth':
        if (url.searchParams.get('client_id') !== this.client) return reply.writeHead(401).end('Error 401: invalid_client');
        break;
      case '/oauth2/token':
        if (new URLSearchParams(body.toString()).get('client_id') !== this.client) return json({ error: 'invalid_client' }, 401);
        break;
      case '/gmail/v1/users/me/profile': {
        // The answer to a watch request contains the mailbox's current history id.
        const said = await this.#pass('POST', '/gmail/v1/users/me/watch', request, '{"topicName":"projects/a/topics/b"}', 'application/json');
        return json({ historyId: JSON.parse(said.text).historyId, messagesTotal: 1 });
      }
      case '/tasks/v1/users/@me/lists':
        return json({ kind: 'tasks#taskLists', items: [{ id: 'list1', title: 'Home' }] });
      case '/tasks/v1/lists/list1/tasks':
        return json({ kind: 'tasks#tasks', items: this.#tasks });
      case '/v1/people/me/connections':
        return json({ connections: [], nextSyncToken: MARK });
    }
    if (CALENDAR_EVENTS.test(url.pathname) && url.searchParams.get('syncToken') === MARK)
      return json({ kind: 'calendar#events', items: [], nextSyncToken: MARK });
    const said = await this.#pass(request.method, request.url, request, body);
    let text = said.text.replaceAll(`http://localhost:${this.port}`, this.url);
    if (request.method === 'GET' && CALENDAR_EVENTS.test(url.pathname) && said.status === 200)
      text = JSON.stringify({ ...JSON.parse(text), nextSyncToken: MARK });
    reply.writeHead(said.status, said.headers).end(text);
  }

  /** Passes a request on unchanged. */
  async #pass(method, target, { headers }, body, type = headers['content-type']) {
    const { authorization } = headers;
    if (authorization) this.token = authorization.replace(/^Bearer /, '');
    const said = await fetch(`http://127.0.0.1:${this.port}${target}`, {
      method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body.length > 0 && { body }),
      redirect: 'manual',
    });
    const kept = ['content-type', 'location'].flatMap((name) => (said.headers.has(name) ? [[name, said.headers.get(name)]] : []));
    return { status: said.status, headers: Object.fromEntries(kept), text: await said.text() };
  }
}

const header = (mail, name) => mail.payload.headers.find((one) => one.name.toLowerCase() === name)?.value;

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}
