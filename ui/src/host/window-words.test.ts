import { describe, expect, it } from 'vitest';
import { HostFault, type Host } from './host';
import { inWindowWords, withoutCommands } from './window-words';
import type { WireEvent } from './wire';

describe('words of the engine', () => {
  it.each([
    [
      'Check that it runs and can be reached (Settings, Check or `adjutant doctor` tries), or choose another in Settings, Models.',
      'Check that it runs and can be reached (Settings › Check tries), or choose another in Settings › Models.',
    ],
    [
      'Ask again, or connect a second model in Settings, Models (`adjutant models add`).',
      'Ask again, or connect a second model in Settings › Models.',
    ],
    [
      'Raise the limit in Settings, Models (`adjutant config set models.spend.day`), connect a model on this computer, or wait until tomorrow.',
      'Raise the limit in Settings › Models, connect a model on this computer, or wait until tomorrow.',
    ],
    [
      'Start Adjutant online (without `--offline`) to use it, or connect a model on this computer.',
      'Start Adjutant online to use it, or connect a model on this computer.',
    ],
    [
      'Start and unlock a keyring in this session, or give a key for one run in ADJUTANT_MODEL_KEY; models on this computer need none.',
      'Start and unlock a keyring in this session; models on this computer need none.',
    ],
    ['In Settings, Web and research, you can choose one.', 'In Settings › Web and research, you can choose one.'],
    ['Call `adjutant` what you like.', 'Call `adjutant` what you like.'],
  ])('come without commands', (said, shown) => expect(withoutCommands(said)).toBe(shown));
});

const HINT = 'See it in Jobs (`adjutant show jobs`).';
const PLAIN = 'See it in Jobs.';

/** A host that gives the same answer to every request, and sends one event. */
const hostThat = (answer: () => unknown, event: unknown = {}): Host =>
  inWindowWords({
    call: async () => Promise.resolve(answer()),
    subscribe: (_from: unknown, on: (event: WireEvent) => void) => {
      on(event as WireEvent);
      return () => undefined;
    },
  } as unknown as Host);

describe('advice that reaches the window', () => {
  it('has no command in a reply, wherever it stands', async () => {
    const reply = { reply: 'doctor', checks: [{ name: 'Models', hint: HINT, found: '(`adjutant` is its name)' }] };
    const host = hostThat(() => reply);
    expect(await host.call('doctor', {})).toEqual({
      reply: 'doctor',
      checks: [{ name: 'Models', hint: PLAIN, found: '(`adjutant` is its name)' }],
    });
  });

  it('has none in an event or in a refusal', async () => {
    const seen: unknown[] = [];
    const host = hostThat(
      () => {
        throw new HostFault({ code: 'jobs', message: 'It is not there.', hint: HINT });
      },
      { event: 'error', code: 'model', message: 'No.', hint: HINT },
    );
    host.subscribe({ conversation: null, from_seq: 0 }, (event) => seen.push(event));
    expect(seen).toEqual([{ event: 'error', code: 'model', message: 'No.', hint: PLAIN }]);
    await expect(host.call('doctor', {})).rejects.toMatchObject({ message: 'It is not there.', hint: PLAIN });
  });

  it('leaves alone what a tool was given, whatever its fields are called', async () => {
    const reply = { outcome: { args: { note: HINT } } };
    expect(await hostThat(() => reply).call('doctor', {})).toEqual({ outcome: { args: { note: HINT } } });
  });
});
