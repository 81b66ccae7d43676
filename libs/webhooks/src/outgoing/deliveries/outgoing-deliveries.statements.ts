import { deadLetterCounter } from '@tieline/delivery';
import type { DeadLetterCounter } from '@tieline/delivery';
import { nullable, statement, text } from '@tieline/platform/database';
import { LIVE_PREVIOUS_SECRET } from '@tieline/signing';
import type { Plan } from '@tieline/spaces';

/**
 * Loads subscriptions for the delivery engine. Omits deleted ones. Those of an inactive space count
 * as inactive.
 */
export const LOAD_TARGETS = statement(
  'outgoing_webhooks.load_targets',
  `
  SELECT
    w.id,
    w.url,
    w.status = 'active' AND w.exhausted_at IS NULL AND s.is_active AS active,
    s.plan,
    w.signing_secret AS "signingSecret",
    ${LIVE_PREVIOUS_SECRET} AS "previousSecret"
  FROM outgoing_webhooks w
  JOIN spaces s ON s.id = w.space_id
  WHERE w.id = ANY($1::uuid[]) AND w.deleted_at IS NULL AND w.signing_secret IS NOT NULL
  `,
  {
    id: 'uuid',
    url: 'text',
    active: 'bool',
    plan: text<Plan>(),
    signingSecret: 'bytea',
    previousSecret: nullable('bytea'),
  },
);

/** Where consecutive dead deliveries of active subscriptions are counted. */
export const DEAD_LETTERS: DeadLetterCounter = {
  table: 'outgoing_webhooks',
  column: 'consecutive_dead',
  counts: `t.status = 'active' AND t.deleted_at IS NULL AND EXISTS (SELECT FROM spaces s WHERE s.id = t.space_id AND s.is_active)`,
};
/** Counts the consecutive dead deliveries of active subscriptions. */
export const COUNT_DEAD_LETTERS = deadLetterCounter('outgoing_webhooks.count_dead_letters', DEAD_LETTERS);
