import type { AttachmentStatus } from '@tieline/conversations';
import { nullable, statement, text } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import type { RunStatus } from './states/agent-run.states.js';

export const RUN_COLUMNS = `
  space_id AS "spaceId",
  id,
  bot_id AS "botId",
  idempotency_key AS "idempotencyKey",
  conversation_id AS "conversationId",
  channel_id AS "channelId",
  parent_message_id AS "parentMessageId",
  trigger_message_id AS "triggerMessageId",
  message_id AS "messageId",
  widget_id AS "widgetId",
  status,
  sequence::text AS sequence,
  content,
  public_text AS "publicText",
  error_code AS "errorCode",
  sent_sequence::text AS "sentSequence",
  sent_status AS "sentStatus",
  sent_public_text AS "sentPublicText",
  sent_append AS "sentAppend",
  sent_error_code AS "sentErrorCode",
  file_ids AS "fileIds",
  attachment_status AS "attachmentStatus",
  stop_requested_at AS "stopRequestedAt",
  stop_requested_by AS "stopRequestedBy",
  started_at AS "startedAt",
  updated_at AS "updatedAt",
  completed_at AS "completedAt"`;

export const RUN = {
  spaceId: 'uuid',
  id: 'uuid',
  botId: 'uuid',
  idempotencyKey: 'text',
  /** As named by the bot. */
  conversationId: 'uuid',
  /** The parent channel of a thread, otherwise the conversation itself. */
  channelId: 'uuid',
  parentMessageId: nullable('uuid'),
  triggerMessageId: 'uuid',
  /** The placeholder message. */
  messageId: 'uuid',
  widgetId: nullable('uuid'),
  status: text<RunStatus>(),
  /** A 64-bit integer as text. */
  sequence: 'text',
  content: 'text',
  publicText: 'text',
  errorCode: 'text',
  /** This column and the next four: the last accepted PATCH as sent. */
  sentSequence: nullable('text'),
  sentStatus: nullable(text<RunStatus>()),
  sentPublicText: nullable('text'),
  sentAppend: nullable('text'),
  sentErrorCode: nullable('text'),
  fileIds: 'uuid[]',
  attachmentStatus: text<AttachmentStatus>(),
  stopRequestedAt: nullable('timestamptz'),
  stopRequestedBy: nullable('uuid'),
  startedAt: 'timestamptz',
  updatedAt: 'timestamptz',
  completedAt: nullable('timestamptz'),
} as const;

/** Row of a run, with sequences as text. */
export type AgentRunRow = RowOf<typeof INSERT_RUN>;

/** Returns no row if the key is taken. Waits for a concurrent transaction with the same key. */
export const INSERT_RUN = statement(
  'agent_runs.insert_run',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      idempotencyKey: 'text',
      conversationId: 'uuid',
      channelId: 'uuid',
      parentMessageId: nullable('uuid'),
      triggerMessageId: 'uuid',
      messageId: 'uuid',
      widgetId: nullable('uuid'),
      content: 'text',
    },
    columns: RUN,
  },
  `
  INSERT INTO agent_runs (
    space_id,
    id,
    bot_id,
    idempotency_key,
    conversation_id,
    channel_id,
    parent_message_id,
    trigger_message_id,
    message_id,
    widget_id,
    content
  )
  VALUES (
    :spaceId,
    :id,
    :botId,
    :idempotencyKey,
    :conversationId,
    :channelId,
    :parentMessageId,
    :triggerMessageId,
    :messageId,
    :widgetId,
    :content
  )
  ON CONFLICT (space_id, bot_id, idempotency_key) DO NOTHING
  RETURNING ${RUN_COLUMNS}
  `,
);

/** Milliseconds until the placeholder must be edited, or null if no edit is due. */
export const EDIT_IN_MS = `
    CASE WHEN edit_due_at IS NOT NULL THEN
      greatest(0, ceil(1000 * extract(epoch FROM edit_due_at - clock_timestamp())))::int
    END AS "editInMs"`;

/**
 * Ends a run. Without a `sentStatus` the server ends it, and the last values sent by the bot stay.
 */
export const FINISH_RUN = statement(
  'agent_runs.finish_run',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      status: text<RunStatus>(),
      sequence: 'int8',
      publicText: 'text',
      errorCode: 'text',
      fileIds: 'uuid[]',
      attachmentStatus: text<AttachmentStatus>(),
      sentSequence: nullable('int8'),
      sentStatus: nullable(text<RunStatus>()),
      sentPublicText: nullable('text'),
      sentErrorCode: nullable('text'),
      sentAppend: nullable('text'),
    },
    columns: RUN,
  },
  `
  UPDATE agent_runs
  SET
    status = :status,
    sequence = :sequence::bigint,
    public_text = :publicText,
    error_code = :errorCode,
    file_ids = :fileIds,
    attachment_status = :attachmentStatus,
    sent_sequence = coalesce(:sentSequence::bigint, sent_sequence),
    sent_status = coalesce(:sentStatus, sent_status),
    sent_public_text = CASE WHEN :sentStatus IS NULL THEN sent_public_text ELSE :sentPublicText END,
    sent_error_code = coalesce(:sentErrorCode, sent_error_code),
    sent_append = CASE WHEN :sentStatus IS NULL THEN sent_append ELSE :sentAppend END,
    updated_at = now.at,
    completed_at = now.at,
    edit_due_at = NULL
  FROM (SELECT clock_timestamp() AS at) now
  WHERE space_id = :spaceId AND id = :id
  RETURNING ${RUN_COLUMNS}
  `,
);

/** Parameters of searches that continue after the run found last. */
export const SEARCH = {
  age: 'int4',
  afterAt: nullable('timestamptz'),
  afterId: nullable('uuid'),
  limit: 'int8',
} as const;
export const FOUND = { spaceId: 'uuid', id: 'uuid', at: 'text' } as const;

/** Returns runs unchanged for `age` seconds, after the given one, by the time of the change. */
export const FIND_INACTIVE = statement(
  'agent_runs.find_inactive',
  { params: SEARCH, columns: FOUND },
  `
  SELECT
    space_id AS "spaceId",
    id,
    updated_at::text AS at
  FROM agent_runs
  WHERE completed_at IS NULL
    AND updated_at <= statement_timestamp() - :age::int * interval '1 second'
    AND (:afterAt::timestamptz IS NULL OR (updated_at, id) > (:afterAt, :afterId))
  ORDER BY updated_at, id
  LIMIT :limit
  `,
);

/** Locks such a run. Returns no row if it is locked or has been changed since. */
export const LOCK_INACTIVE = statement(
  'agent_runs.lock_inactive',
  `SELECT ${RUN_COLUMNS}
   FROM agent_runs
   WHERE space_id = $1
     AND id = $2
     AND completed_at IS NULL
     AND updated_at <= statement_timestamp() - $3::int * interval '1 second'
   FOR NO KEY UPDATE SKIP LOCKED`,
  RUN,
);
