import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';

/**
 * Checks the address of an app against the egress policy. "" and undefined pass. Resolves names:
 * never call it inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkEventUrl(policy: EgressPolicy, url: string | undefined): Promise<void> {
  if (url === undefined || url === '') return;
  const verdict = await policy.checkUrlResolved(url);
  if (!verdict.allowed) throw urlRefused('event_url', verdict.reason);
}
