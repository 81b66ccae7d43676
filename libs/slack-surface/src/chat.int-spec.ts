import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { limitedToken } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { slackId } from './ids/slack-ids.js';
import { SlackSurfaceModule } from './slack-surface.module.js';
import { sentAtOf } from './ts/ts.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;
let channelUuid: string;

beforeAll(async () => {
  const rates = { RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' };
  api = await startBotsApi(rates, [AppsModule, SlackSurfaceModule]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
  channelUuid = await fixture.channelOf(bot);
  channel = slackId('publicChannel', channelUuid);
});
afterAll(() => api?.close());

async function call(method: string, args: object, token = bot.token): Promise<any> {
  const { status, body } = await api.call('POST', `/slack/api/${method}`, { token, body: args });
  expect(status).toBe(200);
  return body;
}

interface StoredMessage {
  id: string;
  text: string;
  text_derived: boolean | null;
  metadata_json: string | null;
  source_json: string | null;
  thread_id: string | null;
  display_name: string | null;
  mentions: string[] | null;
}

/** Returns the message that was sent at a `ts`. */
async function stored(ts: string): Promise<StoredMessage> {
  const [row] = await readRows<StoredMessage>(api.db, 'SELECT * FROM messages WHERE sent_at = $1', [
    sentAtOf(ts),
  ]);
  return row!;
}

const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });

