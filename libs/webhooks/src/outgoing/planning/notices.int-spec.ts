import { runInWorkerTx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { parse, standardVerifies, startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

const NOTICES = { event_types: ['NOTICE_CREATED'] };
let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterEach(() => rig.clear());
afterAll(() => rig?.close());

const raise = (objectId: string = uuidv7(), space = rig) =>
  runInWorkerTx(rig.api.db, (tx) =>
    raiseNotice(tx, {
      spaceId: space.space.spaceId,
      kind: 'bot.push_unreachable',
      objectType: 'bot',
      objectId,
      text: 'It is down.',
    }),
  );
const eventsOf = ({ receiver }: Subscribed) => receiver.requests.map(parse);

test('a notice is told to those who named it, as admins see it', async () => {
  const [hearing, other] = [await rig.subscribe(NOTICES), await rig.subscribe()];
  const id = await raise();
  await rig.sent(hearing.id);
  const { notices } = (await rig.call('GET', '/notices')).body;
  expect(eventsOf(hearing)).toEqual([
    {
      event_id: expect.any(String),
      event_type: 'NOTICE_CREATED',
      space_id: rig.space.spaceId,
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
  await rig.sent(other.id);
  expect(other.receiver.requests).toEqual([]);
});

test('neither channels nor a trigger keep it back; thin it has ids, with context an empty one', async () => {
  const channel_ids = [await rig.channel()];
  const narrow = await rig.subscribe({
    event_types: ['MESSAGE_CREATED', 'NOTICE_CREATED'],
    channel_ids,
    trigger: 'keywords',
    trigger_config: { keywords: ['deploy'] },
    include_context: true,
  });
  const thin = await rig.subscribe({ ...NOTICES, payload: 'thin' });
  const object = uuidv7();
  const id = await raise(object);
  await Promise.all([rig.sent(narrow.id), rig.sent(thin.id)]);
  expect(eventsOf(narrow)).toMatchObject([{ data: { id }, context: { messages: [], context_error: false } }]);
  expect(eventsOf(thin)).toMatchObject([{ data: { id, object_id: object } }]);
  expect(eventsOf(thin)[0].data).not.toHaveProperty('text');
});

test('never about the subscription itself, nor of another space', async () => {
  const [about, hearing] = [await rig.subscribe(NOTICES), await rig.subscribe(NOTICES)];
  await raise(about.id);
  await raise(uuidv7(), await rig.otherSpace());
  await rig.sent(hearing.id);
  expect(eventsOf(hearing)).toMatchObject([{ data: { object_id: about.id } }]);
  await rig.sent(about.id);
  expect(about.receiver.requests).toEqual([]);
});

test('an auto-disabled subscription is told to another', async () => {
  const quick = await startRig({ DELIVERY_AUTO_DISABLE_THRESHOLD: '1' });
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
