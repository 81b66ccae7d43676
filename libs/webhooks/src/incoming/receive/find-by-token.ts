import { LOOK_UP, microBatch } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { WEBHOOKS_BY_TOKEN } from './incoming-webhooks.statements.js';

/** A webhook as requests need it; the secret is sealed (incoming-secret.ts). */
export type FoundWebhook = Omit<RowOf<typeof WEBHOOKS_BY_TOKEN>, 'tokenHash'>;

/** Finds the webhook that the token of an address belongs to. */
export type FindByToken = (token: string) => Promise<FoundWebhook | undefined>;

/**
 * Looks tokens up by their hash, so that timing reveals nothing about them. Always asks the
 * database: a new token, a rotated secret, a plan or an inactive space counts with the next
 * request. Lookups that come at the same time share one statement.
 */
export function findByToken(db: Db): FindByToken {
  const lookUp = microBatch((hashes: Buffer[]) => findByHashes(db, hashes), LOOK_UP.batches);
  return (token) => lookUp(hashToken(token));
}

async function findByHashes(db: Db, hashes: Buffer[]): Promise<(FoundWebhook | undefined)[]> {
  const rows = await db.lookUp(WEBHOOKS_BY_TOKEN, [hashes]);
  const byHash = new Map(rows.map(({ tokenHash, ...webhook }) => [tokenHash.toString('hex'), webhook]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')));
}
