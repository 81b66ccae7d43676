import { statement } from '@tieline/platform/database';

const SHOWN = {
  spaceId: 'uuid',
  placeId: 'uuid',
  botId: 'uuid',
  id: 'uuid',
  channelId: 'uuid',
  text: 'text',
  loadingMessages: 'text[]',
  expiresAt: 'timestamptz',
} as const;

const COLUMNS = `
  s.space_id AS "spaceId",
  s.place_id AS "placeId",
  s.bot_id AS "botId",
  s.id,
  s.channel_id AS "channelId",
  s.text,
  s.loading_messages AS "loadingMessages",
  s.expires_at AS "expiresAt"`;

/** Sets the bot's status in a place, or replaces it. */
export const REPLACE_STATUS = statement(
  'bot_statuses.replace_status',
  {
    params: {
      spaceId: 'uuid',
      placeId: 'uuid',
      botId: 'uuid',
      id: 'uuid',
      channelId: 'uuid',
      text: 'text',
      loadingMessages: 'text[]',
      seconds: 'int4',
    },
    columns: SHOWN,
  },
  `
  INSERT INTO bot_statuses AS s (
    space_id,
    place_id,
    bot_id,
    id,
    channel_id,
    text,
    loading_messages,
    expires_at
  )
  VALUES (
    :spaceId,
    :placeId,
    :botId,
    :id,
    :channelId,
    :text,
    :loadingMessages,
    clock_timestamp() + :seconds::int * interval '1 second'
  )
  ON CONFLICT (space_id, place_id, bot_id) DO UPDATE
  SET
    id = excluded.id,
    channel_id = excluded.channel_id,
    text = excluded.text,
    loading_messages = excluded.loading_messages,
    expires_at = excluded.expires_at
  RETURNING ${COLUMNS}
  `,
);

/** Returns the removed status, expired or not. $1 space, $2 place, $3 bot */
export const CLEAR_STATUS = statement(
  'bot_statuses.clear_status',
  `DELETE FROM bot_statuses s
   WHERE s.space_id = $1 AND s.place_id = $2 AND s.bot_id = $3
   RETURNING ${COLUMNS}`,
  SHOWN,
);

/** Returns the statuses in all spaces that have not expired. */
export const LIST_SHOWN = statement(
  'bot_statuses.list_shown',
  `SELECT ${COLUMNS}
   FROM bot_statuses s
   WHERE s.expires_at > statement_timestamp()`,
  SHOWN,
);

/** Returns the statuses in the conversations of a person. $1 space, $2 person */
export const LIST_SHOWN_TO = statement(
  'bot_statuses.list_shown_to',
  `SELECT ${COLUMNS}
   FROM bot_statuses s
   JOIN conversation_members m
     ON m.space_id = s.space_id AND m.conversation_id = s.channel_id AND m.member_id = $2
   WHERE s.space_id = $1 AND s.expires_at > statement_timestamp()`,
  SHOWN,
);

/** Removes statuses, unless they have been replaced since. */
export const DROP_ENDED = statement(
  'bot_statuses.drop_ended',
  {
    params: {
      spaceIds: 'uuid[]',
      placeIds: 'uuid[]',
      botIds: 'uuid[]',
      ids: 'uuid[]',
    },
    columns: {},
  },
  `
  DELETE FROM bot_statuses s
  USING unnest(:spaceIds::uuid[], :placeIds::uuid[], :botIds::uuid[], :ids::uuid[])
    AS ended (space_id, place_id, bot_id, id)
  WHERE s.space_id = ended.space_id
    AND s.place_id = ended.place_id
    AND s.bot_id = ended.bot_id
    AND s.id = ended.id
  `,
);

/** Removes up to $1 expired statuses. */
export const SWEEP_EXPIRED = statement(
  'bot_statuses.sweep_expired',
  `DELETE FROM bot_statuses
   WHERE ctid = ANY (ARRAY(
     SELECT ctid
     FROM bot_statuses
     WHERE expires_at < statement_timestamp()
     ORDER BY expires_at
     LIMIT $1
     FOR UPDATE SKIP LOCKED
   ))`,
  {},
);
