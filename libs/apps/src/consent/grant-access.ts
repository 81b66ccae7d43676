import { Injectable } from '@nestjs/common';
import { AppBotParts, AppBots } from '@tieline/bots';
import type { AppBotSettings } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import { hashToken, newToken, SecretBox } from '@tieline/signing';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { ActingUser, Origin } from '@tieline/spaces';
import { auditedOf } from '@tieline/platform/resource';
import { IsNull } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { scopesIn } from '../app.js';
import { App } from '../app.entity.js';
import { appGone, nothingToGrant } from '../apps.errors.js';
import { Authorization } from '../authorizations/authorization.entity.js';
import { DROP_SURPLUS } from '../authorizations/authorizations.statements.js';
import { appendAppEvent } from '../events/append-app-event.js';
import { INSTALLATION } from '../installations/installation.js';
import { Installation } from '../installations/installation.entity.js';
import { LOCK_CLIENT_OF_SPACE } from '../installations/installations.statements.js';
import { INTERACTION_SECONDS } from '../oauth/provider-options.js';
import { APP_SIGNING_SECRET } from '../signing-secret.js';
import type { AskingClient } from './asked-grant.js';
import type { AskedScopes } from './outcome.js';

/** What is installed. */
export interface InstallInput {
  client: Pick<AskingClient, 'clientId' | 'name' | 'iconUrl'> & { app: App | null };
  scopes: AskedScopes;
  /** Channels that the bot is limited to; empty: all. Undefined keeps those of an installation. */
  channelIds: readonly string[] | undefined;
  /** Settings of the bot that differ from those that the app gives it. */
  botSettings?: AppBotSettings['differing'];
  /** The member who may receive the token of the bot for the app, besides admins. */
  installedBy: string;
}

/** Installs apps and stores what people allowed them. */
@Injectable()
export class GrantAccess {
  constructor(
    private readonly bots: AppBots,
    private readonly parts: AppBotParts,
    private readonly box: SecretBox,
  ) {}

  /**
   * Installs an app in the space, or extends its installation, and writes it to the audit log.
   * @throws 400 for channel_ids that are not channels of the space; 409 when the app is gone or the
   * space has as many bots as its plan allows
   */
  async install(
    tx: Tx,
    { spaceId, origin }: Pick<ActingUser, 'spaceId' | 'origin'>,
    { client, scopes, installedBy, ...input }: InstallInput,
  ): Promise<Installation> {
    const { clientId, name } = client;
    const signingSecret = client.app && (await this.lockedSecret(tx, client.app));
    await tx.query(LOCK_CLIENT_OF_SPACE, [spaceId, clientId]);
    const known = await tx.manager.findOneBy(Installation, { spaceId, clientId, deletedAt: IsNull() });
    const wantsBot = scopes.bot.length > 0;
    const channelIds = input.channelIds ?? known?.channelIds ?? [];
    const now = new Date();
    const before = known ?? (await previousOf(tx, spaceId, clientId));
    const id = known?.id ?? uuidv7();
    const botId =
      wantsBot && client.app && signingSecret !== null
        ? await this.installBot(
            tx,
            { spaceId, origin, botId: before?.botId ?? null },
            {
              app: client.app,
              scopes: scopes.bot,
              channelIds,
              installationId: id,
              signingSecret,
              differing: input.botSettings,
            },
          )
        : (known?.botId ?? null);
    const after: Installation = {
      spaceId,
      id,
      clientId,
      appId: client.app?.id ?? null,
      appSpaceId: client.app?.spaceId ?? null,
      name,
      botId,
      botScopes: wantsBot ? [...scopes.bot] : (known?.botScopes ?? []),
      userScopes: scopesIn([...(known?.userScopes ?? []), ...scopes.user]),
      channelIds: wantsBot ? [...channelIds] : (known?.channelIds ?? []),
      installedBy: known?.installedBy ?? installedBy,
      createdAt: known?.createdAt ?? now,
      updatedAt: now,
      deletedAt: null,
      botGrantHash: known?.botGrantHash ?? null,
    };
    await tx.manager.save(Installation, after);
    await recordChange(tx, {
      ...origin,
      spaceId,
      action: known ? 'app.installation_changed' : 'app.installed',
      objectType: 'app_installation',
      objectId: after.id,
      changes: changesBetween(known && auditedOf(INSTALLATION, known), auditedOf(INSTALLATION, after)),
    });
    if (!known) await appendInstalled(tx, after, origin);
    return after;
  }

