import { nullable, statement, text } from '@tieline/platform/database';

/**
 * Bots of active spaces that are neither disabled nor deleted. Read with every request, so that a
 * regenerated token works immediately.
 */
export const FIND_BOTS_BY_TOKEN = statement(
  'bots.find_by_tokens',
  `SELECT b.token_hash AS "tokenHash", b.id AS "botId", b.space_id AS "spaceId", b.channel_ids AS "channelIds", b.scopes
     FROM bots b JOIN spaces s ON s.id = b.space_id
    WHERE b.token_hash = ANY($1::bytea[]) AND b.is_active AND b.deleted_at IS NULL AND s.is_active
      AND (b.token_expires_at IS NULL OR b.token_expires_at > statement_timestamp())`,
  {
    tokenHash: 'bytea',
    botId: 'uuid',
    spaceId: 'uuid',
    channelIds: 'uuid[]',
    scopes: nullable('text[]'),
  },
);

/** Why the token with hash $1 is refused, if it is the latest token of a bot. */
export const FIND_REFUSED_TOKEN = statement(
  'bots.find_refused_token',
  `SELECT
     CASE WHEN NOT (b.is_active AND b.deleted_at IS NULL AND s.is_active) THEN 'inactive'
       WHEN b.token_expires_at <= statement_timestamp() THEN 'expired'
       ELSE 'unknown' END AS reason
   FROM bots b JOIN spaces s ON s.id = b.space_id
   WHERE b.token_hash = $1::bytea`,
  { reason: text<RefusedTokenReason>() },
);

/** Why a token is refused. */
export type RefusedTokenReason = 'inactive' | 'expired' | 'unknown';

/** Returns those of the given ids that are bots of the space and neither disabled nor deleted. */
export const FIND_ACTIVE_BOTS = statement(
  'bots.find_active',
  'SELECT id FROM bots WHERE space_id = $1 AND id = ANY($2::uuid[]) AND is_active AND deleted_at IS NULL',
  { id: 'uuid' },
);

/** Channels and voice chats that a bot is a member of, in the order in which to lock them. */
export const LIST_CHANNELS_OF_BOT = statement(
  'bots.list_channels',
  `SELECT c.id FROM conversation_members m JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
   WHERE m.space_id = $1 AND m.member_id = $2 AND c.scope <> 'dm' ORDER BY c.id`,
  { id: 'uuid' },
);

/** Counts the bots of space $1. */
export const COUNT_BOTS = statement(
  'bots.count',
  'SELECT count(*) AS count FROM bots WHERE space_id = $1 AND deleted_at IS NULL',
  { count: 'int8' },
);
