import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { BotDirectory, CreateMessage } from '@tieline/conversations';
import { ComponentSigner } from '@tieline/interactive';
import { runInWorkerTx } from '@tieline/platform/database';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import { BotMessagesModule } from '../bot-messages.module.js';
import { PostScheduled } from './post-scheduled.js';

const DAY_MS = 86_400_000;

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000' }, [BotMessagesModule]);
});
beforeEach(async () => {
  await api.db.query('DELETE FROM scheduled_messages');
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString();
const call = (
  method: string,
  path = '',
  body?: unknown,
  headers = {},
  token = bot.token,
): Promise<TestAnswer> => api.call(method, `/api/v1/bot/scheduled_messages${path}`, { token, body, headers });
const schedule = (more: object = {}, headers = {}): Promise<TestAnswer> =>
  call(
    'POST',
    '',
    { conversation_id: channel, content: 'standup', post_at: inFuture(DAY_MS), ...more },
    headers,
  );
const scheduled = async (more: object = {}): Promise<string> =>
  (await schedule(more)).body.scheduled_message.id;
const listed = async (query = ''): Promise<any[]> => (await call('GET', query)).body.scheduled_messages;
/** Makes everything that waits due. */
const come = () =>
  api.db.query(`UPDATE scheduled_messages SET next_try_at = now(), post_at = least(post_at, now())`);
const worker = (): PostScheduled => {
  const { app } = api;
  const parts = [BotDirectory, CreateMessage, ComponentSigner].map((part) =>
    app.get(part as never, { strict: false }),
  ) as [BotDirectory, CreateMessage, ComponentSigner];
  return new PostScheduled(api.db, ...parts);
};
const fire = () => worker().run();
const texts = async (id = channel): Promise<string[]> =>
  (
    await readRows<{ text: string }>(
      api.db,
      'SELECT text FROM messages WHERE conversation_id = $1 ORDER BY msg_index',
      [id],
    )
  ).map(({ text }) => text);

test('a scheduled message is returned, listed and posted at its time, once', async () => {
  const postAt = inFuture(DAY_MS);
  const more = { post_at: postAt, display_name: 'Standup', metadata_json: '{"version":1}' };
  const { status, body } = await schedule(more);
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      scheduled_message: {
        id: expect.any(String),
        conversation_id: channel,
        post_at: postAt,
        state: 'scheduled',
        content: 'standup',
        display_name: 'Standup',
        metadata_json: '{"version":1}',
        created_at: expect.any(String),
      },
    },
  ]);
  expect(await listed()).toEqual([body.scheduled_message]);
  await fire();
  expect(await texts()).toEqual([]);
  await come();
  expect((await Promise.all([fire(), fire(), fire()])).flat()).toEqual([]);
  expect([await texts(), await listed()]).toEqual([['standup'], []]);
  expect((await fixture.chat.events()).at(-1)).toMatchObject({
    type: 'MESSAGE_CREATED',
    payload: { actor_id: bot.id, actor_type: 'bot' },
  });
});

test('a reply is posted in its thread', async () => {
  const root = await fixture.chat.post(channel, { id: bot.id, type: 'bot' }, 'root');
  await schedule({ parent_message_id: root.messageId });
  await come();
  await fire();
  expect(await readRows(api.db, `SELECT text FROM messages WHERE thread_id = $1`, [root.messageId])).toEqual([
    { text: 'standup' },
  ]);
});

