import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { DROP_OLD_AUTHORIZATIONS } from './authorizations/authorizations.statements.js';
import { FIND_ORPHANED, FIND_UNFOLLOWED } from './installations/installations.statements.js';
import { SuspendBots } from './installations/suspend-bots.js';
import { UninstallApp } from './installations/uninstall-app.js';
import { DROP_OLD_RECORDS } from './oauth/records.statements.js';
import { DROP_OLD_REQUESTS } from './requests/requests.statements.js';

export const OLD_OAUTH_RECORDS = 'old-oauth-records';
const EVERY_MS = 600_000;
const STEP = 5000;
const INSTALLATIONS_AT_ONCE = 100;

/**
 * Deletes expired codes, tokens and authorizations. Finishes what a process that ended left undone:
 * uninstalls deleted apps, and disables the bots of apps that are not active.
 */
@Processor(OLD_OAUTH_RECORDS, DUTY_OPTIONS)
export class OldOAuthRecordsProcessor extends Duty {
  override readonly everyMs = EVERY_MS;

  constructor(
    private readonly db: Db,
    private readonly uninstallApp: UninstallApp,
    private readonly suspendBots: SuspendBots,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (const drop of [DROP_OLD_RECORDS, DROP_OLD_AUTHORIZATIONS, DROP_OLD_REQUESTS])
      for (let dropped = STEP; dropped === STEP && !signal.aborted;)
        dropped = (await this.db.query(drop, [STEP])).length;
    for (const { spaceId, id } of await this.db.query(FIND_ORPHANED, [INSTALLATIONS_AT_ONCE])) {
      if (signal.aborted) return;
      await this.uninstallApp.unlessGone(spaceId, id);
    }
    for (const { spaceId, id } of await this.db.query(FIND_UNFOLLOWED, [INSTALLATIONS_AT_ONCE])) {
      if (signal.aborted) return;
      await this.suspendBots.run(spaceId, id);
    }
  }
}
