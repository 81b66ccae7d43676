import type { Client } from '@tieline/sdk';
import type { Session } from '../profiles/session.js';
import { everyEntry, findByName } from './names.js';
import type { Named } from './names.js';

export interface Space extends Named {
  readonly name: string;
  readonly plan: string;
  readonly is_active: boolean;
  readonly created_at: string;
}

export interface User extends Named {
  readonly display_name: string;
  readonly email: string | null;
  readonly role: string;
  readonly is_active: boolean;
}

export interface Bot extends Named {
  readonly display_name: string;
  readonly event_delivery_mode: string;
  readonly is_active: boolean;
  readonly event_types: string[];
  readonly breaker?: { readonly state: string };
}

export interface Channel extends Named {
  readonly name: string | null;
  readonly type: string;
  readonly scope: string;
  readonly member_ids?: string[];
  readonly is_member?: boolean;
  readonly archived_at?: string | null;
}

export interface Hook extends Named {
  readonly name: string;
  readonly conversation_id: string;
  readonly require_signature: boolean;
  readonly is_active: boolean;
}

export interface Subscription extends Named {
  readonly name: string;
  readonly url: string;
  readonly status: string;
  readonly event_types: string[];
  readonly breaker?: { readonly state: string };
}

export interface SlashCommand extends Named {
  readonly name: string;
  readonly bot_id: string;
  readonly description: string;
  readonly is_active: boolean;
  readonly callback_url?: string | null;
}

/** How to list each kind of resource. */
export const lists = {
  spaces: (client: Client) => everyEntry<Space>(client, '/api/v1/operator/spaces'),
  users: (client: Client) => everyEntry<User>(client, '/api/v1/admin/users'),
  bots: (client: Client) => everyEntry<Bot>(client, '/api/v1/admin/bots'),
  channels: (client: Client) => everyEntry<Channel>(client, '/api/v1/client/conversations'),
  hooks: (client: Client) => everyEntry<Hook>(client, '/api/v1/admin/incoming_webhooks'),
  subscriptions: (client: Client) => everyEntry<Subscription>(client, '/api/v1/admin/outgoing_webhooks'),
  apps: (client: Client) => everyEntry<Named>(client, '/api/v1/client/apps'),
  /** People as other people see them. */
  members: async (client: Client) => {
    const members = await everyEntry<Named & { type: string }>(client, '/api/v1/client/members');
    return members.filter(({ type }) => type === 'user');
  },
  /** Commands that people can use. They have no id. */
  slashCommands: async (client: Client) => {
    const { commands } = await client.call<{ commands: { name: string }[] }>(
      'GET',
      '/api/v1/client/commands',
    );
    return commands.map(({ name }) => ({ id: name, name }));
  },
  commandsOf: async (client: Client, bot: Bot): Promise<(SlashCommand & { bot: string })[]> => {
    const path = `/api/v1/admin/bots/${bot.id}/commands`;
    const { commands } = await client.call<{ commands: SlashCommand[] }>('GET', path);
    return commands.map((command) => ({ ...command, bot: bot.display_name }));
  },
} as const;

/** Lists the commands of one bot or of all bots. */
export async function commandsOf(
  session: Session,
  bot?: string,
): Promise<(SlashCommand & { bot: string })[]> {
  const client = await session.person();
  if (bot === undefined) return commandsOfBots(client);
  return lists.commandsOf(client, findByName('bot', await lists.bots(client), bot));
}

/** Lists the commands of all bots. */
export async function commandsOfBots(client: Client): Promise<(SlashCommand & { bot: string })[]> {
  const bots = await lists.bots(client);
  return (await Promise.all(bots.map((one) => lists.commandsOf(client, one)))).flat();
}

/** Finds a channel by name for a signed-in person. */
export async function channelNamed(client: Client, name: string): Promise<Channel> {
  return findByName('channel', await lists.channels(client), name);
}

/** Finds a subscription by name. */
export async function subscriptionNamed(client: Client, name: string): Promise<Subscription> {
  return findByName('subscription', await lists.subscriptions(client), name);
}
