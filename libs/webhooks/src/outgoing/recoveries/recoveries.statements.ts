import { statement, text } from '@tieline/platform/database';
import type { Plan } from '@tieline/spaces';

/** None for an inactive space. $1 space */
export const PLAN_OF_SPACE = statement(
  'outgoing.plan_of_space',
  'SELECT plan FROM spaces WHERE id = $1 AND is_active',
  { plan: text<Plan>() },
);

/**
 * Recoveries that are not over, of all spaces: running, or cancelled while something of them was on
 * its way.
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
 * Notes events $3 that a recovery hands over as the deliveries $4. Answers those that it has not
 * had before.
 */
export const NOTE_RECOVERED = statement(
  'outgoing.note_recovered',
  `INSERT INTO outgoing_recovered_events (space_id, recovery_id, event_id, delivery_id)
   SELECT $1, $2, * FROM unnest($3::uuid[], $4::uuid[]) ON CONFLICT DO NOTHING RETURNING delivery_id AS "deliveryId"`,
  { deliveryId: 'uuid' },
);

/** The deliveries of a recovery that had not ended when last looked at. */
export const LIST_RECOVERED = statement(
  'outgoing.list_recovered',
  'SELECT delivery_id AS "deliveryId" FROM outgoing_recovered_events WHERE space_id = $1 AND recovery_id = $2 AND NOT has_ended',
  { deliveryId: 'uuid' },
);

/** Notes that the deliveries $3 of a recovery have ended. */
export const END_RECOVERED = statement(
  'outgoing.end_recovered',
  `UPDATE outgoing_recovered_events SET has_ended = true
   WHERE space_id = $1 AND recovery_id = $2 AND NOT has_ended AND delivery_id = ANY($3::uuid[])`,
  {},
);

/** Forgets the events of a recovery that is over. */
export const FORGET_RECOVERED = statement(
  'outgoing.forget_recovered',
  'DELETE FROM outgoing_recovered_events WHERE space_id = $1 AND recovery_id = $2',
  {},
);
