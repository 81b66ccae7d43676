import { statement } from '@tieline/platform/database';
import { MESSAGE, MESSAGE_COLUMNS } from '../stored-message.statements.js';

/**
 * Adds a pin unless the conversation already has $6. $1 space, $2 conversation, $3 message, $4 who,
 * $5 when. The caller holds the lock on the conversation's row.
 */
export const ADD_PIN = statement(
  'conversations.add_pin',
  `WITH there AS (
  SELECT count(*) < $6::int AS room FROM pins p JOIN messages m ON m.space_id = p.space_id AND m.id = p.message_id
   WHERE p.space_id = $1::uuid AND p.conversation_id = $2::uuid AND m.deleted_at IS NULL
), added AS (
  INSERT INTO pins (space_id, conversation_id, message_id, pinned_by, pinned_at) SELECT $1, $2, $3::uuid, $4::uuid, $5::timestamptz FROM there WHERE room
)
SELECT room FROM there`,
  { room: 'bool' },
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
