import { LOOK_UP, microBatch } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { WEBHOOKS_BY_TOKEN } from './incoming-webhooks.statements.js';

/** The parts of a webhook needed to handle a request. Its secrets are sealed. */
export type FoundWebhook = Omit<RowOf<typeof WEBHOOKS_BY_TOKEN>, 'tokenHash'>;

/** Finds the webhook of a token. */
export type FindByToken = (token: string) => Promise<FoundWebhook | undefined>;

/**
 * Creates a lookup by token hash, so that timing reveals nothing about tokens. Always queries the
 * database: a new token, a rotated secret, a plan change or an inactive space takes effect with the
 * next request. Concurrent lookups share a statement.
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
