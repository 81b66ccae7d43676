import type { RateRule } from '@tieline/rate-limit';

const MINUTE_MS = 60_000;
const PER_USER = 30;
const PER_COMMAND = 300;

/**
 * What one invocation counts against (contract, Limits): 30 a minute of one person, 300 a minute of everybody.
 * @param command tells commands apart: the id of a bot's command; for a built-in one its name in that space
 */
export function invocationRules(command: { id: string; name?: string }, userId: string): RateRule[] {
  const key = command.name === undefined ? `slash:{${command.id}}` : `slash:{${command.id}}:${command.name}`;
  return [
    { key: `${key}:user:${userId}`, limit: PER_USER, windowMs: MINUTE_MS },
    { key: `${key}:all`, limit: PER_COMMAND, windowMs: MINUTE_MS },
  ];
}
