import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { SecretBox } from '@tieline/signing';
import { OutgoingWebhookSettings } from '../../webhooks.settings.js';
import { RUNNING_RECOVERIES } from './recoveries.statements.js';
import { recoverSome } from './recover-some.js';

export const RECOVERIES = 'recoveries';
const LOOK_MS = 1000;

/** Sends logs again, step by step: each recovery in its turn, as fast as its target takes it. One that fails holds no other up. */
@Processor(RECOVERIES, DUTY_OPTIONS)
export class RecoveriesProcessor extends Duty {
  override readonly everyMs = LOOK_MS;

  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly settings: OutgoingWebhookSettings,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    const { db, box, settings } = this;
    const parts = { db, box, rates: settings.ratePerSecond };
    const failures: unknown[] = [];
    let running = await db.query(RUNNING_RECOVERIES);
    while (running.length > 0 && !signal.aborted) {
      const more: typeof running = [];
      for (const recovery of running) {
        const goesOn = await recoverSome(parts, recovery).catch(
          (error: unknown) => void failures.push(error),
        );
        if (goesOn === true) more.push(recovery);
      }
      running = more;
    }
    if (failures.length > 0) throw failures[0];
  }
}
