import { Injectable } from '@nestjs/common';
import { findInstallation, GrantAccess, scopesIn } from '@tieline/apps';
import type { App } from '@tieline/apps';
import { AppBots, findBot } from '@tieline/bots';
import type { ChangedBot } from '@tieline/bots';
import { setShortcutsIn } from '@tieline/interactive';
import type { Shortcut } from '@tieline/interactive';
import type { Tx } from '@tieline/platform/database';
import { commandsOfBot, deleteCommandIn, RegisterCommand, UpdateCommand } from '@tieline/slash';
import type { CommandSettings, RegisteredCommand } from '@tieline/slash';
import type { ActingAdmin } from '@tieline/spaces';
import type { Manifest } from './manifest.js';

/** The bot of an app in its own space, as a manifest set it up. Secrets are shown once. */
export interface BotOfManifest {
  /** Absent for an app without a bot. */
  bot?: { id: string; displayName: string; isNew: boolean; token?: string | undefined };
  /** Commands that were registered; not those that existed. */
  commands: RegisteredCommand[];
  shortcuts: Shortcut[];
}

/** Sets up the bot of an app in the space of the app. */
@Injectable()
export class SetUpBot {
  constructor(
    private readonly access: GrantAccess,
    private readonly bots: AppBots,
    private readonly registerCommand: RegisterCommand,
    private readonly updateCommand: UpdateCommand,
  ) {}

  /**
   * Installs the app in its space, or changes its installation, so that the bot is as the manifest
   * says. A new bot gets a token.
   * @throws 400 for a command without an address. 409 for a taken name of a command, an app that is
   * switched off, and limits of the plan.
   */
  async in(tx: Tx, admin: ActingAdmin, app: App, manifest: Manifest): Promise<BotOfManifest> {
    if (app.botScopes.length === 0) return { commands: [], shortcuts: [] };
    const { spaceId, origin } = admin;
    const { clientId, name, iconUrl } = app;
    const installed = (await findInstallation(tx, spaceId, clientId))?.botId ?? null;
    const known = installed === null ? null : await findBot(tx, spaceId, installed);
    const displayName = manifest.bot.displayName ?? name;
    const { botId } = await this.access.install(tx, admin, {
      client: { clientId, name, iconUrl, app },
      scopes: { bot: scopesIn(app.botScopes), user: scopesIn(app.userScopes) },
      channelIds: undefined,
      botSettings: {
        displayName,
        eventTypes: manifest.bot.eventTypes ?? [],
        slackEvents: manifest.bot.slackEvents ?? [],
        ...(manifest.bot.eventDeliveryMode && { eventDeliveryMode: manifest.bot.eventDeliveryMode }),
        ...(known && { isActive: known.isActive }),
      },
      installedBy: admin.userId,
    });
    if (botId === null) return { commands: [], shortcuts: [] };
    const bot = { spaceId, botId, origin };
    const commands = await this.setCommands(tx, bot, manifest.commands);
    const shortcuts = await setShortcutsIn(tx, bot, manifest.shortcuts);
    // Tokens that rotate come from the token endpoint, with a refresh token.
    const token = known || app.tokenRotation ? undefined : await this.bots.issueToken(tx, bot, null);
    return { bot: { id: botId, displayName, isNew: !known, token }, commands, shortcuts };
  }

  /**
   * Replaces the commands of the bot. One whose name stays keeps its id and secret, except after a
   * reset of the bot: then it has no secret.
   * @returns the commands that were registered
   */
  private async setCommands(
    tx: Tx,
    bot: ChangedBot,
    wanted: readonly CommandSettings[],
  ): Promise<RegisteredCommand[]> {
    const kept = new Set<string>();
    for (const { name, isActive } of await commandsOfBot(tx, bot.spaceId, bot.botId))
      if (isActive && wanted.some((command) => command.name === name)) kept.add(name);
      else await deleteCommandIn(tx, bot, { name });
    const registered = [];
    for (const { name, ...settings } of wanted)
      if (kept.has(name)) await this.updateCommand.in(tx, bot, { name }, settings);
      else registered.push(await this.registerCommand.in(tx, bot, { name, ...settings }));
    return registered;
  }
}
