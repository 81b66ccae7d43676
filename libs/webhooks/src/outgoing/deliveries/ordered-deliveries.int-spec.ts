import { eventually } from '@tieline/testing';
import { parse, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

const WAIT = { status: 503, headers: { 'retry-after': '60' } };
let harness: OutgoingHarness;
let channel: string;
let subscription: TestSubscription;

beforeAll(async () => {
  harness = await startOutgoingHarness();
});
beforeEach(async () => {
  channel = await harness.channel();
  subscription = await harness.subscribe({ ordered: true });
});
afterEach(() => harness.clear());
afterAll(() => harness?.close());

const textsOf = ({ receiver }: TestSubscription, of = channel): string[] =>
  receiver.requests
    .map(parse)
    .filter(({ conversation_id: id }) => id === of)
    .map(({ data }) => data.text as string);
const postAll = async (texts: readonly string[], place = channel): Promise<void> => {
  for (const text of texts) await harness.post(place, text);
};
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));
/** Makes all waiting deliveries due. */
const hurry = () =>
  harness.api.db.query(
    "UPDATE delivery_queue SET due_at = now() WHERE target_id = $1 AND due_at < 'infinity'",
    [subscription.id],
  );

test('events of a conversation are sent one at a time in commit order', async () => {
  let [busy, most] = [0, 0];
  subscription.receiver.respond(async () => {
    most = Math.max(most, (busy += 1));
    await new Promise((resolve) => setImmediate(resolve));
    busy -= 1;
    return 200;
  });
  await postAll(numbered(30));
  await harness.sent(subscription.id);
  expect([textsOf(subscription), most]).toEqual([numbered(30), 1]);
});

test('a retried event delays its conversation and no other', async () => {
  const other = await harness.channel();
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
  // Deliveries of the other conversation are logged shortly after they arrive.
  await eventually(async () => {
    const held = (await harness.deliveries(subscription.id, '?status=pending')) as {
      next_attempt_at: unknown;
    }[];
    expect(held.map(({ next_attempt_at: at }) => at === null)).toEqual([true, true, false]);
  });
  await hurry();
  await harness.sent(subscription.id);
  expect(textsOf(subscription)).toEqual(['first', 'first', 'second', 'third']);
});

test('a dead delivery releases the next event', async () => {
  subscription.receiver.respond(({ body }) => (body.includes('"bad"') ? 400 : 200));
  await postAll(['bad', 'good']);
  await harness.sent(subscription.id);
  expect(textsOf(subscription)).toEqual(['bad', 'good']);
});

test('redeliveries and test sends are not part of the order', async () => {
  await postAll(['done']);
  await harness.sent(subscription.id);
  const [{ delivery_id: id }] = await harness.deliveries(subscription.id);
  subscription.receiver.respond(({ body }) => (body.includes('"held"') ? WAIT : 200));
  await postAll(['held', 'behind']);
  await subscription.receiver.waitFor(2);
  await harness.call('POST', `/deliveries/${id}/redeliver`);
  const { result } = (await harness.call('POST', `/outgoing_webhooks/${subscription.id}/test`)).body;
  expect(result).toMatchObject({ status_code: 200 });
  await eventually(() => expect(textsOf(subscription)).toEqual(['done', 'held', 'done']));
});

test('an event that should have been released is released by the next check', async () => {
  subscription.receiver.respond(({ body }) => (body.includes('"lost"') ? WAIT : 200));
  await postAll(['lost', 'behind']);
  await subscription.receiver.waitFor(1);
  await harness.planned();
  await harness.api.db.query("DELETE FROM delivery_queue WHERE target_id = $1 AND due_at < 'infinity'", [
    subscription.id,
  ]);
  await harness.sent(subscription.id);
  expect(textsOf(subscription)).toEqual(['lost', 'behind']);
});

test('without ordering a failing event delays no other', async () => {
  const unordered = await harness.subscribe();
  unordered.receiver.respond(({ body }) => (body.includes('"first"') ? WAIT : 200));
  await postAll(['first', 'second']);
  await eventually(() => expect(textsOf(unordered)).toContain('second'));
});
