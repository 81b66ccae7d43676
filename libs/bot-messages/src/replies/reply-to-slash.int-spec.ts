import type { SeededBot } from '@tieline/bots/testing';
import { CreateMessage, PostMessage } from '@tieline/conversations';
import { ComponentSigner, InteractiveModule } from '@tieline/interactive';
import { CommitUnknown, openDb, runInWorkerTx } from '@tieline/platform/database';
import { eventually, mayIdle, readRows, startTcpProxy } from '@tieline/testing';
import { SlashHarness } from '@tieline/slash/testing';
import type { SeededCommand } from '@tieline/slash/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { BotMessagesModule } from '../bot-messages.module.js';
import { ReplyToSlash } from './reply-to-slash.js';

const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';
const BUTTONS = JSON.stringify({
  version: 1,
  blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Go' }] }],
});

let rig: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  // A callback in these tests posts over HTTP before it responds.
  rig = await SlashHarness.start({ CALLBACK_TIMEOUT_MS: '30000' }, [InteractiveModule, BotMessagesModule]);
});
beforeEach(async () => {
  rig.receiver.respond(200);
  command = await rig.command();
  channel = await rig.channel();
});
afterAll(() => rig?.close());

/**
 * Invokes the command.
 * @returns its trigger
 */
async function trigger({
  name = command.name,
  thread_id,
}: { name?: string; thread_id?: string } = {}): Promise<string> {
  const { body } = await rig.invoke(channel, `/${name}`, { thread_id });
  return body.trigger_id as string;
}

function reply(
  triggerId: string,
  body: object = {},
  { token = command.bot.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  return rig.api.call('POST', '/api/v1/bot/messages', {
    token,
    body: { content: 'done', ...body },
    headers: { 'x-service-trigger-id': triggerId, ...headers },
  });
}

const waitingForLocks = async (): Promise<number> =>
  (
    await rig.api.db.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length;
const refusal = ({ status, body }: TestAnswer): unknown[] => [status, body.error];
const texts = async (): Promise<string[]> => (await rig.messages(channel)).map(({ text }) => text);
const expire = (triggerId: string) =>
  rig.api.db.query(
    `UPDATE slash_triggers SET expires_at = clock_timestamp() - interval '1 millisecond' WHERE id = $1`,
    [triggerId],
  );

test('later answers change the posted message', async () => {
  const triggerId = await trigger();
  const { response_token: token } = JSON.parse(rig.receiver.requests.at(-1)!.body.toString());
  await reply(triggerId.toUpperCase(), { content: 'Working' });
  const late = { token: command.bot.token, body: { update_message: { text: 'Done' } } };
  expect((await rig.api.call('POST', `/api/v1/bot/responses/${token}`, late)).status).toBe(200);
  expect(await texts()).toEqual(['Done']);
});

test('the answer is posted as the bot where the command was given, without membership, and nothing in the body changes that', async () => {
  const other = await rig.channel(command.bot);
  const root = (await rig.fixture.chat.post(other, { id: rig.person.id, type: 'user' }, 'root')).messageId;
  const sent = await reply((await trigger()).toUpperCase(), {
    conversation_id: other,
    parent_message_id: root,
    thread_id: root,
    bot_id: UNKNOWN,
    display_name: 'Boss',
    display_avatar_url: 'https://example.com/a.png',
    metadata_json: '{ "note": 1 }',
  });
  expect([sent.status, sent.body]).toEqual([
    200,
    { ok: true, message_id: expect.any(String), warnings: ['unknown field: bot_id'] },
  ]);
  const [message, ...more] = await rig.messages(channel);
  expect(message).toMatchObject({
    id: sent.body.message_id,
    conversation_id: channel,
    text: 'done',
    author_id: command.bot.id,
    author_type: 'bot',
    metadata_json: '{ "note": 1 }',
  });
  expect(message).not.toHaveProperty('display_name');
  expect(message).not.toHaveProperty('thread_id');
  expect([more, await rig.messages(other, root)]).toEqual([[], []]);
});

test('a command in a thread is answered there', async () => {
  const root = (await rig.fixture.chat.post(channel, { id: rig.person.id, type: 'user' }, 'root')).messageId;
  const { body } = await reply(await trigger({ thread_id: root }));
  expect(await rig.messages(channel, root)).toEqual([
    expect.objectContaining({ id: body.message_id, thread_id: root, parent_message_id: root }),
  ]);
});

test('a trigger works once: of ten concurrent answers one is posted, the others get 410', async () => {
  const id = await trigger();
  // No one can post while this is locked: two requests wait for it, the others wait for a
  // connection.
  const responses = await runInWorkerTx(rig.api.db, async (tx) => {
    await mayIdle(tx);
    await tx.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [channel]);
    const replies = Array.from({ length: 10 }, () => reply(id));
    await eventually(async () => expect(await waitingForLocks()).toBe(2));
    return { replies };
  }).then(({ replies }) => Promise.all(replies));
  expect(responses.map(({ status }) => status).sort()).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 410),
  ]);
  expect(refusal(await reply(id))).toEqual([410, 'trigger already used']);
  expect(await texts()).toEqual(['done']);
});

