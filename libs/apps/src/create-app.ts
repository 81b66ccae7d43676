import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EgressPolicy } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { auditedOf, withDefaults } from '@tieline/platform/resource';
import { hashToken, newSigningSecret, newToken, SecretBox } from '@tieline/signing';
import { changesBetween, recordChange, requireCapacity } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { APP } from './app.js';
import type { NewApp } from './app.js';
import { App } from './app.entity.js';
import { COUNT_APPS } from './apps.statements.js';
import { checkAppUrls } from './app-urls.js';
import { APP_SIGNING_SECRET } from './signing-secret.js';

const MAX_APPS = { free: 100, pro: 100, enterprise: 100 };
const CLIENT_ID_BYTES = 16;

/** A new app, with the secrets that are shown once. */
export interface CreatedApp {
  app: App;
  /** Absent for a public client. */
  clientSecret?: string;
  signingSecret: string;
}

/** Creates apps. */
@Injectable()
export class CreateApp {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly egress: EgressPolicy,
  ) {}

  /**
   * Creates an app and writes it to the audit log.
   * @throws 400 for an address that outgoing requests may not reach; 409 `limit_reached`
   */
  async run(admin: ActingAdmin, input: NewApp): Promise<CreatedApp> {
    await checkAppUrls(this.egress, input);
    return runInTx(this.db, (tx) => this.in(tx, admin, input), { spaceId: admin.spaceId, place: 'apps' });
  }

  /** Like {@link run}, in the caller's transaction. The caller has checked the addresses. */
  async in(
    tx: Tx,
    { spaceId, userId, origin }: Pick<ActingAdmin, 'spaceId' | 'userId' | 'origin'>,
    input: NewApp,
  ): Promise<CreatedApp> {
    const settings = withDefaults(APP, input);
    const signingSecret = newSigningSecret();
    const clientSecret = settings.clientType === 'public' ? undefined : newToken(TOKEN_PREFIXES.clientSecret);
    const id = uuidv7();
    const now = new Date();
    const app: App = {
      ...settings,
      id,
      spaceId,
      isListed: false,
      clientId: randomBytes(CLIENT_ID_BYTES).toString('base64url'),
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      previousClientSecretExpiresAt: null,
      clientSecretHash: clientSecret === undefined ? null : hashToken(clientSecret),
      signingSecret: APP_SIGNING_SECRET.seal(this.box, id, signingSecret),
    };
    await requireCapacity(tx, spaceId, { name: 'apps', limits: MAX_APPS, count: COUNT_APPS });
    await tx.manager.insert(App, app);
    await recordChange(tx, {
      ...origin,
      spaceId,
      action: 'app.created',
      objectType: 'app',
      objectId: id,
      changes: changesBetween(null, auditedOf(APP, app)),
    });
    return { app, ...(clientSecret !== undefined && { clientSecret }), signingSecret };
  }
}
