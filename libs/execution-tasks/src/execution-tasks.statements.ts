import { json, nullable, statement, text } from '@tieline/platform/database';
import type { Column } from '@tieline/platform/database';
import type { Artifact } from './execution-task.entity.js';
import type { TaskAction, TaskStatus } from './states/execution-task.states.js';

const CAPABILITY_LIFE = `interval '24 hours'`;

const COLUMNS = `space_id AS "spaceId", id AS "widgetId", bot_id AS "botId", fingerprint, conversation_id AS "conversationId", channel_id AS "channelId",
  agent_run_id AS "agentRunId", run_active AS "runActive", status, title, description, public_text AS "publicText", error_code AS "errorCode", sequence, artifacts,
  allowed_actions AS "allowedActions", capability_prefix AS "capabilityPrefix", capability_expires_at AS "capabilityExpiresAt",
  created_at AS "createdAt", updated_at AS "updatedAt", closed_at AS "closedAt"`;

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
  'tasks_insert',
  `INSERT INTO execution_tasks (space_id, id, bot_id, idempotency_key, fingerprint, conversation_id, channel_id, root_message_id, agent_run_id, run_active,
     title, description, allowed_actions, capability_hash, capability_prefix, capability_expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9::uuid IS NOT NULL, $10, $11, $12, $13, $14, clock_timestamp() + ${CAPABILITY_LIFE})
   ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
  TASK,
);

/**
 * Returns tasks of a channel including its threads, newest first. $1 space, $2 channel, $3 only
 * those of the thread of this message, $4 only active (false: only finished) ones, $5 before this
 * id, $6 limit
 */
export const LIST_TASKS = statement(
  'tasks_list',
  `SELECT ${COLUMNS}, root_message_id AS "rootMessageId" FROM execution_tasks
   WHERE space_id = $1 AND channel_id = $2 AND ($3::uuid IS NULL OR root_message_id = $3) AND ($4::boolean IS NULL OR (closed_at IS NULL) = $4) AND id < $5::uuid
   ORDER BY id DESC LIMIT $6::int`,
  { ...TASK, rootMessageId: 'uuid' },
);

/** Returns the task of an unexpired capability. */
export const FIND_CAPABILITY = statement(
  'tasks_find_capability',
  `SELECT t.space_id AS "spaceId", t.id AS "widgetId", t.bot_id AS "botId", t.allowed_actions AS "allowedActions", s.is_active AS "isSpaceActive"
   FROM execution_tasks t JOIN spaces s ON s.id = t.space_id WHERE t.capability_hash = $1 AND t.capability_expires_at > statement_timestamp()`,
  { spaceId: 'uuid', widgetId: 'uuid', botId: 'uuid', allowedActions: ACTIONS, isSpaceActive: 'bool' },
);

/** Applies a change: adds artifacts to the existing ones and increments the sequence. */
export const CHANGE_TASK = statement(
  'tasks_change',
  `UPDATE execution_tasks SET status = $3, title = $4, description = $5, public_text = $6, error_code = $7, run_active = $8, artifacts = artifacts || $9::jsonb,
     sequence = sequence + 1, updated_at = clock_timestamp(), closed_at = CASE WHEN $10 THEN clock_timestamp() END
   WHERE space_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
  TASK,
);

/** Returns the content of the update with this key. */
export const FIND_UPDATE = statement(
  'tasks_find_update',
  'SELECT fingerprint FROM execution_task_updates WHERE space_id = $1 AND widget_id = $2 AND idempotency_key = $3',
  { fingerprint: 'bytea' },
);

export const REMEMBER_UPDATE = statement(
  'tasks_remember_update',
  'INSERT INTO execution_task_updates (space_id, widget_id, idempotency_key, fingerprint) VALUES ($1, $2, $3, $4)',
  {},
);

/** Deletes keys of updates accepted more than $1 days ago, at most $2, the oldest first. */
export const DROP_OLD_UPDATES = statement(
  'tasks_drop_old_updates',
  `DELETE FROM execution_task_updates WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM execution_task_updates WHERE created_at < statement_timestamp() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
