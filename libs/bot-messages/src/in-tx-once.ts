import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { findAnswer, fingerprint, inTxOnce as inTxWithKey, isRepeated } from '@tieline/idempotency';
import type { IdempotentRequest } from '@tieline/idempotency';
import type { Repeats } from '@tieline/rate-limit';

/** Idempotency scopes: each operation has its own keys. */
const SCOPES = {
  send: 'bot-messages',
  ephemeral: 'bot-ephemeral-messages',
  schedule: 'bot-scheduled-messages',
} as const;

/** A request with an optional `Idempotency-Key`. */
export interface KeyedRequest {
  operation: keyof typeof SCOPES;
  key: string | undefined;
  /** The content of the request. Different content with the same key gets 409. */
  meaning: unknown;
}

/**
 * Writes in one transaction. With a key, a repeat within 24 hours returns the first result.
 * @param place the conversation for `runInTx` if known, otherwise the bot
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

/** Returns how to find a repeat. Repeats are not charged. */
export function repeatLookup<T extends object>(db: Db, bot: BotPrincipal, request: KeyedRequest): Repeats<T> {
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
