import type { ConnectionDraft, FoundServer, ModelsView } from '../../host';

/** A model that runs on this computer and could be connected as is. */
export interface Offer {
  server: string;
  model: string;
  draft: ConnectionDraft;
}

const STORE = 'adjutant.no-model-offer';

/** The first found server with a chat model, unless a model is already connected. */
export function offerOf(view: ModelsView, servers: readonly FoundServer[]): Offer | null {
  if (view.connections.length > 0 || view.answering) return null;
  for (const { label, kind, base_url, models } of servers) {
    const model = models.find((one) => !one.embeds);
    if (!model) continue;
    const standard = {
      id: model.id,
      context_tokens: model.context_tokens ?? 0,
      // The connection test finds out what the model can do.
      tools: true,
      structure: true,
      input_micros_per_million: 0,
      output_micros_per_million: 0,
    };
    const draft = { name: label, kind, base_url, models: { standard }, embedding: null, headers: {}, proxy: '' };
    return { server: label, model: model.id, draft };
  }
  return null;
}

/** Once the person has declined, Adjutant does not ask again; Settings still finds the model. */
export function wasDeclined(): boolean {
  try {
    return localStorage.getItem(STORE) === 'yes';
  } catch {
    return false;
  }
}

export function decline(): void {
  try {
    localStorage.setItem(STORE, 'yes');
  } catch {
    // Without storage, the choice lasts until the window closes.
  }
}
