import { json, nullable } from '@tieline/platform/database';
import { Field, OkAnswer } from '@tieline/platform/http';
import { field, viewOf } from '@tieline/platform/resource';
import { PREVIOUS_SECRET_FIELD, unexpired } from '@tieline/signing';
import { OPTIONS_FIELD, optionsView } from './options/command-option.view.js';
import type { CommandOptionView } from './options/command-option.view.js';
import type { BuiltinCommand } from '../builtins/builtin-commands.js';
import { COMMAND } from './command.js';
import type { SlashCommand } from './slash-command.entity.js';
import type { ListedCommand } from './slash-commands.queries.js';

const { botId, name, description, usageHint } = COMMAND;
const options = field(json<CommandOptionView[]>(), { stored: false, shown: OPTIONS_FIELD });

/** A command as its bot sees it. */
export class CommandView extends viewOf({ ...COMMAND, options }) {}

/** A command as listed for people's clients. */
export class ListedCommandView extends viewOf({
  name,
  description,
  usageHint,
  botId: field(nullable('uuid'), { ...botId.declared, description: 'null for built-in commands' }),
  isBuiltin: field('bool', { stored: false, shown: true, example: false }),
  options,
}) {}

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
  return CommandView.of({
    ...row,
    options: optionsView(row.options),
    previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt),
  });
}

export function listedView(command: ListedCommand | BuiltinCommand): ListedCommandView {
  return 'run' in command
    ? ListedCommandView.of({ ...command, botId: null, isBuiltin: true })
    : ListedCommandView.of({ ...command, isBuiltin: false, options: optionsView(command.options) });
}
