import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { callsDuring, eventually, statementsDuring } from '@tieline/testing';
import { Arguments } from './dispatcher/arguments.js';
import { slackId } from './ids/slack-ids.js';
import { SlackPlaces } from './messages/places.js';
import { SlackSurfaceModule } from './slack-surface.module.js';

/** What a call must not do: each of these costs as much as several of its steps. */
const WASTE = ['ApiError', 'SlackError', 'DOMException', 'createAbortSignal', 'parseJsonObject'];
const POST = ['bots.find_by_tokens', 'messages.post_if_free'];

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  const rates = { RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' };
  api = await startBotsApi(rates, [AppsModule, SlackSurfaceModule]);
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  channel = slackId('publicChannel', await fixture.channelOf(bot));
});
afterAll(async () => {
  agent.destroy();
  await api?.close();
});

/** Calls a method with a form, as Slack's clients do. */
async function call(method: string, args: Record<string, string>): Promise<Record<string, string>> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${api.url}/slack/api/${method}`, {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${bot.token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
      .once('response', resolve)
      .once('error', reject)
      .end(new URLSearchParams(args).toString()),
  );
  const body = JSON.parse(await text(response)) as Record<string, string>;
  expect(body).toMatchObject({ ok: true });
  return body;
}

async function post(): Promise<{ channel: string; ts: string }> {
  const { ts = '' } = await call('chat.postMessage', { channel, text: 'no mention' });
  return { channel, ts };
}

const postAndUpdate = async () => call('chat.update', { ...(await post()), text: 'changed' });

// Other work of the process may coincide with one call, but not with all.
test.each([
  ['chat.postMessage', post, POST],
  [
    'chat.update',
    postAndUpdate,
    [
      ...POST,
      'bots.find_by_tokens',
      'messages.find_at',
      'BEGIN',
      'conversations.lock_by_message',
      'conversations.find_messages_to_change',
      'conversations.find_membership',
      'messages.store_edits',
      'outbox.append',
      'COMMIT',
    ],
  ],
])('%s costs only these statements', async (_, run, statements) => {
  await run();
  await eventually(async () => expect(await statementsDuring(api.db, run)).toEqual(statements));
});

test('a conversation is read once', async () => {
  const other = slackId('publicChannel', await fixture.channelOf(bot));
  const reads = async () =>
    (
      await statementsDuring(api.db, () => call('chat.postMessage', { channel: other, text: 'hello' }))
    ).filter((name) => name === 'conversations.find_places').length;
  expect([await reads(), await reads()]).toEqual([1, 0]);
});

test('a process remembers the latest 10,000 conversations', async () => {
  const places = api.app.get(SlackPlaces);
  const rows = (await api.db.query(
    `INSERT INTO conversations (space_id, id, type, scope, created_by)
     SELECT space_id, gen_random_uuid(), 'channel', 'public', id FROM bots, generate_series(0, 10000) WHERE id = $1
     RETURNING space_id, id`,
    [bot.id],
  )) as { space_id: string; id: string }[];
  const spaceId = rows[0]?.space_id ?? '';
  const caller = { kind: 'bot', botId: bot.id, spaceId, channelIds: [], scopes: 'all' } as const;
  const find = ({ id } = { id: '' }) => {
    const args = Arguments.of(
      { channel: 'text' },
      { channel: slackId('publicChannel', id) },
      () => undefined,
    );
    return places.conversation({ caller, args, rest: () => Promise.reject(new Error('no call')) });
  };
  await Promise.all(rows.map(find));
  const reads = async (row?: { id: string }) => (await statementsDuring(api.db, () => find(row))).length;
  expect([await reads(rows.at(1)), await reads(rows.at(-1)), await reads(rows.at(0))]).toEqual([0, 0, 1]);
});

test.each([
  ['chat.postMessage', post],
  ['chat.update', postAndUpdate],
])('%s makes no error and no signal, and does not read its form as JSON', async (_, run) => {
  await run();
  await eventually(async () => {
    const calls = await callsDuring(run);
    expect(calls.get('slackId')).toBeGreaterThan(0);
    expect(WASTE.filter((name) => calls.get(name))).toEqual([]);
  });
});
