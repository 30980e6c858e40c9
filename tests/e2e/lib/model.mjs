// An OpenAI-compatible model server on this machine that replies as the test tells it to.

import { createServer } from 'node:http';
import { once } from 'node:events';

export class ModelServer {
  /** Stages in the order of the requests. */
  asked = [];
  /** What it answers in a stage: functions from the text of a request to a value, by stage. */
  replies = {};
  #server;
  #holding = null;
  #release = () => {};

  static async start() {
    const model = new ModelServer();
    model.#server = createServer((request, reply) => void model.#serve(request, reply));
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    model.url = `http://127.0.0.1:${model.#server.address().port}/v1`;
    return model;
  }

  /** Stops the next answers after their first piece, until `goOn` is called. */
  hold() {
    this.#holding = new Promise((done) => (this.#release = done));
  }

  goOn() {
    this.#holding = null;
    this.#release();
  }

  async stop() {
    this.goOn();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request, reply) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    if (request.method === 'GET') {
      reply.setHeader('content-type', 'application/json');
      reply.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny', object: 'model' }] }));
      return;
    }
    const stage = request.headers['x-adjutant-stage'];
    this.asked.push(stage);
    const text = Buffer.concat(pieces).toString();
    const { response_format: wanted } = JSON.parse(text);
    reply.setHeader('content-type', 'text/event-stream');
    const chunk = (delta, finish_reason = null) =>
      reply.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    const said = this.#say(stage, text, wanted);
    for (const [n, content] of said.entries()) {
      chunk({ content });
      if (n === 0 && this.#holding) await this.#holding;
    }
    chunk({}, 'stop');
    reply.end('data: [DONE]\n\n');
  }
  #say(stage, text, wanted) {
    const reply = this.replies[stage];
    if (reply) return [JSON.stringify(reply(text))];
    return wanted ? ['{"word": "marigold"}'] : ['Blue light ', 'is **scattered** ', 'the most. marigold'];
  }
}
