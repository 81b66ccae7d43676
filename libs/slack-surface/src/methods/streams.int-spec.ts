import { createRequire } from 'node:module';
import { AgentRunsModule } from '@tieline/agent-runs';
import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { BotStatusModule } from '@tieline/live-stream';
import { limitedToken } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';
import { slackToken } from '../tokens/token-spellings.js';
import { sentAtOf, tsOf } from '../ts/ts.js';

type Answer = Record<string, any>;
interface Streamer {
  ts?: string;
  append(args: object): Promise<Answer | null>;
  stop(args?: object): Promise<Answer>;
}
const { WebClient } = createRequire(import.meta.url)('@slack/web-api') as {
  WebClient: new (token: string, options: object) => { chatStream(args: object): Streamer };
};

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;
let channelUuid: string;
/** `ts` of a person's question. */
let thread_ts: string;
let recipient: { recipient_user_id: string; recipient_team_id: string };

beforeAll(async () => {
  const rates = { RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' };
  api = await startBotsApi(rates, [AgentRunsModule, AppsModule, BotStatusModule, SlackSurfaceModule]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  const { owner, spaceId } = fixture.space;
  bot = await fixture.bot();
  channelUuid = await fixture.chat.conversation({
    members: [
      { id: bot.id, type: 'bot' },
      { id: owner.id, type: 'user' },
    ],
  });
  channel = slackId('publicChannel', channelUuid);
  thread_ts = await say('Why did the build fail?');
  recipient = { recipient_user_id: slackId('user', owner.id), recipient_team_id: slackId('space', spaceId) };
});
afterAll(() => api?.close());

/** Posts a message of the owner and returns its `ts`. */
async function say(text: string, parent?: string): Promise<string> {
  const path = `/api/v1/client/conversations/${channelUuid}/messages`;
  const { body } = await api.call('POST', path, {
    token: fixture.space.owner.token,
    body: { text, ...(parent !== undefined && { parent_message_id: parent }) },
  });
  const [row] = await readRows<{ sent_at: string }>(
    api.db,
    `SELECT to_char(sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS sent_at FROM messages WHERE id = $1`,
    [body.message_id],
  );
  return tsOf(row!.sent_at);
}

async function call(method: string, args: object, token = bot.token): Promise<any> {
  const { status, body } = await api.call('POST', `/slack/api/${method}`, {
    token,
    body: { channel, ...args },
  });
  expect(status).toBe(200);
  return body;
}

interface Run {
  id: string;
  status: string;
  public_text: string;
}

/** Returns the run whose message was sent at a `ts`, if it is one. */
async function runAt(ts: string): Promise<Run | undefined> {
  const [run] = await readRows<Run>(
    api.db,
    `SELECT r.id, r.status, r.public_text FROM agent_runs r JOIN messages m ON m.id = r.message_id WHERE m.sent_at = $1`,
    [sentAtOf(ts)],
  );
  return run;
}

/** Returns the text that people see. */
async function textAt(ts: string): Promise<string> {
  const [row] = await readRows<{ text: string }>(api.db, 'SELECT text FROM messages WHERE sent_at = $1', [
    sentAtOf(ts),
  ]);
  return row!.text;
}

/** Returns a message as an app reads it. */
async function read(ts: string): Promise<any> {
  const { messages } = await call('conversations.replies', { ts: thread_ts, include_all_metadata: true });
  return messages.find((one: { ts: string }) => one.ts === ts);
}

const start = (args: object = {}): Promise<any> =>
  call('chat.startStream', { thread_ts, ...recipient, ...args });
const markdown = (text: string): object => ({ type: 'markdown_text', text });
const task = (status: string, more: object = {}): object => ({
  type: 'task_update',
  id: 'read',
  title: 'Read the log',
  status,
  ...more,
});

describe('a stream that answers a person', () => {
  test('is a run that grows and completes', async () => {
    const started = await start({ markdown_text: 'The linker' });
    const { ts } = started;
    expect(started).toEqual({ ok: true, channel, ts: expect.stringMatching(/^\d{10}\.\d{6}$/) });
    expect(await runAt(ts)).toMatchObject({ status: 'finalizing', public_text: 'The linker' });
    const appended = await call('chat.appendStream', { ts, chunks: [markdown(' ran out'), markdown(' of')] });
    expect(appended).toEqual({ ok: true, channel, ts });
    const stopped = await call('chat.stopStream', { ts, markdown_text: ' **memory**' });
    expect(stopped).toMatchObject({
      ok: true,
      channel,
      ts,
      message: { ts, thread_ts, text: 'The linker ran out of *memory*', user: slackId('user', bot.id) },
    });
    expect(await runAt(ts)).toMatchObject({
      status: 'completed',
      public_text: 'The linker ran out of **memory**',
    });
    expect(await read(ts)).toMatchObject({ thread_ts, text: 'The linker ran out of *memory*' });
  });

  test('loses no piece of concurrent calls', async () => {
    const { ts } = await start();
    const pieces = ['a', 'a', 'a', 'a'];
    const answers = await Promise.all(
      pieces.map((markdown_text) => call('chat.appendStream', { ts, markdown_text })),
    );
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect((await runAt(ts))!.public_text).toBe('aaaa');
  });

  test('can be stopped by people and then refuses more', async () => {
    const { ts } = await start({ markdown_text: 'The' });
    const { id } = (await runAt(ts))!;
    const stop = await api.call('POST', `/api/v1/client/agent_runs/${id}/stop`, {
      token: fixture.space.owner.token,
    });
    expect(stop.status).toBe(200);
    expect((await call('chat.stopStream', { ts })).ok).toBe(true);
    for (const method of ['appendStream', 'stopStream'])
      expect((await call(`chat.${method}`, { ts, markdown_text: 'x' })).error).toBe(
        'message_not_in_streaming_state',
      );
    expect((await call('chat.update', { ts, text: 'edited' })).ok).toBe(true);
  });

  test('without any text is cancelled by its end', async () => {
    const { ts } = await start();
    expect((await call('chat.stopStream', { ts })).ok).toBe(true);
    expect(await runAt(ts)).toMatchObject({ status: 'cancelled' });
  });

  test('answers the latest message of the recipient where a bot wrote the root', async () => {
    const { ts } = await call('chat.postMessage', { text: 'root' });
    const [{ id }] = (await readRows<{ id: string }>(api.db, 'SELECT id FROM messages WHERE sent_at = $1', [
      sentAtOf(ts),
    ])) as [{ id: string }];
    await say('and now?', id);
    const stream = await start({ thread_ts: ts, markdown_text: 'Now' });
    expect(await runAt(stream.ts)).toMatchObject({ public_text: 'Now' });
  });

  test('continues as an edited message once it has tasks', async () => {
    const { ts } = await start({ markdown_text: 'Looking.', task_display_mode: 'plan' });
    await call('chat.appendStream', {
      ts,
      chunks: [{ type: 'plan_update', title: 'Plan' }, task('in_progress')],
    });
    expect(await runAt(ts)).toMatchObject({ status: 'completed' });
    expect(await textAt(ts)).toContain('⏳ Read the log');
    await call('chat.appendStream', { ts, chunks: [task('complete', { output: 'out of memory' })] });
    const { message } = await call('chat.stopStream', { ts, chunks: [markdown(' Done.')] });
    expect(message.blocks).toMatchObject([
      { type: 'markdown', text: 'Looking.' },
      { type: 'plan', title: 'Plan', tasks: [{ task_id: 'read', status: 'complete' }] },
      { type: 'markdown', text: ' Done.' },
    ]);
    expect(await read(ts)).toMatchObject({ blocks: message.blocks, text: message.text });
    expect(await textAt(ts)).toContain('✅ Read the log');
  });

  test('continues as an edited message beyond 4,000 characters', async () => {
    const { ts } = await start({ markdown_text: 'a'.repeat(3000) });
    expect((await call('chat.appendStream', { ts, markdown_text: 'b'.repeat(3000) })).ok).toBe(true);
    expect((await call('chat.appendStream', { ts, markdown_text: 'c' })).ok).toBe(true);
    expect((await call('chat.stopStream', { ts })).message.text).toBe(
      `${'a'.repeat(3000)}${'b'.repeat(3000)}c`,
    );
    expect(await textAt(ts)).toHaveLength(4000);
  });

  test('ends with blocks and metadata, and refuses invalid ones before it ends', async () => {
    const { ts } = await start({ markdown_text: 'Done' });
    expect((await call('chat.stopStream', { ts, blocks: [{}] })).error).toBe('invalid_blocks');
    expect((await call('chat.stopStream', { ts, session_status: 'busy' })).error).toBe('invalid_arguments');
    const blocks = [{ type: 'divider' }];
    const metadata = { event_type: 'answer', event_payload: { id: 7 } };
    expect((await call('chat.stopStream', { ts, blocks, metadata, session_status: 'active' })).ok).toBe(true);
    expect(await read(ts)).toMatchObject({
      blocks: [{ type: 'markdown', text: 'Done' }, ...blocks],
      metadata,
    });
  });
});

describe('a stream without a message to answer', () => {
  beforeEach(async () => {
    thread_ts = (await call('chat.postMessage', { text: 'root' })).ts;
  });

  test('is a message that every addition edits', async () => {
    const { ts } = await start({ username: 'Ada' });
    expect(await runAt(ts)).toBeUndefined();
    expect(await textAt(ts)).toBe('…');
    await call('chat.appendStream', { ts, markdown_text: 'Hello' });
    await call('chat.appendStream', { ts, markdown_text: ' world' });
    expect(await textAt(ts)).toBe('Hello world');
    expect((await call('chat.stopStream', { ts })).message).toMatchObject({ text: 'Hello world', thread_ts });
    expect((await call('chat.stopStream', { ts })).error).toBe('message_not_in_streaming_state');
    expect(await read(ts)).not.toHaveProperty('blocks');
  });

  test('loses no piece of concurrent calls', async () => {
    const { ts } = await start();
    await Promise.all(
      ['a', 'a', 'b'].map((markdown_text) => call('chat.appendStream', { ts, markdown_text })),
    );
    expect([...(await textAt(ts))].sort()).toEqual(['a', 'a', 'b']);
  });
});

test('a token without the scope runs gets a message', async () => {
  const token = limitedToken(bot.token, 'messages:write', 'messages:read');
  const { ts } = await call('chat.startStream', { thread_ts, ...recipient, markdown_text: 'a' }, token);
  expect(await runAt(ts)).toBeUndefined();
  expect(await textAt(ts)).toBe('a');
});

test('streams are refused with the errors of Slack', async () => {
  const without = (name: string): object => ({ ...recipient, [name]: '' });
  const errorOf = async (method: string, args: object): Promise<string> =>
    (await call(`chat.${method}`, args)).error;
  expect(await errorOf('startStream', { thread_ts })).toBe('missing_recipient_user_id');
  expect(await errorOf('startStream', { thread_ts, ...without('recipient_team_id') })).toBe(
    'missing_recipient_team_id',
  );
  expect(await errorOf('startStream', { thread_ts, ...recipient, recipient_team_id: 'T1' })).toBe(
    'team_not_found',
  );
  expect(await errorOf('startStream', { thread_ts, ...recipient, recipient_user_id: 'U1' })).toBe(
    'user_not_found',
  );
  expect(await errorOf('startStream', { ...recipient, thread_ts: '1.000000' })).toBe('thread_not_found');
  expect(await errorOf('startStream', { ...recipient, task_display_mode: 'grid' })).toBe('invalid_arguments');
  const { ts } = await start({ markdown_text: 'a' });
  expect(await errorOf('appendStream', { ts })).toBe('no_text');
  expect(await errorOf('appendStream', { ts, markdown_text: 'a'.repeat(12_001) })).toBe('msg_too_long');
  expect(await errorOf('appendStream', { ts, chunks: [{ type: 'image' }] })).toBe('invalid_arguments');
  expect(await errorOf('appendStream', { ts, chunks: [task('done')] })).toBe('invalid_arguments');
  expect(await errorOf('appendStream', { ts, chunks: [{ type: 'blocks', blocks: [{}] }] })).toBe(
    'invalid_blocks',
  );
  expect(await errorOf('appendStream', { ts: '1.000000', markdown_text: 'a' })).toBe('message_not_found');
  expect(await errorOf('appendStream', { ts: thread_ts, markdown_text: 'a' })).toBe(
    'message_not_owned_by_app',
  );
  const { ts: posted } = await call('chat.postMessage', { text: 'no stream' });
  expect(await errorOf('appendStream', { ts: posted, markdown_text: 'a' })).toBe(
    'message_not_in_streaming_state',
  );
});

test.each([true, false])('chatStream of @slack/web-api streams (answers a person: %s)', async (isAnswer) => {
  if (!isAnswer) thread_ts = (await call('chat.postMessage', { text: 'root' })).ts;
  const client = new WebClient(slackToken(bot.token), {
    slackApiUrl: `${api.url}/slack/api/`,
    logLevel: 'error',
  });
  const streamer = client.chatStream({ channel, thread_ts, ...recipient, buffer_size: 8 });
  for (const text of ['The linker ', 'ran ', 'out of ', 'memory.'])
    await streamer.append({ markdown_text: text });
  await streamer.append({ chunks: [task('complete')] });
  const { message } = await streamer.stop({ markdown_text: 'Bye.', blocks: [{ type: 'divider' }] });
  expect(message.blocks.map(({ type }: { type: string }) => type)).toEqual([
    'markdown',
    'task_card',
    'markdown',
    'divider',
  ]);
  expect(await read(streamer.ts!)).toMatchObject({ blocks: message.blocks });
});
