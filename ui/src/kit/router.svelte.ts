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

  /** The value for an `href` attribute. */
  href(surface: string, id?: string | null): string {
    return `#/${surface}${id ? `/${encodeURIComponent(id)}` : ''}`;
  }

  go(surface: string, id?: string | null): void {
    location.hash = this.href(surface, id);
    this.route = read();
  }

  /** Replaces the current history entry, so that Back skips it. */
  replace(surface: string, id?: string | null): void {
    history.replaceState(null, '', this.href(surface, id));
    this.route = read();
  }
}

export const router = new Router();
