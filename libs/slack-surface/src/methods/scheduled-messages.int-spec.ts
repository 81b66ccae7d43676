import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000' }, [AppsModule, SlackSurfaceModule]);
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  channel = slackId('publicChannel', await fixture.channelOf(bot));
});
afterAll(() => api?.close());

async function call(method: string, args: object): Promise<any> {
  const { status, body } = await api.call('POST', `/slack/api/chat.${method}`, {
    token: bot.token,
    body: args,
  });
  expect(status).toBe(200);
  return body;
}
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

test('a message is scheduled, listed and deleted', async () => {
  const postAt = inSeconds(3600);
  const made = await call('scheduleMessage', { channel, text: 'standup', post_at: postAt });
  expect(made).toMatchObject({ ok: true, channel, post_at: postAt, message: { text: 'standup' } });
  const { scheduled_message_id: id } = made;
  for (const args of [{}, { channel }])
    expect(await call('scheduledMessages.list', args)).toMatchObject({
      scheduled_messages: [{ id, channel_id: channel, post_at: postAt, text: 'standup' }],
      response_metadata: { next_cursor: '' },
    });
  const gone = { channel, scheduled_message_id: id };
  expect(await call('deleteScheduledMessage', gone)).toEqual({ ok: true });
  expect((await call('deleteScheduledMessage', gone)).error).toBe('invalid_scheduled_message_id');
  expect((await call('scheduledMessages.list', {})).scheduled_messages).toEqual([]);
});

test('blocks are stored as they were sent', async () => {
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*standup*' } }];
  const made = await call('scheduleMessage', { channel, text: 'x', blocks, post_at: inSeconds(60) });
  const [row] = await readRows<{ source_json: string; text_derived: boolean }>(
    api.db,
    'SELECT source_json, text_derived FROM scheduled_messages WHERE id = $1',
    [made.scheduled_message_id],
  );
  expect(JSON.parse(row!.source_json)).toEqual({ text: 'x', blocks });
  expect(row!.text_derived).toBe(true);
});

test.each([
  [{ post_at: 1 }, 'time_in_past'],
  [{ post_at: inSeconds(121 * 86_400) }, 'time_too_far'],
  [{}, 'invalid_arguments'],
  [{ channel: 'C1', post_at: inSeconds(3600) }, 'channel_not_found'],
])('%j gets %s', async (args, error) => {
  expect((await call('scheduleMessage', { channel, text: 'a', ...args })).error).toBe(error);
});
