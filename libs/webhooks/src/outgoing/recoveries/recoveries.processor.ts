import { setTimeout as sleep } from 'node:timers/promises';
import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { SecretBox } from '@tieline/signing';
import { OutgoingWebhookSettings } from '../../webhooks.settings.js';
import { OPEN_RECOVERIES } from './recoveries.statements.js';
import { recoverSome } from './recover-some.js';
import type { Step } from './recover-some.js';

export const RECOVERIES = 'recoveries';
const LOOK_MS = 1000;
/**
 * While deliveries end, the next are handed over at this distance; after so many looks in vain at
 * the next run.
 */
const AGAIN_MS = 50;
const LOOKS_IN_VAIN = 10;

/**
 * Sends logs again, step by step: each recovery in its turn, as fast as its target takes it. One
 * that fails holds no other up.
 */
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
    let open = await db.query(OPEN_RECOVERIES);
    for (let inVain = 0; open.length > 0 && inVain < LOOKS_IN_VAIN && !signal.aborted;) {
      const steps = new Map<(typeof open)[number], Step>();
      for (const recovery of open) {
        // One that fails is left to the next run.
        const step = await recoverSome(parts, recovery).catch((error: unknown) => void failures.push(error));
        if (step) steps.set(recovery, step);
      }
      open = [...steps.keys()];
      const taken = [...steps.values()];
      if (taken.includes('more')) continue;
      inVain = taken.includes('some') ? 0 : inVain + 1;
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
    if (failures.length > 0) throw failures[0];
  }
}
