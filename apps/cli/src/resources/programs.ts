import type { Client } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { channelNamed, commandsOf, lists } from './entries.js';
import type { Bot, Hook, SlashCommand, Subscription } from './entries.js';
import { listed, nameOf } from './names.js';
import { addResource } from './resource-commands.js';

const isActive = { title: 'active', of: (one: { is_active: boolean }) => (one.is_active ? 'yes' : 'no') };
/**
 * Adds the name of each webhook's channel. A channel that the user cannot see is shown by its id.
 */
async function withChannels(client: Client): Promise<(Hook & { channel: string })[]> {
  const [hooks, channels] = await Promise.all([lists.hooks(client), lists.channels(client)]);
  const names = new Map(channels.map((one) => [one.id, nameOf(one)]));
  return hooks.map((hook) => ({ ...hook, channel: names.get(hook.conversation_id) || hook.conversation_id }));
}

const id = { title: 'id', of: (one: { id: string }) => one.id };

/**
 * `bot`: list, show, create.
 *
 * @returns the command
 */
export function addBots(program: Command, terminal: Terminal): Command {
  const bot = addResource<Bot>(program, terminal, {
    noun: 'bot',
    summary: 'bots, and beginning one',
    columns: [
      { title: 'name', of: (one) => one.display_name },
      { title: 'mode', of: (one) => one.event_delivery_mode },
      { title: 'events', of: (one) => one.event_types },
      isActive,
      { title: 'breaker', of: ({ breaker }) => breaker?.state },
      id,
    ],
    all: async (session) => lists.bots(await session.person()),
  });
  bot
    .command('create <name>')
    .summary('make one')
    .description('Creates a bot. Its token is shown once. With --save it is stored in the profile instead.')
    .option('--mode <mode>', 'none, poll (a socket too) or webhook', 'poll')
    .option('--events <types>', 'event types, such as MESSAGE_CREATED,REACTION_ADDED', listed)
    .option('--channel <name>', 'channels that it joins', listed)
    .option('--webhook-url <address>', 'address for events in mode webhook')
    .option('--save', 'store the token in the profile')
    .action(action(terminal, createBot));
  return bot;
}

interface BotOptions {
  readonly mode: string;
  readonly events?: string[];
  readonly channel?: string[];
  readonly webhookUrl?: string;
  readonly save?: boolean;
}

async function createBot(session: Session, name: string, options: BotOptions): Promise<void> {
  const client = await session.person();
  const channels = await Promise.all((options.channel ?? []).map((one) => channelNamed(client, one)));
  const body = {
    display_name: name,
    event_delivery_mode: options.mode,
    event_types: options.events,
    webhook_url: options.webhookUrl,
  };
  const {
    bot,
    token,
    webhook_signing_secret: secret,
  } = await client.call<{
    bot: Bot;
    token: string;
    webhook_signing_secret?: string;
  }>('POST', '/api/v1/admin/bots', { body });
  for (const channel of channels)
    await client.call('POST', `/api/v1/client/conversations/${channel.id}/members`, {
      body: { member_id: bot.id },
    });
  if (options.save)
    await session.keep((profile) => {
      profile.bots = { ...profile.bots, [name]: token };
    });
  session.printer.show({ ...bot, ...(options.save ? {} : { token }), webhook_signing_secret: secret });
}

/**
 * `hook`: incoming webhooks.
 *
 * @returns the command
 */
export function addHooks(program: Command, terminal: Terminal): Command {
  const hook = addResource<Hook & { channel: string }>(program, terminal, {
    noun: 'hook',
    summary: 'incoming webhooks: addresses that programs post to',
    columns: [
      { title: 'name', of: ({ name }) => name },
      { title: 'signed', of: (one) => (one.require_signature ? 'yes' : 'no') },
      isActive,
      { title: 'channel', of: (one) => one.channel },
      id,
    ],
    all: async (session) => withChannels(await session.person()),
  });
  hook
    .command('create <name>')
    .summary('make one')
    .description(
      'Creates an incoming webhook. Its address and secret are shown once. With --save they are stored in the profile instead, where `hook test` finds them.',
    )
    .requiredOption('--channel <name>', 'where its messages go')
    .option('--unsigned', 'anyone who knows the address can post')
    .option('--no-group', "post each alert, instead of grouping them by their senders' keys")
    .option(
      '--native-secret',
      'ask for the secret that the sender signs with (GitHub and others); piped in, it is the first line',
    )
    .option('--save', 'store address and secret in the profile')
    .action(action(terminal, createHook));
  return hook;
}

interface HookOptions {
  readonly channel: string;
  readonly unsigned?: boolean;
  /** Commander sets it to true unless `--no-group` is given. */
  readonly group: boolean;
  readonly nativeSecret?: boolean;
  readonly save?: boolean;
}

