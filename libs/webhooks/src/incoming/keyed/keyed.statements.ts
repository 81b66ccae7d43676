import { nullable, statement, text } from '@tieline/platform/database';
import type { Severity } from '../formats/severity.js';

/**
 * Locks the key of a thread until the end of the transaction. Without a thread, $4 becomes its
 * first message.
 */
export const LOCK_THREAD = statement(
  'webhooks.take_thread',
  `INSERT INTO incoming_threads (space_id, webhook_id, key, root_message_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT (space_id, webhook_id, key) DO UPDATE SET key = excluded.key RETURNING root_message_id AS "rootMessageId"`,
  { rootMessageId: 'uuid' },
);

/** Restarts the thread of a key with the message $4. */
export const RESTART_THREAD = statement(
  'webhooks.begin_thread_anew',
  'UPDATE incoming_threads SET root_message_id = $4 WHERE space_id = $1 AND webhook_id = $2 AND key = $3',
  {},
);

/**
 * Locks the key of an alert until the end of the transaction. If the alert is open, counts a repeat
 * and returns it with its severities before this message. Otherwise opens it with the message $4 in
 * the conversation $5. $6: severity, $7: severity of the push, null without a push.
 */
export const LOCK_ALERT = statement(
  'webhooks.take_alert',
  `INSERT INTO incoming_open_alerts AS a (space_id, webhook_id, key, message_id, conversation_id, severity, pushed_severity, repeat_count)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 1)
   ON CONFLICT (space_id, webhook_id, key) DO UPDATE SET repeat_count = a.repeat_count + 1
   RETURNING message_id AS "messageId", conversation_id AS "conversationId", severity, pushed_severity AS "pushedSeverity", repeat_count AS "repeatCount"`,
  {
    messageId: 'uuid',
    conversationId: nullable('uuid'),
    severity: text<Severity>(),
    pushedSeverity: nullable(text<Severity>()),
    repeatCount: 'int4',
  },
);

/** Stores the state of an open alert. The caller holds the lock on its key. */
export const STORE_ALERT = statement(
  'webhooks.store_alert',
  `UPDATE incoming_open_alerts SET message_id = $4, conversation_id = $5, severity = $6, pushed_severity = $7, repeat_count = $8
    WHERE space_id = $1 AND webhook_id = $2 AND key = $3`,
  {},
);

/** Closes an open alert. */
export const CLOSE_ALERT = statement(
  'webhooks.end_alert',
  `DELETE FROM incoming_open_alerts WHERE space_id = $1 AND webhook_id = $2 AND key = $3
   RETURNING message_id AS "messageId", repeat_count AS "repeatCount"`,
  { messageId: 'uuid', repeatCount: 'int4' },
);

/** Deletes the keys of a webhook. */
export const DELETE_KEYS = statement(
  'webhooks.forget_keys',
  `WITH threads AS (DELETE FROM incoming_threads WHERE space_id = $1 AND webhook_id = $2)
   DELETE FROM incoming_open_alerts WHERE space_id = $1 AND webhook_id = $2`,
  {},
);
