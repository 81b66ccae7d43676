import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { Scope } from '@tieline/platform/http';
import { limitedToken } from '@tieline/spaces/testing';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { slackId, uuidOf } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let ann: SeededPerson;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000' }, [AppsModule, SlackSurfaceModule]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  ann = await fixture.space.person('member', 'Ann');
});
afterAll(() => api?.close());

async function call(method: string, args: object, token = bot.token): Promise<any> {
  const path = `/slack/api/conversations.${method}`;
  const { status, body } = await api.call('POST', path, { token, body: args });
  expect(status).toBe(200);
  return body;
}
const create = async (args: object = {}): Promise<string> =>
  (await call('create', { name: 'incident', ...args })).channel.id;
const stored = async (channel: string) =>
  (
    await api.call('GET', `/api/v1/bot/conversations/${uuidOf(channel, 'publicChannel', 'privateChannel')}`, {
      token: bot.token,
    })
  ).body.conversation;
const user = ({ id }: { id: string }): string => slackId('user', id);
/** A public channel of Ann with the bot and perhaps others in it. */
const channelOfAnn = async (...others: SeededBot[]): Promise<string> =>
  slackId(
    'publicChannel',
    await fixture.chat.conversation({
      members: [
        { id: ann.id, type: 'user' },
        ...[bot, ...others].map(({ id }) => ({ id, type: 'bot' as const })),
      ],
    }),
  );

test('an incident bot creates a channel, describes, renames and archives it', async () => {
  const { channel } = await call('create', { name: '#incident', is_private: true });
  expect(channel).toMatchObject({
    id: expect.stringMatching(/^G/),
    name: 'incident',
    is_private: true,
    is_member: true,
    is_archived: false,
    creator: user(bot),
    created: expect.any(Number),
    topic: { value: '' },
  });
  expect(await call('setTopic', { channel: channel.id, topic: 'Outage' })).toMatchObject({
    ok: true,
    topic: 'Outage',
    channel: { topic: { value: 'Outage' } },
  });
  expect((await call('setPurpose', { channel: channel.id, purpose: 'July' })).purpose).toBe('July');
  expect((await call('rename', { channel: channel.id, name: 'incident-7' })).channel.name).toBe('incident-7');
  expect(await call('archive', { channel: channel.id })).toEqual({ ok: true });
  expect(await stored(channel.id)).toMatchObject({
    name: 'incident-7',
    topic: 'Outage',
    purpose: 'July',
    archived_at: expect.any(String),
  });
  expect((await call('setTopic', { channel: channel.id, topic: 'a' })).error).toBe('is_archived');
  expect(await call('unarchive', { channel: channel.id })).toEqual({ ok: true });
  expect((await call('setTopic', { channel: channel.id, topic: '' })).channel.topic.value).toBe('');
});

test('invites people and bots in one call, and removes them', async () => {
  const other = await fixture.bot();
  const channel = await create();
  const invited = await call('invite', { channel, users: `${user(ann)},${user(other)}` });
  expect(invited).toMatchObject({ ok: true, channel: { id: channel } });
  expect(await call('kick', { channel, user: user(ann) })).toEqual({ ok: true });
  expect((await call('kick', { channel, user: user(ann) })).error).toBe('not_in_channel');
});

test('a token of a person acts as the person', async () => {
  const { channel } = await call('create', { name: 'mine' }, ann.token);
  expect(channel).toMatchObject({ creator: user(ann), is_channel: true });
});

test('marks and closes without effect', async () => {
  const channel = await create();
  expect(await call('mark', { channel, ts: '1700000000.000000' })).toEqual({ ok: true });
  expect((await call('close', { channel })).error).toBe('method_not_supported_for_channel_type');
  const direct = await fixture.chat.direct({ id: bot.id, type: 'bot' }, { id: ann.id, type: 'user' });
  expect((await call('close', { channel: slackId('direct', direct) })).ok).toBe(true);
});

describe('errors have the names of Slack:', () => {
  test.each<[string, object, string]>([
    ['create', {}, 'invalid_name_required'],
    ['create', { name: 'x'.repeat(101) }, 'invalid_name'],
    ['rename', { name: 'a' }, 'channel_not_found'],
    ['archive', { channel: 'general' }, 'channel_not_found'],
    [
      'archive',
      { channel: slackId('publicChannel', '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41') },
      'channel_not_found',
    ],
    [
      'mark',
      { channel: slackId('publicChannel', '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41') },
      'channel_not_found',
    ],
  ])('%s with %j', async (method, args, error) => {
    expect(await call(method, args)).toMatchObject({ ok: false, error });
  });

  test('texts, people and the caller itself', async () => {
    const channel = await create();
    expect((await call('setTopic', { channel })).error).toBe('invalid_arguments');
    expect((await call('setTopic', { channel, topic: 'x'.repeat(251) })).error).toBe('too_long');
    expect((await call('invite', { channel, users: '' })).error).toBe('no_user');
    expect((await call('invite', { channel, users: 'U1' })).error).toBe('user_not_found');
    expect(
      (await call('invite', { channel, users: slackId('user', '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41') }))
        .error,
    ).toBe('user_not_found');
    expect((await call('invite', { channel, users: user(bot) })).error).toBe('cant_invite_self');
    expect((await call('kick', { channel, user: user(bot) })).error).toBe('cant_kick_self');
    expect((await call('kick', { channel })).error).toBe('user_not_found');
  });

  test('what only the creator may do', async () => {
    const channel = await channelOfAnn();
    expect((await call('rename', { channel, name: 'a' })).error).toBe('not_authorized');
    expect((await call('archive', { channel })).error).toBe('restricted_action');
    expect((await call('kick', { channel, user: user(ann) })).error).toBe('restricted_action');
    expect((await call('setTopic', { channel, topic: 'a' })).ok).toBe(true);
  });

  test('a token without the scope', async () => {
    const token = limitedToken(ann.token, 'messages:write' satisfies Scope);
    expect(await call('create', { name: 'a' }, token)).toMatchObject({ error: 'missing_scope' });
  });
});
