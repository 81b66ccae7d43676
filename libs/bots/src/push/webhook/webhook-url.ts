import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';

/**
 * Checks a push address against the egress policy, which applies again to every connection
 * (docs/security.md#outgoing-requests). "" clears the address and undefined keeps it, so both pass.
 * Resolves names: never call it inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkWebhookUrl(policy: EgressPolicy, url: string | undefined): Promise<void> {
  if (url === undefined || url === '') return;
  const verdict = await policy.checkUrlResolved(url);
  if (!verdict.allowed) throw urlRefused('webhook_url', verdict.reason);
}
