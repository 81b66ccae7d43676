import { Injectable } from '@nestjs/common';
import { CreateApp } from '@tieline/apps';
import type { CreatedApp } from '@tieline/apps';
import { EgressPolicy } from '@tieline/egress';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { ActingAdmin } from '@tieline/spaces';
import { checkAddresses } from './check-addresses.js';
import type { Manifest } from './manifest.js';
import { runUnlessRolledBack } from './roll-back.js';
import { SetUpBot } from './set-up-bot.js';
import type { BotOfManifest } from './set-up-bot.js';

/** Everything that a manifest creates. Secrets are shown once. */
export interface CreatedFromManifest extends CreatedApp, BotOfManifest {}

/** Creates apps with everything that belongs to them. */
@Injectable()
export class CreateFromManifest {
  constructor(
    private readonly db: Db,
    private readonly egress: EgressPolicy,
    private readonly createApp: CreateApp,
    private readonly setUpBot: SetUpBot,
  ) {}

  /**
   * Creates the app, installs it in its own space, and sets up its bot, in one transaction. A dry
   * run does the same without a commit, so that it fails where the creation would.
   * @throws 400 for an address that outgoing requests may not reach, or a command without one. 409
   * for a taken name of a command and for limits of the plan.
   */
  async run(admin: ActingAdmin, manifest: Manifest, isDryRun: boolean): Promise<CreatedFromManifest> {
    await checkAddresses(this.egress, manifest);
    const place = { spaceId: admin.spaceId, place: 'apps' };
    return runUnlessRolledBack(this.db, place, {
      work: (tx) => this.in(tx, admin, manifest),
      isKept: () => !isDryRun,
    });
  }

  private async in(tx: Tx, admin: ActingAdmin, manifest: Manifest): Promise<CreatedFromManifest> {
    const { redirectUris = [], ...settings } = manifest.app;
    const created = await this.createApp.in(tx, admin, { ...settings, redirectUris });
    return { ...created, ...(await this.setUpBot.in(tx, admin, created.app, manifest)) };
  }
}
