import type { EventDeliveryMode } from '@tieline/bots';
import { nullable, statement, text } from '@tieline/platform/database';

const CONFIG = `SELECT c.callback_url AS "callbackUrl", c.signing_secret AS "signingSecret", c.internal_key AS "internalKey", c.generation,
     CASE WHEN c.previous_secret_expires_at > statement_timestamp() THEN c.previous_secret END AS "previousSecret",
     b.interactive_url AS "appUrl", b.webhook_secret AS "appSecret"
     FROM interactive_configs c JOIN bots b ON b.space_id = c.space_id AND b.id = c.bot_id
     WHERE c.space_id = $1 AND c.bot_id = $2`;
const CONFIG_COLUMNS = {
  callbackUrl: nullable('text'),
  signingSecret: nullable('bytea'),
  internalKey: 'bytea',
  generation: 'int4',
  previousSecret: nullable('bytea'),
  appUrl: 'text',
  appSecret: 'bytea',
} as const;

/** Hot path: runs for every click. $1 space, $2 bot */
export const FIND_CONFIG = statement('interactive_configs.find', CONFIG, CONFIG_COLUMNS);

/**
 * Hot path: runs for every message with buttons. The shared lock delays a change of the keys until
 * messages signed with them are stored. $1 space, $2 bot
 */
export const HOLD_CONFIG = statement('interactive_configs.hold', `${CONFIG} FOR SHARE OF c`, CONFIG_COLUMNS);

/** Of concurrent calls one creates the row. $1 space, $2 bot, $3 sealed internal key */
export const ENSURE_CONFIG = statement(
  'interactive_configs.ensure',
  'INSERT INTO interactive_configs (space_id, bot_id, internal_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
  {},
);

/** Hot path: runs for every click. $1 space, $2 bot */
export const HOLD_BOT = statement(
  'bots.hold',
  `SELECT event_delivery_mode AS mode, is_active AS "isActive", display_name AS "displayName", interactive_url <> '' AS "hasAppUrl"
     FROM bots WHERE space_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
  { mode: text<EventDeliveryMode>(), isActive: 'bool', displayName: 'text', hasAppUrl: 'bool' },
);
