import { deadLetterCounter } from '@tieline/delivery';
import type { DeadLetterCounter } from '@tieline/delivery';
import { nullable, statement } from '@tieline/platform/database';
import { LIVE_PREVIOUS_SECRET } from '@tieline/signing';

/**
 * Bots as the engine needs them. Deleted bots are missing; bots in another mode or in an inactive
 * space are inactive.
 */
export const LOAD_PUSH_TARGETS = statement(
  'bots.load_push_targets',
  `SELECT b.id, b.webhook_url AS url, b.is_active AND s.is_active AND b.event_delivery_mode = 'webhook' AND b.exhausted_at IS NULL AS active,
          b.webhook_secret AS "webhookSecret", ${LIVE_PREVIOUS_SECRET} AS "previousSecret"
   FROM bots b JOIN spaces s ON s.id = b.space_id WHERE b.id = ANY($1::uuid[]) AND b.deleted_at IS NULL`,
  { id: 'uuid', url: 'text', active: 'bool', webhookSecret: 'bytea', previousSecret: nullable('bytea') },
);

/** Where consecutive failed deliveries of bots in mode `webhook` are counted. */
export const PUSH_FAILURES: DeadLetterCounter = {
  table: 'bots',
  column: 'push_failures',
  counts: `t.event_delivery_mode = 'webhook' AND t.is_active AND t.deleted_at IS NULL AND EXISTS (SELECT FROM spaces s WHERE s.id = t.space_id AND s.is_active)`,
};

/** Counts the consecutive failed deliveries of bots in mode `webhook`. */
export const COUNT_PUSH_FAILURES = deadLetterCounter('bots.count_push_failures', PUSH_FAILURES);
