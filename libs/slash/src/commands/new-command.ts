import { bodyReader } from '@tieline/platform/http';
import { RegisterCommandDto, UpdateCommandDto } from './dto/command.dto.js';
import type { CommandOption } from './options/command-option.js';
import { storedOptions } from './options/new-options.js';

/** A command to register that passed every check that needs neither database nor network. */
export interface NewCommand {
  name: string;
  description: string;
  usageHint: string;
  /** "" if there is none. */
  callbackUrl: string;
  /** Empty if the command takes free text. */
  options: CommandOption[];
}

const read = bodyReader(RegisterCommandDto);
const readUpdate = bodyReader(UpdateCommandDto);

/**
 * Reads the body of a registration. Check first that the commands are the caller's own.
 * @throws 400
 */
export function readNewCommand(given: unknown): NewCommand {
  const { name, description, usage_hint: usageHint, callback_url: callbackUrl, options } = read(given);
  return {
    name,
    description: description ?? '',
    usageHint: usageHint ?? '',
    callbackUrl: callbackUrl ?? '',
    options: storedOptions(options ?? []),
  };
}

/** Reads the body of a change. Absent and null fields become undefined. @throws 400 */
export function readCommandUpdate(given: unknown): Partial<NewCommand> {
  const { name, description, usage_hint: usageHint, callback_url: callbackUrl, options } = readUpdate(given);
  return {
    name: name ?? undefined,
    description: description ?? undefined,
    usageHint: usageHint ?? undefined,
    callbackUrl: callbackUrl ?? undefined,
    options: options ? storedOptions(options) : undefined,
  };
}
