import { Injectable } from '@nestjs/common';
import { CreateApp, GrantAccess, scopesIn } from '@tieline/apps';
import type { App, CreatedApp } from '@tieline/apps';
import { AppBots, UpdateBot } from '@tieline/bots';
import { EgressPolicy, urlRefused } from '@tieline/egress';
import { setShortcutsIn } from '@tieline/interactive';
import type { Shortcut } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { RegisterCommand } from '@tieline/slash';
import type { RegisteredCommand } from '@tieline/slash';
import type { ActingAdmin } from '@tieline/spaces';
import type { Manifest } from './manifest.js';

/** Everything that a manifest creates. Secrets are shown once. */
export interface CreatedFromManifest extends CreatedApp {
  bot?: { id: string; displayName: string; token?: string | undefined };
  commands: RegisteredCommand[];
  shortcuts: Shortcut[];
}

/** Ends the transaction of a dry run without a commit. */
class DryRun extends Error {
  constructor(readonly created: CreatedFromManifest) {
    super('a dry run');
  }
}

/** Creates apps with everything that belongs to them. */
@Injectable()
export class CreateFromManifest {
  constructor(
    private readonly db: Db,
    private readonly egress: EgressPolicy,
    private readonly createApp: CreateApp,
    private readonly access: GrantAccess,
    private readonly bots: AppBots,
    private readonly updateBot: UpdateBot,
    private readonly registerCommand: RegisterCommand,
  ) {}

  /**
   * Creates the app, installs it in its own space, and sets up its bot, in one transaction. A dry
   * run does the same without a commit, so that it fails where the creation would.
   * @throws 400 for an address that outgoing requests may not reach, or a command without one. 409
   * for a taken name of a command and for limits of the plan.
   */
  async run(admin: ActingAdmin, manifest: Manifest, isDryRun: boolean): Promise<CreatedFromManifest> {
    await this.checkAddresses(manifest);
    try {
      return await runInTx(
        this.db,
        async (tx) => {
          const created = await this.in(tx, admin, manifest);
          if (isDryRun) throw new DryRun(created);
          return created;
        },
        { spaceId: admin.spaceId, place: 'apps' },
      );
    } catch (error) {
      if (error instanceof DryRun) return error.created;
      throw error;
    }
  }

  private async in(tx: Tx, admin: ActingAdmin, manifest: Manifest): Promise<CreatedFromManifest> {
    const { redirectUris = [], ...settings } = manifest.app;
    const created = await this.createApp.in(tx, admin, { ...settings, redirectUris });
    const botId = await this.install(tx, admin, created.app);
    if (botId === null) return { ...created, commands: [], shortcuts: [] };
    const { spaceId, origin } = admin;
    const bot = { spaceId, botId, origin };
    const { displayName } = await this.updateBot.in(tx, bot, manifest.bot);
    const commands = [];
    for (const command of manifest.commands) commands.push(await this.registerCommand.in(tx, bot, command));
    const shortcuts = await setShortcutsIn(tx, bot, manifest.shortcuts);
    // Tokens that rotate come from the token endpoint, with a refresh token.
    const token = created.app.tokenRotation ? undefined : await this.bots.issueToken(tx, bot, null);
    return {
      ...created,
      bot: { id: botId, displayName, token },
      commands,
      shortcuts,
    };
  }

  /** @returns the id of the bot; null for an app without one */
  private async install(tx: Tx, admin: ActingAdmin, app: App): Promise<string | null> {
    if (app.botScopes.length === 0) return null;
    const { clientId, name, iconUrl } = app;
    const { botId } = await this.access.install(tx, admin, {
      client: { clientId, name, iconUrl, app },
      scopes: { bot: scopesIn(app.botScopes), user: scopesIn(app.userScopes) },
      channelIds: [],
      installedBy: admin.userId,
    });
    return botId;
  }

  /** Resolves names, so it must not run inside a transaction. @throws 400 */
  private async checkAddresses({ app, commands }: Manifest): Promise<void> {
    const addresses = [
      ['manifest.event_url', app.eventUrl],
      ['manifest.interactive_url', app.interactiveUrl],
      ...commands.map(
        ({ callbackUrl }, at) => [`manifest.commands[${at}].callback_url`, callbackUrl] as const,
      ),
    ] as const;
    for (const [field, address] of addresses) {
      if (address === undefined || address === '') continue;
      const verdict = await this.egress.checkUrlResolved(address);
      if (!verdict.allowed) throw urlRefused(field, verdict.reason);
    }
  }
}
