import { createHash } from 'node:crypto';
import { runRepeatable } from '@tieline/platform/database';
import type { Db, Queryable, Tx, WritePlace } from '@tieline/platform/database';
import { conflict, invalidField } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import {
  DROP_OLD_KEYS,
  FIND_ANSWER,
  FIND_LIVE_ANSWER,
  STORE_ANSWER,
  TAKE_KEY,
} from './idempotency.statements.js';

const KEY = /^[A-Za-z0-9._:-]{1,128}$/;
/** The schema of a key in a body, for the OpenAPI document. */
export const IDEMPOTENCY_KEY_SCHEMA = { type: String, pattern: KEY.source, minLength: 1, maxLength: 128 };

/** Identifies a request. */
export interface IdempotentRequest {
  spaceId: string;
  /**
   * The owner of the keys and the operation: `bot-messages:<bot id>`. The same key in another scope
   * is unrelated.
   */
  scope: string;
  /** The `Idempotency-Key` header: A-Z a-z 0-9 . _ : - and at most 128 characters. */
  key: string;
  /** A digest that tells equal requests from different ones; see {@link fingerprint}. */
  fingerprint: Buffer;
}

/**
 * Runs {@link once} in its own transaction. When the connection is lost during COMMIT, it is
 * repeated for two seconds. Each attempt finds the stored answer by the key, or does the work.
 *
 * @param place see `runInTx`
 * @throws CommitUnknown if the outcome is still unknown
 */
export async function inTxOnce<T extends object>(
  db: Db,
  request: IdempotentRequest,
  work: (tx: Tx) => Promise<T>,
  place: WritePlace,
): Promise<T> {
  return runRepeatable(db, (tx) => once(tx, request, () => work(tx)), place);
}

/**
 * Does `work` for the first request with a key, and returns its answer for every repeat within 24
 * hours. The key is written in the caller's transaction, so that answer and effect exist together
 * or not at all. A concurrent repeat waits for the first request.
 *
 * @throws 400 for a malformed key; 409 when the key was used for another request
 */
export async function once<T extends object>(
  tx: Tx,
  request: IdempotentRequest,
  work: () => Promise<T>,
): Promise<T> {
  checkIdempotencyKey(request.key);
  const [mine] = await tx.query(TAKE_KEY, request);
  if (!mine) return repeat<T>(tx, request);
  const answer = await work();
  await tx.query(STORE_ANSWER, { ...request, answer: JSON.stringify(answer) });
  return answer;
}

/** 400 for a malformed key. */
export const invalidIdempotencyKey = (): ApiError =>
  invalidField('idempotency_key', 'invalid idempotency key');

/** @throws 400 for a key with other characters or more than 128 */
export function checkIdempotencyKey(key: string): void {
  if (!KEY.test(key)) throw invalidIdempotencyKey();
}

async function repeat<T>(tx: Tx, { spaceId, scope, key, fingerprint: print }: IdempotentRequest): Promise<T> {
  const [row] = await tx.query(FIND_ANSWER, [spaceId, scope, key]);
  if (!row || !row.fingerprint.equals(print)) throw keyReused();
  // The caller waited for the transaction that wrote key and answer together.
  return repeated<T>(row.answer as string);
}

/**
 * Returns the stored answer of the first request with this key; undefined when there is none yet.
 * @throws 400 for a malformed key; 409 when the key was used for another request
 */
export async function findAnswer<T extends object>(
  q: Queryable,
  { spaceId, scope, key, fingerprint: print }: IdempotentRequest,
): Promise<T | undefined> {
  checkIdempotencyKey(key);
  const [row] = await q.query(FIND_LIVE_ANSWER, [spaceId, scope, key]);
  if (row?.answer == null) return undefined;
  if (!row.fingerprint.equals(print)) throw keyReused();
  return repeated<T>(row.answer);
}

const REPEATED = Symbol('an answer that was stored');

/**
 * Returns whether an answer of {@link once} comes from an earlier request, so that this one did
 * nothing.
 */
export function isRepeated(answer: object): boolean {
  return REPEATED in answer;
}

function repeated<T>(stored: string): T {
  return Object.defineProperty(JSON.parse(stored) as object, REPEATED, { value: true }) as T;
}

const keyReused = (): ApiError =>
  conflict('idempotency_key_reused', 'idempotency key was used for another request');

/** Returns a digest of a value that does not depend on the order of fields. */
export function fingerprint(value: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(value)).digest();
}

/**
 * Returns canonical JSON (RFC 8785) of a parsed JSON value. Fields that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`)
    .join(',')}}`;
}

/** Deletes expired keys in small steps. @returns how many */
export async function dropOldKeys(db: Queryable, limit = 5000): Promise<number> {
  return (await db.query(DROP_OLD_KEYS, [limit])).length;
}
