import type { EgressPolicy, EgressRefusal } from '@tieline/egress';
import type { ApiError } from '@tieline/platform/http';
import { webhookUrlNotAllowed, webhookUrlNotHttps, webhookUrlWithUserinfo } from '../../bots.errors.js';

const REFUSALS: Readonly<Record<EgressRefusal, () => ApiError>> = {
  invalid_url: webhookUrlNotHttps,
  scheme: webhookUrlNotHttps,
  userinfo: webhookUrlWithUserinfo,
  address: webhookUrlNotAllowed,
};

/**
 * Judges a push address at registration (decisions, section 10); it is judged again at every connection. "" clears the
 * address and undefined leaves it, so both pass. Resolves names: never call it inside a transaction.
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function checkWebhookUrl(policy: EgressPolicy, url: string | undefined): Promise<void> {
  if (url === undefined || url === '') return;
  const verdict = await policy.checkUrlResolved(url);
  if (!verdict.allowed) throw REFUSALS[verdict.reason]();
}
