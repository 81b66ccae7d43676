import { nullable, statement } from '@tieline/platform/database';
import type { DeadLetterCounter } from './count-dead-letters.js';

/** The results r, whose attempts are logged. */
const TRIED = `r AS MATERIALIZED (
      SELECT r.*
      FROM
        (SELECT set_config('synchronous_commit', 'off', true)) AS s,
        unnest(
          :ids::uuid[],
          :spaceIds::uuid[],
          :leases::int8[],
          :attempts::int4[],
          :times::timestamptz[],
          :statusCodes::int4[],
          :durations::int4[],
          :responses::text[],
          :headers::text[]
        ) AS r (
          id,
          space_id,
          lease,
          attempts,
          at,
          status_code,
          duration_ms,
          response,
          headers
        )
    ), tried AS (
      INSERT INTO delivery_attempts (
        delivery_id,
        space_id,
        attempt,
        at,
        status_code,
        duration_ms,
        response,
        headers
      )
      SELECT
        id,
        space_id,
        attempts,
        at,
        status_code,
        duration_ms,
        response,
        headers
      FROM r
    )`;

/** Resets the counter of one kind's targets that had dead letters. Locks them in order. */
const reset = (
  kind: string,
  { table, column, counts }: DeadLetterCounter,
  n: number,
): string => `, reset${n} AS (
      UPDATE ${table} SET ${column} = 0
      WHERE id = ANY (ARRAY(
        SELECT t.id FROM ${table} t
        WHERE t.id IN (SELECT target_id FROM ended WHERE kind = '${kind}' AND counts)
          AND t.${column} > 0 AND t.exhausted_at IS NULL AND (${counts})
        ORDER BY t.id FOR NO KEY UPDATE
      ))
    )`;

/**
 * Builds the statement that settles successes: queue, log, attempts, breakers and the counters of
 * dead letters. Attempts are logged even if the lease was lost, because they happened. Returns the
 * deliveries that ended, with their lines.
 *
 * The commit does not wait for the disk. If a crash of the server loses it, the deliveries are sent
 * again.
 *
 * @param counters the counters of dead letters, by kind
 */
export function settleSuccesses(counters: ReadonlyMap<string, DeadLetterCounter>) {
  return statement(
    'deliveries.settle_successes',
    {
      params: {
        ids: 'uuid[]',
        spaceIds: 'uuid[]',
        leases: 'int8[]',
        attempts: 'int4[]',
        times: 'timestamptz[]',
        statusCodes: 'int4[]',
        durations: 'int4[]',
        responses: 'text[]',
        headers: 'text[]',
      },
      columns: { id: 'uuid', spaceId: 'uuid', targetId: 'uuid', orderKey: nullable('uuid') },
    },
    `
    WITH ${TRIED}, ended AS (
      DELETE FROM delivery_queue q USING r
      WHERE q.id = r.id AND q.lease = r.lease
      RETURNING q.id, q.space_id, q.kind, q.target_id, q.order_key, q.counts, r.attempts
    ), logged AS (
      UPDATE deliveries d
      SET
        status = 'success',
        attempts = e.attempts,
        error = NULL,
        finished_at = clock_timestamp()
      FROM ended e
      WHERE d.id = e.id AND d.space_id = e.space_id
    ), closed AS (
      UPDATE delivery_targets
      SET
        failures = 0,
        open_until = NULL
      WHERE target_id = ANY (ARRAY(
        SELECT t.target_id FROM delivery_targets t
        WHERE t.target_id IN (SELECT target_id FROM ended WHERE counts) AND t.failures <> 0
        ORDER BY t.target_id FOR NO KEY UPDATE
      ))
    )${[...counters].map(([kind, counter], n) => reset(kind, counter, n)).join('')}
    SELECT id, space_id AS "spaceId", target_id AS "targetId", order_key AS "orderKey" FROM ended
    `,
  );
}
