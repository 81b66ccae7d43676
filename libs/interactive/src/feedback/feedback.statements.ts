import { statement, text } from '@tieline/platform/database';
import type { FeedbackChoice } from '@tieline/conversations';

/**
 * Returns what a person thinks of a message, which may be ephemeral. $1 space, $2 message, $3
 * person
 */
export const FIND_CHOICE = statement(
  'message_feedback.find_choice',
  `SELECT choice, changes
   FROM message_feedback
   WHERE space_id = $1 AND message_id = $2 AND user_id = $3
   UNION ALL
   SELECT feedback, feedback_changes
   FROM ephemeral_messages
   WHERE space_id = $1 AND id = $2 AND user_id = $3`,
  { choice: text<FeedbackChoice>(), changes: 'int4' },
);

/**
 * Stores what a person thinks of a message: of an ephemeral one in its row. Stores nothing for a
 * message that is deleted, and locks the others, so that a concurrent deletion sees the choice.
 */
export const STORE_CHOICE = statement(
  'message_feedback.store_choice',
  {
    params: {
      spaceId: 'uuid',
      messageId: 'uuid',
      userId: 'uuid',
      choice: 'text',
    },
    columns: {},
  },
  `
  WITH ephemeral AS (
    UPDATE ephemeral_messages
    SET
      feedback = :choice,
      feedback_changes = feedback_changes + 1
    WHERE space_id = :spaceId AND id = :messageId AND user_id = :userId
  ), message AS (
    SELECT id
    FROM messages
    WHERE space_id = :spaceId AND id = :messageId AND deleted_at IS NULL
    FOR SHARE
  )
  INSERT INTO message_feedback AS f (
    space_id,
    message_id,
    user_id,
    choice
  )
  SELECT :spaceId, id, :userId, :choice FROM message
  ON CONFLICT (space_id, message_id, user_id) DO UPDATE
  SET
    choice = excluded.choice,
    changes = f.changes + 1
  `,
);

/** Removes what people think of a message. $1 space, $2 message */
export const DROP_CHOICES = statement(
  'message_feedback.drop_choices',
  'DELETE FROM message_feedback WHERE space_id = $1 AND message_id = $2',
  {},
);

/** Counts the choices of people, and reads the one of a person. $1 space, $2 messages, $3 person */
export const COUNT_CHOICES = statement(
  'message_feedback.count_choices',
  `SELECT
     message_id AS "messageId",
     count(*) FILTER (WHERE choice = 'positive') AS positive,
     count(*) FILTER (WHERE choice = 'negative') AS negative,
     coalesce(max(choice) FILTER (WHERE user_id = $3), 'none') AS mine
   FROM message_feedback
   WHERE space_id = $1 AND message_id = ANY ($2::uuid[])
   GROUP BY message_id`,
  { messageId: 'uuid', positive: 'int8', negative: 'int8', mine: text<FeedbackChoice>() },
);
