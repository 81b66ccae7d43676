import { isUuid } from '@tieline/platform/http';
import { commandNotFound } from '../slash.errors.js';
import { isCommandName } from './command-name.js';
import type { SlashCommand } from './slash-command.entity.js';

/** Identifies a command in a URL by its id or its name. A name is never a uuid. */
export type CommandRef = Pick<SlashCommand, 'id'> | Pick<SlashCommand, 'name'>;

/** @throws 404 for a text that is neither an id nor a name */
export function commandRef(given: string): CommandRef {
  if (isUuid(given)) return { id: given.toLowerCase() };
  if (isCommandName(given)) return { name: given };
  throw commandNotFound();
}
