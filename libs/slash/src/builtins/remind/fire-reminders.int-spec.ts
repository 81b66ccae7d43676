import { removeMember, CreateMessage } from '@tieline/conversations';
import { archiveConversation } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import type { SeededPerson } from '@tieline/spaces/testing';
import { SlashHarness } from '../../testing/index.js';
import { fireReminders } from './fire-reminders.js';
import { PostReminder } from './post-reminder.js';

let harness: SlashHarness;
let channel: string;
let bob: SeededPerson;
beforeAll(async () => {
  harness = await SlashHarness.start();
});
beforeEach(async () => {
  await harness.api.db.query('DELETE FROM reminders');
  bob = await harness.fixture.space.person('member', 'Bob');
  channel = await harness.channel();
});
afterAll(() => harness?.close());

const asUser = ({ id }: { id: string }) => ({ id, type: 'user' as const });

async function set(args: string, more: Parameters<SlashHarness['invoke']>[2] = {}): Promise<void> {
  expect((await harness.invoke(channel, `/remind ${args}`, more)).body.text).toMatch(/^I will remind/);
}

/**
 * Makes all reminders fire now. They are due `ago` seconds ago, by default in an hour, so that they
 * are not late on a busy machine.
 */
const come = (ago = -3600) =>
  harness.api.db.query(
    `UPDATE reminders SET due_at = now() - $1::float8 * interval '1 second', next_try_at = now()`,
    [ago],
  );
const left = async (): Promise<number> => (await harness.api.db.query('SELECT 1 FROM reminders')).length;
const fire = () => fireReminders(harness.api.db, new PostReminder(harness.api.app.get(CreateMessage)));
const direct = (a: { id: string }, b: { id: string } = a) =>
  harness.fixture.chat.direct(asUser(a), asUser(b));
const texts = async (conversationId: string, token = harness.person.token): Promise<string[]> =>
  (
    await harness.api.call('GET', `/api/v1/channels/${conversationId}/messages?limit=200`, { token })
  ).body.messages.map(({ text }: { text: string }) => text);

test('each reminder is posted in its conversation as a system message of its creator, and deleted', async () => {
  await set('me in 10m mine');
  await set(`<@${bob.id}> in 10m Bob's`);
  await set('here in 10m ours');
  await come();
  expect(await fire()).toEqual([]);
  const own = await harness.messages(await direct(harness.person));
  expect(own.at(-1)).toMatchObject({
    text: 'Reminder: mine',
    author_type: 'system',
    is_system: true,
    author_id: harness.person.id,
  });
  expect(await texts(await direct(harness.person, bob), bob.token)).toEqual(["Reminder: Bob's"]);
  expect(await harness.messages(channel)).toMatchObject([
    { text: 'Reminder: ours', author_type: 'system', author_id: harness.person.id },
  ]);
  expect(await left()).toBe(0);
});

test('the recipient of a direct reminder gets a push', async () => {
  await set(`<@${bob.id}> in 10m psst`);
  await set('here in 10m ours');
  await come();
  await fire();
  const created = (await harness.fixture.chat.events()).filter(
    ({ type, payload }) => type === 'MESSAGE_CREATED' && /psst|ours/.test(JSON.stringify(payload)),
  );
  const notices = created
    .map(({ payload }) => (payload as { notify?: unknown }).notify)
    .filter((notice) => notice !== undefined);
  expect(notices).toEqual([
    expect.objectContaining({ severity: 'warning', default_push: true, mentions: [bob.id] }),
  ]);
});

test('no reminder is posted early', async () => {
  await set('me in 1m soon');
  await fire();
  expect(await left()).toBe(1);
});

test("a late reminder mentions the delay in the creator's time zone", async () => {
  await set('here in 10m ours');
  await come(3600);
  const [row] = await readRows<{ due: Date }>(harness.api.db, 'SELECT due_at AS due FROM reminders');
  await fire();
  expect(await texts(channel)).toEqual([
    `Reminder: ours\n(This reminder is late. It was due at ${row!.due.toISOString().slice(0, 16).replace('T', ' ')} (UTC).)`,
  ]);
});

test('a reminder set in a thread is posted in the thread', async () => {
  const root = await harness.fixture.chat.post(channel, asUser(harness.person), 'root');
  await set('here in 10m look', { thread_id: root.messageId });
  await come();
  await fire();
  expect((await harness.messages(channel, root.messageId)).map(({ text }) => text)).toEqual([
    'Reminder: look',
  ]);
});