test('a synchronous text consumes the trigger; a failed callback and an acknowledgement do not', async () => {
  rig.receiver.respond({ status: 200, body: { text: 'here you are' } });
  expect(refusal(await reply(await trigger()))).toEqual([410, 'trigger already used']);
  for (const answer of [500, 204, { status: 200, body: 'no JSON' }]) {
    rig.receiver.respond(answer);
    expect((await reply(await trigger())).status).toBe(200);
  }
});

test('an answer by trigger that overtakes the synchronous one wins, and the person gets an acknowledgement', async () => {
  rig.receiver.respond(async ({ headers }) => {
    expect((await reply(String(headers['x-service-trigger-id']), { content: 'first' })).status).toBe(200);
    return { status: 200, body: { response_type: 'in_channel', text: 'second' } };
  });
  expect((await rig.invoke(channel, `/${command.name}`)).body.result).toBe('ack');
  expect(await texts()).toEqual(['first']);
});

test('an expired trigger gets 410 as long as it is known; its lifetime is configurable', async () => {
  const id = await trigger();
  const [row] = await readRows<{ life: number }>(
    rig.api.db,
    'SELECT extract(epoch FROM expires_at - created_at)::int AS life FROM slash_triggers WHERE id = $1',
    [id],
  );
  expect(row?.life).toBe(300);
  await expire(id);
  expect(refusal(await reply(id))).toEqual([410, 'trigger expired']);
  expect(await texts()).toEqual([]);
});

test('unknown and foreign triggers and malformed ids get 404', async () => {
  const other = await rig.otherSpace();
  const foreign = await other.command();
  const { body } = await other.invoke(await other.channel(), `/${foreign.name}`);
  for (const id of [UNKNOWN, 'x', body.trigger_id])
    expect(refusal(await reply(id as string))).toEqual([404, 'trigger not found']);
  expect((await reply(body.trigger_id as string, {}, { token: foreign.bot.token })).status).toBe(200);
});

describe('a refused answer does not consume the trigger', () => {
  let id: string;
  let stranger: SeededBot;
  beforeEach(async () => {
    id = await trigger();
    stranger = await rig.fixture.bot();
  });
  afterEach(async () => {
    expect((await reply(id)).status).toBe(200);
    expect(await texts()).toEqual(['done']);
  });

  test.each<[string, object, string]>([
    ['no content', { content: undefined }, 'content is required'],
    ['blank content', { content: ' \n' }, 'content is required'],
    ['text in place of content', { content: undefined, text: 'hello' }, 'content is required'],
    ['4001 characters', { content: 'x'.repeat(4001) }, 'content too long (max 4000 chars)'],
    ['a file', { attachments: [{ file_id: UNKNOWN }] }, 'attachments are not supported with a trigger'],
    [
      'a file alone',
      { content: '', attachments: [{ file_id: UNKNOWN }] },
      'attachments are not supported with a trigger',
    ],
    ['metadata as an object', { metadata_json: {} }, 'metadata_json must be a string'],
    [
      'a broken schema',
      { metadata_json: BUTTONS.replace('"go"', '"G O"') },
      'blocks[0].elements[0].action_id',
    ],
    [
      'buttons of a bot that cannot receive clicks',
      { metadata_json: BUTTONS },
      'interactive blocks need a callback_url or poll mode',
    ],
  ])('%s: 400', async (_, body, text) => {
    const response = await reply(id, body);
    expect(refusal(response)).toEqual([400, expect.stringContaining(text)]);
  });

  test("another bot gets 403, also for a used or expired trigger, and a person's token 401", async () => {
    expect(refusal(await reply(id, {}, { token: stranger.token }))).toEqual([403, 'trigger of another bot']);
    const used = await trigger();
    const [, expired] = [await reply(used, { content: 'done' }), await trigger()];
    await expire(expired);
    for (const other of [used, expired])
      expect((await reply(other, {}, { token: stranger.token })).status).toBe(403);
    expect((await reply(id, {}, { token: rig.person.token })).status).toBe(401);
    await rig.api.db.query('DELETE FROM messages WHERE conversation_id = $1', [channel]);
  });

  test('an archived conversation gets 403', async () => {
    await rig.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    expect(refusal(await reply(id))).toEqual([403, 'conversation is archived']);
    await rig.api.db.query('UPDATE conversations SET archived_at = NULL WHERE id = $1', [channel]);
  });

  test('a bad idempotency key gets 400', async () => {
    expect(refusal(await reply(id, {}, { headers: { 'idempotency-key': 'a b' } }))).toEqual([
      400,
      'invalid idempotency key',
    ]);
  });
});

