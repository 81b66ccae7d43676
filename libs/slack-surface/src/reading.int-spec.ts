import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { DirectoryModule } from '@tieline/directory';
import { limitedToken } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { slackId } from './ids/slack-ids.js';
import { SlackSurfaceModule } from './slack-surface.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;
let channelUuid: string;
let ownerId: string;

beforeAll(async () => {
  const rates = { RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' };
  api = await startBotsApi(rates, [AppsModule, DirectoryModule, SlackSurfaceModule]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot({ display_name: 'Deploy Bot' });
  channelUuid = await fixture.channelOf(bot);
  channel = slackId('publicChannel', channelUuid);
  ownerId = slackId('user', fixture.space.owner.id);
});
afterAll(() => api?.close());

async function call(method: string, args: object = {}, token = bot.token): Promise<any> {
  const { status, body } = await api.call('POST', `/slack/api/${method}`, { token, body: args });
  expect([method, status]).toEqual([method, 200]);
  return body;
}

const post = async (text: string, more: object = {}): Promise<string> =>
  (await call('chat.postMessage', { channel, text, ...more })).ts;
const texts = ({ messages }: { messages: { text: string }[] }): string[] => messages.map(({ text }) => text);

describe('conversations.history', () => {
  test('lists the latest messages first, page by page', async () => {
    const sent: string[] = [];
    for (let n = 1; n <= 5; n += 1) sent.push(await post(`m${n}`));
    const first = await call('conversations.history', { channel, limit: 2 });
    expect([texts(first), first.has_more]).toEqual([['m5', 'm4'], true]);
    const cursor = first.response_metadata.next_cursor;
    const second = await call('conversations.history', { channel, limit: 2, cursor });
    expect(texts(second)).toEqual(['m3', 'm2']);
    const last = await call('conversations.history', {
      channel,
      limit: 2,
      cursor: second.response_metadata.next_cursor,
    });
    expect([texts(last), last.has_more]).toEqual([['m1'], false]);
    expect(last.messages[0]).toMatchObject({
      type: 'message',
      ts: sent[0],
      user: slackId('user', bot.id),
      bot_id: slackId('bot', bot.id),
      team: slackId('space', fixture.space.spaceId),
    });
  });

  test('limits the list by oldest and latest, which are included on request', async () => {
    const sent: string[] = [];
    for (let n = 1; n <= 5; n += 1) sent.push(await post(`m${n}`));
    const between = { channel, oldest: sent[1], latest: sent[3] };
    expect(texts(await call('conversations.history', between))).toEqual(['m3']);
    expect(texts(await call('conversations.history', { ...between, inclusive: true }))).toEqual([
      'm4',
      'm3',
      'm2',
    ]);
    expect(
      texts(await call('conversations.history', { channel, latest: sent[2], inclusive: true, limit: 1 })),
    ).toEqual(['m3']);
    expect(texts(await call('conversations.history', { channel, oldest: '0' }))).toHaveLength(5);
    expect((await call('conversations.history', { channel, oldest: 'x' })).error).toBe('invalid_ts_oldest');
    expect((await call('conversations.history', { channel, cursor: 'x' })).error).toBe('invalid_cursor');
  });

  test('returns what was sent, and native messages in Slack markup', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*b*' } }];
    const metadata = { event_type: 'x', event_payload: { a: 1 } };
    await post('with *blocks*', { blocks, metadata });
    const content = `**bold** <@${fixture.space.owner.id}> & 1 < 2`;
    await api.call('POST', '/api/v1/bot/messages', {
      token: bot.token,
      body: { conversation_id: channelUuid, content },
    });
    const [native, sent] = (await call('conversations.history', { channel })).messages;
    expect(native.text).toBe(`*bold* <@${ownerId}> &amp; 1 &lt; 2`);
    expect(sent).toMatchObject({ text: 'with *blocks*', blocks });
    expect(sent.metadata).toBeUndefined();
    const [, full] = (await call('conversations.history', { channel, include_all_metadata: true })).messages;
    expect(full.metadata).toEqual(metadata);
  });

  test('omits deleted messages, but not the root of a thread', async () => {
    const root = await post('root');
    await post('reply', { thread_ts: root });
    const gone = await post('gone');
    await call('chat.delete', { channel, ts: gone });
    await call('chat.delete', { channel, ts: root });
    expect((await call('conversations.history', { channel })).messages).toEqual([
      expect.objectContaining({ subtype: 'tombstone', ts: root, thread_ts: root, reply_count: 1 }),
    ]);
  });

  test('refuses channels that the caller cannot read', async () => {
    const other = await fixture.bot();
    const secret = slackId(
      'privateChannel',
      await fixture.chat.conversation({ scope: 'private', members: [{ id: other.id, type: 'bot' }] }),
    );
    for (const method of ['conversations.history', 'conversations.info', 'conversations.members'])
      expect([method, (await call(method, { channel: secret })).error]).toEqual([
        method,
        'channel_not_found',
      ]);
  });
});

test('conversations.replies lists the parent first, then replies page by page', async () => {
  const root = await post('root');
  const replies: string[] = [];
  for (const text of ['r1', 'r2', 'r3']) replies.push(await post(text, { thread_ts: root }));
  const all = await call('conversations.replies', { channel, ts: root });
  expect(texts(all)).toEqual(['root', 'r1', 'r2', 'r3']);
  expect(all.messages[0]).toMatchObject({ thread_ts: root, reply_count: 3, latest_reply: replies[2] });
  expect(all.messages.every((one: { thread_ts: string }) => one.thread_ts === root)).toBe(true);
  const first = await call('conversations.replies', { channel, ts: root, limit: 2 });
  expect([texts(first), first.has_more]).toEqual([['root', 'r1'], true]);
  const rest = await call('conversations.replies', {
    channel,
    ts: root,
    limit: 5,
    cursor: first.response_metadata.next_cursor,
  });
  expect([texts(rest), rest.has_more]).toEqual([['r2', 'r3'], false]);
  expect(texts(await call('conversations.replies', { channel, ts: replies[1] }))).toEqual([
    'root',
    'r1',
    'r2',
    'r3',
  ]);
  expect(texts(await call('conversations.replies', { channel, ts: await post('alone') }))).toEqual(['alone']);
  expect((await call('conversations.replies', { channel, ts: '1.000000' })).error).toBe('thread_not_found');
});

describe('conversations', () => {
  test('are shown with their kind, members and topic', async () => {
    const body = await call('conversations.info', { channel, include_num_members: true });
    expect(body.channel).toMatchObject({
      id: channel,
      is_channel: true,
      is_private: false,
      is_im: false,
      is_member: true,
      is_archived: false,
      num_members: 1,
      topic: { value: '' },
      context_team_id: slackId('space', fixture.space.spaceId),
    });
    expect((await call('conversations.members', { channel })).members).toEqual([slackId('user', bot.id)]);
  });

  test('are listed by type, own or all', async () => {
    const { channel: direct } = await call('conversations.open', { users: ownerId });
    const open = slackId('publicChannel', await fixture.chat.conversation({}));
    const ids = async (method: string, args: object) =>
      (await call(method, args)).channels.map(({ id }: { id: string }) => id).sort();
    expect(await ids('conversations.list', {})).toEqual([channel, open].sort());
    expect(await ids('conversations.list', { types: 'im,private_channel' })).toEqual([direct.id]);
    expect(await ids('users.conversations', { types: ['public_channel', 'im'] })).toEqual(
      [channel, direct.id].sort(),
    );
    expect((await call('users.conversations', { user: ownerId })).error).toBe('invalid_arguments');
    expect((await call('conversations.list', { types: 'dms' })).error).toBe('invalid_types');
    const page = await call('conversations.list', { limit: 1 });
    const next = await call('conversations.list', { limit: 1, cursor: page.response_metadata.next_cursor });
    expect(next.channels[0]?.id).not.toBe(page.channels[0]?.id);
  });

  test('with a person are opened once', async () => {
    const first = await call('conversations.open', { users: ownerId, return_im: true });
    expect(first.channel).toMatchObject({ id: expect.stringMatching(/^D/), is_im: true, user: ownerId });
    expect((await call('conversations.open', { users: [ownerId] })).channel.id).toBe(first.channel.id);
    expect((await call('conversations.open', { channel: first.channel.id })).channel.id).toBe(
      first.channel.id,
    );
    expect((await call('conversations.open', { users: `${ownerId},${ownerId}` })).error).toBe(
      'method_not_supported_for_channel_type',
    );
    expect((await call('conversations.open')).error).toBe('users_list_not_supplied');
    expect((await call('conversations.open', { users: 'U012AB3CD' })).error).toBe('user_not_found');
  });

  test('are joined and left', async () => {
    const open = slackId('publicChannel', await fixture.chat.conversation({}));
    expect((await call('conversations.join', { channel: open })).channel).toMatchObject({
      id: open,
      is_member: true,
    });
    expect(await call('conversations.leave', { channel: open })).toEqual({ ok: true });
    expect((await call('conversations.info', { channel: open })).channel.is_member).toBe(false);
  });
});

describe('people and bots', () => {
  test('are shown by users.info', async () => {
    expect((await call('users.info', { user: ownerId })).user).toMatchObject({
      id: ownerId,
      team_id: slackId('space', fixture.space.spaceId),
      real_name: 'Owner',
      deleted: false,
      is_bot: false,
      is_owner: true,
      profile: { display_name: 'Owner', real_name: 'Owner' },
    });
    expect((await call('users.info', { user: slackId('user', bot.id) })).user).toMatchObject({
      name: 'deploy.bot',
      is_bot: true,
      profile: { bot_id: slackId('bot', bot.id) },
    });
    expect((await call('users.profile.get', { user: ownerId })).profile.display_name).toBe('Owner');
    for (const user of ['U012AB3CD', slackId('user', channelUuid), undefined])
      expect((await call('users.info', { user })).error).toBe('user_not_found');
  });

  test('are listed page by page', async () => {
    await fixture.admin('POST', '/users', { display_name: 'Ada', email: 'ada@example.com' });
    const first = await call('users.list', { limit: 1 });
    const second = await call('users.list', { limit: 1, cursor: first.response_metadata.next_cursor });
    expect([...first.members, ...second.members].map(({ real_name }) => real_name)).toEqual(['Ada', 'Owner']);
  });

  test('are found by e-mail address if the space and the token allow it', async () => {
    await fixture.admin('POST', '/users', { display_name: 'Ada', email: 'ada@example.com' });
    const look = (token?: string) => call('users.lookupByEmail', { email: 'ada@example.com' }, token);
    expect((await look()).error).toBe('users_not_found');
    await fixture.admin('PATCH', '/space', { bots_see_emails: true });
    expect((await look()).user.profile.email).toBe('ada@example.com');
    expect((await look(limitedToken(bot.token, 'users:read'))).error).toBe('missing_scope');
  });

  test('have a presence', async () => {
    expect((await call('users.getPresence', { user: ownerId })).presence).toBe('away');
    await api.db.query(
      'INSERT INTO client_presence (space_id, user_id, stream_id, process_id) VALUES ($1, $2, $2, $2)',
      [fixture.space.spaceId, fixture.space.owner.id],
    );
    expect((await call('users.getPresence', { user: ownerId })).presence).toBe('active');
  });

  test('of other spaces are unknown', async () => {
    const other = await BotsFixture.of(api);
    const foreign = await other.bot();
    expect((await call('users.info', { user: slackId('user', other.space.owner.id) })).error).toBe(
      'user_not_found',
    );
    expect((await call('bots.info', { bot: slackId('bot', foreign.id) })).error).toBe('bot_not_found');
  });

  test('bots.info and team.info', async () => {
    expect((await call('bots.info')).bot).toMatchObject({
      id: slackId('bot', bot.id),
      user_id: slackId('user', bot.id),
      name: 'Deploy Bot',
    });
    expect((await call('team.info')).team).toMatchObject({
      id: slackId('space', fixture.space.spaceId),
      name: 'Acme',
    });
  });
});

describe('reactions and pins', () => {
  test('are added and removed once', async () => {
    const timestamp = await post('x');
    const args = { channel, timestamp, name: 'thumbsup' };
    expect(await call('reactions.add', args)).toEqual({ ok: true });
    expect((await call('reactions.add', args)).error).toBe('already_reacted');
    const { message } = await call('reactions.get', { channel, timestamp });
    expect(message.reactions).toEqual([{ name: '+1', users: [slackId('user', bot.id)], count: 1 }]);
    expect(await call('reactions.remove', args)).toEqual({ ok: true });
    expect((await call('reactions.remove', args)).error).toBe('no_reaction');
    expect(await call('pins.add', { channel, timestamp })).toEqual({ ok: true });
    expect((await call('pins.add', { channel, timestamp })).error).toBe('already_pinned');
    expect((await call('pins.list', { channel })).items).toEqual([
      expect.objectContaining({
        type: 'message',
        channel,
        message: expect.objectContaining({ ts: timestamp, pinned_to: [channel] }),
      }),
    ]);
    expect(await call('pins.remove', { channel, timestamp })).toEqual({ ok: true });
    expect((await call('pins.remove', { channel, timestamp })).error).toBe('no_pin');
  });

  test.each([
    [{ name: 'a b' }, 'invalid_name'],
    [{ name: undefined }, 'invalid_name'],
    [{ timestamp: 'x' }, 'bad_timestamp'],
    [{ timestamp: undefined }, 'no_item_specified'],
    [{ timestamp: '1.000000' }, 'message_not_found'],
    [{ channel: 'C1' }, 'channel_not_found'],
  ])('with %j are %s', async (wrong, error) => {
    expect((await call('reactions.add', { channel, timestamp: '1.000000', name: 'x', ...wrong })).error).toBe(
      error,
    );
  });
});

test('what Tieline does not have is empty', async () => {
  expect((await call('emoji.list')).emoji).toEqual({});
  expect((await call('usergroups.list')).usergroups).toEqual([]);
  expect((await call('usergroups.users.list', { usergroup: 'S1' })).users).toEqual([]);
});