test.each<[string, object, object]>([
  ['no time', { post_at: undefined }, { field: 'post_at' }],
  ['no RFC 3339 time', { post_at: 'tomorrow' }, { field: 'post_at' }],
  ['a time in the past', { post_at: '2020-01-01T00:00:00Z' }, { code: 'time_in_past' }],
  ['a time in 121 days', { post_at: inFuture(121 * DAY_MS) }, { code: 'time_too_far' }],
  ['no content', { content: '' }, { error: 'content or attachments required' }],
  ['too much content', { content: 'x'.repeat(4001) }, { error: 'content too long (max 4000 chars)' }],
  ['files', { attachments: [{ file_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d13' }] }, { field: 'attachments' }],
  [
    'an unknown parent',
    { parent_message_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d13' },
    { code: 'parent_not_found' },
  ],
])('%s gets 400', async (_, more, body) => {
  expect(await schedule(more)).toMatchObject({ status: 400, body });
  expect(await listed()).toEqual([]);
});

test('a bot schedules only where it may send', async () => {
  const other = await fixture.channelOf();
  expect(await schedule({ conversation_id: other })).toMatchObject({
    status: 403,
    body: { code: 'bot_not_in_conversation' },
  });
  await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect(await schedule()).toMatchObject({ status: 403, body: { code: 'conversation_archived' } });
});

test('a repeat with the same key schedules nothing more', async () => {
  const body = { post_at: inFuture(DAY_MS) };
  const answers = [
    await schedule(body, { 'idempotency-key': 'k' }),
    await schedule(body, { 'idempotency-key': 'k' }),
  ];
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect((await schedule({ ...body, content: 'b' }, { 'idempotency-key': 'k' })).status).toBe(409);
  expect(await listed()).toHaveLength(1);
});

test('pages cover the messages of a conversation once', async () => {
  const other = await fixture.channelOf(bot);
  const ids = [await scheduled(), await scheduled({ conversation_id: other }), await scheduled()];
  const first = (await call('GET', `?limit=1&conversation_id=${channel}`)).body;
  expect(first.scheduled_messages.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  const rest = `?limit=1&conversation_id=${channel}&cursor=${first.next_cursor}`;
  expect((await call('GET', rest)).body).toMatchObject({
    scheduled_messages: [{ id: ids[2] }],
    next_cursor: '',
  });
  expect((await call('GET', '?cursor=x')).status).toBe(400);
});

test('a deleted one is not posted; one of another bot or one that was posted gets 404', async () => {
  const [gone, posted] = [await scheduled({ content: 'gone' }), await scheduled()];
  const stranger = await fixture.bot();
  expect((await call('DELETE', `/${gone}`, undefined, {}, stranger.token)).status).toBe(404);
  expect((await call('DELETE', `/${gone}`)).status).toBe(200);
  await come();
  await fire();
  expect(await texts()).toEqual(['standup']);
  for (const id of [gone, posted, 'x']) expect((await call('DELETE', `/${id}`)).status).toBe(404);
});

test('a bot has at most 1,000, also when they come concurrently', async () => {
  await api.db.query(
    `INSERT INTO scheduled_messages (space_id, id, bot_id, conversation_id, content, post_at, next_try_at)
     SELECT $1, gen_random_uuid(), $2, $3, 'x', now() + interval '1 day', now() + interval '1 day' FROM generate_series(1, 998)`,
    [fixture.space.spaceId, bot.id, channel],
  );
  const answers = await Promise.all(Array.from({ length: 5 }, () => schedule()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
});

describe('what cannot be posted stays in the list for a week, with the reason:', () => {
  const failure = async (spoil: () => Promise<unknown>, expected: string): Promise<void> => {
    await schedule();
    await spoil();
    await come();
    expect(await fire()).toEqual([]);
    expect(await texts()).toEqual([]);
    expect(
      await readRows(
        api.db,
        `SELECT error_code AS code, round(extract(epoch FROM next_try_at - now()) / 86400)::int AS days FROM scheduled_messages`,
      ),
    ).toEqual([{ code: expected, days: 7 }]);
  };

  test('the conversation was archived', async () => {
    const archive = () =>
      api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    await failure(archive, 'conversation_archived');
    expect(await listed()).toMatchObject([{ state: 'failed', error_code: 'conversation_archived' }]);
    await come();
    await fire();
    expect(await listed()).toEqual([]);
  });

  test('the bot left', () =>
    failure(
      () => api.call('POST', `/api/v1/bot/conversations/${channel}/leave`, { token: bot.token }),
      'bot_not_in_conversation',
    ));

  test('the bot was deactivated', () =>
    failure(() => fixture.admin('PATCH', `/bots/${bot.id}`, { is_active: false }), 'bot_inactive'));
});

test('messages of an inactive space wait without delaying others', async () => {
  await schedule();
  const other = await BotsFixture.of(api);
  const theirs = await other.bot();
  const place = await other.channelOf(theirs);
  const body = { conversation_id: place, content: 'theirs', post_at: inFuture(DAY_MS) };
  await call('POST', '', body, {}, theirs.token);
  await api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [fixture.space.spaceId]);
  await come();
  await fire();
  expect([await texts(), await texts(place)]).toEqual([[], ['theirs']]);
  await api.db.query('UPDATE spaces SET is_active = true WHERE id = $1', [fixture.space.spaceId]);
  await come();
  await fire();
  expect(await texts()).toEqual(['standup']);
});

test('a worker that dies between the claim and the commit posts nothing, the next one posts it once', async () => {
  const { db } = api;
  await schedule();
  await come();
  let fired: Promise<unknown> = Promise.resolve();
  await runInWorkerTx(db, async (tx) => {
    await mayIdle(tx);
    await tx.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [channel]);
    fired = fire().catch((error: unknown) => error);
    const posting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH posted AS%'`;
    await eventually(async () => expect(await db.query(`SELECT 1 ${posting}`)).toHaveLength(1));
    await db.query(`SELECT pg_terminate_backend(pid) ${posting}`);
    await eventually(async () => expect(await db.query(`SELECT 1 ${posting}`)).toHaveLength(0));
  });
  await fired;
  expect(await texts()).toEqual([]);
  await come();
  await fire();
  await fire();
  expect([await texts(), await listed()]).toEqual([['standup'], []]);
});
