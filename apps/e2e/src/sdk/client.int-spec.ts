import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@tieline/sdk/client';
import type { Envelope, PolledEvent, WebSocketClass } from '@tieline/sdk/client';
import { IncomingWebhook, explain, verify } from '@tieline/sdk/signatures';
import type { Scheme } from '@tieline/sdk/signatures';
import { eventually } from '@tieline/testing';
import type { AppProcess, ReceivedRequest } from '@tieline/testing';
import { WebSocket } from 'ws';
import { createWorkspace, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';
import { StableAddress } from './stable-address.js';

let folder: string;
let tieline: Tieline;
let address: StableAddress;
let api: AppProcess;
let workspace: Workspace;
let bot: Client;
let owner: Client;
let channel: string;
let stop: AbortController;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tieline-client-'));
  address = await StableAddress.open();
  const env = { DATA_DIR: folder, PUBLIC_URL: address.url, RATE_POLL_PER_SECOND: '1000' };
  tieline = await Tieline.create({
    ...env,
    STREAM_KEEPALIVE_SECONDS: '1',
    SOCKET_PING_SECONDS: '1',
    SOCKET_ACK_SECONDS: '2',
  });
  [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  address.target = new URL(api.url);
});
beforeEach(async () => {
  stop = new AbortController();
  workspace = await createWorkspace(address);
  channel = workspace.channels[0]!;
  const webSocket = WebSocket as unknown as WebSocketClass;
  bot = new Client({ url: address.url, token: workspace.botToken, webSocket });
  owner = new Client({ url: address.url, token: workspace.ownerToken });
});
afterEach(() => stop.abort());
afterAll(async () => {
  await tieline?.close();
  await address?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Retried, because a kept-alive connection to the killed api may break on the first attempt. */
const say = (text: string, conversation = channel) =>
  owner.call('POST', `/api/v1/client/conversations/${conversation}/messages`, {
    body: { text },
    repeatable: true,
  });
const mode = (event_delivery_mode: string) =>
  owner.call('PATCH', `/api/v1/admin/bots/${workspace.botId}`, {
    body: { event_delivery_mode, event_types: ['MESSAGE_CREATED'] },
  });

/** Collects items until it is stopped. */
function collect<Item>(items: AsyncIterable<Item>): { items: Item[]; ended: Promise<void> } {
  const taken: Item[] = [];
  const ended = (async () => {
    for await (const item of items) taken.push(item);
  })();
  ended.catch(() => undefined);
  return { items: taken, ended };
}

test('a message is sent, edited, reacted to, pinned, read and deleted', async () => {
  const { message_id: id } = await bot.messages.send({
    conversation_id: channel,
    content: 'Hi',
    blocks: [{ type: 'divider' }],
  });
  await bot.messages.edit(id, { content: 'Hello' });
  await bot.messages.react(id, '🎉');
  await bot.messages.pin(id);
  expect(await bot.messages.get(id)).toMatchObject({ text: 'Hello', pinned_at: expect.any(String) });
  await bot.messages.unpin(id);
  await bot.messages.unreact(id, '🎉');
  await bot.messages.delete(id);
  await expect(bot.messages.get(id)).rejects.toMatchObject({
    status: 410,
    code: 'message_deleted',
    requestId: expect.any(String),
  });
  const { user } = await owner.call<{ user: { id: string } }>('GET', '/api/v1/client/me');
  await bot.messages.ephemeral({ conversation_id: channel, user_id: user.id, content: 'psst' });
  const dm = await bot.dm(user.id);
  expect(await bot.dm(user.id)).toBe(dm);
  await bot.join(channel);
});

test('one key creates one message, however often it is sent', async () => {
  const message = { conversation_id: channel, content: 'once' };
  const first = await bot.messages.send(message, { idempotencyKey: 'k-1' });
  expect(await bot.messages.send(message, { idempotencyKey: 'k-1' })).toEqual(first);
  await expect(
    bot.messages.send({ ...message, content: 'other' }, { idempotencyKey: 'k-1' }),
  ).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect((await bot.messages.send(message)).message_id).not.toBe(first.message_id);
});

test('lists and history are read page by page to the end', async () => {
  for (let n = 1; n <= 5; n++) await say(`m${n}`);
  const texts = async (options: object) => {
    const { items, ended } = collect(bot.history(channel, options));
    await ended;
    return items.map(({ text }) => text);
  };
  const all = ['m1', 'm2', 'm3', 'm4', 'm5'];
  expect(await texts({ order: 'oldest' })).toEqual(all);
  expect(await texts({})).toEqual([...all].reverse());
  expect(await texts({ order: 'oldest', from: 3 })).toEqual(['m4', 'm5']);
  for (const name of ['a', 'b', 'c'])
    await owner.call('POST', '/api/v1/client/conversations', { body: { name, is_public: true } });
  const listed = collect(
    owner.list<{ name: string }>('/api/v1/client/conversations', { query: { limit: 2 } }),
  );
  await listed.ended;
  expect(listed.items.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'channel-0']);
  for (const [list, count] of [
    [bot.conversations({ member: true }), 1],
    [bot.conversations(), 4],
    [bot.members(channel), 2],
    [bot.people(), 1],
  ] as const) {
    const { items, ended } = collect(list as AsyncIterable<unknown>);
    await ended;
    expect(items).toHaveLength(count);
  }
});

test('a file is uploaded in one call and attached', async () => {
  const content = new TextEncoder().encode('day,visitors\n1,20\n');
  const file = await bot.upload({
    conversation_id: channel,
    content,
    file_name: 'visitors.csv',
    mime_type: 'text/csv',
  });
  expect(file).toMatchObject({ status: 'ready', file_name: 'visitors.csv', file_size: content.length });
  const sent = await bot.messages.send({
    conversation_id: channel,
    attachments: [{ file_id: file.file_id }],
  });
  expect(sent.attachment_status).toBe('attached');
});

test('a restarted reader continues polling after the last acknowledged event', async () => {
  await mode('poll');
  let saved = '';
  const cursors = { load: () => saved, save: (cursor: string) => void (saved = cursor) };
  type Payload = { text: string };
  const read = () => collect(bot.events<Payload>({ cursors, signal: stop.signal }));
  const first = read();
  for (const text of ['one', 'two', 'three']) await say(text);
  await eventually(() => expect(first.items).toHaveLength(3));
  const texts = (events: PolledEvent<Payload>[]) => events.map(({ payload }) => payload.text);
  expect(texts(first.items)).toEqual(['one', 'two', 'three']);
  await first.items[2]!.ack();
  await first.items[0]!.ack();
  stop.abort();
  await first.ended;
  stop = new AbortController();
  const second = read();
  await eventually(() => expect(second.items).toHaveLength(2));
  await say('four');
  await eventually(() => expect(second.items).toHaveLength(3));
  expect(texts(second.items)).toEqual(['two', 'three', 'four']);
  await mode('none');
  await expect(second.ended).rejects.toMatchObject({ status: 400 });
});

test('direct messages and socket continue without loss after the api is killed', async () => {
  await mode('poll');
  const { conversation_id: dm } = await owner.call<{ conversation_id: string }>('POST', '/api/v1/client/dm', {
    body: { user_id: workspace.botId },
  });
  const options = { signal: stop.signal, silenceMs: 60_000 };
  const direct = collect(bot.directMessages(options));
  const open: string[] = [];
  let held: Envelope | undefined;
  const seen: string[] = [];
  const envelopes = (async () => {
    for await (const envelope of bot.socket<{ data: { text: string } }>({
      ...options,
      onOpen: () => open.push('open'),
    })) {
      seen.push(envelope.payload.data.text);
      if (envelope.payload.data.text !== '1') envelope.ack();
      else held = envelope;
    }
  })();
  await say('1', dm);
  await eventually(() => expect([direct.items.length, seen]).toEqual([1, ['1']]));
  const next = await tieline.start('api');
  address.target = new URL(next.url);
  await api.kill('SIGKILL');
  held?.ack();
  await say('2', dm);
  await say('3', dm);
  await eventually(() => expect(seen).toEqual(['1', '2', '3']));
  await eventually(() => expect(direct.items.map(({ text }) => text)).toEqual(['1', '2', '3']));
  expect(open).toHaveLength(2);
  stop.abort();
  await Promise.all([direct.ended, envelopes]);
});

test('requests from Tieline are verified in each scheme and with each secret of a rotation', async () => {
  const receiver = await tieline.receiver();
  const secretOf = (answer: unknown) => (answer as { signing_secret: string }).signing_secret;
  const subscription = { name: 'e2e', url: `${receiver.url}/outgoing`, event_types: ['MESSAGE_CREATED'] };
  const made = await owner.call<{ subscription: { id: string } }>('POST', '/api/v1/admin/outgoing_webhooks', {
    body: subscription,
  });
  await owner.call('PATCH', `/api/v1/admin/bots/${workspace.botId}`, {
    body: { webhook_url: `${receiver.url}/push` },
  });
  await mode('webhook');
  const push = await bot.call('POST', '/api/v1/bot/webhook/rotate_secret');
  const path = `/api/v1/admin/outgoing_webhooks/${made.subscription.id}/rotate_secret`;
  const rotated = await owner.call('POST', path, { body: { overlap_seconds: 600 } });
  const buttons = await bot.call('PATCH', '/api/v1/bot/interactive_config', {
    body: { callback_url: `${receiver.url}/buttons` },
  });

  await say('signed');
  const at = (place: string) => receiver.waitFor(({ url }) => url.startsWith(place));
  const both = [secretOf(made), secretOf(rotated)];
  await expectGenuine(await at('/outgoing'), both, ['outgoing', 'standard_webhooks']);
  await expectGenuine(await at('/push'), [secretOf(push)], ['bot_push', 'standard_webhooks']);

  const elements = [{ type: 'button', action_id: 'go', text: 'Go' }];
  const { message_id: id } = await bot.messages.send({
    conversation_id: channel,
    content: 'x',
    blocks: [{ type: 'actions', elements }],
  });
  const [message] = (await collected(owner.history(channel))).filter((each) => each.id === id);
  const { blocks } = JSON.parse(message!.metadata_json as string);
  receiver.respond({ body: { ephemeral_text: 'Gone' } });
  const click = { action_id: 'go', signed_token: blocks[0].elements[0].signed_token };
  expect(
    await owner.call('POST', `/api/v1/client/messages/${id}/interactions`, { body: click }),
  ).toMatchObject({ ephemeral_text: 'Gone' });
  await expectGenuine(await at('/buttons'), [secretOf(buttons)], ['outgoing']);
});

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const taken = collect(items);
  await taken.ended;
  return taken.items;
}

