import { json, nullable, statement } from '@tieline/platform/database';
import type { PromptView } from './prompts.view.js';

const PROMPTS = {
  spaceId: 'uuid',
  placeId: 'uuid',
  botId: 'uuid',
  channelId: 'uuid',
  title: nullable('text'),
  prompts: json<PromptView[]>(),
  updatedAt: 'timestamptz',
} as const;

const COLUMNS = `
  p.space_id AS "spaceId",
  p.place_id AS "placeId",
  p.bot_id AS "botId",
  p.channel_id AS "channelId",
  p.title,
  p.prompts,
  p.updated_at AS "updatedAt"`;

/** Prompts of bots that have left the conversation are not shown. */
const OF_MEMBERS = `
  JOIN conversation_members bot
    ON bot.space_id = p.space_id AND bot.conversation_id = p.channel_id AND bot.member_id = p.bot_id`;

/** Sets the bot's prompts in a place, or replaces them. Returns no row for non-members. */
export const REPLACE_PROMPTS = statement(
  'bot_prompts.replace_prompts',
  {
    params: {
      spaceId: 'uuid',
      placeId: 'uuid',
      botId: 'uuid',
      channelId: 'uuid',
      title: nullable('text'),
      prompts: 'json',
    },
    columns: PROMPTS,
  },
  `
  INSERT INTO bot_prompts AS p (
    space_id,
    place_id,
    bot_id,
    channel_id,
    title,
    prompts,
    updated_at
  )
  SELECT
    :spaceId,
    :placeId,
    member_id,
    conversation_id,
    :title,
    :prompts::json,
    clock_timestamp()
  FROM conversation_members
  WHERE space_id = :spaceId AND conversation_id = :channelId AND member_id = :botId
  FOR KEY SHARE
  ON CONFLICT (space_id, place_id, bot_id) DO UPDATE
  SET
    channel_id = excluded.channel_id,
    title = excluded.title,
    prompts = excluded.prompts,
    updated_at = excluded.updated_at
  RETURNING ${COLUMNS}
  `,
);

/** Returns the removed prompts. $1 space, $2 place, $3 bot */
export const REMOVE_PROMPTS = statement(
  'bot_prompts.remove_prompts',
  `DELETE FROM bot_prompts p
   WHERE p.space_id = $1 AND p.place_id = $2 AND p.bot_id = $3
   RETURNING ${COLUMNS}`,
  PROMPTS,
);

/**
 * Removes the oldest prompts of a bot in the threads of a conversation, except the newest `kept`.
 * Returns them.
 */
export const REMOVE_OLDEST_PROMPTS = statement(
  'bot_prompts.remove_oldest_prompts',
  {
    params: {
      spaceId: 'uuid',
      channelId: 'uuid',
      botId: 'uuid',
      kept: 'int8',
    },
    columns: PROMPTS,
  },
  `
  WITH oldest AS MATERIALIZED (
    SELECT place_id
    FROM bot_prompts
    WHERE space_id = :spaceId AND channel_id = :channelId AND bot_id = :botId
      AND place_id <> :channelId
    ORDER BY updated_at DESC
    OFFSET :kept
  )
  DELETE FROM bot_prompts p
  USING oldest
  WHERE p.space_id = :spaceId AND p.bot_id = :botId AND p.place_id = oldest.place_id
  RETURNING ${COLUMNS}
  `,
);

/** Returns the prompts in a place, latest first. $1 space, $2 place */
export const LIST_PROMPTS = statement(
  'bot_prompts.list_prompts',
  `SELECT ${COLUMNS}
   FROM bot_prompts p ${OF_MEMBERS}
   WHERE p.space_id = $1 AND p.place_id = $2
   ORDER BY p.updated_at DESC`,
  PROMPTS,
);

/**
 * Returns the latest $3 prompts in the conversations of a person. Looks up each conversation by
 * itself: a hash join would read all prompts of the space. $1 space, $2 person
 */
export const LIST_PROMPTS_TO = statement(
  'bot_prompts.list_prompts_to',
  `SELECT ${COLUMNS}
   FROM conversation_members m
   CROSS JOIN LATERAL (
     SELECT p.*
     FROM bot_prompts p ${OF_MEMBERS}
     WHERE p.space_id = m.space_id AND p.channel_id = m.conversation_id
     ORDER BY p.updated_at DESC
     LIMIT $3
   ) p
   WHERE m.space_id = $1 AND m.member_id = $2
   ORDER BY p.updated_at DESC
   LIMIT $3`,
  PROMPTS,
);
