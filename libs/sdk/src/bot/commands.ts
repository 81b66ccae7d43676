import type { BotApi } from './bot-api.js';

/** Settings of a slash command. */
export interface CommandSettings {
  description?: string;
  usage_hint?: string;
  /** Typed options. Without them the text is free. */
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
 * Registers missing commands and updates changed ones. Removes none.
 * @returns commands that could not be registered because another bot has the name, a limit is
 * reached, or they need a callback address
 * @throws TielineError for an invalid definition
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
    if (record && matchesSettings(record, settings)) continue;
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

/** Compares only the given settings. The server may return `options` with more fields. */
function matchesSettings(record: CommandRecord, settings: CommandSettings): boolean {
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
