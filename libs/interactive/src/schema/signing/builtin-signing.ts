import { randomBytes } from 'node:crypto';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { SecretBox, SecretColumn } from '@tieline/signing';
import { FIND_BUILTIN_KEY, INSERT_BUILTIN_KEY, SEAL_BUILTIN_KEY } from './builtin-keys.statements.js';
import type { ComponentKeys } from './component-keys.js';
import { signComponents } from '../components.js';

/** Column with the keys of the product's own buttons, one per space. */
export const BUILTIN_KEY: SecretColumn = {
  table: 'builtin_component_keys',
  keyColumns: ['space_id'],
  secretColumn: 'sealed_key',
  aad: ({ space_id }) => purposeOf(space_id as string),
};

/** Tokens of the product's own buttons do not expire. Closing a poll ends voting. */
const NEVER = Date.UTC(9999, 0);

/**
 * Signs the buttons and selects of one of the product's own messages, in the transaction that
 * stores it and before the conversation is locked. An element keeps its token when the message is
 * signed again, so that clicks on an older view still count. The caller ensures that the metadata
 * follows the schema.
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
 * Returns the keys that verify tokens of the product's own buttons; the `botId` of their subject is
 * the message's id. Seals a key that is still stored unsealed. @throws SecretBoxError if no known
 * key opens it
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
  if (!keys) throw new Error('the key that was just created is missing');
  return keys;
}

function keysOf(key: string): ComponentKeys {
  return { generation: 1, internalKey: () => key };
}

function purposeOf(spaceId: string): string {
  return `builtin-components:${spaceId}`;
}
