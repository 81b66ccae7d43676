import type { EgressPolicy } from '@tieline/egress';
import { urlRefused } from '../../outgoing-webhooks.errors.js';

/**
 * Judges an address at registration (decisions, section 10); it is judged again at every connection. Resolves names:
 * never call it inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkSubscriptionUrl(policy: EgressPolicy, url: string): Promise<void> {
  const verdict = await policy.checkUrlResolved(url);
  if (!verdict.allowed) throw urlRefused(verdict.reason);
}