  /**
   * Stores what a person allowed, until its code is exchanged.
   * @returns the id of the grant
   * @throws 400 if it allows nothing
   */
  async authorize(
    tx: Tx,
    { spaceId, userId }: Pick<ActingUser, 'spaceId' | 'userId'>,
    { id, clientId }: Pick<Installation, 'id' | 'clientId'>,
    { user, forBot }: { user: AskedScopes['user']; forBot: boolean },
  ): Promise<string> {
    if (user.length === 0 && !forBot) throw nothingToGrant();
    const grantId = newToken();
    const now = new Date();
    await tx.manager.insert(Authorization, {
      spaceId,
      id: uuidv7(),
      installationId: id,
      userId,
      clientId,
      scopes: [...user],
      forBot,
      grantHash: hashToken(grantId),
      createdAt: now,
      expiresAt: new Date(now.getTime() + INTERACTION_SECONDS * 1000),
    });
    await tx.query(DROP_SURPLUS, [spaceId, userId, clientId]);
    return grantId;
  }

  private async installBot(
    tx: Tx,
    bot: Parameters<AppBots['install']>[1],
    {
      app,
      ...where
    }: { app: App } & Pick<
      AppBotSettings,
      'scopes' | 'channelIds' | 'installationId' | 'signingSecret' | 'differing'
    >,
  ): Promise<string> {
    const { name: displayName, iconUrl: avatarUrl, eventUrl, eventFormat, interactiveUrl } = app;
    const first = await tx.manager.findOneBy(Installation, {
      ...{ spaceId: app.spaceId, appId: app.id, deletedAt: IsNull() },
    });
    const firstBot = first?.botId ? { spaceId: first.spaceId, botId: first.botId } : undefined;
    const settings = { ...where, displayName, avatarUrl, eventUrl, eventFormat, interactiveUrl, firstBot };
    const botId = await this.bots.install(tx, bot, settings);
    if (firstBot && firstBot.botId !== botId)
      await this.parts.copy(tx, firstBot, { ...bot, botId, scopes: where.scopes });
    return botId;
  }

  /**
   * Returns the signing secret of an app. The app cannot be switched off or deleted before the
   * transaction ends, so that the change then finds the new installation.
   * @throws 409 if the app is not active or deleted
   */
  private async lockedSecret(tx: Tx, { spaceId, id }: App): Promise<string> {
    const stored = await tx.manager.findOne(App, {
      select: { id: true, signingSecret: true },
      where: { spaceId, id, isActive: true, deletedAt: IsNull() },
      lock: { mode: 'pessimistic_read' },
    });
    const sealed = stored?.signingSecret;
    const signingSecret = sealed && APP_SIGNING_SECRET.tryOpen(this.box, id, sealed, () => undefined);
    if (signingSecret === undefined) throw appGone();
    return signingSecret;
  }
}

async function appendInstalled(tx: Tx, installation: Installation, origin: Origin): Promise<void> {
  const { botId, botScopes, userScopes, channelIds, installedBy } = installation;
  const scopes = { bot_scopes: botScopes, user_scopes: userScopes };
  const data = {
    ...scopes,
    channel_ids: channelIds,
    installed_by: installedBy,
    ...(botId && { bot_id: botId }),
  };
  await appendAppEvent(tx, { type: 'APP_INSTALLED', installation, origin, data });
}

/** The bot of an earlier installation is used again, so that its messages stay those of one bot. */
function previousOf(tx: Tx, spaceId: string, clientId: string): Promise<Installation | null> {
  return tx.manager.findOne(Installation, { where: { spaceId, clientId }, order: { id: 'DESC' } });
}
