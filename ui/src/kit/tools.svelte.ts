import { host, type Risk } from '../host';

/** The usual risk of each tool, loaded on first use. */
class Tools {
  #risks = $state.raw<ReadonlyMap<string, Risk>>(new Map());
  #wanted = false;

  want(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    host.call('tools', {}).then(
      ({ tools }) => {
        this.#risks = new Map(tools.map((tool) => [tool.name, tool.risk]));
      },
      () => {
        // A plan is readable without it; the next one tries again.
        this.#wanted = false;
      },
    );
  }

  risk(tool: string): Risk | null {
    return this.#risks.get(tool) ?? null;
  }
}

export const tools = new Tools();
