import { parse, standardVerifies, startRig } from '../testing/outgoing-rig.js';
import type { Rig } from '../testing/outgoing-rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterEach(() => rig.clear());
afterAll(() => rig?.close());

test('a thin payload is the same envelope with ids alone; others get the whole of the same event', async () => {
  const channel = await rig.channel();
  const [thin, full] = [await rig.subscribe({ payload: 'thin' }), await rig.subscribe()];
  const { messageId } = await rig.post(channel, 'nobody else is to read this');
  await Promise.all([rig.sent(thin.id), rig.sent(full.id)]);
  const [{ data, ...envelope }, whole] = [parse(thin.receiver.requests[0]), parse(full.receiver.requests[0])];
  expect(data).toEqual({ message_id: messageId, conversation_id: channel, author_id: rig.space.owner.id });
  expect(envelope).toEqual({ ...whole, data: undefined });
  expect(whole.data.text).toBe('nobody else is to read this');
  expect(standardVerifies(thin.secret, thin.receiver.requests[0]!)).toBe(true);
});

test('a test send is thin as well', async () => {
  const { id, receiver } = await rig.subscribe({ payload: 'thin' });
  await rig.call('POST', `/outgoing_webhooks/${id}/test`);
  expect(parse(receiver.requests[0])).toMatchObject({ event_type: 'WEBHOOK_TEST', data: {} });
});

test('a subscription with context does not become thin, nor a thin one get a context', async () => {
  const [context, thin] = [
    await rig.subscribe({ include_context: true }),
    await rig.subscribe({ payload: 'thin' }),
  ];
  const change = (id: string, body: object) => rig.call('PATCH', `/outgoing_webhooks/${id}`, body);
  const refusal = { status: 400, body: { code: 'invalid_field', field: 'payload' } };
  expect(await change(context.id, { payload: 'thin' })).toMatchObject(refusal);
  expect(await change(thin.id, { include_context: true })).toMatchObject(refusal);
  expect(await change(thin.id, { payload: 'full', include_context: true })).toMatchObject({ status: 200 });
});
