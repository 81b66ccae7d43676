import { setTimeout } from 'node:timers/promises';
import { findMessage } from '@tieline/conversations';
import { microBatch } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import type { SignedRequest } from './signed-request.js';
import {
  CLAIM_SIGNATURES,
  RELEASE_SIGNATURE,
  STORE_RESULTS,
  RELEASE_TO_REPEAT,
} from './signatures.statements.js';

/** How long a repeat waits for the result of the first request. */
const WAIT_MS = 5000;
const POLL_MS = 25;

/** Result of a request. `isRepeat`: the result is that of an earlier request. */
export interface SignedResult {
  /** Undefined if the request posted no message. */
  messageId: string | undefined;
  isRepeat: boolean;
}

interface Result {
  request: SignedRequest;
  messageId: string | undefined;
}

/**
 * `first`: the caller does the work. `busy`: the same request is in progress. `refused`: the
 * signature was used for another request. `answered`: `messageId` is the stored result. Before that
 * it is the id for the message of the request.
 */
interface Claim {
  state: 'first' | 'busy' | 'refused' | 'answered';
  messageId: string | undefined;
}

/** A request with the id for its message. */
type NamedRequest = SignedRequest & { messageId: string };

/**
 * Stores accepted signatures with the results of their requests. A signature is valid for one
 * request: an exact repeat gets the stored result, any other use is rejected. A claim fixes the id
 * of the message, so a repeat never posts another one. Concurrent claims share a statement.
 */
export class AcceptedSignatures {
  private readonly claim: (request: NamedRequest) => Promise<Claim>;
  private readonly store: (result: Result) => Promise<void>;

  /** @param failed called when a result cannot be stored, which does not change the response */
  constructor(
    private readonly db: Db,
    private readonly failed: (error: unknown) => void,
  ) {
    this.claim = microBatch((requests: NamedRequest[]) => claimAll(db, requests), { maxInFlight: 2 });
    this.store = microBatch(
      async (results: Result[]) => {
        await storeAll(db, results);
        return results.map(() => undefined);
      },
      { maxInFlight: 2 },
    );
  }

  /**
   * Runs `work` for the first request with a signature, with the id for the message that it posts,
   * if it posts one. Releases the signature if `work` fails, so that the sender may retry. If it is
   * unknown whether the message was stored, only an exact repeat may use the signature, with the
   * same id.
   * @returns the id returned by `work`, now or in an earlier exact repeat.
   * @throws RejectedRequest 401 for another use of the signature.
   * @throws RejectedRequest 502 when the first request does not finish in time.
   * @throws the errors of `work`.
   */
  async once(
    request: SignedRequest,
    work: (messageId: string) => Promise<string | undefined>,
  ): Promise<SignedResult> {
    const named = { ...request, messageId: uuidv7() };
    const { state, messageId } = await this.waitForClaim(named);
    if (state === 'refused')
      throw new RejectedRequest(
        401,
        'replay: this signature was already used for another request',
        {},
        'replay',
      );
    if (state === 'busy')
      throw new RejectedRequest(502, 'the first request with this signature is still in progress');
    if (state === 'answered') return { messageId, isRepeat: true };
    try {
      const id = messageId ?? named.messageId;
      const result = await work(id);
      if (result !== id) await this.store({ request, messageId: result }).catch(this.failed);
      return { messageId: result, isRepeat: false };
    } catch (error) {
      const { webhookId, signature, subject } = request;
      // After any other error the message may be stored. Deletions store none.
      const isRefused = subject !== '' || (error instanceof ApiError && error.status < 500);
      const release = isRefused ? RELEASE_SIGNATURE : RELEASE_TO_REPEAT;
      await this.db.query(release, [webhookId, signature, subject]).catch(this.failed);
      throw error;
    }
  }

  /** Claims the signature. Waits while the first request is in progress. */
  private async waitForClaim(request: NamedRequest): Promise<Claim> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const claim = await this.claim(request);
      if (claim.state !== 'busy') return claim;
      if (claim.messageId !== undefined && (await findMessage(this.db, request.spaceId, claim.messageId)))
        return { ...claim, state: 'answered' };
      if (performance.now() >= deadline) return claim;
      await setTimeout(POLL_MS);
    }
  }
}

async function claimAll(db: Db, requests: NamedRequest[]): Promise<Claim[]> {
  const requestHashes = requests.map(({ requestHash }) => requestHash);
  const messageIds = requests.map(({ messageId }) => messageId);
  const rows = await db.query(CLAIM_SIGNATURES, { ...keysOf(requests), requestHashes, messageIds });
  const taken = new Set<string>();
  return requests.map((request, nth) => {
    const name = `${request.webhookId}/${request.signature.toString('hex')}/${request.subject}`;
    const row = rows[nth] as RowOf<typeof CLAIM_SIGNATURES>;
    const state = stateOf(row, taken.has(name));
    if (state === 'first') taken.add(name);
    return { state, messageId: row.messageId ?? undefined };
  });
}

/** @param isTaken whether an identical request of the same batch holds the claim */
function stateOf(row: RowOf<typeof CLAIM_SIGNATURES>, isTaken: boolean): Claim['state'] {
  if (row.isMine) return isTaken ? 'busy' : 'first';
  if (row.isSameRequest === null) return row.isUsedOtherwise ? 'refused' : 'busy';
  if (!row.isSameRequest) return 'refused';
  return row.isAnswered === true ? 'answered' : 'busy';
}

async function storeAll(db: Db, results: Result[]): Promise<void> {
  const messageIds = results.map(({ messageId }) => messageId ?? null);
  await db.query(STORE_RESULTS, { ...keysOf(results.map(({ request }) => request)), messageIds });
}

function keysOf(requests: SignedRequest[]) {
  return {
    webhookIds: requests.map(({ webhookId }) => webhookId),
    signatures: requests.map(({ signature }) => signature),
    subjects: requests.map(({ subject }) => subject),
  };
}
