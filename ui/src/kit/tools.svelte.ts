import { host, type Risk } from '../host';

/** The usual class of risk of each tool, read once when somebody first wants it. */
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
        // The plan is readable without it; the next plan asks again.
        this.#wanted = false;
      },
    );
  }

  risk(tool: string): Risk | null {
    return this.#risks.get(tool) ?? null;
  }
}

export const tools = new Tools();
