import { findApp, findInstallation } from '@tieline/apps';
import { findBot } from '@tieline/bots';
import { shortcutsOfBot } from '@tieline/interactive';
import type { Queryable } from '@tieline/platform/database';
import { commandsOfBot, commandView } from '@tieline/slash';
import type { ManifestView } from './manifest.view.js';

/**
 * Returns an app of the space as a manifest, with its bot of the same space. Settings that have
 * their defaults are left out where the manifest may lack them.
 * @throws 404
 */
export async function exportManifest(db: Queryable, spaceId: string, id: string): Promise<ManifestView> {
  const app = await findApp(db, spaceId, id);
  const botId = (await findInstallation(db, spaceId, app.clientId))?.botId ?? null;
  const parts = botId === null ? {} : await partsOfBot(db, spaceId, botId);
  return {
    name: app.name,
    description: app.description,
    icon_url: app.iconUrl,
    homepage_url: app.homepageUrl,
    install_url: app.installUrl,
    ...(app.redirectUris.length > 0 && { redirect_uris: app.redirectUris }),
    client_type: app.clientType,
    bot_scopes: app.botScopes,
    user_scopes: app.userScopes,
    event_url: app.eventUrl,
    event_format: app.eventFormat,
    interactive_url: app.interactiveUrl,
    token_rotation: app.tokenRotation,
    distribution: app.distribution,
    ...parts,
  };
}

async function partsOfBot(
  db: Queryable,
  spaceId: string,
  botId: string,
): Promise<Pick<ManifestView, 'bot' | 'commands' | 'shortcuts'>> {
  const bot = await findBot(db, spaceId, botId);
  const commands = await commandsOfBot(db, spaceId, botId);
  const shortcuts = await shortcutsOfBot(db, spaceId, botId);
  return {
    bot: {
      display_name: bot.displayName,
      event_types: bot.eventTypes,
      ...(bot.slackEvents.length > 0 && { slack_events: bot.slackEvents }),
      event_delivery_mode: bot.eventDeliveryMode,
    },
    commands: commands.map((command) => {
      const { name, description, usage_hint, callback_url, options } = commandView(command);
      return { name, description, usage_hint, callback_url, ...(options && { options }) };
    }),
    ...(shortcuts.length > 0 && {
      shortcuts: shortcuts.map(({ callbackId, name, description, type }) => ({
        callback_id: callbackId,
        name,
        description,
        type,
      })),
    }),
  };
}
