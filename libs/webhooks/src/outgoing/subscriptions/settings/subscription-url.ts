import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';

/**
 * Judges an address at registration (docs/security.md, Outgoing requests); it is judged again at
 * every connection. Resolves names: never call it inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkSubscriptionUrl(policy: EgressPolicy, url: string): Promise<void> {
  const verdict = await policy.checkUrlResolved(url);
  if (!verdict.allowed) throw urlRefused('url', verdict.reason);
}
