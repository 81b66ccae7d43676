import { ADVISORY_LOCKS } from '@tieline/background';
import { runInWorkerTx } from '@tieline/platform/database';
import { mayIdle, startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { ApprovalsHarness, startApprovalsApi } from '../testing/approvals-harness.js';

let api: TestApi;
let fx: ApprovalsHarness;
let receiver: Receiver;

beforeAll(async () => {
  api = await startApprovalsApi({ EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOWED_CIDRS: '127.0.0.0/8' });
  receiver = await startReceiver();
});
beforeEach(async () => {
  fx = await ApprovalsHarness.of(api);
});
afterAll(async () => {
  await api?.close();
  await receiver?.close();
});

test('a pushed bot gets approval.decided in an envelope', async () => {
  fx.bot = await fx.fixture.bot({ event_delivery_mode: 'webhook', webhook_url: `${receiver.url}/bot` });
  fx.channel = await fx.conversation();
  const { id } = await fx.approval();
  await fx.decide(fx.ann, id);
  const [request] = await receiver.waitFor(1);
  expect(JSON.parse(String(request?.body))).toMatchObject({
    event_type: 'approval.decided',
    space_id: fx.spaceId,
    conversation_id: fx.channel,
    thread_id: '',
    actor_user_id: fx.ann.id,
    data: { event_type: 'approval.decided', approval: await fx.get(id) },
  });
});

test('outgoing events have only ids, once for the request and once for every end', async () => {
  const { decided, cancelled, rows } = await runInWorkerTx(api.db, async (tx) => {
    // Keeps the relay from taking the events.
    await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.planning]);
    await mayIdle(tx);
    const first = await fx.approval({ tool: 't', arguments: { secret: 'x' }, text: 'private' });
    await fx.decide(fx.ann, first.id, 'deny');
    const second = await fx.approval();
    await fx.asBot('POST', `/${second.id}/cancel`);
    const events = await tx.query(
      `SELECT type, payload FROM outbox WHERE space_id = $1 AND type LIKE 'APPROVAL%' ORDER BY id`,
      [fx.spaceId],
    );
    return { decided: first, cancelled: second, rows: events as { type: string; payload: string }[] };
  });
  const idsOf = (approval: Record<string, unknown>) => ({
    approval_id: approval.id,
    conversation_id: fx.channel,
    message_id: approval.message_id,
    bot_id: fx.bot.id,
  });
  const shown = rows.map(({ type, payload }) => {
    const event = JSON.parse(payload) as { actor_id: string; data: object };
    return [type, event.actor_id, event.data];
  });
  expect(shown).toEqual([
    ['APPROVAL_REQUESTED', fx.bot.id, idsOf(decided)],
    ['APPROVAL_DECIDED', fx.ann.id, idsOf(decided)],
    ['APPROVAL_REQUESTED', fx.bot.id, idsOf(cancelled)],
    ['APPROVAL_DECIDED', fx.bot.id, idsOf(cancelled)],
  ]);
});
