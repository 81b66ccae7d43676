import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';

/**
 * Checks an address when it is set. It is checked again at every connection. Resolves names, so
 * never call it inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkSubscriptionUrl(policy: EgressPolicy, url: string): Promise<void> {
  const verdict = await policy.checkUrlResolved(url);
  if (!verdict.allowed) throw urlRefused('url', verdict.reason);
}
