import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { toRun } from '../agent-run.queries.js';
import { FIND_INACTIVE, LOCK_INACTIVE } from '../agent-runs.statements.js';
import { FIND_STOPPING, LOCK_STOPPING } from '../stops/stops.statements.js';
import type { AgentRun } from '../agent-run.entity.js';
import { endingByServer } from './cancel-agent-run.js';
import { FinishAgentRun } from './finish-agent-run.js';
import { eachInBatches } from '../placeholders/each-in-batches.js';
import type { RunRef } from '../placeholders/placeholder.js';
import type { BatchPosition } from '../placeholders/each-in-batches.js';

/** Ends runs that their bots left behind. */
@Injectable()
export class ExpireAgentRuns {
  constructor(
    private readonly db: Db,
    private readonly finishRun: FinishAgentRun,
  ) {}

  /**
   * Expires runs that no bot has changed for this long: docs/agent-runs.md#cancel-and-expiry. Uses
   * a transaction per run. A run being changed is left to the next execution.
   *
   * @returns the errors of runs that could not be ended
   */
  run(timeoutSeconds: number): Promise<unknown[]> {
    return this.each(FIND_INACTIVE, timeoutSeconds, (run) => this.expire(run, timeoutSeconds));
  }

  /**
   * Cancels runs that a person stopped this long ago and whose bots have not ended them:
   * docs/agent-runs.md#stop.
   *
   * @returns the errors of runs that could not be ended
   */
  cancelStopped(graceSeconds: number): Promise<unknown[]> {
    return this.each(FIND_STOPPING, graceSeconds, (run) =>
      this.end(LOCK_STOPPING, run, graceSeconds, 'cancelled'),
    );
  }

  /**
   * Expires a run.
   *
   * @returns undefined if it is being changed, or has been since it was found
   */
  expire(run: RunRef, timeoutSeconds: number): Promise<AgentRun | undefined> {
    return this.end(LOCK_INACTIVE, run, timeoutSeconds, 'expired');
  }

  private each(
    find: typeof FIND_INACTIVE | typeof FIND_STOPPING,
    age: number,
    end: (run: RunRef) => Promise<unknown>,
  ): Promise<unknown[]> {
    const rows = (after: BatchPosition | undefined, limit: number): Promise<(BatchPosition & RunRef)[]> =>
      this.db.query(find, { age, afterAt: after?.at ?? null, afterId: after?.id ?? null, limit });
    return eachInBatches(rows, async (run) => void (await end(run)));
  }

  private end(
    lock: typeof LOCK_INACTIVE | typeof LOCK_STOPPING,
    { spaceId, id }: RunRef,
    age: number,
    status: 'cancelled' | 'expired',
  ): Promise<AgentRun | undefined> {
    return this.finishRun.run<undefined>(
      async (tx) => {
        const [row] = await tx.query(lock, [spaceId, id, age]);
        if (!row) return { unchanged: undefined };
        const run = toRun(row);
        return { run, ending: endingByServer(run, status) };
      },
      { spaceId, place: id },
    );
  }
}
