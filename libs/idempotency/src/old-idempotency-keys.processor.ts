import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { dropOldKeys } from './once.js';

export const OLD_IDEMPOTENCY_KEYS = 'old-idempotency-keys';
const HOUR_MS = 3_600_000;

/** Deletes idempotency keys after a day. */
@Processor(OLD_IDEMPOTENCY_KEYS, DUTY_OPTIONS)
export class OldIdempotencyKeysProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly db: Db) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let dropped = 1; dropped > 0 && !signal.aborted;) dropped = await dropOldKeys(this.db);
  }
}
