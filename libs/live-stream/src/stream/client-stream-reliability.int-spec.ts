import { runInWorkerTx } from '@tieline/platform/database';
import { cutBus, EventStreamClient, eventually, HeldIntervals } from '@tieline/testing';
import { OPERATOR_TOKEN, seedSpace } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace } from '@tieline/spaces/testing';
import type { Member } from '@tieline/conversations/testing';
import { LIVE_CHANNEL, liveChannelOf } from '../live-events.js';
import { ChatFixture } from '@tieline/conversations/testing';
import { LiveHarness } from '../testing/live-harness.js';

/** Cancels statements that wait for a lock. */
const CANCEL_READS = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`;

const as = (person: SeededPerson): Member => ({ id: person.id, type: 'user' });
const texts = (stream: EventStreamClient): unknown[] =>
  stream.events.filter(({ event }) => event === 'message.new').map(({ text }) => text);

/** The periodic verification of access checks one of its portions this often. */
const VERIFY_SLOT_MS = 200;
/** Streams are pinged in twenty portions, each every half a minute. */
const PING_SLOT_MS = 1500;

describe('client streams under failures', () => {
  let intervals: HeldIntervals;
  let harness: LiveHarness;
  let space: SeededSpace;
  let chat: ChatFixture;
  let ann: SeededPerson;
  let bob: SeededPerson;
  let channel: string;

  beforeEach(async () => {
    intervals = new HeldIntervals(VERIFY_SLOT_MS, PING_SLOT_MS);
    harness = await LiveHarness.start();
    space = await seedSpace(harness.db);
    [ann, bob] = await Promise.all([space.person('member'), space.person('member')]);
    chat = new ChatFixture(harness.db, space.spaceId);
    channel = await chat.conversation({ scope: 'private', members: [as(ann), as(bob)] });
  });
  afterEach(async () => {
    await harness.close();
    intervals.release();
  });

  const call = (method: string, path: string, token: string, body: object = {}): Promise<Response> =>
    fetch(`${harness.api.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const asOwner = (method: string, path: string, body?: object): Promise<Response> =>
    call(method, `admin/${path}`, space.owner.token, body);

  test('the headers are sent before the first ping', async () => {
    const annStream = await harness.api.open(ann.token);
    expect(annStream.status).toBe(200);
    expect(annStream.pings).toEqual([]);
  });

  test.each([
    ['a new token', () => asOwner('POST', `users/${ann.id}/regenerate_token`)],
    ['a deactivated person', () => asOwner('PATCH', `users/${ann.id}`, { is_active: false })],
    [
      'an inactive space',
      () => call('PATCH', `operator/spaces/${space.spaceId}`, OPERATOR_TOKEN, { is_active: false }),
    ],
  ])('%s ends the stream without waiting for the periodic verification', async (_, revoke) => {
    const annStream = await harness.api.open(ann.token);
    expect((await revoke()).status).toBe(200);
    await annStream.until(({ ended }) => ended);
    const again = await harness.api.open(ann.token);
    expect(again.status).toBe(401);
  });

  test('a stuck reader is disconnected, the others continue, and the process does not grow', async () => {
    const stuck = await harness.api.open(bob.token);
    const healthy = await harness.api.open(ann.token);
    stuck.pause();
    // About 8 MiB in total, far more than the kernel buffers for a reader that does not read.
    const metadataJson = JSON.stringify({ filler: 'x'.repeat(30_000) });
    for (let n = 0; n < 300; n += 1) await chat.post(channel, as(ann), `m${n}`, { metadataJson });
    await healthy.until(() => texts(healthy).length === 300, 60_000);
    await eventually(() => harness.api.streams.count === 1);
    expect(healthy.ended).toBe(false);
    stuck.resume();
    await stuck.until(({ ended }) => ended);
    expect(texts(stuck).length).toBeLessThan(300);
  });

  test('a shutdown ends the streams', async () => {
    const annStream = await harness.api.open(ann.token);
    const stopping = harness.api.app.close();
    await annStream.until(({ ended }) => ended);
    await stopping;
  });

  test('messages are buffered for members while memberships cannot be read, and none is lost', async () => {
    const annStream = await harness.api.open(ann.token);
    const owners = await chat.conversation({ scope: 'private', members: [as(space.owner)] });
    const ownerStream = await harness.api.open(space.owner.token);
    await chat.post(channel, as(ann), 'before');
    await annStream.until(() => texts(annStream).includes('before'));
    const bus = await harness.bus();
    // Memberships can't be read until this transaction ends.
    await runInWorkerTx(harness.db, async (tx) => {
      await tx.query('LOCK TABLE conversation_members');
      // The bus keeps the order: memberships must be read again from here on.
      bus.publish(LIVE_CHANNEL, { to: 'everybody', gap: true });
      bus.publish(LIVE_CHANNEL, {
        to: 'channel',
        space_id: space.spaceId,
        channel_id: channel,
        event: { event: 'message.new', text: 'held' },
      });
      bus.publish(LIVE_CHANNEL, {
        to: 'member',
        space_id: space.spaceId,
        member_id: ann.id,
        event: { event: 'ephemeral' },
      });
      await annStream.until(({ events }) => events.some(({ event }) => event === 'ephemeral'));
      // A read that fails is repeated.
      await eventually(async () => expect(await tx.query(CANCEL_READS)).not.toEqual([]));
      expect(texts(annStream)).not.toContain('held');
    });
    await annStream.until(() => texts(annStream).includes('held'));
    expect(annStream.events.map(({ event }) => event).filter((event) => event === 'resync')).toHaveLength(1);
    await chat.post(owners, as(space.owner), 'later');
    await ownerStream.until(() => texts(ownerStream).includes('later'));
    expect(texts(ownerStream)).toEqual(['later']);
    await bus.close();
  });

  test.each([
    ['events', 5_001, 1],
    ['bytes', 10, 900_000],
  ])('events waiting for memberships are limited per space, in %s', async (_, count, length) => {
    const other = await seedSpace(harness.db);
    const quiet = await new ChatFixture(harness.db, other.spaceId).conversation({
      members: [as(other.owner)],
    });
    const [annStream, others] = [
      await harness.api.open(ann.token),
      await harness.api.open(other.owner.token),
    ];
    const bus = await harness.bus();
    const publish = (spaceId: string, channelId: string, text: string): void =>
      bus.publish(liveChannelOf(spaceId), {
        to: 'channel',
        space_id: spaceId,
        channel_id: channelId,
        event: { event: 'message.new', text },
      });
    // Memberships can't be read until this transaction ends, and all must be read again.
    await runInWorkerTx(harness.db, async (tx) => {
      await tx.query('LOCK TABLE conversation_members');
      bus.publish(LIVE_CHANNEL, { to: 'everybody', gap: true });
      publish(other.spaceId, quiet, 'held');
      for (let n = 0; n < count; n += 1) publish(space.spaceId, channel, 'x'.repeat(length));
      await annStream.until(({ ended }) => ended);
      expect(texts(others)).toEqual([]);
    });
    await others.until(() => texts(others).includes('held'));
    expect(texts(annStream)).toEqual([]);
    await bus.close();
  });

  test('a person removed during a gap receives nothing after it', async () => {
    const [annStream, bobStream] = await Promise.all([
      harness.api.open(ann.token),
      harness.api.open(bob.token),
    ]);
    await chat.post(channel, as(ann), 'before');
    await bobStream.until(() => texts(bobStream).includes('before'));
    await harness.db.query('DELETE FROM conversation_members WHERE member_id = $1', [bob.id]);
    const bus = await harness.bus();
    bus.publish(LIVE_CHANNEL, { to: 'everybody', gap: true });
    await bobStream.until(({ events }) => events.some(({ event }) => event === 'resync'));
    await chat.post(channel, as(ann), 'after');
    await annStream.until(() => texts(annStream).includes('after'));
    bus.publish(LIVE_CHANNEL, {
      to: 'member',
      space_id: space.spaceId,
      member_id: bob.id,
      event: { event: 'mark' },
    });
    await bobStream.until(({ events }) => events.some(({ event }) => event === 'mark'));
    expect(texts(bobStream)).toEqual(['before']);
    await bus.close();
  });

  test('a stream is closed if its memberships cannot be read at all', async () => {
    await harness.db.query('ALTER TABLE conversation_members RENAME TO away');
    const annStream = await harness.api.open(ann.token);
    expect(annStream.status).toBe(200);
    await annStream.until(({ ended }) => ended);
    expect(harness.api.streams.count).toBe(0);
  });

  test('after the bus reconnects, clients are told to resync and receive later events', async () => {
    const annStream = await harness.api.open(ann.token);
    await chat.post(channel, as(ann), 'before');
    await annStream.until(() => texts(annStream).includes('before'));
    await cutBus(harness.db, harness.redisUrl);
    await annStream.until(({ events }) => events.some(({ event }) => event === 'resync'));
    await chat.post(channel, as(ann), 'after');
    await annStream.until(() => texts(annStream).includes('after'));
  });

  test('after the relay dies, clients are told to resync and the next relay continues', async () => {
    const annStream = await harness.api.open(ann.token);
    await chat.post(channel, as(ann), 'before');
    await annStream.until(() => texts(annStream).includes('before'));
    const resyncs = (): number => annStream.events.filter(({ event }) => event === 'resync').length;
    const earlier = resyncs();
    await harness.startRelay();
    await harness.stopRelay();
    await annStream.until(() => resyncs() > earlier);
    await chat.post(channel, as(ann), 'to the next');
    await annStream.until(() => texts(annStream).includes('to the next'));
  });
});
