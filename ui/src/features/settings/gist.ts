import type { JsonValue } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/models';

/** What a reply came to, in a few words: kind and parts of a request, tools of a plan. Unknown shapes are shown as they are. */
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
