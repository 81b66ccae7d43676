import type { SeededPerson } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { SlashHarness } from '../../testing/index.js';

interface Row {
  user_id: string;
  recipient_id: string | null;
  conversation_id: string;
  thread_id: string | null;
  text: string;
  due_at: Date;
  time_zone: string;
}

let harness: SlashHarness;
// Each test has its own person because of the rate limit.
let ann: SeededPerson;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start();
});
beforeEach(async () => {
  await harness.api.db.query('DELETE FROM reminders');
  ann = await harness.fixture.space.person('member', 'Ann');
  channel = await harness.fixture.chat.conversation({ members: [{ id: ann.id, type: 'user' }] });
});
afterAll(() => harness?.close());

/** Returns the text of an ephemeral answer. */
async function remind(args: string, more: Parameters<SlashHarness['invoke']>[2] = {}): Promise<string> {
  const { status, body } = await harness.invoke(channel, `/remind ${args}`, { token: ann.token, ...more });
  expect([status, body]).toEqual([
    200,
    { ok: true, result: 'ephemeral', text: expect.any(String), trigger_id: expect.any(String) },
  ]);
  return body.text;
}

const rows = (): Promise<Row[]> =>
  readRows<Row>(
    harness.api.db,
    'SELECT user_id, recipient_id, conversation_id, thread_id, text, due_at, time_zone FROM reminders ORDER BY due_at',
  );

test('sets reminders for oneself, another person and the conversation, and confirms the time', async () => {
  const bob = await harness.fixture.space.person('member', 'Bob');
  expect(await remind('me at 2030-12-01 09:00 stretch')).toBe(
    'I will remind you at 2030-12-01 09:00 (UTC): stretch',
  );
  expect(await remind(`<@${bob.id}> at 2030-12-01 09:01 call me`)).toBe(
    `I will remind <@${bob.id}> at 2030-12-01 09:01 (UTC): call me`,
  );
  expect(await remind('here at 2030-12-01 09:02 standup')).toBe(
    'I will remind this conversation at 2030-12-01 09:02 (UTC): standup',
  );
  const common = { user_id: ann.id, conversation_id: channel, thread_id: null, time_zone: 'UTC' };
  expect(await rows()).toEqual([
    { ...common, recipient_id: ann.id, text: 'stretch', due_at: new Date('2030-12-01T09:00Z') },
    { ...common, recipient_id: bob.id, text: 'call me', due_at: new Date('2030-12-01T09:01Z') },
    { ...common, recipient_id: null, text: 'standup', due_at: new Date('2030-12-01T09:02Z') },
  ]);
  expect(await harness.messages(channel)).toEqual([]);
});

test("the time zone is that of the person's quiet hours", async () => {
  const token = (await harness.fixture.space.person('member', 'Kim')).token;
  await harness.fixture.api.call('POST', `/api/v1/client/conversations/${channel}/join`, { token });
  await harness.fixture.api.call('PATCH', '/api/v1/client/me', {
    token,
    body: { notifications: { quiet_hours: { start: '22:00', end: '07:00', time_zone: 'Asia/Tokyo' } } },
  });
  expect(await remind('me at 2030-12-01 09:00 stretch', { token })).toContain(
    'at 2030-12-01 09:00 (Asia/Tokyo)',
  );
  expect((await rows()).map(({ due_at, time_zone }) => [due_at, time_zone])).toEqual([
    [new Date('2030-12-01T00:00Z'), 'Asia/Tokyo'],
  ]);
  expect(await remind('list', { token })).toContain('1. 2030-12-01 09:00 (Asia/Tokyo), for you: stretch');
});

test('in a thread it stays in the thread', async () => {
  const root = await harness.fixture.chat.post(channel, { id: ann.id, type: 'user' }, 'root');
  await remind('here in 10m look', { thread_id: root.messageId });
  expect((await rows()).map(({ thread_id }) => thread_id)).toEqual([root.messageId]);
});

test('invalid text, past times and unknown people get the usage, and nothing is stored', async () => {
  const gone = await harness.fixture.space.person('member', 'Gone');
  await harness.fixture.admin('PATCH', `/users/${gone.id}`, { is_active: false });
  const stranger = (await harness.otherSpace()).person;
  const bot = await harness.fixture.bot();
  const wrong = [
    '',
    'tea',
    'me at 2001-01-01 00:00 tea',
    'me in 10m',
    'cancel 1',
    'cancel 0',
    ...[gone, stranger, bot].map(({ id }) => `<@${id}> in 10m tea`),
  ];
  for (const args of wrong) expect(await remind(args)).toContain('Usage: /remind ');
  expect(await rows()).toEqual([]);
});

describe("one's own list", () => {
  let bob: SeededPerson;
  beforeEach(async () => {
    bob = await harness.fixture.space.person('member', 'Bob');
    await harness.api.call('POST', `/api/v1/client/conversations/${channel}/join`, { token: bob.token });
    await remind('me in 30m third');
    await remind(`<@${bob.id}> in 20m second`);
    await remind('here in 10m first');
    await remind("me in 15m Bob's own", { token: bob.token });
  });

  test("is sorted by time, numbered, and contains only one's own reminders", async () => {
    const lines = (await remind('list')).split('\n');
    expect(lines).toEqual([
      'Your reminders:',
      expect.stringMatching(/^1\. .* \(UTC\), for this conversation: first$/),
      expect.stringContaining(`, for <@${bob.id}>: second`),
      expect.stringMatching(/^3\. .*, for you: third$/),
      'Use /remind cancel <n> to cancel one.',
    ]);
    expect(await remind('list', { token: bob.token })).not.toContain('second');
  });

  test('cancelling by number renumbers the later reminders', async () => {
    expect(await remind('cancel 2')).toMatch(/^Cancelled: .*: second$/);
    expect(await remind('cancel 2')).toMatch(/^Cancelled: .*: third$/);
    expect(await remind('cancel 2')).toContain('You have no reminder number 2.');
    expect((await rows()).map(({ text }) => text)).toEqual(['first', "Bob's own"]);
    expect(await remind('cancel 1', { token: bob.token })).toContain("Bob's own");
    expect(await remind('list', { token: bob.token })).toBe('You have no reminders.');
  });

  test('one of two concurrent cancellations of the same reminder succeeds', async () => {
    const answers = await Promise.all([remind('cancel 3'), remind('cancel 3')]);
    expect(answers.filter((answer) => answer.startsWith('Cancelled: '))).toHaveLength(1);
    expect(await rows()).toHaveLength(3);
  });

  test('shortens long texts to one line', async () => {
    await remind(`me in 5m line\n${'🍵'.repeat(200)}`);
    expect((await remind('list')).split('\n')[1]).toMatch(/: line (🍵){94}…$/u);
  });
});

test('a person can have a hundred pending reminders', async () => {
  await harness.api.db.query(
    `INSERT INTO reminders (space_id, id, user_id, conversation_id, text, due_at, time_zone, next_try_at)
     SELECT $1, gen_random_uuid(), $2, $3, 'x', now() + interval '1 day', 'UTC', now() + interval '1 day' FROM generate_series(1, 99)`,
    [harness.fixture.space.spaceId, ann.id, channel],
  );
  expect(await remind('me in 10m hundredth')).toContain('hundredth');
  expect(await remind('me in 10m one more')).toContain('You already have 100 pending reminders');
  expect(await rows()).toHaveLength(100);
});
