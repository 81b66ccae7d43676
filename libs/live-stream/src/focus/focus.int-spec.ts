import { eventually } from '@tieline/testing';
import { seedSpace } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { ClientPresence } from '../stream/client-stream.presence.js';
import { peopleHere } from '../stream/client-stream.queries.js';
import { DmOpenings } from '@tieline/conversations';
import type { DmOpening } from '@tieline/conversations';
import { ChatFixture, supply } from '@tieline/conversations/testing';
import { LiveHarness } from '../testing/live-harness.js';
import type { LiveApi } from '../testing/live-harness.js';

const openings: DmOpening[] = [];
const recorded: DmOpenings = { announce: async (_, opening) => void openings.push(opening) };

describe('PUT /api/v1/client/focus and presence', () => {
  let harness: LiveHarness;
  let space: SeededSpace;
  let ann: SeededPerson;
  let bob: SeededPerson;
  let channel: string;
  let other: string;

  beforeAll(async () => {
    harness = await LiveHarness.start(2, {}, supply({ provide: DmOpenings, useValue: recorded }));
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    space = await seedSpace(harness.db);
    [ann, bob] = await Promise.all([space.person('member'), space.person('member')]);
    const chat = new ChatFixture(harness.db, space.spaceId);
    const members = [ann, bob].map(({ id }) => ({ id, type: 'user' as const }));
    channel = await chat.conversation({ scope: 'private', members });
    other = await chat.conversation({ members });
  });

  const here = (conversationId = channel): Promise<string[]> =>
    peopleHere(harness.db, space.spaceId, [ann.id, bob.id], conversationId);
  /** Waits until the database shows exactly these people as reachable by `@here`. */
  const expectHere = (people: SeededPerson[], conversationId = channel): Promise<void> =>
    eventually(async () =>
      expect((await here(conversationId)).sort()).toEqual(people.map(({ id }) => id).sort()),
    );

  test('no one is reachable without an open stream', async () => {
    expect(await here()).toEqual([]);
  });

  test('a person with an open stream in any process is reachable until it closes', async () => {
    const [annStream, bobStream] = await Promise.all([
      harness.api.open(ann.token),
      (harness.apis[1] as LiveApi).open(bob.token),
    ]);
    await expectHere([ann, bob]);
    bobStream.close();
    await expectHere([ann]);
    annStream.close();
    await expectHere([]);
  });

  test('a person viewing the conversation is not reachable there, but is elsewhere', async () => {
    await Promise.all([harness.api.open(ann.token), harness.api.open(bob.token)]);
    await expectHere([ann, bob]);
    expect(
      await (harness.apis[1] as LiveApi).focus(ann.token, { conversation_id: channel.toUpperCase() }),
    ).toEqual({ status: 200, body: { ok: true } });
    await expectHere([bob]);
    await expectHere([ann, bob], other);
    await harness.api.focus(ann.token, { conversation_id: other });
    await expectHere([ann, bob]);
    await expectHere([bob], other);
  });

  test.each([
    ['null', { conversation_id: null }],
    ['an empty body', {}],
  ])('%s clears the focus', async (_, body) => {
    await harness.api.open(ann.token);
    await harness.api.focus(ann.token, { conversation_id: channel });
    await harness.api.focus(ann.token, body);
    await expectHere([ann]);
  });

  test('a focus set just before the stream opened applies to it', async () => {
    expect((await harness.api.focus(ann.token, { conversation_id: channel })).status).toBe(200);
    await harness.api.open(ann.token);
    await expectHere([ann], other);
    expect(await here()).toEqual([]);
  });

  test('an old focus does not apply to a stream that opens now', async () => {
    await harness.api.focus(ann.token, { conversation_id: channel });
    await harness.db.query(
      `UPDATE client_focus SET set_at = now() - interval '61 seconds' WHERE user_id = $1`,
      [ann.id],
    );
    await harness.api.open(ann.token);
    await expectHere([ann]);
  });

  test('a thread can be focused', async () => {
    const chat = new ChatFixture(harness.db, space.spaceId);
    const author = { id: ann.id, type: 'user' as const };
    const root = await chat.post(channel, author, 'root');
    const reply = await chat.post(channel, author, 'reply', { parentMessageId: root.messageId });
    expect((await harness.api.focus(bob.token, { conversation_id: reply.conversationId })).status).toBe(200);
  });

  test('only a direct chat counts as opened, for its bots', async () => {
    openings.length = 0;
    const chat = new ChatFixture(harness.db, space.spaceId);
    const botId = uuidv7();
    const [person, robot] = [
      { id: ann.id, type: 'user' as const },
      { id: botId, type: 'bot' as const },
    ];
    const dm = await chat.direct(person, robot);
    const withBot = await chat.conversation({ scope: 'private', members: [person, robot] });
    const root = await chat.post(dm, person, 'root');
    const { conversationId: thread } = await chat.post(dm, person, 'x', { parentMessageId: root.messageId });
    for (const id of [channel, withBot, thread, dm, null])
      expect((await harness.api.focus(ann.token, { conversation_id: id })).status).toBe(200);
    expect(openings).toEqual([
      { spaceId: space.spaceId, conversationId: dm, userId: ann.id, botIds: [botId] },
    ]);
    expect((await harness.api.focus(bob.token, { conversation_id: dm })).status).toBe(403);
    expect(openings).toHaveLength(1);
  });

  test.each([
    ['an unknown conversation', () => Promise.resolve(uuidv7()), 404],
    ['a malformed id', () => Promise.resolve('general'), 400],
    [
      'a conversation of another space',
      async () => new ChatFixture(harness.db, (await seedSpace(harness.db)).spaceId).conversation(),
      404,
    ],
    [
      'a private conversation of others',
      () => new ChatFixture(harness.db, space.spaceId).conversation({ scope: 'private' }),
      403,
    ],
  ])('%s is refused', async (_, id, status) => {
    expect(await harness.api.focus(ann.token, { conversation_id: await id() })).toMatchObject({
      status,
      body: { ok: false },
    });
  });

  test('streams of a process without heartbeats do not count and are swept', async () => {
    const dead = uuidv7();
    await harness.db.query(
      `INSERT INTO client_presence (space_id, user_id, stream_id, process_id) VALUES ($1, $2, $3, $4)`,
      [space.spaceId, bob.id, uuidv7(), dead],
    );
    await harness.db.query(`INSERT INTO client_presence_processes VALUES ($1, now())`, [dead]);
    expect(await here()).toEqual([bob.id]);
    await harness.db.query(
      `UPDATE client_presence_processes SET seen_at = now() - interval '36 seconds' WHERE process_id = $1`,
      [dead],
    );
    expect(await here()).toEqual([]);
    await harness.db.query(
      `UPDATE client_presence_processes SET seen_at = now() - interval '121 seconds' WHERE process_id = $1`,
      [dead],
    );
    await harness.api.app.get(ClientPresence).heartbeat();
    expect(await harness.db.query('SELECT 1 FROM client_presence WHERE process_id = $1', [dead])).toEqual([]);
  });

  test('data lost by the database is written again with the next heartbeat', async () => {
    await harness.api.open(ann.token);
    await expectHere([ann]);
    await harness.db.query('TRUNCATE client_presence, client_presence_processes, client_focus');
    await harness.api.app.get(ClientPresence).heartbeat();
    await expectHere([ann]);
  });

  test('failed writes are retried with the next heartbeat', async () => {
    await harness.db.query('ALTER TABLE client_presence RENAME TO away');
    const annStream = await harness.api.open(ann.token);
    const bobStream = await harness.api.open(bob.token);
    bobStream.close();
    await eventually(() => harness.api.streams.count > 0);
    await harness.db.query('ALTER TABLE away RENAME TO client_presence');
    await harness.api.app.get(ClientPresence).heartbeat();
    await expectHere([ann]);
    annStream.close();
    await expectHere([]);
  });

  test('a process that stops removes its streams', async () => {
    const processes = (): Promise<unknown[]> =>
      harness.db.query('SELECT process_id FROM client_presence_processes ORDER BY 1');
    // Rows that an earlier test removed are back.
    for (const { app } of harness.apis) await app.get(ClientPresence).heartbeat();
    const before = await processes();
    const api = await harness.startApi();
    await api.open(bob.token);
    await expectHere([bob]);
    await api.app.close();
    expect(await here()).toEqual([]);
    expect(await processes()).toEqual(before);
  });
});
