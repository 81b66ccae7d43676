import type { Queryable, Tx } from '@tieline/platform/database';
import type { TaskAction, TaskStatus } from './execution-task.states.js';

/** A file that a run delivered, as it is shown. */
export interface Artifact {
  file_id: string;
  file_name: string;
  mime_type: string;
  file_size: number;
}

/** A stored task. */
export interface ExecutionTask {
  spaceId: string;
  widgetId: string;
  botId: string;
  fingerprint: Buffer;
  /** As the bot named it. */
  conversationId: string;
  /** The thread's parent, else the conversation itself. */
  channelId: string;
  agentRunId: string | null;
  runActive: boolean;
  status: TaskStatus;
  title: string;
  description: string;
  publicText: string;
  errorCode: string;
  sequence: number;
  artifacts: Artifact[];
  allowedActions: TaskAction[];
  capabilityPrefix: string;
  capabilityExpiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
}

/** Columns of {@link ExecutionTask}. */
export const TASK_COLUMNS = `space_id AS "spaceId", id AS "widgetId", bot_id AS "botId", fingerprint, conversation_id AS "conversationId", channel_id AS "channelId",
  agent_run_id AS "agentRunId", run_active AS "runActive", status, title, description, public_text AS "publicText", error_code AS "errorCode", sequence, artifacts,
  allowed_actions AS "allowedActions", capability_prefix AS "capabilityPrefix", capability_expires_at AS "capabilityExpiresAt",
  created_at AS "createdAt", updated_at AS "updatedAt", closed_at AS "closedAt"`;

/** The task, or undefined when the space has none of this id. */
export async function findTask(
  q: Queryable,
  spaceId: string,
  widgetId: string,
): Promise<ExecutionTask | undefined> {
  const [task] = await q.query<ExecutionTask>(
    `SELECT ${TASK_COLUMNS} FROM execution_tasks WHERE space_id = $1 AND id = $2`,
    [spaceId, widgetId],
  );
  return task;
}

/** The task with its row locked until the end of the transaction. */
export async function lockTask(
  tx: Tx,
  spaceId: string,
  widgetId: string,
): Promise<ExecutionTask | undefined> {
  const [task] = await tx.query<ExecutionTask>(
    `SELECT ${TASK_COLUMNS} FROM execution_tasks WHERE space_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [spaceId, widgetId],
  );
  return task;
}

/** The task that a bot made under an idempotency key. */
export async function findTaskByKey(
  q: Queryable,
  spaceId: string,
  botId: string,
  key: string,
): Promise<ExecutionTask | undefined> {
  const [task] = await q.query<ExecutionTask>(
    `SELECT ${TASK_COLUMNS} FROM execution_tasks WHERE space_id = $1 AND bot_id = $2 AND idempotency_key = $3`,
    [spaceId, botId, key],
  );
  return task;
}
