import { parse, standardVerifies, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
beforeAll(async () => {
  harness = await startOutgoingHarness();
});
afterEach(() => harness.clear());
afterAll(() => harness?.close());

test('a thin payload is the same envelope with only ids, and others get the full event', async () => {
  const channel = await harness.channel();
  const [thin, full] = [await harness.subscribe({ payload: 'thin' }), await harness.subscribe()];
  const { messageId } = await harness.post(channel, 'nobody else is to read this');
  await Promise.all([harness.sent(thin.id), harness.sent(full.id)]);
  const [{ data, ...envelope }, whole] = [parse(thin.receiver.requests[0]), parse(full.receiver.requests[0])];
  expect(data).toEqual({
    message_id: messageId,
    conversation_id: channel,
    author_id: harness.space.owner.id,
  });
  expect(envelope).toEqual({ ...whole, data: undefined });
  expect(whole.data.text).toBe('nobody else is to read this');
  expect(standardVerifies(thin.secret, thin.receiver.requests[0]!)).toBe(true);
});

test('a test send is thin too', async () => {
  const { id, receiver } = await harness.subscribe({ payload: 'thin' });
  await harness.call('POST', `/outgoing_webhooks/${id}/test`);
  expect(parse(receiver.requests[0])).toMatchObject({ event_type: 'WEBHOOK_TEST', data: {} });
});

test('thin payloads and context exclude each other', async () => {
  const [context, thin] = [
    await harness.subscribe({ include_context: true }),
    await harness.subscribe({ payload: 'thin' }),
  ];
  const change = (id: string, body: object) => harness.call('PATCH', `/outgoing_webhooks/${id}`, body);
  const refusal = { status: 400, body: { code: 'invalid_field', field: 'payload' } };
  expect(await change(context.id, { payload: 'thin' })).toMatchObject(refusal);
  expect(await change(thin.id, { include_context: true })).toMatchObject(refusal);
  expect(await change(thin.id, { payload: 'full', include_context: true })).toMatchObject({ status: 200 });
});
