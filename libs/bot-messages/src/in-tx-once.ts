import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { fingerprint, inTxOnce as inTxWithKey } from '@tieline/idempotency';

/** A request with its `Idempotency-Key`, if it has one. */
export interface KeyedRequest {
  key: string | undefined;
  /** What the request means: another meaning under the same key is 409. */
  meaning: unknown;
  /** The conversation, where it is known, for `runInTx`; the bot otherwise. */
  place?: string;
}

/** Writes in one transaction; with a key, a repeat within 24 hours gets the first answer. @throws 400 malformed key; 409 */
export function inTxOnce<T extends object>(
  db: Db,
  { spaceId, botId }: BotPrincipal,
  { key, meaning, place = botId }: KeyedRequest,
  write: (tx: Tx) => Promise<T>,
): Promise<T> {
  const where = { spaceId, place };
  if (key === undefined) return runInTx(db, write, where);
  const request = { spaceId, scope: `bot-messages:${botId}`, key, fingerprint: fingerprint(meaning) };
  return inTxWithKey(db, request, write, where);
}
