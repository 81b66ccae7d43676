import type { EventDeliveryMode } from '@tieline/bots';
import { statement } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { SecretBox } from '@tieline/platform/signing';
import { newInternalKey, openKeys } from '../schema/signing/component-keys.js';
import type { ComponentKeys, KeyRow } from '../schema/signing/component-keys.js';

/** How a bot is asked about clicks in callback mode. */
export interface InteractiveConfig {
  callbackUrl: string;
  /** The buttons signing secret, in plain text: what callbacks are signed with. */
  signingSecret: string;
}

/** A bot's configuration and keys, of one moment. */
export interface ComponentState {
  keys: ComponentKeys;
  /** Undefined while the bot has no callback. */
  config?: InteractiveConfig;
}

/** A row of `interactive_configs`. */
export interface ConfigRow extends KeyRow {
  callback_url: string | null;
}

const COLUMNS = 'callback_url, signing_secret, internal_key, generation';
const FIND = statement(
  'interactive.find_config',
  `SELECT ${COLUMNS} FROM interactive_configs WHERE space_id = $1 AND bot_id = $2`,
);
const HOLD = statement(
  'interactive.hold_config',
  `SELECT ${COLUMNS} FROM interactive_configs WHERE space_id = $1 AND bot_id = $2 FOR SHARE`,
);

/** What a bot's clicks are judged with and where they go; undefined when it never had buttons or a configuration. */
export async function findComponentState(
  q: Queryable,
  box: SecretBox,
  spaceId: string,
  botId: string,
): Promise<ComponentState | undefined> {
  const [row] = await q.query<ConfigRow>(FIND, [spaceId, botId]);
  return row && stateOf(box, botId, row);
}

/** The same, kept as it is until the end of the transaction: what is signed with these keys is stored before they change. */
export async function holdComponentState(
  tx: Tx,
  box: SecretBox,
  spaceId: string,
  botId: string,
): Promise<ComponentState | undefined> {
  const [row] = await tx.query<ConfigRow>(HOLD, [spaceId, botId]);
  return row && stateOf(box, botId, row);
}

/** A bot that is not deleted, and how it gets its events. */
export interface ClickedBot {
  mode: EventDeliveryMode;
  isActive: boolean;
}

const HOLD_BOT = statement(
  'interactive.hold_bot',
  'SELECT event_delivery_mode AS mode, is_active AS "isActive" FROM bots WHERE space_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
);

/** The bot behind a button, which stays as it is until the end of the transaction; undefined when it is deleted. */
export async function holdClickedBot(
  tx: Tx,
  spaceId: string,
  botId: string,
): Promise<ClickedBot | undefined> {
  const [row] = await tx.query<ClickedBot>(HOLD_BOT, [spaceId, botId]);
  return row;
}

/** Makes a bot's row with a fresh internal key, where there is none. */
export async function ensureConfig(tx: Tx, box: SecretBox, spaceId: string, botId: string): Promise<void> {
  await tx.query(
    'INSERT INTO interactive_configs (space_id, bot_id, internal_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [spaceId, botId, newInternalKey(box, botId)],
  );
}

/** A bot's row, locked until the end of the transaction against others who change it and those who sign with its keys. */
export async function lockConfig(tx: Tx, spaceId: string, botId: string): Promise<ConfigRow | undefined> {
  const [row] = await tx.query<ConfigRow>(
    `SELECT ${COLUMNS} FROM interactive_configs WHERE space_id = $1 AND bot_id = $2 FOR NO KEY UPDATE`,
    [spaceId, botId],
  );
  return row;
}

/** The callback address alone; undefined where there is none. No secret is opened. */
export async function findCallbackUrl(
  q: Queryable,
  spaceId: string,
  botId: string,
): Promise<string | undefined> {
  const [row] = await q.query<ConfigRow>(FIND, [spaceId, botId]);
  return row?.callback_url ?? undefined;
}

function stateOf(box: SecretBox, botId: string, row: ConfigRow): ComponentState {
  const keys = openKeys(box, botId, row);
  if (row.callback_url === null || keys.secret === undefined) return { keys };
  return { keys, config: { callbackUrl: row.callback_url, signingSecret: keys.secret } };
}
