import type { EventFormat } from '@tieline/bots';
import { statement, text } from '@tieline/platform/database';

/** Where people find a shortcut: everywhere, or in the menu of a message. */
export const SHORTCUT_TYPES = ['global', 'message'] as const;
export type ShortcutType = (typeof SHORTCUT_TYPES)[number];

/** Shortcuts that the clients of a person show at most. */
const MAX_OF_SPACE = 500;

const SHORTCUT = 'c.id, c.callback_id AS "callbackId", c.name, c.description, c.type';
const SHORTCUT_COLUMNS = {
  id: 'uuid',
  callbackId: 'text',
  name: 'text',
  description: 'text',
  type: text<ShortcutType>(),
} as const;
const FROM_ACTIVE_BOTS =
  'FROM shortcuts c JOIN bots b ON b.space_id = c.space_id AND b.id = c.bot_id AND b.is_active AND b.deleted_at IS NULL';

/** $1 space, $2 bot */
export const LIST_SHORTCUTS_OF_BOT = statement(
  'shortcuts.list_of_bot',
  `SELECT ${SHORTCUT} FROM shortcuts c WHERE c.space_id = $1 AND c.bot_id = $2 ORDER BY c.name, c.id`,
  SHORTCUT_COLUMNS,
);

/** Lists shortcuts of active bots. $1 space */
export const LIST_SHORTCUTS_OF_SPACE = statement(
  'shortcuts.list_of_space',
  `SELECT ${SHORTCUT}, c.bot_id AS "botId", b.display_name AS "botName"
     ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1 ORDER BY c.name, c.id LIMIT ${MAX_OF_SPACE}`,
  { ...SHORTCUT_COLUMNS, botId: 'uuid', botName: 'text' },
);

/** Returns a shortcut of an active bot, with channels and format of the bot. $1 space, $2 id */
export const FIND_SHORTCUT = statement(
  'shortcuts.find',
  `SELECT c.callback_id AS "callbackId", c.type, c.bot_id AS "botId", b.channel_ids AS "channelIds",
          b.event_format AS "eventFormat"
     ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1 AND c.id = $2`,
  {
    callbackId: 'text',
    type: text<ShortcutType>(),
    botId: 'uuid',
    channelIds: 'uuid[]',
    eventFormat: text<EventFormat>(),
  },
);

/** Serializes the changes of a bot's shortcuts, so that the limit holds. $1 space, $2 bot */
export const LOCK_BOT_OF_SHORTCUTS = statement(
  'shortcuts.lock_bot',
  'SELECT id FROM bots WHERE space_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE',
  { id: 'uuid' },
);

/** Deletes the shortcuts of a bot except for these. $1 space, $2 bot, $3 callback ids */
export const DELETE_OTHER_SHORTCUTS = statement(
  'shortcuts.delete_others',
  'DELETE FROM shortcuts WHERE space_id = $1 AND bot_id = $2 AND callback_id <> ALL ($3::text[])',
  {},
);

/** Creates shortcuts of a bot. One with the same callback id is changed and keeps its id. */
export const PUT_SHORTCUTS = statement(
  'shortcuts.save',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      ids: 'uuid[]',
      callbackIds: 'text[]',
      names: 'text[]',
      descriptions: 'text[]',
      types: 'text[]',
    },
    columns: {},
  },
  `
  INSERT INTO shortcuts (
    space_id,
    bot_id,
    id,
    callback_id,
    name,
    description,
    type
  )
  SELECT :spaceId, :botId, given.*
  FROM unnest(
    :ids::uuid[],
    :callbackIds::text[],
    :names::text[],
    :descriptions::text[],
    :types::text[]
  ) AS given
  ON CONFLICT (space_id, bot_id, callback_id) DO UPDATE
  SET
    name = excluded.name,
    description = excluded.description,
    type = excluded.type
  `,
);