test('a repeat with the same idempotency key returns the first message', async () => {
  const id = await trigger();
  const headers = { 'idempotency-key': id };
  const first = await reply(id, {}, { headers });
  const second = await reply(id, {}, { headers });
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect((await reply(id, { content: 'other' }, { headers })).status).toBe(409);
  expect(await texts()).toEqual(['done']);
});

test('buttons of an answer are signed like any others', async () => {
  const bot = await rig.fixture.bot({ event_delivery_mode: 'poll' });
  const polled = await rig.command({ bot, callback_url: '' });
  const { status } = await reply(
    await trigger({ name: polled.name }),
    { metadata_json: BUTTONS },
    { token: bot.token },
  );
  expect(status).toBe(200);
  const [message] = await rig.messages(channel);
  expect(JSON.parse(message!.metadata_json!).blocks[0].elements[0]).toMatchObject({
    action_id: 'go',
    signed_token: expect.stringMatching(/^i1\./),
  });
});

test('a trigger outlives its command, but not its bot', async () => {
  const [first, second] = [await trigger(), await trigger()];
  expect((await rig.manage('DELETE', command.bot, { name: command.name })).status).toBe(200);
  expect((await reply(first)).status).toBe(200);
  await rig.fixture.admin('PATCH', `/bots/${command.bot.id}`, { is_active: false });
  expect((await reply(second)).status).toBe(401);
});

test.each([
  ['after', 1],
  ['before', 0],
] as const)(
  'a reply without a key whose COMMIT was cut %s the server received it is returned as it is stored',
  async (verdict, stored) => {
    const triggerId = await trigger();
    const proxy = await startTcpProxy(rig.api.db.pool.options.connectionString as string);
    const cut = await openDb({ databaseUrl: proxy.url });
    cut.pool.on('error', () => undefined);
    proxy.cutWhen((bytes) => (bytes.includes('COMMIT') ? verdict : undefined));
    const createMessage = rig.api.app.get(CreateMessage, { strict: false });
    const signer = rig.api.app.get(ComponentSigner, { strict: false });
    const postMessage = new PostMessage(cut, createMessage);
    const replyToSlash = new ReplyToSlash(cut, createMessage, postMessage, signer);
    const { id: botId } = command.bot;
    const bot = {
      kind: 'bot',
      botId,
      spaceId: rig.fixture.space.spaceId,
      channelIds: [],
      scopes: 'all',
    } as const;
    try {
      const given = { triggerId, text: { content: 'done', metadata: undefined } };
      const answer = await replyToSlash.run(bot, given, undefined).catch((error: unknown) => error);
      const messages = await rig.messages(channel);
      expect(messages).toHaveLength(stored);
      // A reply that is not stored gets an error that allows sending it again.
      if (stored === 0) expect(answer).toBeInstanceOf(CommitUnknown);
      else expect(answer).toEqual({ messageId: messages[0]?.id });
      expect((await reply(triggerId)).status).toBe(stored === 0 ? 200 : 410);
    } finally {
      await cut.close();
      await proxy.close();
    }
  },
);
