import type { Queryable } from '@tieline/platform/database';
import type { SecretBox } from '@tieline/signing';
import { secretUnreadable } from '../outgoing-webhooks.errors.js';
import { readSecrets } from '../subscriptions/outgoing-webhooks.queries.js';

/** The signing secret of one subscription that exists. @throws 409 when no known key opens it: it must be rotated */
export async function readSecret(q: Queryable, box: SecretBox, subscriptionId: string): Promise<string> {
  const secret = (await readSecrets(q, box, [subscriptionId])).get(subscriptionId);
  if (secret === undefined) throw secretUnreadable();
  return secret;
}