describe('chat.postMessage', () => {
  test('concurrent calls post into their own conversations', async () => {
    const channels = [channel, slackId('publicChannel', await fixture.channelOf(bot))];
    const unknown = slackId('publicChannel', bot.id);
    const calls = [...channels, unknown, ...channels].map((one) =>
      call('chat.postMessage', { channel: one, text: 'hello' }),
    );
    const answers = await Promise.all(calls);
    expect(answers.map((answer) => answer.channel ?? answer.error)).toEqual([
      ...channels,
      'channel_not_found',
      ...channels,
    ]);
  });

  test('posts a text and answers with the message', async () => {
    const body = await call('chat.postMessage', { channel, text: 'Hello *you* &amp; <https://x.test|x>' });
    expect(body).toEqual({
      ok: true,
      channel,
      ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
      message: {
        type: 'message',
        user: slackId('user', bot.id),
        bot_id: slackId('bot', bot.id),
        app_id: slackId('app', bot.id),
        text: 'Hello *you* &amp; <https://x.test|x>',
        ts: body.ts,
        team: slackId('space', fixture.space.spaceId),
      },
    });
    expect((await stored(body.ts)).text).toBe('Hello **you** & [x](https://x.test)');
  });

  test('keeps blocks, attachments and metadata as sent and shows what can be shown', async () => {
    const metadata = { event_type: 'deploy', event_payload: { id: 7 } };
    const blocks = [
      section('*Deployed*'),
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'A b!', text: { type: 'plain_text', text: 'Undo' } }],
      },
      { type: 'novel' },
    ];
    const attachments = [{ color: '#36a64f', text: 'done' }];
    const body = await call('chat.postMessage', {
      channel,
      text: 'fallback',
      blocks: JSON.stringify(blocks),
      attachments,
      metadata,
    });
    expect(body.message).toMatchObject({ text: 'fallback', blocks, attachments, metadata });
    expect(body.response_metadata.messages).toEqual([
      '[WARN] blocks of type novel are not shown [json-pointer:/blocks/2]',
    ]);
    const row = await stored(body.ts);
    const identified = [blocks[0], { ...blocks[1], block_id: expect.any(String) }, blocks[2]];
    expect(JSON.parse(row.source_json!)).toEqual({
      text: 'fallback',
      blocks: identified,
      attachments,
      metadata,
    });
    expect(JSON.parse(row.metadata_json!).blocks).toEqual([section('*Deployed*')]);
    expect(row.text_derived).toBe(true);
  });

  test('derives the text of a message that has only blocks', async () => {
    const { ts } = await call('chat.postMessage', { channel, blocks: [section('only a block')] });
    expect(await stored(ts)).toMatchObject({ text: 'only a block', text_derived: true });
  });

  test('finds the channel by its name and the direct chat by the person', async () => {
    await api.db.query("UPDATE conversations SET name = 'Deploys' WHERE id = $1", [channelUuid]);
    expect((await call('chat.postMessage', { channel: '#deploys', text: 'x' })).channel).toBe(channel);
    const person = slackId('user', fixture.space.owner.id);
    const first = await call('chat.postMessage', { channel: person, text: 'hi' });
    expect(first.channel).toMatch(/^D/);
    expect((await call('chat.postMessage', { channel: person, text: 'again' })).channel).toBe(first.channel);
  });

  test('replies in a thread by the ts of its root or of a reply', async () => {
    const root = await call('chat.postMessage', { channel, text: 'root' });
    const reply = await call('chat.postMessage', { channel, text: 'one', thread_ts: root.ts });
    expect(reply).toMatchObject({ channel, message: { thread_ts: root.ts } });
    const second = await call('chat.postMessage', { channel, text: 'two', thread_ts: reply.ts });
    const { id } = await stored(root.ts);
    expect((await stored(second.ts)).thread_id).toBe(id);
    expect(await call('chat.update', { channel, ts: second.ts, text: 'three' })).toMatchObject({
      ok: true,
      ts: second.ts,
    });
  });

  test('mentions people by their id', async () => {
    const { owner } = fixture.space;
    const { ts } = await call('chat.postMessage', { channel, text: `Look, <@${slackId('user', owner.id)}>` });
    expect(await stored(ts)).toMatchObject({ text: `Look, <@${owner.id}>`, mentions: [owner.id] });
  });

  test('uses a name and a picture, and warns about what has no effect', async () => {
    const body = await call('chat.postMessage', {
      channel,
      text: 'x',
      username: 'Deploys',
      icon_emoji: ':tada:',
      icon_url: 'http://x.test/a.png',
    });
    expect(body.message.username).toBe('Deploys');
    expect(body.response_metadata.messages).toEqual([
      '[WARN] argument without effect: icon_emoji',
      '[WARN] icon_url: left out, it must be an HTTPS address',
    ]);
    expect((await stored(body.ts)).display_name).toBe('Deploys');
  });

  test('returns a text of up to 40,000 characters and shows 4,000 of it', async () => {
    const text = 'a'.repeat(40_000);
    const body = await call('chat.postMessage', { channel, text });
    expect(body.message.text).toBe(text);
    expect(body.response_metadata.messages).toEqual(['[WARN] text: 4000 of 40000 characters are shown']);
    expect([...(await stored(body.ts)).text]).toHaveLength(4000);
  });

  test.each<[string, () => object, string]>([
    ['no channel', () => ({ text: 'x' }), 'channel_not_found'],
    [
      'an unknown channel',
      () => ({ channel: slackId('publicChannel', bot.id), text: 'x' }),
      'channel_not_found',
    ],
    ['an unknown name', () => ({ channel: '#nowhere', text: 'x' }), 'channel_not_found'],
    ["a channel id of Slack's", () => ({ channel: 'C012AB3CD', text: 'x' }), 'channel_not_found'],
    ['no text', () => ({ channel }), 'no_text'],
    ['a blank text', () => ({ channel, text: ' \n ' }), 'no_text'],
    ['a long text', () => ({ channel, text: 'a'.repeat(40_001) }), 'msg_too_long'],
    ['blocks that are no list', () => ({ channel, blocks: '{}' }), 'invalid_blocks_format'],
    ['blocks that are no JSON', () => ({ channel, text: 'x', blocks: '[{' }), 'invalid_arguments'],
    ['blocks without type', () => ({ channel, text: 'x', blocks: [{}] }), 'invalid_blocks'],
    [
      '51 blocks',
      () => ({ channel, text: 'x', blocks: Array(51).fill({ type: 'divider' }) }),
      'invalid_blocks',
    ],
    [
      '101 attachments',
      () => ({ channel, text: 'x', attachments: Array(101).fill({ text: 'x' }) }),
      'too_many_attachments',
    ],
    [
      'huge blocks',
      () => ({ channel, text: 'x', blocks: [section('a'.repeat(140_000))] }),
      'msg_blocks_too_long',
    ],
    [
      'metadata without type',
      () => ({ channel, text: 'x', metadata: { event_payload: {} } }),
      'invalid_metadata_format',
    ],
    ['an unknown thread', () => ({ channel, text: 'x', thread_ts: '1700000000.000001' }), 'thread_not_found'],
    ['a malformed thread', () => ({ channel, text: 'x', thread_ts: 'yesterday' }), 'thread_not_found'],
    ['a text that is an object', () => ({ channel, text: {} }), 'invalid_arguments'],
  ])('refuses %s and posts nothing', async (_, args, error) => {
    const count = () => readRows(api.db, 'SELECT count(*) FROM messages');
    const before = await count();
    expect(await call('chat.postMessage', args())).toMatchObject({ ok: false, error });
    expect(await count()).toEqual(before);
  });

  test('refuses foreign, private and archived channels and tokens without the scope', async () => {
    const other = await BotsFixture.of(api);
    const foreign = slackId('publicChannel', await other.channelOf(await other.bot()));
    expect((await call('chat.postMessage', { channel: foreign, text: 'x' })).error).toBe('channel_not_found');
    const stranger = await fixture.bot();
    expect((await call('chat.postMessage', { channel, text: 'x' }, stranger.token)).error).toBe(
      'not_in_channel',
    );
    expect(
      await call('chat.postMessage', { channel, text: 'x' }, limitedToken(bot.token, 'users:read')),
    ).toMatchObject({
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'users:read',
    });
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channelUuid]);
    expect((await call('chat.postMessage', { channel, text: 'x' })).error).toBe('is_archived');
  });
});

