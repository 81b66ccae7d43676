import { statement, text } from '@tieline/platform/database';
import type { Plan } from '@tieline/spaces';

/** Returns no row for an inactive space. $1 space */
export const PLAN_OF_SPACE = statement(
  'outgoing.plan_of_space',
  'SELECT plan FROM spaces WHERE id = $1 AND is_active',
  { plan: text<Plan>() },
);

/**
 * Lists the open recoveries of all spaces: running ones, and cancelled ones with unfinished
 * deliveries.
 */
export const OPEN_RECOVERIES = statement(
  'outgoing.open_recoveries',
  `SELECT space_id AS "spaceId", id FROM (
     SELECT space_id, id, webhook_id FROM outgoing_recoveries WHERE state = 'running'
     UNION ALL SELECT space_id, id, webhook_id FROM outgoing_recoveries WHERE state = 'cancelled' AND handed > succeeded + failed
   ) r ORDER BY space_id, webhook_id`,
  { spaceId: 'uuid', id: 'uuid' },
);

/**
 * Records that a recovery sends the events $3 as the deliveries $4. Returns the deliveries of new
 * events only.
 */
export const RECORD_RECOVERED = statement(
  'outgoing.note_recovered',
  `INSERT INTO outgoing_recovered_events (space_id, recovery_id, event_id, delivery_id)
   SELECT $1, $2, * FROM unnest($3::uuid[], $4::uuid[]) ON CONFLICT DO NOTHING RETURNING delivery_id AS "deliveryId"`,
  { deliveryId: 'uuid' },
);

/** Lists the deliveries of a recovery not yet marked as finished. */
export const LIST_RECOVERED = statement(
  'outgoing.list_recovered',
  'SELECT delivery_id AS "deliveryId" FROM outgoing_recovered_events WHERE space_id = $1 AND recovery_id = $2 AND NOT has_ended',
  { deliveryId: 'uuid' },
);

/** Marks the deliveries $3 of a recovery as finished. */
export const FINISH_RECOVERED = statement(
  'outgoing.end_recovered',
  `UPDATE outgoing_recovered_events SET has_ended = true
   WHERE space_id = $1 AND recovery_id = $2 AND NOT has_ended AND delivery_id = ANY($3::uuid[])`,
  {},
);

/** Deletes the events of a finished recovery. */
export const DELETE_RECOVERED = statement(
  'outgoing.forget_recovered',
  'DELETE FROM outgoing_recovered_events WHERE space_id = $1 AND recovery_id = $2',
  {},
);
