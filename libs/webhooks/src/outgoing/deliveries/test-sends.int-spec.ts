import { startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
beforeAll(async () => {
  harness = await startOutgoingHarness();
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
  // Longer than the default, so that only this setting explains the time.
  const timeoutMs = 7_000;
  const quick = await startOutgoingHarness({ DELIVERY_TIMEOUT_MS: String(timeoutMs) });
  try {
    const { id, receiver } = await quick.subscribe();
    receiver.respond('hang');
    const startedAt = performance.now();
    const { result } = (await quick.call('POST', `/outgoing_webhooks/${id}/test`)).body;
    expect(result).toEqual({ status_code: null, error: 'timeout', duration_ms });
    expect(performance.now() - startedAt).toBeGreaterThan(timeoutMs - 100);
    // Without a timeout the receiver would hang for ever.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await quick.sent(id);
  } finally {
    await quick.close();
  }
});

test('a receiver that closes the connection is reported with the error', async () => {
  const { id, receiver } = await harness.subscribe();
  receiver.respond('reset');
  const { result } = (await harness.call('POST', `/outgoing_webhooks/${id}/test`)).body;
  expect(result).toEqual({ status_code: null, error: expect.stringMatching(/connection/), duration_ms });
});
