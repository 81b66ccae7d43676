import { setTimeout as sleep } from 'node:timers/promises';
import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { OPEN_RECOVERIES, RECOVERIES_ARE_OPEN } from './recoveries.statements.js';
import { AdvanceRecovery } from './advance-recovery.js';
import type { Step } from './advance-recovery.js';

export const RECOVERIES = 'recoveries';
/** Interval between steps. After this many idle steps in a row, the rest waits for the next run. */
const STEP_DELAY_MS = 50;
const MAX_IDLE_STEPS = 10;

/**
 * Advances all open recoveries step by step, in turn, as fast as their targets accept deliveries. A
 * failing recovery does not affect the others.
 */
@Processor(RECOVERIES, DUTY_OPTIONS)
export class RecoveriesProcessor extends Duty {
  override readonly due = () => ({ statement: RECOVERIES_ARE_OPEN });

  constructor(
    private readonly db: Db,
    private readonly advanceRecovery: AdvanceRecovery,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    const failures: unknown[] = [];
    let open = await this.db.query(OPEN_RECOVERIES);
    for (let idleSteps = 0; open.length > 0 && idleSteps < MAX_IDLE_STEPS && !signal.aborted;) {
      const steps = new Map<(typeof open)[number], Step>();
      for (const recovery of open) {
        // A failed recovery is retried in the next run.
        const step = await this.advanceRecovery
          .run(recovery)
          .catch((error: unknown) => void failures.push(error));
        if (step) steps.set(recovery, step);
      }
      open = [...steps.keys()];
      const taken = [...steps.values()];
      if (taken.includes('more')) continue;
      idleSteps = taken.includes('some') ? 0 : idleSteps + 1;
      await sleep(STEP_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
    if (failures.length > 0) throw failures[0];
  }
}
