import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';
import type { AppInput } from './app.js';

/**
 * Checks the addresses of an app against the egress policy. "" and undefined pass. Resolves names:
 * never call it inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkAppUrls(
  policy: EgressPolicy,
  { eventUrl, interactiveUrl }: Pick<AppInput, 'eventUrl' | 'interactiveUrl'>,
): Promise<void> {
  for (const [field, url] of [
    ['event_url', eventUrl],
    ['interactive_url', interactiveUrl],
  ] as const) {
    if (url === undefined || url === '') continue;
    const verdict = await policy.checkUrlResolved(url);
    if (!verdict.allowed) throw urlRefused(field, verdict.reason);
  }
}
