import type { ConnectionDraft } from '../../host';

type Model = NonNullable<ConnectionDraft['models'][string]>;

/** A model of which only the name is known: what it can do is found out by the test. */
export function modelOf(id: string, context_tokens: number | null = null): Model {
  return {
    id,
    context_tokens: context_tokens ?? 0,
    tools: true,
    structure: true,
    input_micros_per_million: 0,
    output_micros_per_million: 0,
  };
}
