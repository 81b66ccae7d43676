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

/** Decisions, section 11.5. */
const CACHE_SECONDS = 5;

/** One question to a bot. */
export interface OptionRequest {
  spaceId: string;
  id: string;
  /** Two questions are the same when this is. */
  fingerprint: Buffer;
}

/** What the bot said to the same question within the last seconds, or undefined. */
export async function findCachedChoices(
  q: Queryable,
  { spaceId, fingerprint }: OptionRequest,
): Promise<Choice[] | undefined> {
  const [row] = await q.query(FIND_CACHED_CHOICES, [spaceId, fingerprint, CACHE_SECONDS]);
  return row?.choices;
}

/** Notes a question that is answered later. */
export async function insertOptionRequest(tx: Tx, request: OptionRequest): Promise<void> {
  await tx.query(INSERT_OPTION_REQUEST, [request.spaceId, request.id, request.fingerprint]);
}

/** Keeps an answer that is there at once. */
export async function cacheChoices(q: Queryable, request: OptionRequest, choices: Choice[]): Promise<void> {
  await q.query(CACHE_CHOICES, [request.spaceId, request.id, request.fingerprint, JSON.stringify(choices)]);
}

/** Notes an answer; without effect once the question is forgotten. */
export async function answerOptionRequest(
  q: Queryable,
  spaceId: string,
  id: string,
  choices: Choice[],
): Promise<void> {
  await q.query(ANSWER_OPTION_REQUEST, [spaceId, id, JSON.stringify(choices)]);
}

/**
 * Ends the wait for an answer that can't be read: there are no choices, and the next question asks
 * the bot again.
 */
export async function failOptionRequest(q: Queryable, spaceId: string, id: string): Promise<void> {
  await q.query(FAIL_OPTION_REQUEST, [spaceId, id]);
}

/** The answer, if it is there. */
export async function findChoices(
  q: Queryable,
  { spaceId, id }: Pick<OptionRequest, 'spaceId' | 'id'>,
): Promise<Choice[] | undefined> {
  const [row] = await q.query(FIND_CHOICES, [spaceId, id]);
  return row?.choices ?? undefined;
}
