import { nullable, statement } from '@tieline/platform/database';
import { EVENT, OWN_AND_OLDEST_XID, TAKEN } from '../outbox.statements.js';
import { SLOT_OF_SPACE, slotsOf } from './shard.js';
import type { Shard } from './shard.js';

/**
 * Records which relay plans for the slots $2 to $3. `others` is above 0 if another relay planned
 * for them before. `whole` changes when an unsharded relay has planned since.
 */
export const MARK_SLOTS = statement(
  'outbox_mark_slots',
  `WITH whole AS (
     UPDATE outbox_relay SET relay_id = NULL, worked_at = clock_timestamp() WHERE relay_id IS NOT NULL
   ), others AS (
     UPDATE outbox_relay_slots SET relay_id = $1 WHERE slot BETWEEN $2::int AND $3::int AND relay_id IS DISTINCT FROM $1 RETURNING 1
   )
   SELECT (SELECT count(*) FROM others) AS others, worked_at::text AS whole FROM outbox_relay`,
  { others: 'int8', whole: nullable('text') },
);

/** `TAKE_OF_SPACE` by slot, which skips older events of other spaces. */
export const TAKE_OF_SPACE_BY_SLOT = statement(
  'outbox_claim_of_space_by_slot',
  `DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM outbox
     WHERE ${SLOT_OF_SPACE} = ${SLOT_OF_SPACE.replace('space_id', '$1::uuid')} AND id + 0 > $3::int8 AND space_id = $1 ORDER BY id + 0 LIMIT $2))
   RETURNING ${TAKEN}`,
  EVENT,
);

/**
 * `TAKE_EVENTS` for the spaces of one shard. Reads each slot by its index as far as needed and
 * merges by id. One condition over several slots would read and sort all of them. The index is on
 * `id + 0`, because a condition on `id` could use the primary key and read the events of all
 * spaces.
 */
export function takeOfShard(shard: Shard) {
  const { first, last } = slotsOf(shard);
  const slots = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const heads = slots.map(
    (slot) =>
      `(SELECT id FROM outbox WHERE ${SLOT_OF_SPACE} = ${slot} AND id + 0 > $2::int8 AND space_id <> ALL ($3::uuid[]) ORDER BY id + 0 LIMIT $1)`,
  );
  return statement(
    `outbox_claim_of_shard_${shard.number}_of_${shard.count}`,
    `DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM (${heads.join(' UNION ALL ')}) AS merged ORDER BY id LIMIT $1))
     RETURNING ${TAKEN}, ${OWN_AND_OLDEST_XID}`,
    { ...EVENT, own_xid: 'int8', oldest_xid: 'int8' },
  );
}
