import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { BotPromptsModule, BotStatusModule } from '@tieline/live-stream';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channelUuid: string;
let channel: string;
let thread_ts: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000' }, [
    AppsModule,
    BotPromptsModule,
    BotStatusModule,
    SlackSurfaceModule,
  ]);
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  channelUuid = await fixture.channelOf(bot);
  channel = slackId('publicChannel', channelUuid);
  thread_ts = (await call('chat.postMessage', { channel, text: 'root' })).ts;
  await call('chat.postMessage', { channel, text: 'reply', thread_ts });
});
afterAll(() => api?.close());

async function call(method: string, args: object): Promise<any> {
  const { status, body } = await api.call('POST', `/slack/api/${method}`, { token: bot.token, body: args });
  expect(status).toBe(200);
  return body;
}

const statuses = () => readRows<{ text: string }>(api.db, 'SELECT text FROM bot_statuses');

test('assistant.threads.setStatus shows a status, cuts a long one, and an empty one removes it', async () => {
  const args = { channel_id: channel, thread_ts, loading_messages: ['Reading…'] };
  expect(await call('assistant.threads.setStatus', { ...args, status: 'is thinking…' })).toEqual({
    ok: true,
  });
  expect(await statuses()).toEqual([{ text: 'is thinking…' }]);
  await call('assistant.threads.setStatus', { ...args, status: 'a'.repeat(300) });
  expect(await statuses()).toEqual([{ text: 'a'.repeat(100) }]);
  expect(await call('assistant.threads.setStatus', { ...args, status: '' })).toEqual({ ok: true });
  expect(await statuses()).toEqual([]);
});

test('assistant.threads.setSuggestedPrompts replaces the prompts of a chat or a thread', async () => {
  const prompts = [{ title: 'Summarize', message: 'Summarize this' }];
  const read = async (query = '') =>
    (
      await api.call('GET', `/api/v1/client/conversations/${channelUuid}/prompts${query}`, {
        token: fixture.space.owner.token,
      })
    ).body;
  expect(
    await call('assistant.threads.setSuggestedPrompts', {
      channel_id: channel,
      title: 'Try',
      prompts: JSON.stringify(prompts),
    }),
  ).toEqual({ ok: true });
  expect(JSON.stringify(await read())).toContain('Summarize this');
  expect(
    (await call('assistant.threads.setSuggestedPrompts', { channel_id: channel, prompts: {} })).error,
  ).toBe('invalid_arguments');
  expect(
    (await call('assistant.threads.setSuggestedPrompts', { channel_id: channel, prompts: [{ title: '' }] }))
      .error,
  ).toBe('invalid_arguments');
});

test('assistant.threads.setTitle sets the title of a thread', async () => {
  expect(
    await call('assistant.threads.setTitle', { channel_id: channel, thread_ts, title: 'Release' }),
  ).toEqual({ ok: true });
  expect(
    await readRows(api.db, 'SELECT title FROM conversations WHERE parent_conversation_id = $1', [
      channelUuid,
    ]),
  ).toEqual([{ title: 'Release' }]);
  expect((await call('assistant.threads.setTitle', { channel_id: channel, title: 'x' })).error).toBe(
    'invalid_arguments',
  );
  expect(
    (await call('assistant.threads.setTitle', { channel_id: channel, thread_ts: '1.000000', title: 'x' }))
      .error,
  ).toBe('thread_not_found');
});
