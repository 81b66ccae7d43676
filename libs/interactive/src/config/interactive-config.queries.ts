import { BOT_WEBHOOK_SECRET } from '@tieline/bots';
import type { Db, Queryable, RowOf, Tx } from '@tieline/platform/database';
import type { SecretBox } from '@tieline/signing';
import { newInternalKey, openKeys } from '../schema/signing/component-keys.js';
import type { ComponentKeys } from '../schema/signing/component-keys.js';
import { InteractiveConfig } from './interactive-config.entity.js';
import { ENSURE_CONFIG, FIND_CONFIG, HOLD_BOT, HOLD_CONFIG } from './interactive-config.statements.js';

/** How clicks are sent to a bot in callback mode. */
interface ClickCallback {
  callbackUrl: string;
  /** Signs callbacks: the signing secret for buttons, or that of the app, in plain text. */
  signingSecret: string;
  /** The previous secret, which also signs callbacks during the overlap of a rotation. */
  previousSecret?: string | undefined;
}

/** A consistent snapshot of a bot's configuration and keys. */
export interface ComponentState {
  keys: ComponentKeys;
  /** Undefined if the bot has no callback. */
  callback?: ClickCallback;
}

/**
 * Returns the keys that verify a bot's clicks and the callback they go to; undefined if the bot
 * never had buttons or a configuration.
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
 * Returns the same under a shared lock, held until the end of the transaction: messages signed with
 * these keys are stored before the keys change.
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

/** A bot that is not deleted, with its delivery mode. */
export type ClickedBot = RowOf<typeof HOLD_BOT>;

/**
 * Returns the bot that owns a button and locks its row (shared) until the end of the transaction;
 * undefined if it is deleted.
 */
export async function holdClickedBot(
  tx: Tx,
  spaceId: string,
  botId: string,
): Promise<ClickedBot | undefined> {
  const [row] = await tx.query(HOLD_BOT, [spaceId, botId]);
  return row;
}

/** Creates a bot's row with a new internal key if it has none. */
export async function ensureConfig(tx: Tx, box: SecretBox, spaceId: string, botId: string): Promise<void> {
  await tx.query(ENSURE_CONFIG, [spaceId, botId, newInternalKey(box, botId)]);
}

/**
 * Returns a bot's row and locks it until the end of the transaction against concurrent changes and
 * against signing.
 */
export function lockConfig(tx: Tx, spaceId: string, botId: string): Promise<InteractiveConfig | null> {
  return tx.manager.findOne(InteractiveConfig, {
    where: { spaceId, botId },
    lock: { mode: 'for_no_key_update' },
  });
}

/** Returns a bot's configuration for display, or null if it has none. Does not decrypt secrets. */
export function findConfig(db: Db, spaceId: string, botId: string): Promise<InteractiveConfig | null> {
  return db.manager.findOneBy(InteractiveConfig, { spaceId, botId });
}

function stateOf(box: SecretBox, botId: string, row: RowOf<typeof FIND_CONFIG>): ComponentState {
  const keys = openKeys(box, botId, row);
  if (row.callbackUrl === null || keys.secret === undefined) {
    const signingSecret =
      row.appUrl === '' ? undefined : BOT_WEBHOOK_SECRET.tryOpen(box, botId, row.appSecret, () => undefined);
    return signingSecret === undefined
      ? { keys }
      : { keys, callback: { callbackUrl: row.appUrl, signingSecret } };
  }
  const { secret: signingSecret, previousSecret } = keys;
  return { keys, callback: { callbackUrl: row.callbackUrl, signingSecret, previousSecret } };
}
