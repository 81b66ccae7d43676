import { Processor } from '@nestjs/bullmq';
import { ADVISORY_LOCKS } from '@tieline/background';
import { Db, runInWorkerTx, unprepared } from '@tieline/platform/database';
import type { Statement } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { DmInboxSettings } from '../bots.settings.js';
import { EXPIRE_DMS, TIDIED_BATCH, TRIM_DMS, TRY_TIDYING_LOCK } from './dm-inbox.statements.js';

export const DM_INBOXES = 'dm-inboxes';
const MINUTE_MS = 60_000;

/**
 * Trims the inboxes: every minute it removes entries that are older than DM_INBOX_TTL_HOURS,
 * delivered, or beyond DM_INBOX_LIMIT. Streams do not depend on it; they skip such entries
 * themselves.
 */
@Processor(DM_INBOXES, DUTY_OPTIONS)
export class DmInboxesProcessor extends Duty {
  override readonly everyMs = MINUTE_MS;

  constructor(
    private readonly db: Db,
    private readonly settings: DmInboxSettings,
  ) {
    super();
  }

  protected override run(): Promise<void> {
    return this.tidy();
  }

  /** @internal called directly by tests */
  async tidy(): Promise<void> {
    while ((await this.alone(EXPIRE_DMS, this.settings.ttlHours)) === TIDIED_BATCH);
    while ((await this.alone(TRIM_DMS, this.settings.limit)) === TIDIED_BATCH);
  }

  /**
   * Runs a statement unless another process is trimming, because two would delete the same rows in
   * different orders. Unprepared, so that the plan fits the current size of the inboxes.
   * @returns the number of returned rows
   */
  private async alone(tidying: Statement, limit: number): Promise<number> {
    return runInWorkerTx(this.db, async (tx) => {
      const [lock] = await tx.query(TRY_TIDYING_LOCK, [ADVISORY_LOCKS.inboxTidying]);
      return lock?.held ? (await tx.query(unprepared(tidying), [limit])).length : 0;
    });
  }
}
