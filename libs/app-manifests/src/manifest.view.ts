import { AppView, appView } from '@tieline/apps';
import { EVENT_FORMATS } from '@tieline/bots';
import type { EventFormat } from '@tieline/bots';
import { Field, OkAnswer } from '@tieline/platform/http';
import type { RegisteredCommand } from '@tieline/slash';
import type { CreatedFromManifest } from './create-from-manifest.js';
import type { BotOfManifest } from './set-up-bot.js';

const TYPES = ['app', 'bot', 'command', 'shortcut', 'interactive_config'] as const;

/** A part of an app that a manifest creates. */
export class CreatedPartView {
  @Field({ enum: TYPES, example: 'command' })
  type: (typeof TYPES)[number];

  @Field({ example: 'deploy', description: 'its name; of an interactive configuration, its address' })
  name: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61',
    optional: true,
    description: 'absent in a dry run',
  })
  id?: string;

  @Field({ example: 'tlb_…', optional: true, description: 'of the bot, shown only in this response' })
  token?: string;

  @Field({ example: 'whsec_…', optional: true, description: 'signs callbacks, shown only in this response' })
  signing_secret?: string;
}

export class CreatedFromManifestAnswer extends OkAnswer {
  @Field({ type: AppView, nullable: true, description: 'null in a dry run' })
  app: AppView | null;

  @Field({
    type: CreatedPartView,
    isArray: true,
    description: 'what was created; in a dry run, what would be',
  })
  created: CreatedPartView[];

  @Field({
    example: ['features.app_home has no counterpart and is left out'],
    description: 'parts of the manifest that are left out, and unknown fields of the body',
  })
  warnings: string[];

  @Field({ example: 'tlk_…', optional: true, description: 'shown only in this response' })
  client_secret?: string;

  @Field({ example: 'whsec_…', optional: true, description: 'signs events, shown only in this response' })
  signing_secret?: string;
}

/** The bot of an exported app. */
export class ManifestBotView {
  @Field({ example: 'Deploy bot' })
  display_name: string;

  @Field({ example: ['MESSAGE_CREATED'] })
  event_types: string[];

  @Field({ example: ['app_mention', 'message.im'], optional: true, description: 'absent: no restriction' })
  slack_events?: string[];

  @Field({ enum: ['none', 'poll', 'webhook'], example: 'webhook' })
  event_delivery_mode: string;
}

/** A manifest in Tieline's format. */
export class ManifestView {
  @Field({ example: 'Deploys' })
  name: string;

  @Field({ example: 'Tells channels what was deployed' })
  description: string;

  @Field({ example: 'https://example.com/icon.png' })
  icon_url: string;

  @Field({ example: 'https://example.com' })
  homepage_url: string;

  @Field({ example: 'https://example.com/install' })
  install_url: string;

  @Field({ example: ['https://example.com/oauth/callback'], optional: true, description: 'absent: none' })
  redirect_uris?: string[];

  @Field({ enum: ['confidential', 'public'], example: 'confidential' })
  client_type: string;

  @Field({ example: ['messages:write'] })
  bot_scopes: string[];

  @Field({ example: ['messages:read'] })
  user_scopes: string[];

  @Field({ example: 'https://example.com/events' })
  event_url: string;

  @Field({ enum: EVENT_FORMATS, example: 'native' })
  event_format: EventFormat;

  @Field({ example: 'https://example.com/interactive' })
  interactive_url: string;

  @Field({ example: false })
  token_rotation: boolean;

  @Field({ enum: ['space', 'listed'], example: 'space' })
  distribution: string;

  @Field({
    type: ManifestBotView,
    optional: true,
    description: 'absent if the app is not installed in its space',
  })
  bot?: ManifestBotView;

  @Field({
    example: [{ name: 'deploy', callback_url: 'https://example.com/slash' }],
    optional: true,
    description: 'commands as `POST /bots/{bot_id}/commands` takes them; absent without a bot',
  })
  commands?: object[];

  @Field({
    example: [{ callback_id: 'new_ticket', name: 'New ticket', type: 'global' }],
    optional: true,
    description: 'shortcuts as `PUT /bot/shortcuts` takes them; absent without any',
  })
  shortcuts?: object[];
}

export class ManifestAnswer extends OkAnswer {
  @Field({ type: ManifestView })
  manifest: ManifestView;
}

/** In a dry run nothing has an id or a secret. */
export function createdAnswer(
  created: CreatedFromManifest,
  warnings: string[],
  isDryRun: boolean,
): CreatedFromManifestAnswer {
  const { app, bot, commands, shortcuts, clientSecret, signingSecret } = created;
  const parts: CreatedPartView[] = [
    { type: 'app', name: app.name, id: app.id },
    ...(bot ? [botPart(bot)] : []),
    ...commands.map(commandPart),
    ...shortcuts.map(({ name, id }) => partOf('shortcut', name, { id })),
    ...(app.interactiveUrl !== ''
      ? [partOf('interactive_config', app.interactiveUrl, { signing_secret: signingSecret })]
      : []),
  ];
  if (isDryRun)
    return { ok: true, app: null, created: parts.map(({ type, name }) => ({ type, name })), warnings };
  return {
    ok: true,
    app: appView(app),
    created: parts,
    warnings,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    signing_secret: signingSecret,
  };
}

export const botPart = ({ displayName, id, token }: NonNullable<BotOfManifest['bot']>): CreatedPartView =>
  partOf('bot', displayName, { id, token });

export const commandPart = ({ command, signingSecret }: RegisteredCommand): CreatedPartView =>
  partOf('command', command.name, { id: command.id, signing_secret: signingSecret });

/** Returns a part of an answer, with the secrets that it has. */
export function partOf(
  type: CreatedPartView['type'],
  name: string,
  secrets: { id?: string; token?: string | undefined; signing_secret?: string | undefined },
): CreatedPartView {
  const present = Object.entries(secrets).filter(([, value]) => value !== undefined);
  return { type, name, ...Object.fromEntries(present) };
}
