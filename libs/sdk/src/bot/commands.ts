import type { BotApi } from './bot-api.js';

/** How a command is registered (contract, "Custom slash commands"; decisions, section 11.5). */
export interface CommandSettings {
  description?: string;
  usage_hint?: string;
  /** Typed options; without them the text is free. */
  options?: readonly object[];
}

interface CommandRecord {
  id: string;
  name: string;
  description?: string;
  usage_hint?: string;
  options?: unknown;
}

/**
 * Makes the bot's commands known: those that are missing are registered, those that say something
 * else are changed. None is removed.
 * @returns names that could not be registered, because another bot has them, a limit is reached, or
 * they need a callback address
 * @throws TielineError where the definition of a command is at fault
 */
export async function registerCommands(
  api: BotApi,
  botId: string,
  commands: ReadonlyMap<string, CommandSettings>,
): Promise<string[]> {
  const path = `/api/v1/bots/${botId}/commands`;
  const { commands: known } = await api.call<{ commands: CommandRecord[] }>('GET', path);
  const refused: string[] = [];
  for (const [name, settings] of commands) {
    const record = known.find((one) => one.name === name);
    if (record && saysTheSame(record, settings)) continue;
    try {
      if (record) await api.call('PATCH', `${path}/${record.id}`, { body: settings });
      else await api.call('POST', path, { body: { name, ...settings } });
    } catch (error) {
      const { status, field } = error as { status?: number; field?: string };
      if (status !== 409 && status !== 402 && field !== 'callback_url') throw error;
      refused.push(`/${name}: ${(error as Error).message}`);
    }
  }
  return refused;
}

/**
 * Only what the bot says of it is compared; `options` may come back with more fields than were
 * given.
 */
function saysTheSame(record: CommandRecord, settings: CommandSettings): boolean {
  return Object.entries(settings).every(([name, value]) =>
    covers(record[name as keyof CommandRecord] ?? (name === 'options' ? [] : ''), value),
  );
}

function covers(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(there) &&
      there.length === wanted.length &&
      wanted.every((one, index) => covers(there[index], one))
    );
  if (typeof wanted !== 'object' || wanted === null) return there === wanted;
  return Object.entries(wanted).every(([name, value]) =>
    covers((there as Record<string, unknown> | null | undefined)?.[name], value),
  );
}
