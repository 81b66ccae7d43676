import { nullable, statement, text } from '@tieline/platform/database';
import { APPROVAL, COLUMNS } from '../approval-columns.js';
import type { OnExpiry } from '../states/approval.states.js';

/**
 * Serializes the creations of a bot until the end of the transaction, so that its pending approvals
 * can be counted.
 */
export const LOCK_CREATIONS = statement(
  'approvals.lock_creations',
  'SELECT pg_advisory_xact_lock($1::int, hashtext($2::text)) IS NULL AS "isLocked"',
  { isLocked: 'bool' },
);

/** Counts the pending approvals of a bot, up to $3. */
export const COUNT_PENDING = statement(
  'approvals.count_pending',
  `SELECT count(*)::int AS pending
   FROM (
     SELECT 1
     FROM approvals
     WHERE space_id = $1 AND bot_id = $2 AND state = 'pending'
     LIMIT $3
   ) few`,
  { pending: 'int4' },
);

/** Whether the bot has this run and this task. */
export const FIND_WORK = statement(
  'approvals.find_work',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      agentRunId: nullable('uuid'),
      executionTaskId: nullable('uuid'),
    },
    columns: { hasRun: 'bool', hasTask: 'bool' },
  },
  `
  SELECT
    EXISTS (
      SELECT 1
      FROM agent_runs
      WHERE space_id = :spaceId AND id = :agentRunId AND bot_id = :botId
    ) AS "hasRun",
    EXISTS (
      SELECT 1
      FROM execution_tasks
      WHERE space_id = :spaceId AND id = :executionTaskId AND bot_id = :botId
    ) AS "hasTask"
  `,
);

/** Returns no row if the external id is taken. Waits for a concurrent transaction that takes it. */
export const INSERT_APPROVAL = statement(
  'approvals.insert_approval',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      externalId: nullable('text'),
      fingerprint: 'bytea',
      conversationId: 'uuid',
      channelId: 'uuid',
      messageId: 'uuid',
      title: 'text',
      text: 'text',
      tool: nullable('text'),
      arguments: nullable('json'),
      argumentsSha256: nullable('text'),
      options: 'json',
      form: nullable('json'),
      approverIds: 'uuid[]',
      approverRoles: 'text[]',
      count: 'int2',
      requestedBy: nullable('uuid'),
      onExpiry: text<OnExpiry>(),
      agentRunId: nullable('uuid'),
      executionTaskId: nullable('uuid'),
      expiresInSeconds: 'int4',
    },
    columns: APPROVAL,
  },
  `
  INSERT INTO approvals AS a (
    space_id,
    id,
    bot_id,
    external_id,
    fingerprint,
    conversation_id,
    channel_id,
    message_id,
    title,
    text,
    tool,
    arguments,
    arguments_sha256,
    options,
    form,
    approver_ids,
    approver_roles,
    count,
    requested_by,
    on_expiry,
    agent_run_id,
    execution_task_id,
    expires_at
  )
  VALUES (
    :spaceId,
    :id,
    :botId,
    :externalId,
    :fingerprint,
    :conversationId,
    :channelId,
    :messageId,
    :title,
    :text,
    :tool,
    :arguments,
    :argumentsSha256,
    :options,
    :form,
    :approverIds,
    :approverRoles,
    :count,
    :requestedBy,
    :onExpiry,
    :agentRunId,
    :executionTaskId,
    clock_timestamp() + :expiresInSeconds::int * interval '1 second'
  )
  ON CONFLICT (space_id, bot_id, external_id) DO NOTHING
  RETURNING ${COLUMNS}
  `,
);
