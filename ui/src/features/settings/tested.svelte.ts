import type { ModelTest } from '../../host';
import { clock } from '../../kit/clock.svelte';

/** A test of a model, with the time at which it ended. */
export interface Tested {
  test: ModelTest;
  at: number;
}

/** What is known of the models of a connection. */
interface Known {
  tests: readonly Tested[];
  /** When the connection was last changed in this window; what its models did before does not count. */
  since: number;
}

const NOTHING: Known = { tests: [], since: 0 };

/** The results of tests, kept until the window closes. */
class TestedModels {
  #known = $state.raw<Record<string, Known>>({});

  of(name: string): Known {
    return this.#known[name] ?? NOTHING;
  }

  /** Forgets the tests before those that begin now. */
  begin(name: string): void {
    this.#set(name, { ...this.of(name), tests: [] });
  }

  /** Adds a result. One model may serve two tiers and has only its last result. */
  add(name: string, test: ModelTest): void {
    const known = this.of(name);
    const others = known.tests.filter((one) => one.test.model !== test.model);
    this.#set(name, { ...known, tests: [...others, { test, at: clock.now() }] });
  }

  /** Forgets a connection that is no longer what it was. */
  changed(name: string): void {
    this.#set(name, { tests: [], since: clock.now() });
  }

  #set(name: string, known: Known): void {
    this.#known = { ...this.#known, [name]: known };
  }
}

export const tested = new TestedModels();
