import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { hashToken, newToken } from '@tieline/signing';
import type { ActingUser } from '@tieline/spaces';
import { channelsNeedAdmin, guestsMayNot, interactionNotFound, nothingToGrant } from '../apps.errors.js';
import { OAuthProvider } from '../oauth/oauth-provider.js';
import { ANSWER_INTERACTION } from '../oauth/records.statements.js';
import { requestApp } from '../requests/request-app.js';
import { continueAt, readAskedGrant } from './asked-grant.js';
import type { AskedGrant } from './asked-grant.js';
import { GrantAccess } from './grant-access.js';

/** The answer to a request of an app. */
export interface InteractionAnswer {
  state: 'approved' | 'requested' | 'denied';
  /** Where the browser continues. Works once, only in the browser that began the request. */
  redirectTo: string;
}

const WAITING = { error: 'access_denied', error_description: 'an admin must approve this app first' };
const DENIED = { error: 'access_denied', error_description: 'the person refused' };

/** Approves or denies requests of apps for the person who is signed in. */
@Injectable()
export class ApproveInteraction {
  constructor(
    private readonly db: Db,
    private readonly provider: OAuthProvider,
    private readonly settings: PlatformSettings,
    private readonly access: GrantAccess,
  ) {}

  /**
   * Agrees to what an app asks for: installs it, authorizes it, or asks admins
   * (docs/apps.md#who-may-install).
   * @throws 404 if the request expired or is answered; 403 for guests, for channels that a member
   * chooses, and for an app of another space; 400 if nothing can be granted
   */
  async run(
    person: ActingUser,
    uid: string,
    channelIds: readonly string[] | undefined,
  ): Promise<InteractionAnswer> {
    const asked = await readAskedGrant({ db: this.db, provider: this.provider }, person, uid);
    const { outcome, scopes } = asked;
    if (outcome === 'refuse') throw guestsMayNot();
    if (scopes.bot.length === 0 && scopes.user.length === 0) throw nothingToGrant();
    const isAdmin = person.role === 'admin' || person.role === 'owner';
    if (channelIds && channelIds.length > 0 && !isAdmin) throw channelsNeedAdmin();
    const ticket = newToken();
    await runInTx(
      this.db,
      async (tx) => {
        const grantId =
          outcome === 'request'
            ? await requestApp(tx, person, asked)
            : await this.grant(tx, person, asked, channelIds);
        const result =
          grantId === undefined
            ? WAITING
            : { login: { accountId: person.userId, remember: false }, consent: { grantId } };
        await answer(tx, uid, { ...result, ticket: hashToken(ticket).toString('hex') });
      },
      { spaceId: person.spaceId, place: 'apps' },
    );
    const state = outcome === 'request' ? 'requested' : 'approved';
    return { state, redirectTo: continueAt(this.settings.publicUrl, uid, ticket) };
  }

  /** Refuses what an app asks for. @throws 404 if the request expired or is answered */
  async deny({ spaceId }: ActingUser, uid: string): Promise<InteractionAnswer> {
    const ticket = newToken();
    const result = { ...DENIED, ticket: hashToken(ticket).toString('hex') };
    await runInTx(this.db, (tx) => answer(tx, uid, result), { spaceId, place: 'apps' });
    return { state: 'denied', redirectTo: continueAt(this.settings.publicUrl, uid, ticket) };
  }

  private async grant(
    tx: Tx,
    person: ActingUser,
    { outcome, client, scopes, installation }: AskedGrant,
    channelIds: readonly string[] | undefined,
  ): Promise<string> {
    if (outcome === 'authorize' && installation) {
      // The token of the bot is for admins, and for the member whose request was approved.
      const forBot = scopes.bot.length > 0 && installation.installedBy === person.userId;
      return this.access.authorize(tx, person, installation, { user: scopes.user, forBot });
    }
    const installed = await this.access.install(tx, person, {
      client,
      scopes,
      channelIds,
      installedBy: person.userId,
    });
    return this.access.authorize(tx, person, installed, {
      user: scopes.user,
      forBot: scopes.bot.length > 0,
    });
  }
}

async function answer(tx: Tx, uid: string, result: object): Promise<void> {
  const [stored] = await tx.query(ANSWER_INTERACTION, [hashToken(uid), JSON.stringify(result)]);
  if (!stored) throw interactionNotFound();
}
