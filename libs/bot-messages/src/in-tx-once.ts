import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { findAnswer, fingerprint, inTxOnce as inTxWithKey, isRepeated } from '@tieline/idempotency';
import type { IdempotentRequest } from '@tieline/idempotency';
import type { ChargeOptions } from '@tieline/rate-limit';

/** Whose keys they are: each operation has its own. */
const SCOPES = { send: 'bot-messages', ephemeral: 'bot-ephemeral-messages' } as const;

/** A request with its `Idempotency-Key`, if it has one. */
export interface KeyedRequest {
  operation: keyof typeof SCOPES;
  key: string | undefined;
  /** What the request means: another meaning under the same key is 409. */
  meaning: unknown;
}

/**
 * Writes in one transaction; with a key, a repeat within 24 hours gets the first answer.
 * @param place the conversation, where it is known, for `runInTx`; the bot otherwise
 * @throws 400 malformed key; 409
 */
export function inTxOnce<T extends object>(
  db: Db,
  bot: BotPrincipal,
  request: KeyedRequest,
  write: (tx: Tx) => Promise<T>,
  place = bot.botId,
): Promise<T> {
  const where = { spaceId: bot.spaceId, place };
  const keyed = keyedRequest(bot, request);
  return keyed ? inTxWithKey(db, keyed, write, where) : runInTx(db, write, where);
}

/** How a repeat is found, which uses up no rate. */
export function repeats<T extends object>(
  db: Db,
  bot: BotPrincipal,
  request: KeyedRequest,
): Pick<ChargeOptions<T>, 'findRepeat' | 'isRepeat'> {
  const keyed = keyedRequest(bot, request);
  return keyed ? { findRepeat: () => findAnswer<T>(db, keyed), isRepeat: isRepeated } : {};
}

function keyedRequest(
  { spaceId, botId }: BotPrincipal,
  { operation, key, meaning }: KeyedRequest,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  return { spaceId, scope: `${SCOPES[operation]}:${botId}`, key, fingerprint: fingerprint(meaning) };
}
