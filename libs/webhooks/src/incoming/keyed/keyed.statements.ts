import { nullable, statement, text } from '@tieline/platform/database';
import type { Severity } from '../message/severity.js';

/**
 * Locks the key of a thread until the end of the transaction. Without a thread, the message becomes
 * its first one.
 */
export const LOCK_THREAD = statement(
  'incoming_threads.lock',
  {
    params: {
      spaceId: 'uuid',
      webhookId: 'uuid',
      key: 'text',
      messageId: 'uuid',
    },
    columns: { rootMessageId: 'uuid' },
  },
  `
  INSERT INTO incoming_threads (
    space_id,
    webhook_id,
    key,
    root_message_id
  )
  VALUES (
    :spaceId,
    :webhookId,
    :key,
    :messageId
  )
  ON CONFLICT (space_id, webhook_id, key) DO UPDATE
  SET key = excluded.key
  RETURNING root_message_id AS "rootMessageId"
  `,
);

/** Restarts the thread of a key with a message. */
export const RESTART_THREAD = statement(
  'incoming_threads.set_root',
  {
    params: {
      spaceId: 'uuid',
      webhookId: 'uuid',
      key: 'text',
      messageId: 'uuid',
    },
    columns: {},
  },
  `
  UPDATE incoming_threads
  SET root_message_id = :messageId
  WHERE space_id = :spaceId AND webhook_id = :webhookId AND key = :key
  `,
);

/**
 * Locks the key of an alert until the end of the transaction. If the alert is open, counts a repeat
 * and returns it with its severities before this message. Otherwise opens it with this message.
 * `pushedSeverity` is the severity of the push, null without a push.
 */
export const LOCK_ALERT = statement(
  'incoming_open_alerts.lock',
  {
    params: {
      spaceId: 'uuid',
      webhookId: 'uuid',
      key: 'text',
      messageId: 'uuid',
      conversationId: 'uuid',
      severity: 'text',
      pushedSeverity: nullable('text'),
    },
    columns: {
      messageId: 'uuid',
      conversationId: nullable('uuid'),
      severity: text<Severity>(),
      pushedSeverity: nullable(text<Severity>()),
      repeatCount: 'int4',
    },
  },
  `
  INSERT INTO incoming_open_alerts AS a (
    space_id,
    webhook_id,
    key,
    message_id,
    conversation_id,
    severity,
    pushed_severity,
    repeat_count
  )
  VALUES (
    :spaceId,
    :webhookId,
    :key,
    :messageId,
    :conversationId,
    :severity,
    :pushedSeverity,
    1
  )
  ON CONFLICT (space_id, webhook_id, key) DO UPDATE
  SET repeat_count = a.repeat_count + 1
  RETURNING
    message_id AS "messageId",
    conversation_id AS "conversationId",
    severity,
    pushed_severity AS "pushedSeverity",
    repeat_count AS "repeatCount"
  `,
);

/** Stores the state of an open alert. The caller holds the lock on its key. */
export const STORE_ALERT = statement(
  'incoming_open_alerts.store',
  {
    params: {
      spaceId: 'uuid',
      webhookId: 'uuid',
      key: 'text',
      messageId: 'uuid',
      conversationId: 'uuid',
      severity: 'text',
      pushedSeverity: nullable('text'),
      repeatCount: 'int4',
    },
    columns: {},
  },
  `
  UPDATE incoming_open_alerts
  SET
    message_id = :messageId,
    conversation_id = :conversationId,
    severity = :severity,
    pushed_severity = :pushedSeverity,
    repeat_count = :repeatCount
  WHERE space_id = :spaceId AND webhook_id = :webhookId AND key = :key
  `,
);

/** Closes an open alert. */
export const CLOSE_ALERT = statement(
  'incoming_open_alerts.close',
  `
  DELETE FROM incoming_open_alerts
  WHERE space_id = $1 AND webhook_id = $2 AND key = $3
  RETURNING message_id AS "messageId", repeat_count AS "repeatCount"
  `,
  { messageId: 'uuid', repeatCount: 'int4' },
);

/** Deletes the keys of a webhook. */
export const DELETE_KEYS = statement(
  'incoming_webhooks.delete_keys',
  `
  WITH threads AS (DELETE FROM incoming_threads WHERE space_id = $1 AND webhook_id = $2)
  DELETE FROM incoming_open_alerts
  WHERE space_id = $1 AND webhook_id = $2
  `,
  {},
);
