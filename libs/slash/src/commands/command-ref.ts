import { isUuid } from '@tieline/platform/http';
import { commandNotFound } from '../slash.errors.js';
import { isCommandName } from './command-name.js';
import type { SlashCommand } from './slash-command.entity.js';

/** How a command is named in a URL: by its id or by its name, which no uuid can be. */
export type CommandRef = Pick<SlashCommand, 'id'> | Pick<SlashCommand, 'name'>;

/** @throws 404 for what is neither an id nor a name */
export function commandRef(given: string): CommandRef {
  if (isUuid(given)) return { id: given.toLowerCase() };
  if (isCommandName(given)) return { name: given };
  throw commandNotFound();
}
