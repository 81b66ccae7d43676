import type { Queryable, Tx } from '@tieline/platform/database';
import type { Choice } from './choice.view.js';
import {
  ANSWER_OPTION_REQUEST,
  FAIL_OPTION_REQUEST,
  FIND_CHOICES,
  FIND_CACHED_CHOICES,
  INSERT_OPTION_REQUEST,
  CACHE_CHOICES,
} from './option-requests.statements.js';

/** How long an answer is reused for the same request. */
const CACHE_SECONDS = 5;

/** One request for options to a bot. */
export interface OptionRequest {
  spaceId: string;
  id: string;
  /** Requests with the same fingerprint share a cached answer. */
  fingerprint: Buffer;
}

/** Returns the bot's answer to the same request if it is recent enough, or undefined. */
export async function findCachedChoices(
  q: Queryable,
  { spaceId, fingerprint }: OptionRequest,
): Promise<Choice[] | undefined> {
  const [row] = await q.query(FIND_CACHED_CHOICES, [spaceId, fingerprint, CACHE_SECONDS]);
  return row?.choices;
}

/** Stores a request that a polling bot answers later. */
export async function insertOptionRequest(tx: Tx, request: OptionRequest): Promise<void> {
  await tx.query(INSERT_OPTION_REQUEST, [request.spaceId, request.id, request.fingerprint]);
}

/** Caches the immediate answer of a callback. */
export async function cacheChoices(q: Queryable, request: OptionRequest, choices: Choice[]): Promise<void> {
  await q.query(CACHE_CHOICES, { ...request, choices: JSON.stringify(choices) });
}

/** Stores an answer. Has no effect if the request was deleted. */
export async function answerOptionRequest(
  q: Queryable,
  spaceId: string,
  id: string,
  choices: Choice[],
): Promise<void> {
  await q.query(ANSWER_OPTION_REQUEST, [spaceId, id, JSON.stringify(choices)]);
}

/**
 * Ends the wait with no choices because the answer could not be read. The next request asks the bot
 * again.
 */
export async function failOptionRequest(q: Queryable, spaceId: string, id: string): Promise<void> {
  await q.query(FAIL_OPTION_REQUEST, [spaceId, id]);
}

/** Returns the answer, or undefined while there is none. */
export async function findChoices(
  q: Queryable,
  { spaceId, id }: Pick<OptionRequest, 'spaceId' | 'id'>,
): Promise<Choice[] | undefined> {
  const [row] = await q.query(FIND_CHOICES, [spaceId, id]);
  return row?.choices ?? undefined;
}
