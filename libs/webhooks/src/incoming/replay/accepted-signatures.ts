import { setTimeout } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import type { SignedRequest } from './signed-request.js';
import { CLAIM_SIGNATURES, RELEASE_SIGNATURE, STORE_RESULTS } from './signatures.statements.js';

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
 * signature was used for another request. Otherwise: the stored result.
 */
type Claim = 'first' | 'busy' | 'refused' | { messageId: string | undefined };

/**
 * Stores accepted signatures with the results of their requests. A signature is valid for one
 * request: an exact repeat gets the stored result, any other use is rejected. Concurrent claims
 * share a statement.
 */
export class AcceptedSignatures {
  private readonly claim: (request: SignedRequest) => Promise<Claim>;
  private readonly store: (result: Result) => Promise<void>;

  /** @param failed called when a result cannot be stored, which does not change the response */
  constructor(
    private readonly db: Db,
    private readonly failed: (error: unknown) => void,
  ) {
    this.claim = microBatch((requests: SignedRequest[]) => claimAll(db, requests), { maxInFlight: 2 });
    this.store = microBatch(
      async (results: Result[]) => {
        await storeAll(db, results);
        return results.map(() => undefined);
      },
      { maxInFlight: 2 },
    );
  }

  /**
   * Runs `work` for the first request with a signature. Releases the signature if `work` fails, so
   * that the sender may retry.
   * @returns the id returned by `work`, now or in an earlier exact repeat.
   * @throws RejectedRequest 401 for another use of the signature.
   * @throws RejectedRequest 502 when the first request does not finish in time.
   * @throws the errors of `work`.
   */
  async once(request: SignedRequest, work: () => Promise<string | undefined>): Promise<SignedResult> {
    const claim = await this.waitForClaim(request);
    if (claim === 'refused')
      throw new RejectedRequest(
        401,
        'replay: this signature was already used for another request',
        {},
        'replay',
      );
    if (claim === 'busy')
      throw new RejectedRequest(502, 'the first request with this signature is still in progress');
    if (claim !== 'first') return { messageId: claim.messageId, isRepeat: true };
    try {
      const messageId = await work();
      await this.store({ request, messageId }).catch(this.failed);
      return { messageId, isRepeat: false };
    } catch (error) {
      const { webhookId, signature, subject } = request;
      await this.db.query(RELEASE_SIGNATURE, [webhookId, signature, subject]).catch(this.failed);
      throw error;
    }
  }

  /** Claims the signature. Waits while the first request is in progress. */
  private async waitForClaim(request: SignedRequest): Promise<Claim> {
    const deadline = performance.now() + WAIT_MS;
    let claim = await this.claim(request);
    while (claim === 'busy' && performance.now() < deadline) {
      await setTimeout(POLL_MS);
      claim = await this.claim(request);
    }
    return claim;
  }
}

async function claimAll(db: Db, requests: SignedRequest[]): Promise<Claim[]> {
  const requestHashes = requests.map(({ requestHash }) => requestHash);
  const rows = await db.query(CLAIM_SIGNATURES, { ...keysOf(requests), requestHashes });
  const taken = new Set<string>();
  return requests.map((request, nth) => {
    const name = `${request.webhookId}/${request.signature.toString('hex')}/${request.subject}`;
    const claim = claimOf(rows[nth] as RowOf<typeof CLAIM_SIGNATURES>, taken.has(name));
    if (claim === 'first') taken.add(name);
    return claim;
  });
}

/** @param isTaken whether an identical request of the same batch holds the claim */
function claimOf(row: RowOf<typeof CLAIM_SIGNATURES>, isTaken: boolean): Claim {
  if (row.isMine) return isTaken ? 'busy' : 'first';
  if (row.isSameRequest === null) return row.isUsedOtherwise ? 'refused' : 'busy';
  if (!row.isSameRequest) return 'refused';
  return row.isAnswered === true ? { messageId: row.messageId ?? undefined } : 'busy';
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
