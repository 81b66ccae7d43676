import { createHmac } from 'node:crypto';
import bolt from '@slack/bolt';
import type { App } from '@slack/bolt';
import { eventually, freePort } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { boltApp } from './bolt-app.js';
import { SILENT } from './silent-logger.js';
import { SlackWorkspace, spelled } from './slack-workspace.js';
import type { SlackBot } from './slack-workspace.js';

type Json = Record<string, any>;

let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await SlackWorkspace.start();
});
afterAll(() => slack?.close());

/** What an app saw, by the name of its listener. */
type Seen = Record<'message' | 'changed' | 'mention' | 'reaction' | 'command', Json[]>;

/** The listeners of the official starter, and a record of what they get. */
function listen(app: App, name: string): Seen {
  const seen: Seen = { message: [], changed: [], mention: [], reaction: [], command: [] };
  app.message(async ({ message, body }) => void seen.message.push({ ...message, body }));
  app.event('message', async ({ event }) => {
    if (event.subtype === 'message_changed') seen.changed.push(event);
  });
  app.event('app_mention', async ({ event }) => void seen.mention.push(event));
  app.event('reaction_added', async ({ event }) => void seen.reaction.push(event));
  app.command(`/${name}`, async ({ command, ack, respond }) => {
    seen.command.push(command);
    if (command.text === 'now') return ack({ response_type: 'in_channel', text: '*done* now' });
    if (command.text === 'text') return ack('only _you_ see this');
    await ack();
    await respond({ response_type: 'in_channel', text: 'done *later*' });
  });
  return seen;
}

const react = (messageId: string): Promise<Json> =>
  slack.client('PUT', `/messages/${messageId}/reactions/:tada:`);

const run = (text: string): Promise<Json> =>
  slack.client('POST', `/conversations/${slack.channel}/commands`, { text });

const textsInChannel = async (): Promise<string[]> => {
  const path = `/api/v1/channels/${slack.channel}/messages?limit=20`;
  const { messages } = await expectOk(call(slack.api, 'GET', path, slack.workspace.ownerToken));
  return messages.map(({ text }: Json) => text);
};

const command = (bot: SlackBot, name: string, url?: string): Promise<Json> =>
  expectOk(
    call(slack.api, 'POST', `/api/v1/bots/${bot.id}/commands`, bot.token, {
      name,
      ...(url !== undefined && { callback_url: url }),
    }),
  );

/** Checks what both receivers of Bolt must see. */
async function useEverything(bot: SlackBot, seen: Seen, name: string): Promise<void> {
  const messageId = await slack.say(`hello <@${bot.id}>`);
  await eventually(() => expect([seen.message.length, seen.mention.length]).toEqual([1, 1]));
  const [message, mention] = [seen.message[0]!, seen.mention[0]!];
  const user = expect.stringMatching(/^U[A-Z2-7]{26}$/);
  expect(message).toMatchObject({
    type: 'message',
    channel_type: 'channel',
    user,
    text: expect.stringMatching(/^hello <@U[A-Z2-7]{26}>$/),
    client_msg_id: messageId,
  });
  expect(mention).toMatchObject({ ts: message.ts, channel: message.channel, text: message.text });
  expect(message.body).toMatchObject({
    type: 'event_callback',
    team_id: expect.stringMatching(/^T/),
    api_app_id: expect.stringMatching(/^A/),
    authorizations: [{ is_bot: true, user_id: user }],
  });
  await react(messageId);
  await eventually(() => expect(seen.reaction).toHaveLength(1));
  expect(seen.reaction[0]).toMatchObject({
    reaction: 'tada',
    item: { ts: message.ts },
    item_user: message.user,
  });
  expect(await run(`/${name} now`)).toMatchObject({ result: 'in_channel', text: '**done** now' });
  expect(await run(`/${name} text`)).toMatchObject({ result: 'ephemeral', text: 'only *you* see this' });
  expect(await run(`/${name} more words`)).toMatchObject({ result: 'ack' });
  await eventually(async () => expect(await textsInChannel()).toContain('done **later**'));
  expect(seen.command.at(-1)).toMatchObject({
    command: `/${name}`,
    text: 'more words',
    user_id: message.user,
    channel_id: message.channel,
    channel_name: 'channel-0',
    team_domain: 'e2e',
    is_enterprise_install: 'false',
    response_url: expect.stringContaining('/slack/responses/T'),
  });
}

const quiet = { logger: SILENT as never, logLevel: 'error' as never };

