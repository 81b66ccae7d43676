import { runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { claimFresh, claimByIds, deleteJobs, findDueKinds, findFailed } from './claim-jobs.js';
import { classifyFault } from './classify-fault.js';
import type { ClaimedJob, NotificationJob, NotifiedMessage } from '../jobs/notification-job.js';
import { FAIL_JOB, JOBS_PER_SPACE, SPACES_PER_CLAIM } from '../jobs/notification-jobs.statements.js';
import { notifyMembers } from './notify-members.js';
import { planWebPushes } from '../push/plan-web-pushes.js';

const FIRST = '00000000-0000-0000-0000-000000000000';
const MAX_JOBS = SPACES_PER_CLAIM * JOBS_PER_SPACE;
/** Failed messages are retried one by one, few at a time, so that new messages go first. */
const FAILED_PER_RUN = 4;

/**
 * Observer of processed messages, for logs, metrics and open streams. Its methods must not throw or
 * reject.
 */
export interface BatchEvents {
  /** Called after the commit. */
  notified(messages: readonly NotifiedMessage[]): Promise<void>;
  /** Called when a message failed. It is retried unless it was rejected. */
  messageFailed(
    job: NotificationJob,
    outcome: { attempts: number; isRejected: boolean },
    error: unknown,
  ): void;
}

/**
 * Notifies people of messages, in batches that are fair to spaces. A batch is one transaction: it
 * claims the messages, writes the notifications, plans the pushes and deletes the messages. After a
 * crash each message has been processed once or not yet.
 *
 * A failed batch is halved until the message that caused the failure is alone. That message is
 * postponed and later rejected; the others do not wait for it. A failure caused by a lock or a
 * timeout makes the next batches smaller, so that the message behind it is found as well.
 */
export class NotificationBatches {
  /** The space whose turn was last. */
  private after = FIRST;
  private limit = MAX_JOBS;

  constructor(
    private readonly db: Db,
    private readonly maxAttempts: number,
    private readonly events: BatchEvents,
  ) {}

  /**
   * Processes a batch of new messages, then a few failed messages that are due. Looks for further
   * ones after the commit, because other workers skip the spaces of a batch until then.
   * @returns whether there may be more
   * @throws if the database is unavailable or busy: retry after a pause
   */
  async run(): Promise<boolean> {
    let taken = await this.attempt((tx) => this.nextFresh(tx));
    if (taken > 0) this.limit = Math.min(this.limit * 2, MAX_JOBS);
    const { hasFresh, hasFailed } = await findDueKinds(this.db);
    for (const id of hasFailed ? await findFailed(this.db, FAILED_PER_RUN) : [])
      taken += await this.attempt((tx) => claimByIds(tx, [id]));
    return taken > 0 && (hasFresh || hasFailed);
  }

  private async nextFresh(tx: Tx): Promise<ClaimedJob[]> {
    const { jobs, last } = await claimFresh(tx, this.after, this.limit);
    this.after = last;
    return jobs;
  }

  /** @returns the number of claimed messages */
  private async attempt(claim: (tx: Tx) => Promise<ClaimedJob[]>): Promise<number> {
    let jobs: ClaimedJob[] = [];
    let notified: NotifiedMessage[] = [];
    try {
      notified = await runInWorkerTx(this.db, async (tx) => {
        jobs = [];
        jobs = await claim(tx);
        return notifyJobs(tx, jobs);
      });
    } catch (error) {
      await this.isolate(jobs, error);
    }
    if (notified.length > 0) await this.events.notified(notified);
    return jobs.length;
  }

  private async isolate(jobs: readonly NotificationJob[], error: unknown): Promise<void> {
    const fault = classifyFault(error);
    const [job] = jobs;
    if (!job || fault === 'connection') throw error;
    if (jobs.length === 1) return this.fail(job, error);
    const half = Math.ceil(jobs.length / 2);
    if (fault === 'moment') {
      this.limit = half;
      throw error;
    }
    for (const part of [jobs.slice(0, half), jobs.slice(half)])
      await this.attempt((tx) => claimByIds(tx, part));
  }

  private async fail(job: NotificationJob, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const { spaceId, eventId } = job;
    const [outcome] = await this.db.query(FAIL_JOB, {
      spaceId,
      eventId,
      maxAttempts: this.maxAttempts,
      reason: reason.replaceAll('\0', '').slice(0, 500),
    });
    if (outcome) this.events.messageFailed(job, outcome, error);
  }
}

async function notifyJobs(tx: Tx, jobs: readonly ClaimedJob[]): Promise<NotifiedMessage[]> {
  const notified: NotifiedMessage[] = [];
  for (const spaceId of new Set(jobs.map((job) => job.spaceId))) {
    const results = await notifyMembers(
      tx,
      jobs.filter((job) => job.spaceId === spaceId),
    );
    await planWebPushes(tx, spaceId, results);
    notified.push(...results);
  }
  if (jobs.length > 0) await deleteJobs(tx, jobs);
  return notified;
}
