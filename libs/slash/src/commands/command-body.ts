import { characters, invalidJson } from '@tieline/platform/http';
import { callbackUrlRefused, mustBeText, nameInvalid, textTooLong } from '../slash.errors.js';

const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const MAX_DESCRIPTION = 200;
const MAX_USAGE_HINT = 100;
const MAX_URL = 2048;

/** Whether a bot's command can have this name. */
export function isCommandName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** A command to register, with every rule kept that needs neither database nor network. */
export interface NewCommand {
  name: string;
  description: string;
  usageHint: string;
  /** "" when none was given. */
  callbackUrl: string;
}

/**
 * The body of POST /bots/{bot_id}/commands (contract, "Custom slash commands"), read by hand because whose commands they
 * are is checked first.
 * @throws 400
 */
export function parseNewCommand(given: unknown): NewCommand {
  if (typeof given !== 'object' || given === null) throw invalidJson();
  const body = given as Readonly<Record<string, unknown>>;
  if (!isCommandName(body.name)) throw nameInvalid();
  const description = optionalText(body, 'description', MAX_DESCRIPTION);
  const usageHint = optionalText(body, 'usage_hint', MAX_USAGE_HINT);
  const callbackUrl = callbackUrlOf(body);
  return { name: body.name, description, usageHint, callbackUrl };
}

/** Null counts as missing. */
function optionalText(body: Readonly<Record<string, unknown>>, field: string, max: number): string {
  const value = body[field] ?? '';
  if (typeof value !== 'string') throw mustBeText(field);
  if (characters(value) > max) throw textTooLong(field, max);
  return value;
}

function callbackUrlOf({ callback_url: value }: Readonly<Record<string, unknown>>): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || value.length > MAX_URL) throw callbackUrlRefused('invalid_url');
  return value;
}