async function createHook(
  session: Session,
  name: string,
  { channel, unsigned, group, nativeSecret, save }: HookOptions,
): Promise<void> {
  const client = await session.person();
  const body = {
    name,
    conversation_id: (await channelNamed(client, channel)).id,
    require_signature: !unsigned,
    group_alerts: group,
    ...(nativeSecret && {
      native_secret: await session.terminal.ask('Secret of the sender: ', { hidden: true }),
    }),
  };
  const created = await client.call<{ webhook: Hook; url: string; signing_secret: string }>(
    'POST',
    '/api/v1/admin/incoming_webhooks',
    { body },
  );
  const secrets = { url: created.url, secret: created.signing_secret };
  if (save)
    await session.keep((profile) => {
      profile.hooks = { ...profile.hooks, [name]: secrets };
    });
  session.printer.show({
    ...created.webhook,
    ...(save ? {} : { url: created.url, signing_secret: created.signing_secret }),
  });
}

/** `command`: slash commands. */
export function addCommands(program: Command, terminal: Terminal): void {
  const command = addResource<SlashCommand & { bot: string }>(program, terminal, {
    noun: 'command',
    summary: 'slash commands of bots',
    columns: [
      { title: 'name', of: ({ name }) => `/${name}` },
      { title: 'bot', of: ({ bot }) => bot },
      { title: 'description', of: ({ description }) => description },
      isActive,
      id,
    ],
    all: (session) => commandsOf(session),
  });
  command
    .command('create <name>')
    .summary('register one')
    .description("Registers a command with the bot's token. The secret of one with a callback is shown once.")
    .option('--bot <name>', 'bot that owns it; its token must be stored')
    .option('--description <text>')
    .option('--usage <hint>', 'usage hint after the name, such as "<version>"')
    .option('--callback-url <address>', 'callback address, unless the bot polls')
    .action(action(terminal, createCommand));
}

async function createCommand(
  session: Session,
  name: string,
  options: { bot?: string; description?: string; usage?: string; callbackUrl?: string },
): Promise<void> {
  const client = await session.bot(options.bot);
  const { bot } = await client.call<{ bot: Bot }>('GET', '/api/v1/bot/me');
  const body = {
    name: name.replace(/^\//, ''),
    description: options.description,
    usage_hint: options.usage,
    callback_url: options.callbackUrl,
  };
  const created = await client.call<{ command: SlashCommand; signing_secret?: string }>(
    'POST',
    `/api/v1/bots/${bot.id}/commands`,
    { body },
  );
  session.printer.show({ ...created.command, signing_secret: created.signing_secret });
}

/**
 * `subscription`: outgoing webhooks.
 *
 * @returns the command
 */
export function addSubscriptions(program: Command, terminal: Terminal): Command {
  const subscription = addResource<Subscription>(program, terminal, {
    noun: 'subscription',
    summary: 'outgoing webhooks: receivers of events',
    columns: [
      { title: 'name', of: ({ name }) => name },
      { title: 'status', of: ({ status }) => status },
      { title: 'breaker', of: ({ breaker }) => breaker?.state },
      { title: 'events', of: (one) => one.event_types },
      { title: 'url', of: ({ url }) => url },
      id,
    ],
    all: async (session) => lists.subscriptions(await session.person()),
  });
  subscription
    .command('create <name>')
    .summary('create a subscription for a receiver')
    .description('Subscribes an address to events. The signing secret is shown once.')
    .requiredOption('--url <address>', 'the receiver')
    .requiredOption('--events <types>', 'such as MESSAGE_CREATED,MESSAGE_UPDATED', listed)
    .option('--channel <name>', 'only these channels', listed)
    .option('--ordered', 'deliver events of a conversation in order')
    .option('--thin', 'ids instead of contents')
    .action(action(terminal, createSubscription));
  return subscription;
}

async function createSubscription(
  session: Session,
  name: string,
  options: { url: string; events: string[]; channel?: string[]; ordered?: boolean; thin?: boolean },
): Promise<void> {
  const client = await session.person();
  const channels = await Promise.all((options.channel ?? []).map((one) => channelNamed(client, one)));
  const body = {
    name,
    url: options.url,
    event_types: options.events,
    channel_ids: channels.map((channel) => channel.id),
    ...(options.ordered && { ordered: true }),
    ...(options.thin && { payload: 'thin' }),
  };
  const created = await client.call<{ subscription: Subscription; signing_secret: string }>(
    'POST',
    '/api/v1/admin/outgoing_webhooks',
    { body },
  );
  session.printer.show({ ...created.subscription, signing_secret: created.signing_secret });
}
