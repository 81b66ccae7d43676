import { Injectable } from '@nestjs/common';
import { changeLockedApp, lockApp } from '@tieline/apps';
import type { App } from '@tieline/apps';
import { EgressPolicy } from '@tieline/egress';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { withDefaults } from '@tieline/platform/resource';
import type { ActingAdmin } from '@tieline/spaces';
import { checkAddresses } from './check-addresses.js';
import { exportManifest } from './export-manifest.js';
import { differencesBetween } from './manifest-differences.js';
import type { ManifestDifferences } from './manifest-differences.js';
import { CHANGEABLE } from './manifest.js';
import type { Manifest } from './manifest.js';
import { botStays, clientTypeFixed } from './manifests.errors.js';
import { runUnlessRolledBack } from './roll-back.js';
import { SetUpBot } from './set-up-bot.js';
import type { BotOfManifest } from './set-up-bot.js';

/** What a manifest changed. Secrets are shown once. */
export interface UpdatedFromManifest extends BotOfManifest {
  app: App;
  differences: ManifestDifferences;
}

/** Changes apps so that they are as a manifest says. */
@Injectable()
export class UpdateFromManifest {
  constructor(
    private readonly db: Db,
    private readonly egress: EgressPolicy,
    private readonly setUpBot: SetUpBot,
  ) {}

  /**
   * Makes an app and its bot in its own space equal to a manifest, in one transaction. Fields that
   * the manifest lacks get their defaults. A manifest without a difference writes nothing. A dry
   * run does the same without a commit, so that it fails where the change would.
   * @throws 404. 400 for an address that outgoing requests may not reach, a command without one,
   * another client_type, and an app that would lose its bot. 409 for a taken name of a command, an
   * app that is switched off, and limits of the plan.
   */
  async run(
    admin: ActingAdmin,
    id: string,
    { manifest, isDryRun }: { manifest: Manifest; isDryRun: boolean },
  ): Promise<UpdatedFromManifest> {
    await checkAddresses(this.egress, manifest);
    const place = { spaceId: admin.spaceId, place: id };
    return runUnlessRolledBack(this.db, place, {
      work: (tx) => this.in(tx, admin, id, manifest),
      isKept: ({ differences, commands }) =>
        !isDryRun && (commands.length > 0 || Object.values(differences).some(({ length }) => length > 0)),
    });
  }

  private async in(tx: Tx, admin: ActingAdmin, id: string, manifest: Manifest): Promise<UpdatedFromManifest> {
    const { spaceId, origin } = admin;
    const before = await lockApp(tx, spaceId, id);
    const { clientType = before.clientType, ...given } = manifest.app;
    if (clientType !== before.clientType) throw clientTypeFixed();
    const settings = withDefaults(CHANGEABLE, given);
    const exported = await exportManifest(tx, spaceId, id);
    if (exported.bot && settings.botScopes.length === 0) throw botStays();
    const app = await changeLockedApp(tx, before, settings, origin);
    const parts = await this.setUpBot.in(tx, admin, app, manifest);
    const differences = differencesBetween(exported, await exportManifest(tx, spaceId, id));
    return { ...parts, app, differences };
  }
}
