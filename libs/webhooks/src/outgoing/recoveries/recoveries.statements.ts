import { statement, text } from '@tieline/platform/database';
import type { Plan } from '@tieline/spaces';

/** Returns no row for an inactive space. $1 space */
export const PLAN_OF_SPACE = statement(
  'spaces.find_active_plan',
  'SELECT plan FROM spaces WHERE id = $1 AND is_active',
  { plan: text<Plan>() },
);

/**
 * Lists the open recoveries of all spaces: running ones, and cancelled ones with unfinished
 * deliveries.
 */
export const OPEN_RECOVERIES = statement(
  'outgoing_recoveries.list_open',
  `
  SELECT space_id AS "spaceId", id
  FROM (
    SELECT space_id, id, webhook_id
    FROM outgoing_recoveries
    WHERE state = 'running'
    UNION ALL
    SELECT space_id, id, webhook_id
    FROM outgoing_recoveries
    WHERE state = 'cancelled' AND handed > succeeded + failed
  ) r
  ORDER BY space_id, webhook_id
  `,
  { spaceId: 'uuid', id: 'uuid' },
);

/** Whether there is an open recovery. */
export const RECOVERIES_ARE_OPEN = statement(
  'outgoing_recoveries.check_open',
  `SELECT EXISTS (${OPEN_RECOVERIES.text}) AS due`,
  { due: 'bool' },
);

/** Records which events a recovery sends, as which deliveries. Returns those of new events only. */
export const RECORD_RECOVERED = statement(
  'outgoing_recovered_events.add',
  {
    params: {
      spaceId: 'uuid',
      recoveryId: 'uuid',
      eventIds: 'uuid[]',
      deliveryIds: 'uuid[]',
    },
    columns: { deliveryId: 'uuid' },
  },
  `
  INSERT INTO outgoing_recovered_events (
    space_id,
    recovery_id,
    event_id,
    delivery_id
  )
  SELECT
    :spaceId,
    :recoveryId,
    *
  FROM unnest(:eventIds::uuid[], :deliveryIds::uuid[])
  ON CONFLICT DO NOTHING
  RETURNING delivery_id AS "deliveryId"
  `,
);

/** Lists the deliveries of a recovery not yet marked as finished. */
export const LIST_RECOVERED = statement(
  'outgoing_recovered_events.list_open',
  `
  SELECT delivery_id AS "deliveryId"
  FROM outgoing_recovered_events
  WHERE space_id = $1 AND recovery_id = $2 AND NOT has_ended
  `,
  { deliveryId: 'uuid' },
);

/** Marks the deliveries $3 of a recovery as finished. */
export const FINISH_RECOVERED = statement(
  'outgoing_recovered_events.finish',
  `
  UPDATE outgoing_recovered_events
  SET has_ended = true
  WHERE space_id = $1 AND recovery_id = $2 AND NOT has_ended AND delivery_id = ANY($3::uuid[])
  `,
  {},
);

/** Deletes the events of a finished recovery. */
export const DELETE_RECOVERED = statement(
  'outgoing_recovered_events.delete',
  'DELETE FROM outgoing_recovered_events WHERE space_id = $1 AND recovery_id = $2',
  {},
);
