import type { Queryable } from '@tieline/platform/database';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import { secretUnreadable } from '../outgoing-webhooks.errors.js';
import { readSecrets } from '../subscriptions/outgoing-webhooks.queries.js';

/**
 * Returns the valid signing secrets of an existing subscription.
 * @throws 409 when no known key opens the current secret, which must then be rotated
 */
export async function readLiveSecrets(
  q: Queryable,
  box: SecretBox,
  subscriptionId: string,
): Promise<LiveSecrets> {
  const secrets = (await readSecrets(q, box, [subscriptionId])).get(subscriptionId);
  if (secrets === undefined) throw secretUnreadable();
  return secrets;
}
