import { runInWorkerTx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { archiveConversation } from '../channels/archive-conversation.js';
import { ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';
import { createMessage } from '../testing/stubs.js';
import { postNotices } from './post-notices.js';

let api: TestApi;
let space: ChatSpace;
let channel: string;
beforeAll(async () => {
  api = await startChatApi();
});
beforeEach(async () => {
  await api.db.query('DELETE FROM notices');
  space = await ChatSpace.on(api);
  channel = await space.channel();
});
afterAll(() => api?.close());

const settings = (method: string, body?: unknown, of = space): Promise<TestAnswer> =>
  api.call(method, '/api/v1/admin/space', { token: of.space.owner.token, body });
const choose = async (id: string | null, of = space): Promise<void> => {
  const { status, body } = await settings('PATCH', { notices_conversation_id: id }, of);
  expect([status, body.space.notices_conversation_id]).toEqual([200, id]);
};
const raise = (text: string, of = space): Promise<string> =>
  runInWorkerTx(api.db, (tx) =>
    raiseNotice(tx, {
      spaceId: of.space.spaceId,
      kind: 'bot.push_disabled',
      objectType: 'bot',
      objectId: UNKNOWN,
      text,
    }),
  );
const post = () => postNotices(api.db, createMessage);
const messages = async (of = space, conversationId = channel): Promise<any[]> =>
  (await of.history(of.people.ann, conversationId, '?limit=200')).body.messages;
const texts = async (of = space, conversationId = channel): Promise<string[]> =>
  (await messages(of, conversationId)).map(({ text }) => text);
const waiting = async (): Promise<number> =>
  (await api.db.query('SELECT 1 FROM notices WHERE post_to IS NOT NULL')).length;
const archive = (conversationId = channel) =>
  runInWorkerTx(api.db, (tx) =>
    archiveConversation(tx, {
      spaceId: space.space.spaceId,
      conversationId,
      actor: { id: space.people.ann.id, type: 'user' },
    }),
  );

describe('the conversation for notices', () => {
  test('is chosen, shown, logged, kept by other changes, and cleared', async () => {
    expect((await settings('GET')).body.space.notices_conversation_id).toBeNull();
    await choose(channel);
    expect((await settings('PATCH', { name: 'New' })).body.space.notices_conversation_id).toBe(channel);
    expect((await settings('GET')).body.space.notices_conversation_id).toBe(channel);
    await choose(null);
    const { body } = await api.call('GET', '/api/v1/admin/audit_log', { token: space.space.owner.token });
    expect(body.entries.map(({ changes }: { changes: object }) => changes)).toEqual(
      expect.arrayContaining([
        { notices_conversation_id: { from: null, to: channel } },
        { notices_conversation_id: { from: channel, to: null } },
      ]),
    );
  });

  test('may be private, and given in upper case', async () => {
    const id = await space.channel({ is_public: false });
    const { body } = await settings('PATCH', { notices_conversation_id: id.toUpperCase() });
    expect(body.space.notices_conversation_id).toBe(id);
  });

  test('must be a channel of the space that is not archived', async () => {
    const { ann, bob } = space.people;
    const root = await space.send(ann, channel, 'root');
    await space.send(ann, channel, 'reply', root);
    const [thread] = await readRows<{ id: string }>(
      api.db,
      'SELECT id FROM conversations WHERE space_id = $1 AND root_message_id = $2',
      [space.space.spaceId, root],
    );
    const archived = await space.channel();
    await archive(archived);
    const foreign = await (await ChatSpace.on(api)).channel();
    for (const [id, code] of [
      [uuidv7(), 'conversation_not_found'],
      [foreign, 'conversation_not_found'],
      [await space.direct(ann, bob.id), 'unsupported_conversation_type'],
      [thread!.id, 'unsupported_conversation_type'],
      [archived, 'conversation_archived'],
    ])
      expect(await settings('PATCH', { notices_conversation_id: id, name: 'Not this' })).toMatchObject({
        status: 400,
        body: { ok: false, code, field: 'notices_conversation_id' },
      });
    for (const id of ['', 'general', 1, [channel]])
      expect((await settings('PATCH', { notices_conversation_id: id })).status).toBe(400);
    expect((await settings('GET')).body.space).toMatchObject({ name: 'Acme', notices_conversation_id: null });
  });
});

test('later notices are posted there by the product, in order, once', async () => {
  await raise('before');
  await choose(channel);
  for (const text of ['first', 'second', 'third']) await raise(text);
  expect(await post()).toEqual([]);
  expect(await post()).toEqual([]);
  const posted = await messages();
  expect(posted.map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  expect(posted[0]).toMatchObject({
    author_type: 'system',
    is_system: true,
    author_id: space.space.spaceId,
  });
  const events = (await space.events()).filter(({ event_type: type }) => type === 'MESSAGE_CREATED');
  expect(events).toHaveLength(3);
  await choose(null);
  await raise('after');
  await choose(channel);
  await post();
  expect(await texts()).toHaveLength(3);
  const { body } = await api.call('GET', '/api/v1/admin/notices', { token: space.space.owner.token });
  expect(body.notices).toHaveLength(5);
});

test('several workers post each notice once, those of a space in order', async () => {
  const other = await ChatSpace.on(api);
  const place = await other.channel();
  await choose(channel);
  await choose(place, other);
  const numbers = Array.from({ length: 40 }, (_, n) => `number ${n}`);
  for (const text of numbers) await Promise.all([raise(text), raise(text, other)]);
  // A worker that finds everything claimed does nothing; the next tick tries again.
  await eventually(async () => {
    expect((await Promise.all([post(), post(), post(), post()])).flat()).toEqual([]);
    expect(await waiting()).toBe(0);
  });
  expect([await texts(), await texts(other, place)]).toEqual([numbers, numbers]);
});

test('no notice overtakes one that a worker has claimed', async () => {
  await choose(channel);
  await raise('first');
  await raise('second');
  await runInWorkerTx(api.db, async (tx) => {
    await tx.query(`SELECT 1 FROM notices WHERE text = 'first' FOR UPDATE`);
    await post();
    expect(await texts()).toEqual([]);
  });
  await post();
  expect(await texts()).toEqual(['first', 'second']);
});

test('a worker that dies between claim and commit has posted nothing, and the next one posts the notice once', async () => {
  await choose(channel);
  await raise('told');
  let posting: Promise<unknown> = Promise.resolve();
  await runInWorkerTx(api.db, async (tx) => {
    // The post has to wait for the conversation while it holds the notice.
    await tx.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [channel]);
    posting = post().catch((error: unknown) => error);
    const stuck = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH posted AS%'`;
    await eventually(async () => expect(await api.db.query(`SELECT 1 ${stuck}`)).toHaveLength(1));
    await api.db.query(`SELECT pg_terminate_backend(pid) ${stuck}`);
    await eventually(async () => expect(await api.db.query(`SELECT 1 ${stuck}`)).toHaveLength(0));
  });
  await posting;
  expect([await texts(), await waiting()]).toEqual([[], 1]);
  await api.db.query('UPDATE notices SET post_after = now()');
  await post();
  await post();
  expect([await texts(), await waiting()]).toEqual([['told'], 0]);
});

test('a worker that dies between the post and its mark has posted nothing', async () => {
  await choose(channel);
  await raise('told');
  await api.db.query(
    `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN new; END'`,
  );
  await api.db.query(
    'CREATE TRIGGER die BEFORE UPDATE ON notices FOR EACH ROW WHEN (new.post_to IS NULL) EXECUTE FUNCTION die()',
  );
  expect(await post()).toHaveLength(1);
  await api.db.query('DROP TRIGGER die ON notices');
  expect([await texts(), await waiting()]).toEqual([[], 1]);
  await api.db.query('UPDATE notices SET post_after = now()');
  await post();
  expect([await texts(), await waiting()]).toEqual([['told'], 0]);
});

test('in an archived conversation nothing is posted and nothing stays pending', async () => {
  await choose(channel);
  await raise('too late');
  await archive();
  await raise('not followed');
  expect(await post()).toEqual([]);
  expect([await texts(), await waiting()]).toEqual([[], 0]);
});

test('a notice that cannot be posted is tried eight times, at growing intervals, and delays no other space', async () => {
  const other = await ChatSpace.on(api);
  const place = await other.channel();
  await choose(channel);
  await choose(place, other);
  await api.db.query(`ALTER TABLE messages ADD CONSTRAINT no_poison CHECK (text <> 'poison') NOT VALID`);
  try {
    await raise('poison');
    await raise('behind it');
    await raise('theirs', other);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      expect(await post()).toHaveLength(1);
      const [row] = await readRows<{ s: number }>(
        api.db,
        `SELECT extract(epoch FROM post_after - now())::float8 AS s FROM notices WHERE text = 'poison'`,
      );
      waits.push(row!.s);
      if (attempt < 8) expect([await texts(), await texts(other, place)]).toEqual([[], ['theirs']]);
      await api.db.query('UPDATE notices SET post_after = now() WHERE post_after IS NOT NULL');
    }
    expect(waits[0]).toBeGreaterThan(3);
    expect(waits[7]).toBeGreaterThan(600);
    expect(await post()).toEqual([]);
    expect([await texts(), await waiting()]).toEqual([['behind it'], 0]);
  } finally {
    await api.db.query('ALTER TABLE messages DROP CONSTRAINT no_poison');
  }
});

test('notices of a disabled space wait until it is enabled', async () => {
  await choose(channel);
  await raise('late');
  const on = (active: boolean) =>
    api.db.query('UPDATE spaces SET is_active = $2 WHERE id = $1', [space.space.spaceId, active]);
  await on(false);
  await post();
  expect(await waiting()).toBe(1);
  await on(true);
  await post();
  expect(await texts()).toEqual(['late']);
});
