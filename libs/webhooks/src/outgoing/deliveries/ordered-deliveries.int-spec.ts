import { eventually } from '@tieline/testing';
import { parse, startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

const WAIT = { status: 503, headers: { 'retry-after': '60' } };
let rig: Rig;
let channel: string;
let subscription: Subscribed;

beforeAll(async () => {
  rig = await startRig();
});
beforeEach(async () => {
  channel = await rig.channel();
  subscription = await rig.subscribe({ ordered: true });
});
afterEach(() => rig.clear());
afterAll(() => rig?.close());

const textsOf = ({ receiver }: Subscribed, of = channel): string[] =>
  receiver.requests
    .map(parse)
    .filter(({ conversation_id: id }) => id === of)
    .map(({ data }) => data.text as string);
const postAll = async (texts: readonly string[], place = channel): Promise<void> => {
  for (const text of texts) await rig.post(place, text);
};
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));
/** What waits for its moment is due now. */
const hurry = () =>
  rig.api.db.query("UPDATE delivery_queue SET due_at = now() WHERE target_id = $1 AND due_at < 'infinity'", [
    subscription.id,
  ]);

test('events of a conversation come one after another, in order of commit', async () => {
  let [busy, most] = [0, 0];
  subscription.receiver.respond(async () => {
    most = Math.max(most, (busy += 1));
    await new Promise((resolve) => setImmediate(resolve));
    busy -= 1;
    return 200;
  });
  await postAll(numbered(30));
  await rig.sent(subscription.id);
  expect([textsOf(subscription), most]).toEqual([numbered(30), 1]);
});

test('one that is tried again holds its conversation, and no other', async () => {
  const other = await rig.channel();
  let failed = false;
  subscription.receiver.respond(({ body }) => {
    const isFirst = !failed && body.includes('"first"');
    failed ||= isFirst;
    return isFirst ? WAIT : 200;
  });
  await postAll(['first', 'second', 'third']);
  await postAll(['a', 'b'], other);
  await eventually(() => expect(textsOf(subscription, other)).toEqual(['a', 'b']));
  expect(textsOf(subscription)).toEqual(['first']);
  // Those of the other conversation are logged a moment after they have come.
  await eventually(async () => {
    const held = (await rig.deliveries(subscription.id, '?status=pending')) as { next_attempt_at: unknown }[];
    expect(held.map(({ next_attempt_at: at }) => at === null)).toEqual([true, true, false]);
  });
  await hurry();
  await rig.sent(subscription.id);
  expect(textsOf(subscription)).toEqual(['first', 'first', 'second', 'third']);
});

test('a dead letter frees it', async () => {
  subscription.receiver.respond(({ body }) => (body.includes('"bad"') ? 400 : 200));
  await postAll(['bad', 'good']);
  await rig.sent(subscription.id);
  expect(textsOf(subscription)).toEqual(['bad', 'good']);
});

test('redeliveries and test sends wait for nobody, and nobody for them', async () => {
  await postAll(['done']);
  await rig.sent(subscription.id);
  const [{ delivery_id: id }] = await rig.deliveries(subscription.id);
  subscription.receiver.respond(({ body }) => (body.includes('"held"') ? WAIT : 200));
  await postAll(['held', 'behind']);
  await subscription.receiver.waitFor(2);
  await rig.call('POST', `/deliveries/${id}/redeliver`);
  const { result } = (await rig.call('POST', `/outgoing_webhooks/${subscription.id}/test`)).body;
  expect(result).toMatchObject({ status_code: 200 });
  await eventually(() => expect(textsOf(subscription)).toEqual(['done', 'held', 'done']));
});

test('whoever stands first and was not released is released all the same', async () => {
  subscription.receiver.respond(({ body }) => (body.includes('"lost"') ? WAIT : 200));
  await postAll(['lost', 'behind']);
  await subscription.receiver.waitFor(1);
  await rig.planned();
  await rig.api.db.query("DELETE FROM delivery_queue WHERE target_id = $1 AND due_at < 'infinity'", [
    subscription.id,
  ]);
  await rig.sent(subscription.id);
  expect(textsOf(subscription)).toEqual(['lost', 'behind']);
});

test('without it a failing event holds nobody up', async () => {
  const unordered = await rig.subscribe();
  unordered.receiver.respond(({ body }) => (body.includes('"first"') ? WAIT : 200));
  await postAll(['first', 'second']);
  await eventually(() => expect(textsOf(unordered)).toContain('second'));
});
