import type { Db } from '@tieline/platform/database';
import type { SecretBox, SecretColumn } from '@tieline/signing';
import webPush from 'web-push';
import { FIND_VAPID_KEYS, INSERT_VAPID_KEYS } from './push.statements.js';

/** The keys by which push services identify this installation (RFC 8292); base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const PURPOSE = 'vapid';

/** Where the private key is stored. */
export const VAPID_PRIVATE_KEY: SecretColumn = {
  table: 'vapid_keys',
  keyColumns: ['only_row'],
  secretColumn: 'private_key',
  aad: () => PURPOSE,
};

/**
 * Returns the installation's keys. The first caller creates them for all processes. Subscriptions
 * are bound to them, so they never change.
 */
export async function vapidKeys(db: Db, box: SecretBox): Promise<VapidKeys> {
  return (await findKeys(db, box)) ?? (await createKeys(db, box));
}

async function findKeys(db: Db, box: SecretBox): Promise<VapidKeys | undefined> {
  const [row] = await db.query(FIND_VAPID_KEYS);
  return row && { publicKey: row.publicKey, privateKey: box.open(row.privateKey, PURPOSE) };
}

async function createKeys(db: Db, box: SecretBox): Promise<VapidKeys> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await db.query(INSERT_VAPID_KEYS, [publicKey, box.seal(privateKey, PURPOSE)]);
  const keys = await findKeys(db, box);
  if (!keys) throw new Error('the inserted row is not visible');
  return keys;
}
