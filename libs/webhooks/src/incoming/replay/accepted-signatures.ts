import { setTimeout } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { Rejected } from '../incoming-webhooks.errors.js';
import type { SignedRequest } from './signed-request.js';
import { CLAIM_SIGNATURES, RELEASE_SIGNATURE, STORE_RESULTS } from './signatures.statements.js';

/** How long a repeat waits for the result of the first request. */
const WAIT_MS = 5000;
const POLL_MS = 25;

/** What came of a request; `isRepeat`: it was answered with the result of an earlier one. */
export interface SignedResult {
  /** Undefined where no message stands for the request. */
  messageId: string | undefined;
  isRepeat: boolean;
}

interface Result {
  request: SignedRequest;
  messageId: string | undefined;
}

/**
 * `first`: do the work. `busy`: the same request is under way. `refused`: another use. Otherwise
 * the stored answer.
 */
type Claim = 'first' | 'busy' | 'refused' | { messageId: string | undefined };

/**
 * The accepted signatures and the results of their requests (docs/incoming-webhooks.md#signatures).
 * A signature is good for one request: an exact repeat is answered with the stored result, any
 * other use is refused. Claims of concurrent requests share a statement.
 */
export class AcceptedSignatures {
  private readonly claim: (request: SignedRequest) => Promise<Claim>;
  private readonly store: (result: Result) => Promise<void>;

  /**
   * @param failed is called when the outcome of a request can't be stored; its sender is answered
   * all the same
   */
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
   * Does `work` for the first request with a signature. A refused request releases its signature,
   * so that its sender may repeat it.
   *
   * @returns the id that `work` or an earlier exact repeat returned
   * @throws Rejected 401 for another use of the signature; 502 when the first request does not end
   * in time; whatever `work` throws
   */
  async once(request: SignedRequest, work: () => Promise<string | undefined>): Promise<SignedResult> {
    const claim = await this.settledClaim(request);
    if (claim === 'refused')
      throw new Rejected(401, 'replay: this signature was accepted for another request', {}, 'replay');
    if (claim === 'busy') throw new Rejected(502, 'the first request with this signature is still under way');
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

  /** Waits while the first request is under way. */
  private async settledClaim(request: SignedRequest): Promise<Claim> {
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
  const rows = await db.query(CLAIM_SIGNATURES, [
    ...keysOf(requests),
    requests.map(({ requestHash }) => requestHash),
  ]);
  const taken = new Set<string>();
  return requests.map((request, nth) => {
    const name = `${request.webhookId}/${request.signature.toString('hex')}/${request.subject}`;
    const claim = claimOf(rows[nth] as RowOf<typeof CLAIM_SIGNATURES>, taken.has(name));
    if (claim === 'first') taken.add(name);
    return claim;
  });
}

/** @param isTaken whether an equal request of the same batch has the claim */
function claimOf(row: RowOf<typeof CLAIM_SIGNATURES>, isTaken: boolean): Claim {
  if (row.isMine) return isTaken ? 'busy' : 'first';
  if (row.isSameRequest === null) return row.isUsedOtherwise ? 'refused' : 'busy';
  if (!row.isSameRequest) return 'refused';
  return row.isAnswered === true ? { messageId: row.messageId ?? undefined } : 'busy';
}

async function storeAll(db: Db, results: Result[]): Promise<void> {
  const messages = results.map(({ messageId }) => messageId ?? null);
  await db.query(STORE_RESULTS, [...keysOf(results.map(({ request }) => request)), messages]);
}

function keysOf(requests: SignedRequest[]): [string[], Buffer[], string[]] {
  return [
    requests.map(({ webhookId }) => webhookId),
    requests.map(({ signature }) => signature),
    requests.map(({ subject }) => subject),
  ];
}
