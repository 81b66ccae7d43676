import { slackMs } from '@tieline/testing';
import { startRig } from '../testing/outgoing-rig.js';
import type { Rig } from '../testing/outgoing-rig.js';

const TIMEOUT_MS = 1_500 + slackMs;
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ DELIVERY_TIMEOUT_MS: String(TIMEOUT_MS) });
});
afterAll(() => rig?.close());
afterEach(() => rig.clear());

const duration_ms = expect.any(Number);

test.each([204, 404, 500])('a test send answers with the receiver’s %i', async (status_code) => {
  const { id, receiver } = await rig.subscribe();
  receiver.respond(status_code);
  const { status, body } = await rig.call('POST', `/outgoing_webhooks/${id}/test`);
  expect([status, body]).toEqual([
    200,
    { ok: true, delivery_id: expect.any(String), result: { status_code, error: null, duration_ms } },
  ]);
  const { delivery } = (await rig.call('GET', `/deliveries/${body.delivery_id}`)).body;
  expect(delivery.attempt_log).toMatchObject([{ status_code, duration_ms: body.result.duration_ms }]);
});

test('a receiver that hangs is answered as a timeout, within DELIVERY_TIMEOUT_MS', async () => {
  const { id, receiver } = await rig.subscribe();
  receiver.respond('hang');
  const begun = performance.now();
  const { result } = (await rig.call('POST', `/outgoing_webhooks/${id}/test`)).body;
  expect(result).toEqual({ status_code: null, error: 'timeout', duration_ms });
  expect(performance.now() - begun).toBeLessThan(2 * TIMEOUT_MS);
  await rig.sent(id);
});

test('a receiver that cuts the connection is answered with what went wrong', async () => {
  const { id, receiver } = await rig.subscribe();
  receiver.respond('reset');
  const { result } = (await rig.call('POST', `/outgoing_webhooks/${id}/test`)).body;
  expect(result).toEqual({ status_code: null, error: expect.stringMatching(/connection/), duration_ms });
});
