import type { RateRule } from '@tieline/rate-limit';

const MINUTE_MS = 60_000;
const PER_USER = 30;
const PER_COMMAND = 300;
const SECOND_MS = 1_000;
const SUGGESTIONS_PER_USER = 10;
const SUGGESTIONS_PER_COMMAND = 100;

/**
 * Returns the rate limits of one invocation: 30 per minute per person and 300 per minute for
 * everyone.
 * @param command identifies the command: the id of a bot's command, or the space and the name of a
 *   built-in one
 */
export function invocationRules(command: { id: string; name?: string }, userId: string): RateRule[] {
  const key = command.name === undefined ? `slash:{${command.id}}` : `slash:{${command.id}}:${command.name}`;
  return [
    { key: `${key}:user:${userId}`, limit: PER_USER, windowMs: MINUTE_MS },
    { key: `${key}:all`, limit: PER_COMMAND, windowMs: MINUTE_MS },
  ];
}

/**
 * Returns the rate limits for requesting choices. They are higher because each keystroke sends a
 * request.
 */
export function suggestionRules(commandId: string, userId: string): RateRule[] {
  const key = `slash-options:{${commandId}}`;
  return [
    { key: `${key}:user:${userId}`, limit: SUGGESTIONS_PER_USER, windowMs: SECOND_MS },
    { key: `${key}:all`, limit: SUGGESTIONS_PER_COMMAND, windowMs: SECOND_MS },
  ];
}
