import { Loop } from '@tieline/background';
import type pg from 'pg';
import type { JobsListener } from './jobs-listener.js';
import type { PostgresWorkerBackend } from './postgres-worker-backend.js';

/** Interval of looks, in milliseconds. A dead worker is noticed within 15 s. */
const LOOK_MS = 5_000;

/**
 * The queues $1 with a job that a worker could take or that is due, and those with an active job
 * that was not marked yet, or whose worker did not renew its lock.
 */
const LOOK = `
  SELECT
    queue,
    bool_or(state <> 'active') AS "isWaiting",
    bool_or(state = 'active') AS "mayBeStalled"
  FROM job
  WHERE queue = ANY ($1::text[]) AND (
    state = 'waiting'
    OR state = 'delayed' AND process_at_ms <= $2::bigint
    OR state = 'active' AND (NOT stalled_marked OR locked_until_ms < $2::bigint)
  )
  GROUP BY queue
`;

/**
 * Finds jobs whose notification was lost, and jobs of dead workers, with one statement for all
 * queues of the process. BullMQ's own check is a statement per queue that writes each time.
 */
export class MissedJobs {
  private readonly backends = new Map<string, PostgresWorkerBackend>();
  private readonly looking: Loop;

  constructor(
    private readonly pool: pg.Pool,
    private readonly listener: JobsListener,
    failed: (error: Error) => void,
  ) {
    this.looking = new Loop(() => this.look(), {
      everyMs: LOOK_MS,
      failed: (error) => failed(error as Error),
    });
  }

  /** Looks after the jobs of another queue. */
  watch(queue: string, backend: PostgresWorkerBackend): void {
    this.backends.set(queue, backend);
    this.looking.start();
  }

  async stop(): Promise<void> {
    await this.looking.stop();
  }

  private async look(): Promise<void> {
    const { rows } = await this.pool.query<{ queue: string; isWaiting: boolean; mayBeStalled: boolean }>(
      LOOK,
      [[...this.backends.keys()], Date.now()],
    );
    for (const { queue, isWaiting, mayBeStalled } of rows) {
      if (isWaiting) this.listener.of(queue).notify();
      if (mayBeStalled) await this.backends.get(queue)?.moveStalledJobsToWait();
    }
  }
}
