import { nullable, statement, text } from '@tieline/platform/database';
import type { Severity } from '../formats/severity.js';

/**
 * Takes the key of a thread until the end of the transaction; $4 becomes its first message where
 * there is none.
 */
export const TAKE_THREAD = statement(
  'webhooks.take_thread',
  `INSERT INTO incoming_threads (space_id, webhook_id, key, root_message_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT (space_id, webhook_id, key) DO UPDATE SET key = excluded.key RETURNING root_message_id AS "rootMessageId"`,
  { rootMessageId: 'uuid' },
);

/** Begins the thread of a key anew with the message $4. */
export const BEGIN_THREAD_ANEW = statement(
  'webhooks.begin_thread_anew',
  'UPDATE incoming_threads SET root_message_id = $4 WHERE space_id = $1 AND webhook_id = $2 AND key = $3',
  {},
);

/**
 * Locks the key of an alert until the end of the transaction. Counts a repeat of the open alert and
 * returns it, with its severities as they were; without an open alert, opens one with the message
 * $4 in the conversation $5. $6: severity, $7: severity of its push, null without one.
 */
export const TAKE_ALERT = statement(
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

/** Stores the state of an open alert. The caller has locked its key. */
export const STORE_ALERT = statement(
  'webhooks.store_alert',
  `UPDATE incoming_open_alerts SET message_id = $4, conversation_id = $5, severity = $6, pushed_severity = $7, repeat_count = $8
    WHERE space_id = $1 AND webhook_id = $2 AND key = $3`,
  {},
);

/** Ends an open alert. */
export const END_ALERT = statement(
  'webhooks.end_alert',
  `DELETE FROM incoming_open_alerts WHERE space_id = $1 AND webhook_id = $2 AND key = $3
   RETURNING message_id AS "messageId", repeat_count AS "repeatCount"`,
  { messageId: 'uuid', repeatCount: 'int4' },
);

/** Forgets the keys of a webhook. */
export const FORGET_KEYS = statement(
  'webhooks.forget_keys',
  `WITH threads AS (DELETE FROM incoming_threads WHERE space_id = $1 AND webhook_id = $2)
   DELETE FROM incoming_open_alerts WHERE space_id = $1 AND webhook_id = $2`,
  {},
);