describe('chat.update and chat.delete', () => {
  test('replace and remove what was sent', async () => {
    const { ts } = await call('chat.postMessage', { channel, text: 'x', blocks: [section('x')] });
    const body = await call('chat.update', { channel, ts, text: 'y' });
    expect(body).toMatchObject({
      ok: true,
      channel,
      ts,
      text: 'y',
      message: { text: 'y', user: slackId('user', bot.id) },
    });
    expect(await stored(ts)).toMatchObject({
      text: 'y',
      metadata_json: null,
      text_derived: null,
      source_json: '{"text":"y"}',
    });
    expect(await call('chat.delete', { channel, ts })).toEqual({ ok: true, channel, ts });
    expect(await stored(ts)).toMatchObject({ text: '', source_json: null });
    expect((await call('chat.delete', { channel, ts })).error).toBe('message_not_found');
  });

  test('a native edit removes what was sent to Slack', async () => {
    const { ts } = await call('chat.postMessage', { channel, text: 'x', blocks: [section('x')] });
    const { id } = await stored(ts);
    await api.call('PATCH', `/api/v1/bot/messages/${id}`, { token: bot.token, body: { content: 'native' } });
    expect(await stored(ts)).toMatchObject({ text: 'native', source_json: null });
  });

  test('refuse messages of others, unknown ones and a malformed ts', async () => {
    const other = await fixture.bot();
    const { ts } = await call('chat.postMessage', { channel, text: 'x' });
    expect((await call('chat.update', { channel, ts, text: 'y' }, other.token)).error).toBe(
      'cant_update_message',
    );
    expect((await call('chat.delete', { channel, ts }, other.token)).error).toBe('cant_delete_message');
    expect((await call('chat.update', { channel, ts: '1.000000', text: 'y' })).error).toBe(
      'message_not_found',
    );
    expect((await call('chat.update', { channel, text: 'y' })).error).toBe('invalid_arguments');
  });
});

test('chat.meMessage posts in italics', async () => {
  const { ts } = await call('chat.meMessage', { channel, text: 'waves' });
  expect((await stored(ts)).text).toBe('_waves_');
});

test('chat.getPermalink answers with the address of the message', async () => {
  const { ts } = await call('chat.postMessage', { channel, text: 'x' });
  const { id } = await stored(ts);
  expect(await call('chat.getPermalink', { channel, message_ts: ts })).toEqual({
    ok: true,
    channel,
    permalink: expect.stringContaining(id),
  });
});

test('a rate that is used up is 429 with whole seconds', async () => {
  const strict = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '1' }, [AppsModule, SlackSurfaceModule]);
  try {
    const own = await BotsFixture.of(strict);
    const refused = await withinOneWindow(strict, async () => {
      const fast = await own.bot();
      const place = slackId('publicChannel', await own.channelOf(fast));
      const send = () =>
        strict.call('POST', '/slack/api/chat.postMessage', {
          token: fast.token,
          body: { channel: place, text: 'x' },
        });
      const answers = await Promise.all([send(), send(), send(), send(), send()]);
      return answers.find(({ status }) => status === 429)!;
    });
    expect(refused.body).toMatchObject({ ok: false, error: 'ratelimited' });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  } finally {
    await strict.close();
  }
});
