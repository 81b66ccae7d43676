import { randomBytes } from 'node:crypto';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { SecretBox, SecretColumn } from '@tieline/signing';
import { FIND_BUILTIN_KEY, INSERT_BUILTIN_KEY, SEAL_BUILTIN_KEY } from './builtin-keys.statements.js';
import type { ComponentKeys } from './component-keys.js';
import { signComponents } from '../components.js';

/** Where the keys of the product's own buttons are stored, one per space. */
export const BUILTIN_KEY: SecretColumn = {
  table: 'builtin_component_keys',
  keyColumns: ['space_id'],
  secretColumn: 'sealed_key',
  aad: ({ space_id }) => purposeOf(space_id as string),
};

/** Tokens of the product's own buttons do not expire; closing a poll ends its votes. */
const NEVER = Date.UTC(9999, 0);

/**
 * Signs the buttons and selects of one of the product's own messages, in the transaction that
 * stores it and before the conversation is locked. An element keeps its token whenever the message
 * is signed again, so that a click on a view older than the last edit still counts. The caller sees
 * to it that the schema is kept.
 * @returns the JSON text to store
 */
export async function signBuiltinMetadata(
  tx: Tx,
  box: SecretBox,
  { spaceId, messageId }: { spaceId: string; messageId: string },
  metadata: Readonly<Record<string, unknown>>,
): Promise<string> {
  const keys = (await findBuiltinKeys(tx, box, spaceId)) ?? (await createBuiltinKeys(tx, box, spaceId));
  return JSON.stringify(signComponents(metadata, { keys, spaceId, botId: messageId, expiresAt: NEVER }));
}

/**
 * What the tokens of the product's own buttons are verified with; the `botId` of their subject is
 * the message's id. A key of a time before keys were sealed is sealed now. @throws SecretBoxError
 * when no known key opens it
 */
export async function findBuiltinKeys(
  q: Queryable,
  box: SecretBox,
  spaceId: string,
): Promise<ComponentKeys | undefined> {
  const [row] = await q.query(FIND_BUILTIN_KEY, [spaceId]);
  if (!row) return undefined;
  if (row.sealedKey) return keysOf(box.open(row.sealedKey, purposeOf(spaceId)));
  const key = (row.key as Buffer).toString('base64');
  await q.query(SEAL_BUILTIN_KEY, [spaceId, box.seal(key, purposeOf(spaceId))]);
  return keysOf(key);
}

async function createBuiltinKeys(tx: Tx, box: SecretBox, spaceId: string): Promise<ComponentKeys> {
  const key = randomBytes(32).toString('base64');
  await tx.query(INSERT_BUILTIN_KEY, [spaceId, box.seal(key, purposeOf(spaceId))]);
  const keys = await findBuiltinKeys(tx, box, spaceId);
  if (!keys) throw new Error('the key that was just made is gone');
  return keys;
}

function keysOf(key: string): ComponentKeys {
  return { generation: 1, internalKey: () => key };
}

function purposeOf(spaceId: string): string {
  return `builtin-components:${spaceId}`;
}
