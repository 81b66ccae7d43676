import { nullable, statement } from '@tieline/platform/database';
import { IS_OPEN_SOCKET } from '../sockets.statements.js';

/**
 * Exchanges a reserved place for a socket. Of concurrent calls one succeeds. Returns no row for a
 * place that was taken, has expired or belongs to a bot that is disabled.
 */
export const TAKE_TICKET = statement(
  'bot_sockets.take_ticket',
  {
    params: { spaceId: 'uuid', botId: 'uuid', ticketId: 'uuid', connectionId: 'uuid' },
    columns: { tokenHash: 'bytea', scopes: nullable('text[]') },
  },
  `
  UPDATE bot_sockets s
  SET connection_id = :connectionId, seen_at = clock_timestamp()
  FROM bots b
  WHERE s.space_id = :spaceId
    AND s.bot_id = :botId
    AND s.connection_id = :ticketId
    AND ${IS_OPEN_SOCKET}
    AND b.space_id = s.space_id
    AND b.id = s.bot_id
    AND b.is_active
    AND b.deleted_at IS NULL
    AND (b.token_expires_at IS NULL OR b.token_expires_at > statement_timestamp())
  RETURNING b.token_hash AS "tokenHash", b.scopes
  `,
);
