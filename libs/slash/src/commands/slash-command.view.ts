import { Field, OkAnswer } from '@tieline/platform/http';
import { PREVIOUS_SECRET_FIELD, previousSecretView } from '@tieline/signing';
import { OPTIONS_FIELD, optionsView } from './options/command-option.view.js';
import type { CommandOptionView } from './options/command-option.view.js';
import type { BuiltinCommand } from '../builtins/builtin-commands.js';
import type { SlashCommand } from './slash-command.entity.js';
import type { ListedCommand } from './slash-commands.queries.js';

/** A command as its bot sees it. Never includes the secret. */
export class CommandView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61' })
  id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d01' })
  space_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11' })
  bot_id: string;

  @Field({ example: 'deploy' })
  name: string;

  @Field({ example: 'Deploys a service' })
  description: string;

  @Field({ example: '<service> [version]' })
  usage_hint: string;

  @Field({ example: 'https://example.com/slash' })
  callback_url: string;

  @Field({
    example: true,
    description:
      'false after a reset of the bot, until the command has a callback and a secret again; an inactive command cannot be invoked',
  })
  is_active: boolean;

  @Field(OPTIONS_FIELD)
  options?: CommandOptionView[];

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  created_at: string;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  updated_at: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

/** A command as listed for people's clients. */
export class ListedCommandView {
  @Field({ example: 'deploy' })
  name: string;

  @Field({ example: 'Deploys a service' })
  description: string;

  @Field({ example: '<service> [version]' })
  usage_hint: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11',
    nullable: true,
    description: 'null for built-in commands',
  })
  bot_id: string | null;

  @Field({ example: false })
  is_builtin: boolean;

  @Field(OPTIONS_FIELD)
  options?: CommandOptionView[];
}

export class RegisteredCommandAnswer extends OkAnswer {
  @Field({ type: CommandView })
  command: CommandView;

  @Field({ example: 'whsec_…', description: 'the secret that signs callbacks, shown only in this response' })
  signing_secret: string;
}

export class CommandAnswer extends OkAnswer {
  @Field({ type: CommandView })
  command: CommandView;
}

export class RotatedCommandSecretAnswer extends OkAnswer {
  @Field({ example: 'whsec_…', description: 'the secret that signs callbacks, shown only in this response' })
  signing_secret: string;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  updated_at: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

export class CommandsAnswer extends OkAnswer {
  @Field({ type: CommandView, isArray: true })
  commands: CommandView[];
}

export class ListedCommandsAnswer extends OkAnswer {
  @Field({ type: ListedCommandView, isArray: true })
  commands: ListedCommandView[];
}

export function commandView(row: SlashCommand): CommandView {
  return {
    id: row.id,
    space_id: row.spaceId,
    bot_id: row.botId,
    name: row.name,
    description: row.description,
    usage_hint: row.usageHint,
    callback_url: row.callbackUrl,
    ...optionsView(row.options),
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...previousSecretView(row.previousSecretExpiresAt),
  };
}

export function listedView(command: ListedCommand | BuiltinCommand): ListedCommandView {
  const { name, description } = command;
  if ('run' in command)
    return { name, description, usage_hint: command.usageHint, bot_id: null, is_builtin: true };
  return {
    ...{ name, description, usage_hint: command.usageHint, bot_id: command.botId, is_builtin: false },
    ...optionsView(command.options),
  };
}
