import type { BuiltinCommand } from '../builtins/builtin-commands.js';
import type { SlashCommand } from './slash-command.entity.js';
import type { ListedCommand } from './slash-commands.queries.js';

/** A command as its bot sees it (contract, "Slash command record"); never its secret. */
export function commandView(row: SlashCommand) {
  return {
    id: row.id,
    space_id: row.spaceId,
    bot_id: row.botId,
    name: row.name,
    description: row.description,
    usage_hint: row.usageHint,
    callback_url: row.callbackUrl,
    // A command that is switched off does not exist: a deleted one is gone.
    is_active: true,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** A command as people's clients offer it (decisions, section 5); built-in ones have no bot. */
export function listedView(command: ListedCommand | BuiltinCommand) {
  const { name, description } = command;
  if ('run' in command)
    return { name, description, usage_hint: command.usageHint, bot_id: null, is_builtin: true };
  return { name, description, usage_hint: command.usageHint, bot_id: command.botId, is_builtin: false };
}

/** For the OpenAPI document. */
export const COMMAND_EXAMPLE = {
  id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61',
  space_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d01',
  bot_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11',
  name: 'deploy',
  description: 'Deploys a service',
  usage_hint: '<service> [version]',
  callback_url: 'https://example.com/slash',
  is_active: true,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};
