// A search engine on this machine that answers like SearXNG, and the pages it finds.

import { createServer } from 'node:http';
import { once } from 'node:events';

const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

export class SearchServer {
  /** Queries in the order of the requests. */
  queries = [];
  #server;
  #pages;
  #held = null;
  #answered = 0;
  #release = () => {};

  /** Starts with pages: `{ '/path': { title, text } }`. */
  static async start(pages) {
    const search = new SearchServer();
    search.#pages = pages;
    search.#server = createServer((request, reply) => void search.#serve(request, reply));
    search.#server.listen(0, '127.0.0.1');
    await once(search.#server, 'listening');
    search.url = `http://127.0.0.1:${search.#server.address().port}`;
    return search;
  }

  /** Answers this many further searches, and the others once `goOn` is called. */
  holdAfter(more) {
    this.#answered = this.queries.length + more;
    this.#held = new Promise((done) => (this.#release = done));
  }

  goOn() {
    this.#held = null;
    this.#release();
  }

  async stop() {
    this.goOn();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request, reply) {
    const { pathname, searchParams } = new URL(request.url, this.url);
    if (pathname === '/search') {
      const query = searchParams.get('q');
      this.queries.push(query);
      if (this.#held && this.queries.length > this.#answered) await this.#held;
      reply.setHeader('content-type', 'application/json');
      reply.end(JSON.stringify({ query, results: this.#found(query) }));
      return;
    }
    const page = this.#pages[pathname];
    reply.statusCode = page ? 200 : 404;
    reply.setHeader('content-type', 'text/html; charset=utf-8');
    reply.end(page ? `<title>${page.title}</title><article><h1>${page.title}</h1><p>${page.text}</p></article>` : '');
  }

  #found(query) {
    const wanted = [...words(query)];
    return Object.entries(this.#pages)
      .filter(([, { title, text }]) => wanted.some((word) => words(`${title} ${text}`).has(word)))
      .map(([path, { title, text }]) => ({ url: `${this.url}${path}`, title, content: text.slice(0, 60) }));
  }
}
