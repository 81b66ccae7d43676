import type { TakenRow } from './outbox-event.js';

/** A batch that left the outbox. Transactions are compared by their numbers. */
export interface TakenBatch {
  /** The greatest id in the batch. */
  lastId: number;
  /** Whether the batch reached its maximum size, so that more events may be waiting. */
  full: boolean;
  /** The batch's transaction id. It was assigned after earlier batches had ended. */
  ownXid: number;
  /** The oldest transaction that was still writing when the batch was taken. */
  oldestXid: number;
}

/**
 * Interval of scans from the beginning. They find events of sessions that froze between drawing an
 * id and committing.
 */
const FULL_LOOK_MS = 300_000;

/**
 * The id below which the outbox is empty and stays empty. Claims start there, so they skip rows
 * deleted since an old snapshot: a dump that runs for hours keeps every deleted row in place.
 *
 * Ids are drawn before they are committed, so smaller ones may still appear. When a batch has taken
 * id n, every transaction with a smaller id is already writing. The next batch's transaction is
 * younger than all of those. Once it is older than every transaction still writing, no id below n
 * can appear. This holds for every relay, and even if later batches fail.
 */
export class LowWaterMark {
  private mark = 0;
  private candidate: { upTo: number; youngerXid?: number } | undefined;
  private fullLookAt = -Infinity;

  /**
   * Returns the id after which the next claim starts.
   * @param now from `performance.now()`
   */
  from(now: number): number {
    if (now - this.fullLookAt < FULL_LOOK_MS) return this.mark;
    this.fullLookAt = now;
    return 0;
  }

  /** Returns a mark that is the same now. */
  copy(): LowWaterMark {
    return Object.assign(new LowWaterMark(), this, { candidate: this.candidate && { ...this.candidate } });
  }

  /** Returns the same without noting a scan from the beginning. */
  peek(now: number): number {
    return now - this.fullLookAt < FULL_LOOK_MS ? this.mark : 0;
  }

  /** Notes that there was no event after {@link peek}. */
  wasEmpty(from: number, now: number): void {
    if (from === 0) this.fullLookAt = now;
  }

  /**
   * Records the events of a committed batch that was taken after {@link from}.
   * @param full whether more events may be waiting
   */
  recordTaken(taken: readonly TakenRow[], full: boolean): void {
    const [first] = taken;
    if (!first) return;
    const { ownXid, oldestXid } = first;
    const lastId = taken.reduce((last, { id }) => Math.max(last, id), 0);
    this.recordBatch({ lastId, full, ownXid, oldestXid });
  }

  /** Records a committed batch that was taken after {@link from}. */
  recordBatch({ lastId, full, ownXid, oldestXid }: TakenBatch): void {
    const { candidate } = this;
    if (candidate?.youngerXid !== undefined && oldestXid >= candidate.youngerXid) {
      this.mark = Math.max(this.mark, full ? Math.min(candidate.upTo, lastId) : candidate.upTo);
      this.candidate = undefined;
    } else if (candidate) candidate.youngerXid ??= ownXid;
    this.candidate ??= { upTo: lastId };
  }
}