test('a Bolt app in socket mode gets events and commands, also after a kill -9 of the api', async () => {
  const bot = await slack.bot({ event_delivery_mode: 'poll' });
  await command(bot, 'socket');
  const app = boltApp(slack, bot, 'socket');
  const seen = listen(app, 'socket');
  await app.start();
  try {
    await useEverything(bot, seen, 'socket');
    await slack.replaceApi();
    // The first call may meet a connection of the killed process.
    await eventually(() => slack.say('after the kill'));
    await eventually(() => expect(seen.message.map(({ text }) => text)).toContain('after the kill'), {
      timeoutMs: 30_000,
    });
  } finally {
    await app.stop();
  }
});

test('a Bolt app behind HTTP gets events and commands', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/slack/events`;
  const bot = await slack.bot({ event_delivery_mode: 'webhook', webhook_url: url });
  await command(bot, 'http', url);
  const app = boltApp(slack, bot, 'HTTP');
  const seen = listen(app, 'http');
  await app.start(port);
  try {
    await useEverything(bot, seen, 'http');
  } finally {
    await app.stop();
  }
});

describe.each(['socket', 'HTTP'] as const)('an app of a Slack manifest (%s)', (mode) => {
  test('gets only the events that the manifest subscribes to', async () => {
    const port = mode === 'HTTP' ? await freePort() : undefined;
    const bot = await slack.appOf({
      display_information: { name: `Mentions (${mode})` },
      oauth_config: { scopes: { bot: ['app_mentions:read', 'im:history', 'channels:join'] } },
      settings: {
        event_subscriptions: {
          ...(port !== undefined && { request_url: `http://127.0.0.1:${port}/slack/events` }),
          bot_events: ['app_mention', 'message.im'],
        },
        socket_mode_enabled: mode === 'socket',
      },
    });
    const app = boltApp(slack, bot, mode);
    const seen = listen(app, 'unused');
    await (port === undefined ? app.start() : app.start(port));
    try {
      const { conversation_id: chat } = await slack.client('POST', '/dm', { user_id: bot.id });
      await slack.say('without a mention');
      await react(await slack.say(`hello <@${bot.id}>`));
      await slack.client('POST', `/conversations/${chat}/messages`, { text: 'directly' });
      await eventually(() => expect([seen.mention.length, seen.message.length]).toEqual([1, 1]));
      expect(seen.message[0]).toMatchObject({ channel_type: 'im', text: 'directly' });
      await slack.say(`again <@${bot.id}>`);
      await eventually(() => expect(seen.mention).toHaveLength(2));
      expect([seen.message.length, seen.changed, seen.reaction]).toEqual([1, [], []]);
    } finally {
      await app.stop();
    }
  });
});

test('an app with another signing secret answers 401, which ends the delivery', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/slack/events`;
  const bot = await slack.bot({
    event_delivery_mode: 'webhook',
    webhook_url: url,
    event_types: ['MESSAGE_CREATED'],
  });
  await command(bot, 'forged', url);
  const app = new bolt.App({ ...quiet, token: spelled('xoxb-', bot), signingSecret: 'another' });
  const seen = listen(app, 'forged');
  await app.start(port);
  try {
    await slack.say('not for you');
    await eventually(async () =>
      expect((await slack.admin('GET', `/bots/${bot.id}/deliveries`)).deliveries).toMatchObject([
        { status: 'dead', event_type: 'slack.message', attempts: 1 },
      ]),
    );
    expect(await run('/forged')).toMatchObject({ text: expect.stringContaining('did not answer') });
    expect(seen.message).toEqual([]);
  } finally {
    await app.stop();
  }
});

test('every attempt is signed for its time, and a retry has its number and reason', async () => {
  const receiver = await slack.tieline.receiver();
  receiver.respond(503);
  const bot = await slack.bot({
    event_delivery_mode: 'webhook',
    webhook_url: `${receiver.url}/slack/events`,
    event_types: ['MESSAGE_CREATED'],
  });
  await slack.say('twice');
  await receiver.waitFor(1);
  receiver.respond(200);
  const [first, second] = await receiver.waitFor(2);
  for (const { headers, body } of [first!, second!]) {
    const timestamp = String(headers['x-slack-request-timestamp']);
    const signed = createHmac('sha256', bot.secret).update(`v0:${timestamp}:`).update(body).digest('hex');
    expect(headers['x-slack-signature']).toBe(`v0=${signed}`);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
  }
  expect(second!.body.equals(first!.body)).toBe(true);
  expect(first!.headers).not.toHaveProperty('x-slack-retry-num');
  expect(second!.headers).toMatchObject({
    'x-slack-retry-num': '1',
    'x-slack-retry-reason': 'http_error',
    'content-type': 'application/json',
  });
});
