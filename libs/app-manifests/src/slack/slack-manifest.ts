import type { ConvertedManifest, Json } from '../converted-manifest.js';
import { SlackObject } from './slack-object.js';
import { EVENT_TYPES_BY_SLACK_NAME, SCOPES_BY_SLACK_NAME } from './slack-names.js';

/** Returns whether this is Slack's manifest of an app. */
export const isSlackManifest = (manifest: Json): boolean => 'display_information' in manifest;

/**
 * Converts Slack's manifest. Every setting without a counterpart becomes a warning that names it
 * (docs/app-manifests.md#manifests-of-slack-apps).
 */
export function fromSlackManifest(manifest: Json): ConvertedManifest {
  const warnings: string[] = [];
  const root = new SlackObject(manifest, '', warnings);
  const display = root.object('display_information');
  const features = root.object('features');
  const oauth = root.object('oauth_config');
  const settings = root.object('settings');
  root.skip('_metadata');
  const events = settings.object('event_subscriptions');
  const interactivity = settings.object('interactivity');
  const scopes = oauth.object('scopes');
  const socket = settings.take('socket_mode_enabled') === true;
  const eventUrl = events.take('request_url');
  const interactiveUrl = interactivity.take('request_url');
  const isInteractive = interactivity.take('is_enabled') ?? interactiveUrl !== undefined;
  const bot = features.object('bot_user');
  const slackEvents = events.known('bot_events', EVENT_TYPES_BY_SLACK_NAME);
  const eventTypes = [...new Set(slackEvents.flatMap((name) => EVENT_TYPES_BY_SLACK_NAME[name]))];
  const shortcuts = features.objects('shortcuts').map(shortcutOf);
  // Slack has no scopes for these.
  const implied = [
    ...(isInteractive === true || shortcuts.length > 0 ? ['interactive'] : []),
    ...(eventTypes.length > 0 ? ['events'] : []),
  ];
  const converted = {
    name: display.take('name'),
    description: display.take('description'),
    redirect_uris: oauth.take('redirect_urls'),
    bot_scopes: [...new Set([...scopes.translate('bot', SCOPES_BY_SLACK_NAME), ...implied])],
    user_scopes: scopes.translate('user', SCOPES_BY_SLACK_NAME),
    // With socket mode, Slack keeps the addresses but does not use them.
    event_url: socket ? undefined : eventUrl,
    event_format: 'slack',
    interactive_url: socket || isInteractive !== true ? undefined : interactiveUrl,
    token_rotation: settings.take('token_rotation_enabled'),
    bot: {
      display_name: bot.take('display_name'),
      event_types: eventTypes,
      slack_events: slackEvents,
      event_delivery_mode: socket ? 'poll' : undefined,
    },
    commands: features.objects('slash_commands').map((command) => commandOf(command, socket)),
    shortcuts,
  };
  for (const part of [display, bot, features, scopes, oauth, events, interactivity, settings, root])
    part.warnAboutRest();
  return { manifest: converted, warnings };
}

function shortcutOf(shortcut: SlackObject): Json {
  const converted = {
    callback_id: shortcut.take('callback_id'),
    name: shortcut.take('name'),
    description: shortcut.take('description'),
    type: shortcut.take('type'),
  };
  shortcut.warnAboutRest();
  return converted;
}

function commandOf(command: SlackObject, socket: boolean): Json {
  const name = command.take('command');
  const url = command.take('url');
  const converted = {
    name: typeof name === 'string' ? name.replace(/^\//, '') : name,
    description: command.take('description'),
    usage_hint: command.take('usage_hint'),
    callback_url: socket ? undefined : url,
  };
  command.warnAboutRest();
  return converted;
}
