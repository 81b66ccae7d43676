import { slackMs } from '@tieline/testing';
import { startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness } from '../testing/outgoing-harness.js';

const TIMEOUT_MS = 1_500 + slackMs;
let harness: OutgoingHarness;
beforeAll(async () => {
  harness = await startOutgoingHarness({ DELIVERY_TIMEOUT_MS: String(TIMEOUT_MS) });
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

const duration_ms = expect.any(Number);

test.each([204, 404, 500])('a test send returns the receiver’s %i', async (status_code) => {
  const { id, receiver } = await harness.subscribe();
  receiver.respond(status_code);
  const { status, body } = await harness.call('POST', `/outgoing_webhooks/${id}/test`);
  expect([status, body]).toEqual([
    200,
    { ok: true, delivery_id: expect.any(String), result: { status_code, error: null, duration_ms } },
  ]);
  const { delivery } = (await harness.call('GET', `/deliveries/${body.delivery_id}`)).body;
  expect(delivery.attempt_log).toMatchObject([{ status_code, duration_ms: body.result.duration_ms }]);
});

test('a hanging receiver is reported as a timeout within DELIVERY_TIMEOUT_MS', async () => {
  const { id, receiver } = await harness.subscribe();
  receiver.respond('hang');
  const startedAt = performance.now();
  const { result } = (await harness.call('POST', `/outgoing_webhooks/${id}/test`)).body;
  expect(result).toEqual({ status_code: null, error: 'timeout', duration_ms });
  expect(performance.now() - startedAt).toBeLessThan(2 * TIMEOUT_MS);
  await harness.sent(id);
});

test('a receiver that closes the connection is reported with the error', async () => {
  const { id, receiver } = await harness.subscribe();
  receiver.respond('reset');
  const { result } = (await harness.call('POST', `/outgoing_webhooks/${id}/test`)).body;
  expect(result).toEqual({ status_code: null, error: expect.stringMatching(/connection/), duration_ms });
});
