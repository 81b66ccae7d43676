import type { EventDeliveryMode } from '@tieline/bots';
import { nullable, statement, text } from '@tieline/platform/database';
import { LIVE_PREVIOUS_SECRET } from '@tieline/signing';

const CONFIG = `SELECT callback_url AS "callbackUrl", signing_secret AS "signingSecret", internal_key AS "internalKey", generation,
     ${LIVE_PREVIOUS_SECRET} AS "previousSecret"
     FROM interactive_configs WHERE space_id = $1 AND bot_id = $2`;
const CONFIG_COLUMNS = {
  callbackUrl: nullable('text'),
  signingSecret: nullable('bytea'),
  internalKey: 'bytea',
  generation: 'int4',
  previousSecret: nullable('bytea'),
} as const;

/** Hot path: runs for every click. $1 space, $2 bot */
export const FIND_CONFIG = statement('interactive_configs.find', CONFIG, CONFIG_COLUMNS);

/**
 * Hot path: runs for every message with buttons. The shared lock delays a change of the keys until
 * messages signed with them are stored. $1 space, $2 bot
 */
export const HOLD_CONFIG = statement('interactive_configs.hold', `${CONFIG} FOR SHARE`, CONFIG_COLUMNS);

/** Of concurrent calls one creates the row. $1 space, $2 bot, $3 sealed internal key */
export const ENSURE_CONFIG = statement(
  'interactive_configs.ensure',
  'INSERT INTO interactive_configs (space_id, bot_id, internal_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
  {},
);

/** Hot path: runs for every click. $1 space, $2 bot */
export const HOLD_BOT = statement(
  'bots.hold',
  'SELECT event_delivery_mode AS mode, is_active AS "isActive", display_name AS "displayName" FROM bots WHERE space_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
  { mode: text<EventDeliveryMode>(), isActive: 'bool', displayName: 'text' },
);
