import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { ApiError, invalidToken } from '@tieline/platform/http';
import { deriveKey, SecretBox } from '@tieline/signing';
import { readLiveSecrets } from '../deliveries/read-live-secrets.js';
import { PLAN_OF_SPACE } from '../recoveries/recoveries.statements.js';
import { readSecrets } from '../subscriptions/outgoing-webhooks.queries.js';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import { readPortalToken, signPortalToken, verifyPortalToken } from './portal-token.js';

const LIFETIME_SECONDS = 3600;

/** A link to a subscription's portal. Anyone who has it may use it. */
export interface PortalLink {
  url: string;
  expiresAt: Date;
}

/** The subscription of a portal. */
export type PortalSubscription = Pick<OutgoingWebhook, 'spaceId' | 'id' | 'name'>;

/**
 * Creates and verifies portal links. Links are not stored. They expire after an hour, and earlier
 * if the subscription is deleted, its secret is rotated, or the space becomes inactive.
 */
@Injectable()
export class PortalLinks {
  private readonly key: KeyObject;

  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly settings: PlatformSettings,
  ) {
    this.key = deriveKey(settings.secretKey, 'outgoing-portal');
  }

  /**
   * Creates a link to the portal of an existing subscription. @throws 409 when its secret is
   * unreadable
   */
  async create({ spaceId, id }: Pick<OutgoingWebhook, 'spaceId' | 'id'>): Promise<PortalLink> {
    const { current: secret } = await readLiveSecrets(this.db, this.box, id);
    const expiresAt = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
    const token = signPortalToken({ key: this.key, secret }, { spaceId, subscriptionId: id, expiresAt });
    return { url: `${this.settings.publicUrl}/portal/${token}`, expiresAt: new Date(expiresAt * 1000) };
  }

  /** Whether a token is valid. @throws 503 */
  isValid(token: string): Promise<boolean> {
    return this.open(token).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return false;
        throw error;
      },
    );
  }

  /** Returns the subscription of a token. @throws 401 */
  async open(token: string): Promise<PortalSubscription> {
    const subject = readPortalToken(token, Date.now());
    if (!subject) throw invalidToken();
    const { spaceId, subscriptionId: id } = subject;
    const secret = (await readSecrets(this.db, this.box, [id])).get(id)?.current;
    if (secret === undefined || !verifyPortalToken({ key: this.key, secret }, token)) throw invalidToken();
    const found = await this.db.manager.findOneBy(OutgoingWebhook, { spaceId, id });
    const [space] = await this.db.query(PLAN_OF_SPACE, [spaceId]);
    if (!found || !space) throw invalidToken();
    return { spaceId, id, name: found.name };
  }
}
