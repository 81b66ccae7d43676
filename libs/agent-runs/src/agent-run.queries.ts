import type { AttachmentStatus } from '@tieline/conversations';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { RunStatus } from './agent-run.states.js';

/** A stored run. */
export interface AgentRun {
  spaceId: string;
  id: string;
  botId: string;
  idempotencyKey: string;
  /** As the bot named it. */
  conversationId: string;
  /** The thread's parent, else the conversation itself. */
  channelId: string;
  parentMessageId: string | null;
  triggerMessageId: string;
  /** The placeholder. */
  messageId: string;
  widgetId: string | null;
  status: RunStatus;
  sequence: bigint;
  content: string;
  publicText: string;
  errorCode: string;
  /** The last accepted PATCH as it was sent. */
  sentSequence: bigint | null;
  sentStatus: RunStatus | null;
  sentPublicText: string | null;
  sentErrorCode: string | null;
  fileIds: string[];
  attachmentStatus: AttachmentStatus;
  startedAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
}

/** A row as it comes: 64-bit integers as texts, because some of them are no exact numbers. */
export type AgentRunRow = Omit<AgentRun, 'sequence' | 'sentSequence'> & {
  sequence: string;
  sentSequence: string | null;
};

/** Columns of {@link AgentRunRow}. */
export const RUN_COLUMNS = `space_id AS "spaceId", id, bot_id AS "botId", idempotency_key AS "idempotencyKey", conversation_id AS "conversationId", channel_id AS "channelId",
  parent_message_id AS "parentMessageId", trigger_message_id AS "triggerMessageId", message_id AS "messageId", widget_id AS "widgetId", status, sequence::text AS sequence,
  content, public_text AS "publicText", error_code AS "errorCode", sent_sequence::text AS "sentSequence", sent_status AS "sentStatus",
  sent_public_text AS "sentPublicText", sent_error_code AS "sentErrorCode", file_ids AS "fileIds", attachment_status AS "attachmentStatus",
  started_at AS "startedAt", updated_at AS "updatedAt", completed_at AS "completedAt"`;

/** A run from its row. */
export function toRun(row: AgentRunRow): AgentRun {
  return {
    ...row,
    sequence: BigInt(row.sequence),
    sentSequence: row.sentSequence === null ? null : BigInt(row.sentSequence),
  };
}

/** A run of that bot, or undefined when it has none of this id. */
export async function findOwnRun(
  q: Queryable,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  const [row] = await q.query<AgentRunRow>(
    `SELECT ${RUN_COLUMNS} FROM agent_runs WHERE space_id = $1 AND id = $2 AND bot_id = $3`,
    [spaceId, id, botId],
  );
  return row && toRun(row);
}

/** {@link findOwnRun} with its row locked until the end of the transaction, as it is once the lock is held. */
export async function lockOwnRun(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  const [row] = await tx.query<AgentRunRow>(
    `SELECT ${RUN_COLUMNS} FROM agent_runs WHERE space_id = $1 AND id = $2 AND bot_id = $3 FOR NO KEY UPDATE`,
    [spaceId, id, botId],
  );
  return row && toRun(row);
}

/** The run that a bot made under an idempotency key. */
export async function findRunByKey(
  q: Queryable,
  { spaceId, botId }: BotPrincipal,
  key: string,
): Promise<AgentRun | undefined> {
  const [row] = await q.query<AgentRunRow>(
    `SELECT ${RUN_COLUMNS} FROM agent_runs WHERE space_id = $1 AND bot_id = $2 AND idempotency_key = $3`,
    [spaceId, botId, key],
  );
  return row && toRun(row);
}
