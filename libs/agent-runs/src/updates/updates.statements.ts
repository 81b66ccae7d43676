import { nullable, statement, text } from '@tieline/platform/database';
import { EDIT_IN_MS, RUN, RUN_COLUMNS } from '../agent-runs.statements.js';
import type { RunStatus } from '../states/agent-run.states.js';

/** Assignments of a change other than the end, apart from the text. Needs `:spacingMs`. */
const advanceTo = (to: { status: string; sequence: string; append: string; errorCode: string }): string => `
    status = ${to.status},
    sequence = ${to.sequence},
    error_code = ${to.errorCode},
    sent_sequence = ${to.sequence},
    sent_status = ${to.status},
    sent_append = ${to.append},
    sent_error_code = ${to.errorCode},
    updated_at = clock_timestamp(),
    edit_due_at = least(
      edit_due_at,
      greatest(clock_timestamp(), edited_at + :spacingMs::int * interval '1 millisecond')
    )`;

/** The run is the bot's and has not ended, and the bot is a member of its channel. */
// A scalar subquery by primary key. Postgres may plan EXISTS as a hash of all memberships of a bot.
const CHANGEABLE = `bot_id = :botId
    AND completed_at IS NULL
    AND (
      SELECT true
      FROM conversation_members m
      WHERE m.space_id = :spaceId
        AND m.conversation_id = agent_runs.channel_id
        AND m.member_id = :botId
    )`;

/**
 * Applies a change other than the end in one statement. Returns no row if the run cannot be changed
 * this way. Appends `append` to the text, up to `maxText` characters. The edit is due now, after
 * the spacing, or when it was due before.
 */
export const ADVANCE_RUN = statement(
  'agent_runs.advance_run',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      status: text<RunStatus>(),
      sequence: 'int8',
      publicText: nullable('text'),
      errorCode: 'text',
      spacingMs: 'int4',
      append: nullable('text'),
      maxText: 'int4',
    },
    columns: { ...RUN, editInMs: 'int4' },
  },
  `
  UPDATE agent_runs
  SET
    public_text = coalesce(:publicText, public_text) || coalesce(:append::text, ''),
    sent_public_text = :publicText,
    ${advanceTo({
      status: ':status',
      sequence: ':sequence::bigint',
      append: ':append::text',
      errorCode: ':errorCode',
    })}
  WHERE space_id = :spaceId
    AND id = :id
    AND sequence < :sequence::bigint
    AND (:append::text IS NULL OR char_length(public_text) + char_length(:append::text) <= :maxText::int)
    AND ${CHANGEABLE}
  RETURNING
    ${RUN_COLUMNS},
    ${EDIT_IN_MS}
  `,
);

/**
 * Appends to the texts of many runs of one bot in one statement. Locks the runs that are free, and
 * skips locked ones, which the caller then tries one by one. Each run occurs once. Returns a row
 * for each run that has been changed, with its index in the arrays, from 1.
 */
export const APPEND_TO_RUNS = statement(
  'agent_runs.append_to_runs',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      ids: 'uuid[]',
      statuses: 'text[]',
      sequences: 'int8[]',
      appends: 'text[]',
      errorCodes: 'text[]',
      spacingMs: 'int4',
      maxText: 'int4',
    },
    columns: { ...RUN, editInMs: 'int4', n: 'int8' },
  },
  `
  WITH free AS MATERIALIZED (
    SELECT id AS free_id
    FROM agent_runs
    WHERE space_id = :spaceId AND id = ANY (:ids::uuid[]) AND bot_id = :botId
    ORDER BY id
    FOR NO KEY UPDATE SKIP LOCKED
  ), given AS (
    SELECT g.*
    FROM unnest(
      :ids::uuid[],
      :statuses::text[],
      :sequences::bigint[],
      :appends::text[],
      :errorCodes::text[]
    ) WITH ORDINALITY AS g (
      given_id,
      given_status,
      given_sequence,
      piece,
      given_error_code,
      n
    )
    JOIN free ON free_id = given_id
  )
  UPDATE agent_runs
  SET
    public_text = public_text || piece,
    sent_public_text = NULL,
    ${advanceTo({
      status: 'given_status',
      sequence: 'given_sequence',
      append: 'piece',
      errorCode: 'given_error_code',
    })}
  FROM given
  WHERE space_id = :spaceId
    AND id = given_id
    AND sequence < given_sequence
    AND char_length(public_text) + char_length(piece) <= :maxText::int
    AND ${CHANGEABLE}
  RETURNING
    ${RUN_COLUMNS},
    ${EDIT_IN_MS},
    n
  `,
);
