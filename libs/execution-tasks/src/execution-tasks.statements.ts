import { json, nullable, statement, text } from '@tieline/platform/database';
import type { Column } from '@tieline/platform/database';
import type { Artifact } from './execution-task.entity.js';
import type { TaskAction, TaskStatus } from './states/execution-task.states.js';

const CAPABILITY_LIFE = `interval '24 hours'`;

const COLUMNS = `
  space_id AS "spaceId",
  id AS "widgetId",
  bot_id AS "botId",
  fingerprint,
  conversation_id AS "conversationId",
  channel_id AS "channelId",
  agent_run_id AS "agentRunId",
  run_active AS "runActive",
  status,
  title,
  description,
  public_text AS "publicText",
  error_code AS "errorCode",
  sequence,
  artifacts,
  allowed_actions AS "allowedActions",
  capability_prefix AS "capabilityPrefix",
  capability_expires_at AS "capabilityExpiresAt",
  created_at AS "createdAt",
  updated_at AS "updatedAt",
  closed_at AS "closedAt"`;

const ACTIONS: Column<TaskAction[]> = { type: 'text[]' };

const TASK = {
  spaceId: 'uuid',
  widgetId: 'uuid',
  botId: 'uuid',
  fingerprint: 'bytea',
  conversationId: 'uuid',
  channelId: 'uuid',
  agentRunId: nullable('uuid'),
  runActive: 'bool',
  status: text<TaskStatus>(),
  title: 'text',
  description: 'text',
  publicText: 'text',
  errorCode: 'text',
  sequence: 'int8',
  artifacts: json<Artifact[]>(),
  allowedActions: ACTIONS,
  capabilityPrefix: 'text',
  capabilityExpiresAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  closedAt: nullable('timestamptz'),
} as const;

/**
 * Returns no row if the key is taken or the thread has an active task. Waits for a concurrent
 * transaction that creates one.
 */
export const INSERT_TASK = statement(
  'execution_tasks.insert_task',
  {
    params: {
      spaceId: 'uuid',
      widgetId: 'uuid',
      botId: 'uuid',
      idempotencyKey: 'text',
      fingerprint: 'bytea',
      conversationId: 'uuid',
      channelId: 'uuid',
      rootMessageId: 'uuid',
      agentRunId: nullable('uuid'),
      title: 'text',
      description: 'text',
      allowedActions: 'text[]',
      capabilityHash: 'bytea',
      capabilityPrefix: 'text',
    },
    columns: TASK,
  },
  `
  INSERT INTO execution_tasks (
    space_id,
    id,
    bot_id,
    idempotency_key,
    fingerprint,
    conversation_id,
    channel_id,
    root_message_id,
    agent_run_id,
    run_active,
    title,
    description,
    allowed_actions,
    capability_hash,
    capability_prefix,
    capability_expires_at
  )
  VALUES (
    :spaceId,
    :widgetId,
    :botId,
    :idempotencyKey,
    :fingerprint,
    :conversationId,
    :channelId,
    :rootMessageId,
    :agentRunId,
    :agentRunId::uuid IS NOT NULL,
    :title,
    :description,
    :allowedActions,
    :capabilityHash,
    :capabilityPrefix,
    clock_timestamp() + ${CAPABILITY_LIFE}
  )
  ON CONFLICT DO NOTHING
  RETURNING ${COLUMNS}
  `,
);

/** Returns tasks of a channel including its threads, newest first. */
export const LIST_TASKS = statement(
  'execution_tasks.list_tasks',
  {
    params: {
      spaceId: 'uuid',
      channelId: 'uuid',
      /** Only tasks of the thread of this message. */
      rootMessageId: nullable('uuid'),
      /** Only active tasks; false: only finished ones. */
      active: nullable('bool'),
      /** Only tasks before this id. */
      before: 'uuid',
      limit: 'int4',
    },
    columns: { ...TASK, rootMessageId: 'uuid' },
  },
  `
  SELECT
    ${COLUMNS},
    root_message_id AS "rootMessageId"
  FROM execution_tasks
  WHERE space_id = :spaceId
    AND channel_id = :channelId
    AND (:rootMessageId::uuid IS NULL OR root_message_id = :rootMessageId)
    AND (:active::boolean IS NULL OR (closed_at IS NULL) = :active)
    AND id < :before::uuid
  ORDER BY id DESC
  LIMIT :limit::int
  `,
);

/** Returns the task of an unexpired capability. */
export const FIND_CAPABILITY = statement(
  'execution_tasks.find_capability',
  `SELECT
     t.space_id AS "spaceId",
     t.id AS "widgetId",
     t.bot_id AS "botId",
     t.allowed_actions AS "allowedActions",
     s.is_active AS "isSpaceActive"
   FROM execution_tasks t
   JOIN spaces s ON s.id = t.space_id
   WHERE t.capability_hash = $1 AND t.capability_expires_at > statement_timestamp()`,
  { spaceId: 'uuid', widgetId: 'uuid', botId: 'uuid', allowedActions: ACTIONS, isSpaceActive: 'bool' },
);

/** Applies a change: adds artifacts to the existing ones and increments the sequence. */
export const CHANGE_TASK = statement(
  'execution_tasks.update_task',
  {
    params: {
      spaceId: 'uuid',
      widgetId: 'uuid',
      status: text<TaskStatus>(),
      title: 'text',
      description: 'text',
      publicText: 'text',
      errorCode: 'text',
      runActive: 'bool',
      artifacts: 'json',
      isClosed: 'bool',
    },
    columns: TASK,
  },
  `
  UPDATE execution_tasks
  SET
    status = :status,
    title = :title,
    description = :description,
    public_text = :publicText,
    error_code = :errorCode,
    run_active = :runActive,
    artifacts = artifacts || :artifacts::jsonb,
    sequence = sequence + 1,
    updated_at = clock_timestamp(),
    closed_at = CASE WHEN :isClosed THEN clock_timestamp() END
  WHERE space_id = :spaceId AND id = :widgetId
  RETURNING ${COLUMNS}
  `,
);

/** Returns the content of the update with this key. */
export const FIND_UPDATE = statement(
  'execution_tasks.find_update',
  'SELECT fingerprint FROM execution_task_updates WHERE space_id = $1 AND widget_id = $2 AND idempotency_key = $3',
  { fingerprint: 'bytea' },
);

export const REMEMBER_UPDATE = statement(
  'execution_tasks.insert_update',
  {
    params: {
      spaceId: 'uuid',
      widgetId: 'uuid',
      idempotencyKey: 'text',
      fingerprint: 'bytea',
    },
    columns: {},
  },
  `
  INSERT INTO execution_task_updates (
    space_id,
    widget_id,
    idempotency_key,
    fingerprint
  )
  VALUES (
    :spaceId,
    :widgetId,
    :idempotencyKey,
    :fingerprint
  )
  `,
);

/** Deletes keys of updates accepted more than $1 days ago, at most $2, the oldest first. */
export const DROP_OLD_UPDATES = statement(
  'execution_tasks.drop_old_updates',
  `DELETE FROM execution_task_updates
   WHERE ctid = ANY (ARRAY(
     SELECT ctid
     FROM execution_task_updates
     WHERE created_at < statement_timestamp() - $1::int * interval '1 day'
     ORDER BY created_at
     LIMIT $2
     FOR UPDATE SKIP LOCKED
   ))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
