/** A place in the window: `chat/main`, `approvals/a1`, `settings/appearance`. */
export interface Route {
  surface: string;
  id: string | null;
}

function read(): Route {
  const [surface = '', ...rest] = location.hash.replace(/^#\/?/, '').split('/');
  const id = rest.join('/');
  return { surface: surface || 'chat', id: id ? decodeURIComponent(id) : null };
}

class Router {
  route = $state.raw<Route>(read());

  constructor() {
    addEventListener('hashchange', () => {
      this.route = read();
    });
  }

  /** For `href`. */
  href(surface: string, id?: string | null): string {
    return `#/${surface}${id ? `/${encodeURIComponent(id)}` : ''}`;
  }

  go(surface: string, id?: string | null): void {
    location.hash = this.href(surface, id);
    this.route = read();
  }

  /** The same place under another name: Back does not stop at it. */
  replace(surface: string, id?: string | null): void {
    history.replaceState(null, '', this.href(surface, id));
    this.route = read();
  }
}

export const router = new Router();
