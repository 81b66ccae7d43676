import type { Db, Queryable, RowOf, Tx } from '@tieline/platform/database';
import type { SecretBox } from '@tieline/signing';
import { newInternalKey, openKeys } from '../schema/signing/component-keys.js';
import type { ComponentKeys } from '../schema/signing/component-keys.js';
import { InteractiveConfig } from './interactive-config.entity.js';
import { ENSURE_CONFIG, FIND_CONFIG, HOLD_BOT, HOLD_CONFIG } from './interactive-config.statements.js';

/** How a bot is told of clicks in callback mode. */
export interface ClickCallback {
  callbackUrl: string;
  /** The buttons signing secret, in plain text: what callbacks are signed with. */
  signingSecret: string;
  /** The one before it, which signs as well while a rotation overlaps. */
  previousSecret?: string | undefined;
}

/** A bot's configuration and keys, of one moment. */
export interface ComponentState {
  keys: ComponentKeys;
  /** Undefined while the bot has no callback. */
  callback?: ClickCallback;
}

/**
 * What a bot's clicks are validated with and where they go; undefined when it never had buttons or a
 * configuration.
 */
export async function findComponentState(
  q: Queryable,
  box: SecretBox,
  spaceId: string,
  botId: string,
): Promise<ComponentState | undefined> {
  const [row] = await q.query(FIND_CONFIG, [spaceId, botId]);
  return row && stateOf(box, botId, row);
}

/**
 * The same, kept as it is until the end of the transaction: what is signed with these keys is
 * stored before they change.
 */
export async function holdComponentState(
  tx: Tx,
  box: SecretBox,
  spaceId: string,
  botId: string,
): Promise<ComponentState | undefined> {
  const [row] = await tx.query(HOLD_CONFIG, [spaceId, botId]);
  return row && stateOf(box, botId, row);
}

/** A bot that is not deleted, and how it gets its events. */
export type ClickedBot = RowOf<typeof HOLD_BOT>;

/**
 * The bot behind a button, which stays as it is until the end of the transaction; undefined when it
 * is deleted.
 */
export async function holdClickedBot(
  tx: Tx,
  spaceId: string,
  botId: string,
): Promise<ClickedBot | undefined> {
  const [row] = await tx.query(HOLD_BOT, [spaceId, botId]);
  return row;
}

/** Makes a bot's row with a fresh internal key, where there is none. */
export async function ensureConfig(tx: Tx, box: SecretBox, spaceId: string, botId: string): Promise<void> {
  await tx.query(ENSURE_CONFIG, [spaceId, botId, newInternalKey(box, botId)]);
}

/**
 * A bot's row, locked until the end of the transaction against others who change it and those who
 * sign with its keys.
 */
export function lockConfig(tx: Tx, spaceId: string, botId: string): Promise<InteractiveConfig | null> {
  return tx.manager.findOne(InteractiveConfig, {
    where: { spaceId, botId },
    lock: { mode: 'for_no_key_update' },
  });
}

/** What is shown of a bot's configuration; null where it has none. No secret is opened. */
export function findConfig(db: Db, spaceId: string, botId: string): Promise<InteractiveConfig | null> {
  return db.manager.findOneBy(InteractiveConfig, { spaceId, botId });
}

function stateOf(box: SecretBox, botId: string, row: RowOf<typeof FIND_CONFIG>): ComponentState {
  const keys = openKeys(box, botId, row);
  if (row.callbackUrl === null || keys.secret === undefined) return { keys };
  const { secret: signingSecret, previousSecret } = keys;
  return { keys, callback: { callbackUrl: row.callbackUrl, signingSecret, previousSecret } };
}
