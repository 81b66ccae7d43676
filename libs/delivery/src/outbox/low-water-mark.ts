/** What a batch tells of the outbox; transactions are compared by their numbers. */
export interface TakenBatch {
  /** The greatest id taken. */
  lastId: number;
  /** Whether there may be more: the batch was as large as it was allowed to be. */
  full: boolean;
  /** The batch's own transaction, which got its number after the batches before had ended. */
  ownXid: number;
  /** The oldest transaction that was still writing when the batch was taken. */
  oldestXid: number;
}

/**
 * A look from the very beginning is due this often: also for what a frozen session commits that had
 * only drawn its id.
 */
const FULL_LOOK_MS = 300_000;

/**
 * Up to which id the outbox is empty and stays so, which means that a claim needn't walk through
 * what has been deleted since an old snapshot: a dump of hours keeps every deleted row in its
 * place.
 *
 * Ids are drawn before they are committed, so smaller ones may still come. When a batch has taken
 * id n, whoever drew a smaller one is already writing; the next batch's transaction is younger than
 * all of those, and once it is older than every transaction still writing, nothing below n can come
 * any more. That is so whoever relays, and whatever becomes of later batches.
 */
export class LowWaterMark {
  private mark = 0;
  private candidate: { upTo: number; youngerXid?: number } | undefined;
  private fullLookAt = -Infinity;

  /** The id behind which the next claim starts. @param now of `performance.now()` */
  from(now: number): number {
    if (now - this.fullLookAt < FULL_LOOK_MS) return this.mark;
    this.fullLookAt = now;
    return 0;
  }

  /** A batch, taken from behind {@link from}, has committed. */
  recordBatch({ lastId, full, ownXid, oldestXid }: TakenBatch): void {
    const { candidate } = this;
    if (candidate?.youngerXid !== undefined && oldestXid >= candidate.youngerXid) {
      this.mark = Math.max(this.mark, full ? Math.min(candidate.upTo, lastId) : candidate.upTo);
      this.candidate = undefined;
    } else if (candidate) candidate.youngerXid ??= ownXid;
    this.candidate ??= { upTo: lastId };
  }
}
