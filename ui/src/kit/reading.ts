import { host, type JsonValue } from '../host';

/** Where the window reads words without a conversation. */
const NO_CONVERSATION = 'direct';

export type ToolArgs = Record<string, JsonValue>;

/**
 * The arguments of the one call a line means, as the engine reads it in a conversation; null when it reads anything else,
 * or cannot read: reading is a convenience.
 */
export async function readCall(tool: string, text: string): Promise<ToolArgs | null> {
  try {
    const { reading } = await host.call('explain', { conversation: NO_CONVERSATION, text });
    return reading.reading === 'plan' ? callOf(tool, reading.steps) : null;
  } catch {
    return null;
  }
}

/** The arguments of the one call of a tool that a plan consists of; null when it is any other plan. */
export function callOf(tool: string, steps: readonly JsonValue[]): ToolArgs | null {
  const [step, ...more] = steps;
  if (more.length > 0 || step === null || typeof step !== 'object' || Array.isArray(step)) return null;
  const { tool: of, args, question } = step as { tool?: JsonValue; args?: JsonValue; question?: JsonValue };
  if (of !== tool || (question ?? null) !== null) return null;
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return null;
  const known = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  // A value that is worked out by another step cannot be applied by itself; a list of names can.
  const isPlain = (value: JsonValue | undefined): boolean =>
    Array.isArray(value) ? value.every((one) => typeof one === 'string') : typeof value !== 'object';
  return known.every(([, value]) => isPlain(value)) ? (Object.fromEntries(known) as ToolArgs) : null;
}
