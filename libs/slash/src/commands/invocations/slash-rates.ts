import type { RateRule } from '@tieline/rate-limit';

const MINUTE_MS = 60_000;
const PER_USER = 30;
const PER_COMMAND = 300;
const SECOND_MS = 1_000;
const SUGGESTIONS_PER_USER = 10;
const SUGGESTIONS_PER_COMMAND = 100;

/**
 * What one invocation counts against (contract, Limits): 30 a minute of one person, 300 a minute of
 * everybody.
 * @param command tells commands apart: the id of a bot's command; for a built-in one its name in
 * that space
 */
export function invocationRules(command: { id: string; name?: string }, userId: string): RateRule[] {
  const key = command.name === undefined ? `slash:{${command.id}}` : `slash:{${command.id}}:${command.name}`;
  return [
    { key: `${key}:user:${userId}`, limit: PER_USER, windowMs: MINUTE_MS },
    { key: `${key}:all`, limit: PER_COMMAND, windowMs: MINUTE_MS },
  ];
}

/** What asking a bot for choices counts against: somebody types, and many may. */
export function suggestionRules(commandId: string, userId: string): RateRule[] {
  const key = `slash-options:{${commandId}}`;
  return [
    { key: `${key}:user:${userId}`, limit: SUGGESTIONS_PER_USER, windowMs: SECOND_MS },
    { key: `${key}:all`, limit: SUGGESTIONS_PER_COMMAND, windowMs: SECOND_MS },
  ];
}
