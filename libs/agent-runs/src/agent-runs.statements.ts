import type { AttachmentStatus } from '@tieline/conversations';
import { nullable, statement, text } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import type { RunStatus } from './states/agent-run.states.js';

const COLUMNS = `space_id AS "spaceId", id, bot_id AS "botId", idempotency_key AS "idempotencyKey", conversation_id AS "conversationId", channel_id AS "channelId",
  parent_message_id AS "parentMessageId", trigger_message_id AS "triggerMessageId", message_id AS "messageId", widget_id AS "widgetId", status, sequence::text AS sequence,
  content, public_text AS "publicText", error_code AS "errorCode", sent_sequence::text AS "sentSequence", sent_status AS "sentStatus",
  sent_public_text AS "sentPublicText", sent_append AS "sentAppend", sent_error_code AS "sentErrorCode", file_ids AS "fileIds", attachment_status AS "attachmentStatus",
  started_at AS "startedAt", updated_at AS "updatedAt", completed_at AS "completedAt"`;

const RUN = {
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
  startedAt: 'timestamptz',
  updatedAt: 'timestamptz',
  completedAt: nullable('timestamptz'),
} as const;

/** Row of a run, with sequences as text. */
export type AgentRunRow = RowOf<typeof INSERT_RUN>;

/** Returns no row if the key is taken. Waits for a concurrent transaction with the same key. */
export const INSERT_RUN = statement(
  'agent_runs_insert',
  `INSERT INTO agent_runs (space_id, id, bot_id, idempotency_key, conversation_id, channel_id, parent_message_id, trigger_message_id, message_id, widget_id, content)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (space_id, bot_id, idempotency_key) DO NOTHING RETURNING ${COLUMNS}`,
  RUN,
);

/**
 * Applies a change other than the end in one statement. Returns no row if the run cannot be changed
 * this way. Appends $9 to the text, up to $10 characters. The edit is due now, after the spacing,
 * or when it was due before.
 */
export const ADVANCE_RUN = statement(
  'agent_runs_advance',
  `UPDATE agent_runs SET status = $4, sequence = $5::bigint, public_text = coalesce($6, public_text) || coalesce($9::text, ''), error_code = $7,
     sent_sequence = $5::bigint, sent_status = $4, sent_public_text = $6, sent_append = $9, sent_error_code = $7, updated_at = clock_timestamp(),
     edit_due_at = least(edit_due_at, greatest(clock_timestamp(), edited_at + $8::int * interval '1 millisecond'))
   WHERE space_id = $1 AND id = $2 AND bot_id = $3 AND completed_at IS NULL AND sequence < $5::bigint
     AND ($9::text IS NULL OR char_length(public_text) + char_length($9::text) <= $10::int)
     AND EXISTS (SELECT 1 FROM conversation_members m WHERE m.space_id = $1 AND m.conversation_id = agent_runs.channel_id AND m.member_id = $3)
   RETURNING ${COLUMNS}, greatest(0, ceil(1000 * extract(epoch FROM edit_due_at - clock_timestamp())))::int AS "editInMs"`,
  { ...RUN, editInMs: 'int4' },
);

/**
 * Ends a run. Without a status in $10 the server ends it, and the last values sent by the bot stay.
 */
export const FINISH_RUN = statement(
  'agent_runs_finish',
  `UPDATE agent_runs SET status = $3, sequence = $4::bigint, public_text = $5, error_code = $6, file_ids = $7, attachment_status = $8,
     sent_sequence = coalesce($9::bigint, sent_sequence), sent_status = coalesce($10, sent_status),
     sent_public_text = CASE WHEN $10 IS NULL THEN sent_public_text ELSE $11 END, sent_error_code = coalesce($12, sent_error_code),
     sent_append = CASE WHEN $10 IS NULL THEN sent_append ELSE $13 END,
     updated_at = now.at, completed_at = now.at, edit_due_at = NULL
   FROM (SELECT clock_timestamp() AS at) now
   WHERE space_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
  RUN,
);

/**
 * Returns runs unchanged for this many seconds, after the given one, in the order of their last
 * change.
 */
export const FIND_INACTIVE = statement(
  'agent_runs_find_forgotten',
  `SELECT space_id AS "spaceId", id, updated_at::text AS at FROM agent_runs
   WHERE completed_at IS NULL AND updated_at <= statement_timestamp() - $1::int * interval '1 second' AND ($2::timestamptz IS NULL OR (updated_at, id) > ($2, $3))
   ORDER BY updated_at, id LIMIT $4`,
  { spaceId: 'uuid', id: 'uuid', at: 'text' },
);

/** Locks such a run. Returns no row if it is locked or has been changed since. */
export const LOCK_INACTIVE = statement(
  'agent_runs_lock_forgotten',
  `SELECT ${COLUMNS} FROM agent_runs
   WHERE space_id = $1 AND id = $2 AND completed_at IS NULL AND updated_at <= statement_timestamp() - $3::int * interval '1 second' FOR NO KEY UPDATE SKIP LOCKED`,
  RUN,
);

/** Locks a run whose placeholder is due for an edit. */
export const LOCK_EDIT_DUE = statement(
  'agent_runs_lock_edit_due',
  `SELECT ${COLUMNS} FROM agent_runs WHERE space_id = $1 AND id = $2 AND edit_due_at <= statement_timestamp() FOR NO KEY UPDATE`,
  RUN,
);

/**
 * Returns runs whose edit is overdue by this many milliseconds, after the given one, by due time.
 */
export const FIND_OVERDUE_EDITS = statement(
  'agent_runs_find_overdue_edits',
  `SELECT space_id AS "spaceId", id, edit_due_at::text AS at FROM agent_runs
   WHERE edit_due_at <= statement_timestamp() - $1::int * interval '1 millisecond' AND ($2::timestamptz IS NULL OR (edit_due_at, id) > ($2, $3))
   ORDER BY edit_due_at, id LIMIT $4`,
  { spaceId: 'uuid', id: 'uuid', at: 'text' },
);

/** Returns a row while the run of this placeholder is unfinished. */
export const FIND_WORKING_RUN = statement(
  'agent_runs_find_working',
  'SELECT id FROM agent_runs WHERE space_id = $1 AND id = $2 AND message_id = $3 AND completed_at IS NULL',
  { id: 'uuid' },
);