describe('is posted once', () => {
  test('with several workers at it', async () => {
    await harness.api.db.query(
      `INSERT INTO reminders (space_id, id, user_id, conversation_id, text, due_at, time_zone, next_try_at)
       SELECT $1, gen_random_uuid(), $2, $3, 'number ' || n, now() + interval '1 hour', 'UTC', now() FROM generate_series(1, 60) n`,
      [harness.fixture.space.spaceId, harness.person.id, channel],
    );
    expect((await Promise.all([fire(), fire(), fire(), fire()])).flat()).toEqual([]);
    const came = await texts(channel);
    expect([...came].sort()).toEqual(
      Array.from({ length: 60 }, (_, index) => `Reminder: number ${index + 1}`).sort(),
    );
  });

  test('when the worker dies between the claim and the commit', async () => {
    const { db } = harness.api;
    await set('here in 10m ours');
    await come();
    let fired: Promise<unknown> = Promise.resolve();
    await runInWorkerTx(db, async (tx) => {
      await mayIdle(tx);
      // The posting worker has to wait for the conversation while it holds the reminder.
      await tx.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [channel]);
      fired = fire().catch((error: unknown) => error);
      const posting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH posted AS%'`;
      await eventually(async () => expect(await db.query(`SELECT 1 ${posting}`)).toHaveLength(1));
      await db.query(`SELECT pg_terminate_backend(pid) ${posting}`);
      await eventually(async () => expect(await db.query(`SELECT 1 ${posting}`)).toHaveLength(0));
    });
    await fired;
    expect([await texts(channel), await left()]).toEqual([[], 1]);
    await come();
    await fire();
    await fire();
    expect([await texts(channel), await left()]).toEqual([['Reminder: ours'], 0]);
  });
});

test('a reminder that cannot be posted is retried at growing intervals without delaying others', async () => {
  const { db } = harness.api;
  await db.query(`ALTER TABLE messages ADD CONSTRAINT no_poison CHECK (text NOT LIKE '%poison%') NOT VALID`);
  await set('here in 10m poison');
  await set('here in 20m good');
  await come();
  expect(await fire()).toHaveLength(1);
  expect(await texts(channel)).toEqual(['Reminder: good']);
  /** Returns the seconds from the last `UPDATE` below to the next try. */
  const waits = async (): Promise<number> =>
    (
      await readRows<{ s: number }>(
        db,
        'SELECT extract(epoch FROM next_try_at - due_at)::float8 AS s FROM reminders',
      )
    )[0]!.s;
  const again = 'UPDATE reminders SET due_at = now(), next_try_at = now()';
  for (const seconds of [10, 20, 40]) {
    await db.query(again);
    expect(await fire()).toHaveLength(1);
    expect(await waits()).toBeGreaterThanOrEqual(seconds);
  }
  await db.query('ALTER TABLE messages DROP CONSTRAINT no_poison');
  await db.query('UPDATE reminders SET next_try_at = now()');
  expect(await fire()).toEqual([]);
  expect(await left()).toBe(0);
});

describe('the creator is notified if it could not be delivered:', () => {
  const told = async (): Promise<string | undefined> => (await texts(await direct(harness.person))).at(-1);

  test('the conversation was archived', async () => {
    await set('here in 10m ours');
    await runInWorkerTx(harness.api.db, (tx) =>
      archiveConversation(tx, {
        spaceId: harness.fixture.space.spaceId,
        conversationId: channel,
        actor: asUser(harness.person),
      }),
    );
    await come();
    expect(await fire()).toEqual([]);
    expect(await told()).toMatch(/could not be delivered: the conversation is archived\.\nours$/);
    expect([await texts(channel), await left()]).toEqual([[], 0]);
  });

  test('they left the conversation', async () => {
    await set('here in 10m ours');
    await runInWorkerTx(harness.api.db, (tx) =>
      removeMember(tx, {
        spaceId: harness.fixture.space.spaceId,
        conversationId: channel,
        memberId: harness.person.id,
      }),
    );
    await come();
    await fire();
    expect(await told()).toMatch(/you are no longer a member of the conversation\.\nours$/);
    expect(await left()).toBe(0);
  });

  test('the recipient was deactivated', async () => {
    await set(`<@${bob.id}> in 10m psst`);
    await harness.fixture.admin('PATCH', `/users/${bob.id}`, { is_active: false });
    await come();
    await fire();
    expect(await told()).toMatch(/that person is no longer in this space\.\npsst$/);
    expect(await left()).toBe(0);
  });
});

test('reminders of deactivated people are deleted', async () => {
  await harness.api.call('POST', `/api/v1/client/conversations/${channel}/join`, { token: bob.token });
  await set('here in 10m ours', { token: bob.token });
  await harness.fixture.admin('PATCH', `/users/${bob.id}`, { is_active: false });
  await come();
  await fire();
  expect([await texts(channel), await left()]).toEqual([[], 0]);
});

test('reminders of an inactive space wait without delaying others', async () => {
  const { db } = harness.api;
  const other = await harness.otherSpace();
  const place = await other.channel();
  await other.invoke(place, '/remind here in 10m theirs');
  await set('here in 20m ours');
  await db.query('UPDATE spaces SET is_active = false WHERE id = $1', [other.fixture.space.spaceId]);
  await come();
  expect(await fire()).toEqual([]);
  expect([await texts(channel), await left()]).toEqual([['Reminder: ours'], 1]);
  await db.query('UPDATE spaces SET is_active = true WHERE id = $1', [other.fixture.space.spaceId]);
  await come();
  await fire();
  expect(await texts(place, other.person.token)).toEqual(['Reminder: theirs']);
});
