import { NoPlacesModule, seedSpace, startTestApi } from '../testing/index.js';
import type { SeededSpace, TestApi } from '../testing/index.js';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';

let api: TestApi;
let space: SeededSpace;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule]);
});
afterAll(() => api?.close());
beforeEach(async () => {
  space = await seedSpace(api.db, { plan: 'pro' });
});

const call = (method: string, body?: unknown, token = space.owner.token) =>
  api.call(method, '/api/v1/admin/space', { token, body });

test('shows the space; bots see no e-mail addresses by default', async () => {
  expect(await call('GET')).toMatchObject({
    status: 200,
    body: {
      ok: true,
      space: { id: space.spaceId, name: 'Acme', plan: 'pro', is_active: true, bots_see_emails: false },
    },
  });
});

test('an admin changes name and setting separately, and the audit log has it', async () => {
  const admin = await space.person('admin');
  expect((await call('PATCH', { name: 'New' }, admin.token)).body.space).toMatchObject({
    name: 'New',
    bots_see_emails: false,
  });
  expect((await call('PATCH', { bots_see_emails: true, name: null }, admin.token)).body.space).toMatchObject({
    name: 'New',
    bots_see_emails: true,
  });
  expect((await call('PATCH', {}, admin.token)).body.space).toEqual((await call('GET')).body.space);
  const { body } = await api.call('GET', '/api/v1/admin/audit_log', { token: space.owner.token });
  const entries = body.entries.filter(({ action }: { action: string }) => action === 'space.updated');
  expect(entries.map(({ actor_id, changes }: Record<string, unknown>) => [actor_id, changes])).toEqual([
    [admin.id, { bots_see_emails: { from: false, to: true } }],
    [admin.id, { name: { from: 'Acme', to: 'New' } }],
  ]);
});

test('urgent approvals are off until an admin allows them', async () => {
  expect((await call('GET')).body.space.urgent_approvals).toBe(false);
  expect((await call('PATCH', { urgent_approvals: true })).body.space.urgent_approvals).toBe(true);
  expect((await call('PATCH', { name: 'New' })).body.space.urgent_approvals).toBe(true);
  expect((await call('PATCH', { urgent_approvals: 1 })).status).toBe(400);
});

test('only the operator changes plan and activity', async () => {
  const { status, body } = await call('PATCH', { plan: 'enterprise', is_active: false });
  expect([status, body.space.plan, body.space.is_active]).toEqual([200, 'pro', true]);
  expect(body.warnings).toHaveLength(2);
});

test.each([{ name: '' }, { name: ' ' }, { name: 'x'.repeat(101) }, { bots_see_emails: 'yes' }])(
  '%j is 400',
  async (body) => expect((await call('PATCH', body)).status).toBe(400),
);

test('members and guests may not', async () => {
  for (const role of ['member', 'guest'] as const) {
    const { token } = await space.person(role);
    for (const method of ['GET', 'PATCH']) expect((await call(method, undefined, token)).status).toBe(403);
  }
});

test('another space is not affected', async () => {
  const other = await seedSpace(api.db);
  await call('PATCH', { bots_see_emails: true, name: 'Mine' });
  expect((await call('GET', undefined, other.owner.token)).body.space).toMatchObject({
    name: 'Acme',
    bots_see_emails: false,
  });
});

test('concurrent changes hold two connections while they wait for each other', async () => {
  const { answers, waited } = await api.whileRowLocked('spaces', space.spaceId, () =>
    Array.from({ length: 12 }, (_, n) => call('PATCH', { name: `name ${n}` })),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});