/** Each secret verifies each scheme, and without a scheme the best one is chosen. */
async function expectGenuine({ headers, body }: ReceivedRequest, secrets: string[], schemes: Scheme[]) {
  for (const secret of secrets) {
    for (const scheme of schemes)
      expect(await verify({ scheme, secret, headers, body })).toMatchObject({ ok: true });
    expect(await verify({ secret, headers, body })).toMatchObject({ ok: true, scheme: schemes.at(-1) });
    expect(await explain({ secret, headers, body: `${body}\n` })).toMatchObject({
      ok: false,
      hint: expect.stringContaining('line break'),
    });
  }
}

test('an incoming webhook accepts signed requests once and supports edit, resolve and delete', async () => {
  const body = { name: 'ops', conversation_id: channel };
  const made = await owner.call<{ url: string; signing_secret: string }>(
    'POST',
    '/api/v1/admin/incoming_webhooks',
    { body },
  );
  const url = new URL(new URL(made.url).pathname, address.url).href;
  for (const scheme of ['incoming_native', 'incoming_compat'] as const) {
    const hook = new IncomingWebhook({ url, secret: made.signing_secret, scheme });
    const alert = { text: 'CPU is high', severity: 'critical', dedup_key: `cpu-${scheme}` } as const;
    const { message_id: id } = await hook.send(alert);
    expect(await hook.send(alert)).toMatchObject({ message_id: id });
    expect(await hook.resolve(alert.dedup_key)).toMatchObject({ message_id: id });
    expect(await bot.messages.get(id)).toMatchObject({ text: '[RESOLVED] CPU is high' });
    const { message_id: other } = await hook.send('Disk is full');
    await hook.edit(other, 'Disk is fine');
    expect(await bot.messages.get(other)).toMatchObject({ text: 'Disk is fine' });
    await hook.delete(other);
    await expect(bot.messages.get(other)).rejects.toMatchObject({ status: 410 });
  }
  const stranger = new IncomingWebhook({ url, secret: 'whsec_b3RoZXIgc2VjcmV0LCBhbHNvIG9mIDMyIGJ5dGVzISE=' });
  await expect(stranger.send('Hi')).rejects.toMatchObject({
    status: 401,
    message: expect.not.stringContaining(url),
  });
});
