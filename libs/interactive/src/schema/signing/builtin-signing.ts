import { randomBytes } from 'node:crypto';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { ComponentKeys } from './component-keys.js';
import { signComponents } from '../components.js';

/** Tokens of the product's own buttons end with what they are for, not with time: closing a poll ends its votes. */
const NEVER = Date.UTC(9999, 0);

/**
 * Signs the buttons and selects of one of the product's own messages, in the transaction that stores it and before the
 * conversation is locked. Every signing of the same message gives the same element the same token, and so a click on a
 * view that is older than the last edit is good. Keeping the schema is the caller's business.
 * @returns the JSON text to store
 */
export async function signBuiltinMetadata(
  tx: Tx,
  { spaceId, messageId }: { spaceId: string; messageId: string },
  metadata: Readonly<Record<string, unknown>>,
): Promise<string> {
  const keys = (await findBuiltinKeys(tx, spaceId)) ?? (await makeBuiltinKeys(tx, spaceId));
  return JSON.stringify(signComponents(metadata, { keys, spaceId, botId: messageId, expiresAt: NEVER }));
}

/** What tokens of the product's own buttons are verified with, in the place of a bot's: the `botId` of their subject is the message's id. */
export async function findBuiltinKeys(q: Queryable, spaceId: string): Promise<ComponentKeys | undefined> {
  const [row] = await q.query<{ key: Buffer }>('SELECT key FROM builtin_component_keys WHERE space_id = $1', [
    spaceId,
  ]);
  return row && keysOf(row.key);
}

/** Of several at once one makes the key. */
async function makeBuiltinKeys(tx: Tx, spaceId: string): Promise<ComponentKeys> {
  await tx.query(
    'INSERT INTO builtin_component_keys (space_id, key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [spaceId, randomBytes(32)],
  );
  const keys = await findBuiltinKeys(tx, spaceId);
  if (!keys) throw new Error('the key that was just made is gone');
  return keys;
}

function keysOf(key: Buffer): ComponentKeys {
  return { generation: 1, internalKey: () => key.toString('base64') };
}
