import { runInWorkerTx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { parse, standardVerifies, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

const NOTICES = { event_types: ['NOTICE_CREATED'] };
let harness: OutgoingHarness;
beforeAll(async () => {
  harness = await startOutgoingHarness();
});
afterEach(() => harness.clear());
afterAll(() => harness?.close());

const raise = (objectId: string = uuidv7(), space = harness) =>
  runInWorkerTx(harness.api.db, (tx) =>
    raiseNotice(tx, {
      spaceId: space.space.spaceId,
      kind: 'bot.push_unreachable',
      objectType: 'bot',
      objectId,
      text: 'It is down.',
    }),
  );
const eventsOf = ({ receiver }: TestSubscription) => receiver.requests.map(parse);

test('a notice reaches the subscriptions that select it, as admins see it', async () => {
  const [hearing, other] = [await harness.subscribe(NOTICES), await harness.subscribe()];
  const id = await raise();
  await harness.sent(hearing.id);
  const { notices } = (await harness.call('GET', '/notices')).body;
  expect(eventsOf(hearing)).toEqual([
    {
      event_id: expect.any(String),
      event_type: 'NOTICE_CREATED',
      space_id: harness.space.spaceId,
      conversation_id: '',
      thread_id: '',
      actor_user_id: '',
      occurred_at: notices[0].created_at,
      schema_version: 1,
      data: notices[0],
    },
  ]);
  expect(notices[0].id).toBe(id);
  expect(standardVerifies(hearing.secret, hearing.receiver.requests[0]!)).toBe(true);
  await harness.sent(other.id);
  expect(other.receiver.requests).toEqual([]);
});

test('channels and trigger do not filter it, thin payloads have ids, and its context is empty', async () => {
  const channel_ids = [await harness.channel()];
  const narrow = await harness.subscribe({
    event_types: ['MESSAGE_CREATED', 'NOTICE_CREATED'],
    channel_ids,
    trigger: 'keywords',
    trigger_config: { keywords: ['deploy'] },
    include_context: true,
  });
  const thin = await harness.subscribe({ ...NOTICES, payload: 'thin' });
  const object = uuidv7();
  const id = await raise(object);
  await Promise.all([harness.sent(narrow.id), harness.sent(thin.id)]);
  expect(eventsOf(narrow)).toMatchObject([{ data: { id }, context: { messages: [], context_error: false } }]);
  expect(eventsOf(thin)).toMatchObject([{ data: { id, object_id: object } }]);
  expect(eventsOf(thin)[0].data).not.toHaveProperty('text');
});

test('a subscription gets no notices about itself or of another space', async () => {
  const [about, hearing] = [await harness.subscribe(NOTICES), await harness.subscribe(NOTICES)];
  await raise(about.id);
  await raise(uuidv7(), await harness.otherSpace());
  await harness.sent(hearing.id);
  expect(eventsOf(hearing)).toMatchObject([{ data: { object_id: about.id } }]);
  await harness.sent(about.id);
  expect(about.receiver.requests).toEqual([]);
});

test('another subscription gets the notice of an auto-disabled one', async () => {
  const quick = await startOutgoingHarness({ DELIVERY_AUTO_DISABLE_THRESHOLD: '1' });
  try {
    const [failing, hearing] = [await quick.subscribe(), await quick.subscribe(NOTICES)];
    failing.receiver.respond(400);
    await quick.post(await quick.channel(), 'x');
    const [request] = await hearing.receiver.waitFor(1);
    expect(parse(request).data).toMatchObject({
      kind: 'outgoing_webhook.auto_disabled',
      object_type: 'outgoing_webhook',
      object_id: failing.id,
    });
  } finally {
    await quick.close();
  }
});
