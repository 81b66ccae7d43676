import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { BotStatusModule } from '@tieline/live-stream';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

let api: TestApi;
let bot: SeededBot;
let channel_id: string;
let thread_ts: string;
let spaceId: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000' }, [
    AppsModule,
    BotStatusModule,
    SlackSurfaceModule,
  ]);
});
beforeEach(async () => {
  const fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  ({ spaceId } = fixture.space);
  channel_id = slackId('publicChannel', await fixture.channelOf(bot));
  thread_ts = (await call('chat.postMessage', { channel: channel_id, text: 'root' })).ts;
});
afterAll(() => api?.close());

async function call(method: string, args: object): Promise<any> {
  const { status, body } = await api.call('POST', `/slack/api/${method}`, { token: bot.token, body: args });
  expect(status).toBe(200);
  return body;
}

const session = (name: string, args: object): Promise<any> =>
  call(`agents.sessions.${name}`, { channel_id, thread_ts, ...args });
const statuses = (): Promise<unknown[]> =>
  readRows(api.db, 'SELECT text FROM bot_statuses WHERE bot_id = $1', [bot.id]);
const titles = (): Promise<unknown[]> =>
  readRows(api.db, 'SELECT title FROM conversations WHERE space_id = $1 AND title IS NOT NULL', [spaceId]);

test('agents.sessions.setStatus shows that the agent works until another state', async () => {
  for (const status of ['active', 'suspended', 'closed']) {
    expect(await session('setStatus', { status: 'processing' })).toEqual({
      ok: true,
      status: 'processing',
      agent_status: 'processing',
    });
    expect(await statuses()).toEqual([{ text: 'Working…' }]);
    expect(await session('setStatus', { status })).toMatchObject({ ok: true, agent_status: status });
    expect(await statuses()).toEqual([]);
  }
});

test('agents.sessions.setStatus gives a title only to a thread without one', async () => {
  expect(await session('setStatus', { status: 'processing', title: 'First' })).toMatchObject({
    title: 'First',
  });
  expect(await session('setStatus', { status: 'active', title: 'Second' })).toMatchObject({ title: 'First' });
  expect(await titles()).toEqual([{ title: 'First' }]);
});

test('agents.sessions.setStatus works without a thread, which then has no title', async () => {
  const answer = await session('setStatus', { thread_ts: '', status: 'processing', title: 'First' });
  expect(answer).toMatchObject({
    ok: true,
    response_metadata: { messages: ['[WARN] title: left out, only threads have one'] },
  });
  expect(answer).not.toHaveProperty('title');
  expect(await statuses()).toEqual([{ text: 'Working…' }]);
});

test('agents.sessions.rename changes the title of a thread', async () => {
  expect(await session('rename', { title: 'First' })).toEqual({ ok: true, title: 'First' });
  expect(await session('rename', { title: 'Second' })).toEqual({ ok: true, title: 'Second' });
  expect(await titles()).toEqual([{ title: 'Second' }]);
});

test.each([
  ['setStatus', { status: 'busy' }, 'invalid_arguments'],
  ['setStatus', {}, 'invalid_arguments'],
  ['setStatus', { status: 'active', channel_id: 'C1' }, 'channel_not_found'],
  ['setStatus', { status: 'active', thread_ts: '1.000000' }, 'thread_not_found'],
  ['rename', {}, 'invalid_arguments'],
  ['rename', { title: 'a', thread_ts: '' }, 'invalid_arguments'],
  ['rename', { title: 'a'.repeat(201) }, 'invalid_arguments'],
])('%s with %j gets %s', async (name, args, error) => {
  expect((await session(name, args)).error).toBe(error);
});
