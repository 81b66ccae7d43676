import { randomBytes } from 'node:crypto';
import type { Queryable, Tx } from '@tieline/platform/database';
import { FIND_BUILTIN_KEY, INSERT_BUILTIN_KEY } from './builtin-keys.statements.js';
import type { ComponentKeys } from './component-keys.js';
import { signComponents } from '../components.js';

/** Tokens of the product's own buttons do not expire; closing a poll ends its votes. */
const NEVER = Date.UTC(9999, 0);

/**
 * Signs the buttons and selects of one of the product's own messages, in the transaction that stores it and before the
 * conversation is locked. An element keeps its token whenever the message is signed again, so that a click on a view
 * older than the last edit still counts. The caller sees to it that the schema is kept.
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

/** What the tokens of the product's own buttons are verified with; the `botId` of their subject is the message's id. */
export async function findBuiltinKeys(q: Queryable, spaceId: string): Promise<ComponentKeys | undefined> {
  const [row] = await q.query(FIND_BUILTIN_KEY, [spaceId]);
  return row && keysOf(row.key);
}

async function makeBuiltinKeys(tx: Tx, spaceId: string): Promise<ComponentKeys> {
  await tx.query(INSERT_BUILTIN_KEY, [spaceId, randomBytes(32)]);
  const keys = await findBuiltinKeys(tx, spaceId);
  if (!keys) throw new Error('the key that was just made is gone');
  return keys;
}

function keysOf(key: Buffer): ComponentKeys {
  return { generation: 1, internalKey: () => key.toString('base64') };
}
