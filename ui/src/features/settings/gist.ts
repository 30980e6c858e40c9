import type { JsonValue } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/models';

/** A short summary of a reply: type and domains of a route, or the tools of a plan. Unknown shapes become JSON. */
export function gistText(gist: JsonValue): string {
  if (gist === 'unusable') return t('models.gist_unusable');
  if (gist === 'no reply') return t('models.gist_none');
  if (gist === 'not rendered') return t('models.gist_not_rendered');
  if (typeof gist === 'string') return gist;
  if (gist !== null && typeof gist === 'object' && !Array.isArray(gist)) {
    const { kind, domains, tools, asks } = gist;
    if (Array.isArray(tools)) {
      const named = tools.length > 0 ? tools.map(String).join(', ') : t('models.gist_no_steps');
      return asks === true ? t('models.gist_asks', { tools: named }) : named;
    }
    if (typeof kind === 'string') return [kind, ...(Array.isArray(domains) ? domains.map(String) : [])].join(', ');
  }
  return JSON.stringify(gist);
}
