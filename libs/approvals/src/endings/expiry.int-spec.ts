import { eventually, mayIdle } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { OldApprovalsProcessor } from './old-approvals.processor.js';
import { ApprovalsHarness, startApprovalsApi } from '../testing/approvals-harness.js';

let api: TestApi;
let fx: ApprovalsHarness;

beforeAll(async () => {
  api = await startApprovalsApi();
});
beforeEach(async () => {
  fx = await ApprovalsHarness.of(api);
});
afterAll(() => api?.close());

function dropOld(): Promise<void> {
  const processor = api.app.get(OldApprovalsProcessor) as unknown as {
    run(turn: { signal: AbortSignal }): Promise<void>;
  };
  return processor.run({ signal: new AbortController().signal });
}

test.each([
  ['expire', 'expired', null],
  ['deny', 'denied', { option_id: 'deny', kind: 'deny', decided_by: [], decided_at: expect.any(String) }],
])('an approval with on_expiry %s is %s when its time is up', async (onExpiry, state, result) => {
  const { id } = await fx.approval({ on_expiry: onExpiry });
  const waiting = fx.asBot('GET', `/${id}?wait=25`);
  await fx.passTime(id);
  const { approval } = (await waiting).body;
  expect(approval).toMatchObject({ state, result, decisions: [], sequence: 2 });
  await eventually(async () => (await fx.decidedEvents(id)).length === 1);
  expect(await fx.decidedEvents(id)).toEqual([{ event_type: 'approval.decided', approval }]);
  expect((await fx.audited(id)).map(({ action, actor_id: actor }) => [action, actor])).toEqual([
    ['approval.requested', fx.bot.id],
    ['approval.expired', null],
  ]);
});

test('a denial by expiry is 409 for later decisions, like any other result', async () => {
  const { id } = await fx.approval({ on_expiry: 'deny' });
  await fx.passTime(id);
  await eventually(async () => (await fx.get(id)).state === 'denied');
  expect((await fx.decide(fx.ann, id)).body.code).toBe('approval_decided');
});

test('ended approvals are deleted after the retention, pending ones never', async () => {
  const [old, recent, pending] = [await fx.approval(), await fx.approval(), await fx.approval()];
  for (const { id } of [old, recent]) await fx.decide(fx.ann, id);
  await api.db.query(`UPDATE approvals SET ended_at = now() - interval '91 days' WHERE id = $1`, [old.id]);
  await api.db.query(`UPDATE approvals SET created_at = now() - interval '91 days' WHERE id = $1`, [
    pending.id,
  ]);
  await dropOld();
  const { body } = await fx.asBot('GET');
  expect(body.approvals.map(({ id }: { id: string }) => id)).toEqual([pending.id, recent.id]);
});

describe('the deletion of a bot', () => {
  const kinds = ['approve', 'approve_always', 'deny'];
  const options = kinds.map((kind) => ({ id: kind, label: kind, kind }));
  const removeBot = async () =>
    expect((await fx.fixture.admin('DELETE', `/bots/${fx.bot.id}`)).status).toBe(200);
  const listed = async (list: string, named: string): Promise<Record<string, unknown>[]> =>
    (await fx.fixture.admin('GET', `/${list}`)).body[named];

  test('ends its pending approvals', async () => {
    const [first, denied, decided] = [
      await fx.approval(),
      await fx.approval({ on_expiry: 'deny' }),
      await fx.approval(),
    ];
    await fx.decide(fx.ann, decided.id);
    await removeBot();
    expect((await fx.decide(fx.ann, first.id)).body.code).toMatch(/^approval_(expired|decided)$/);
    const states = async () =>
      Object.fromEntries((await listed('approvals', 'approvals')).map(({ id, state }) => [id, state]));
    await eventually(async () =>
      expect(await states()).toEqual({
        [first.id]: 'expired',
        [denied.id]: 'denied',
        [decided.id]: 'approved',
      }),
    );
  });

  test('is not held up by a decision that is being made', async () => {
    const { id } = await fx.approval();
    const locker = await api.db.pool.connect();
    await locker.query('BEGIN');
    await mayIdle(locker);
    await locker.query('SELECT 1 FROM approvals WHERE id = $1 FOR UPDATE', [id]);
    await removeBot();
    await locker.query('COMMIT');
    locker.release();
    expect((await fx.decide(fx.ann, id)).body.approval.state).toBe('approved');
  });

  test('removes its rules', async () => {
    const { id } = await fx.approval({ tool: 'deploy', options });
    await fx.decide(fx.owner, id, 'approve_always');
    await dropOld();
    expect(await listed('approval_rules', 'approval_rules')).toHaveLength(1);
    await removeBot();
    await dropOld();
    expect(await listed('approval_rules', 'approval_rules')).toEqual([]);
  });
});
