import { host, type JsonValue } from '../host';

/** The conversation id for texts read outside any conversation. */
const NO_CONVERSATION = 'direct';

export type ToolArgs = Record<string, JsonValue>;

/**
 * The arguments of the single call that the engine reads in a line of text; null if it reads anything else, or fails:
 * reading is only a convenience.
 */
export async function readCall(tool: string, text: string): Promise<ToolArgs | null> {
  try {
    const { reading } = await host.call('explain', { conversation: NO_CONVERSATION, text });
    return reading.reading === 'plan' ? callOf(tool, reading.steps) : null;
  } catch {
    return null;
  }
}

/** The arguments of the plan's only call, if it calls this tool; null for any other plan. */
export function callOf(tool: string, steps: readonly JsonValue[]): ToolArgs | null {
  const [step, ...more] = steps;
  if (more.length > 0 || step === null || typeof step !== 'object' || Array.isArray(step)) return null;
  const { tool: of, args, question } = step as { tool?: JsonValue; args?: JsonValue; question?: JsonValue };
  if (of !== tool || (question ?? null) !== null) return null;
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return null;
  const known = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  // A value computed by another step cannot be applied on its own; a list of names can.
  const isPlain = (value: JsonValue | undefined): boolean =>
    Array.isArray(value) ? value.every((one) => typeof one === 'string') : typeof value !== 'object';
  return known.every(([, value]) => isPlain(value)) ? (Object.fromEntries(known) as ToolArgs) : null;
}
