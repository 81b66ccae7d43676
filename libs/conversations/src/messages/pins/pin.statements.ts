import { statement } from '@tieline/platform/database';
import { MESSAGE, MESSAGE_COLUMNS } from '../stored-message.statements.js';

/**
 * Adds a pin unless the conversation already has `maxPins`. The caller holds the lock on the
 * conversation's row.
 */
export const ADD_PIN = statement(
  'pins.add',
  {
    params: {
      spaceId: 'uuid',
      conversationId: 'uuid',
      messageId: 'uuid',
      pinnedBy: 'uuid',
      pinnedAt: 'timestamptz',
      maxPins: 'int4',
    },
    columns: { room: 'bool' },
  },
  `
  WITH there AS (
    SELECT count(*) < :maxPins::int AS room
    FROM pins p
    JOIN messages m ON m.space_id = p.space_id AND m.id = p.message_id
    WHERE p.space_id = :spaceId::uuid AND p.conversation_id = :conversationId::uuid AND m.deleted_at IS NULL
  ), added AS (
    INSERT INTO pins (space_id, conversation_id, message_id, pinned_by, pinned_at)
    SELECT :spaceId, :conversationId, :messageId::uuid, :pinnedBy::uuid, :pinnedAt::timestamptz
    FROM there
    WHERE room
  )
  SELECT room FROM there
  `,
);

export const DROP_PIN = statement(
  'conversations.drop_pin',
  'DELETE FROM pins WHERE space_id = $1 AND conversation_id = $2 AND message_id = $3',
  {},
);

/** Ordered by pin time, latest first. */
export const LIST_PINS = statement(
  'conversations.list_pins',
  `SELECT ${MESSAGE_COLUMNS} FROM pins pinned JOIN messages m ON m.space_id = pinned.space_id AND m.id = pinned.message_id
    WHERE pinned.space_id = $1 AND pinned.conversation_id = $2 AND m.deleted_at IS NULL ORDER BY pinned.pinned_at DESC, m.id DESC`,
  MESSAGE,
);
