import { runInWorkerTx } from '@tieline/platform/database';
import { readRows } from '@tieline/testing';
import { NoPlacesModule, OPERATOR_TOKEN, seedSpace, startTestApi } from '../testing/index.js';
import type { TestApi } from '../testing/index.js';
import { changesBetween, recordChange } from './record-change.js';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';

const ID = '0198f3a2-7c1b-7000-8000-00000000ffff';

interface Entry {
  id: string;
  actor_id: string | null;
  actor_type: string;
  action: string;
  object_type: string;
  object_id: string;
  changes: Record<string, { from: unknown; to: unknown }>;
  ip: string | null;
  created_at: string;
}

interface CreatedSpace {
  space: { id: string };
  owner: { id: string };
  owner_token: string;
}

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule]);
});
afterAll(() => api.close());

async function createSpace(): Promise<CreatedSpace> {
  return (
    await api.call('POST', '/api/v1/operator/spaces', {
      token: OPERATOR_TOKEN,
      body: { name: 'Acme', plan: 'pro' },
    })
  ).body as CreatedSpace;
}

async function entriesOf(token: string, query = ''): Promise<Entry[]> {
  const { status, body } = await api.call('GET', `/api/v1/admin/audit_log${query}`, { token });
  expect(status).toBe(200);
  return body.entries as Entry[];
}

test('records every change by the operator to a space', async () => {
  const { space, owner, owner_token: token } = await createSpace();
  await api.call('PATCH', `/api/v1/operator/spaces/${space.id}`, {
    token: OPERATOR_TOKEN,
    body: { plan: 'enterprise', name: 'Acme' },
  });
  const operator = {
    id: expect.any(String),
    actor_id: null,
    actor_type: 'operator',
    ip: '127.0.0.1',
    created_at: expect.stringMatching(/Z$/),
  };
  expect(await entriesOf(token)).toEqual([
    {
      ...operator,
      action: 'space.updated',
      object_type: 'space',
      object_id: space.id,
      changes: { plan: { from: 'pro', to: 'enterprise' } },
    },
    {
      ...operator,
      action: 'user.created',
      object_type: 'user',
      object_id: owner.id,
      changes: {
        display_name: { from: null, to: 'Owner' },
        email: { from: null, to: '' },
        role: { from: null, to: 'owner' },
        is_active: { from: null, to: true },
      },
    },
    {
      ...operator,
      action: 'space.created',
      object_type: 'space',
      object_id: space.id,
      changes: {
        name: { from: null, to: 'Acme' },
        plan: { from: null, to: 'pro' },
        is_active: { from: null, to: true },
        bots_see_emails: { from: null, to: false },
        urgent_approvals: { from: null, to: false },
        apps_need_approval: { from: null, to: true },
      },
    },
  ]);
});

test('records every change by an admin to people, and never a token', async () => {
  const { owner, owner_token: token } = await createSpace();
  const created = (
    await api.call('POST', '/api/v1/admin/users', { token, body: { display_name: 'Ada', role: 'member' } })
  ).body;
  const path = `/api/v1/admin/users/${created.user.id}`;
  await api.call('PATCH', path, { token, body: { role: 'admin', is_active: false, display_name: 'Ada' } });
  const regenerated = (await api.call('POST', `${path}/regenerate_token`, { token })).body;

  const entries = (await entriesOf(token)).slice(0, 3);
  for (const entry of entries)
    expect(entry).toMatchObject({
      actor_id: owner.id,
      actor_type: 'user',
      object_type: 'user',
      object_id: created.user.id,
      ip: '127.0.0.1',
    });
  expect(entries.map(({ action }) => action)).toEqual([
    'user.token_regenerated',
    'user.updated',
    'user.created',
  ]);
  expect(entries[0]?.changes).toEqual({});
  expect(entries[1]?.changes).toEqual({
    role: { from: 'member', to: 'admin' },
    is_active: { from: true, to: false },
  });
  const everything = JSON.stringify(
    await api.db.query('SELECT row_to_json(a)::text AS entry FROM audit_log a'),
  );
  for (const secret of [token, created.token, regenerated.token] as string[])
    expect(everything).not.toContain(secret.slice(4));
});

test('records when people change their own name, but not their quiet hours', async () => {
  const space = await seedSpace(api.db);
  const person = await space.person('member', 'Ada');
  const notifications = { quiet_hours: { start: '22:00', end: '07:00', time_zone: 'UTC' } };
  await api.call('PATCH', '/api/v1/client/me', {
    token: person.token,
    body: { display_name: 'Eve', notifications },
  });
  await api.call('PATCH', '/api/v1/client/me', {
    token: person.token,
    body: { notifications: { quiet_hours: null } },
  });
  const own = (await entriesOf(space.owner.token)).filter(({ actor_id }) => actor_id === person.id);
  expect(own).toMatchObject([
    { action: 'user.updated', object_id: person.id, changes: { display_name: { from: 'Ada', to: 'Eve' } } },
  ]);
  expect(Object.keys(own[0]?.changes ?? {})).toEqual(['display_name']);
});

test('does not record refused attempts or requests that change nothing', async () => {
  const space = await seedSpace(api.db);
  const admin = await space.person('admin');
  const before = await entriesOf(space.owner.token);
  const attempts: [string, string, string, unknown][] = [
    ['PATCH', `/api/v1/admin/users/${space.owner.id}`, space.owner.token, { role: 'member' }],
    ['PATCH', `/api/v1/admin/users/${space.owner.id}`, admin.token, { display_name: 'X' }],
    ['POST', `/api/v1/admin/users/${space.owner.id}/regenerate_token`, admin.token, undefined],
    ['POST', '/api/v1/admin/users', admin.token, { display_name: 'X', role: 'owner' }],
    ['PATCH', `/api/v1/admin/users/${admin.id}`, admin.token, { role: 'admin' }],
    ['PATCH', `/api/v1/admin/users/${admin.id}`, admin.token, {}],
    ['PATCH', '/api/v1/client/me', admin.token, { display_name: 'A admin' }],
    ['PATCH', `/api/v1/operator/spaces/${space.spaceId}`, OPERATOR_TOKEN, { plan: 'free' }],
  ];
  const statuses: number[] = [];
  for (const [method, path, token, body] of attempts)
    statuses.push((await api.call(method, path, { token, body })).status);
  expect(statuses).toEqual([409, 403, 403, 403, 200, 200, 200, 200]);
  expect(await entriesOf(space.owner.token)).toEqual(before);
});

test('shows a space only its own entries, in pages, newest first', async () => {
  const space = await seedSpace(api.db);
  await seedSpace(api.db);
  for (let n = 0; n < 5; n += 1) await space.person('member');
  const all = await readRows<{ id: string }>(
    api.db,
    'SELECT id FROM audit_log WHERE space_id = $1 ORDER BY id DESC',
    [space.spaceId],
  );
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await api.call('GET', `/api/v1/admin/audit_log?limit=3&cursor=${cursor}`, {
      token: space.owner.token,
    });
    seen.push(...(body.entries as Entry[]).map(({ id }) => id));
    cursor = body.next_cursor;
  } while (cursor !== '');
  expect(seen).toEqual(all.map(({ id }) => id));
  expect(seen).toHaveLength(7);
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=abc']) {
    expect(
      (await api.call('GET', `/api/v1/admin/audit_log${query}`, { token: space.owner.token })).status,
    ).toBe(400);
  }
});

test('combines filters by actor, object and time', async () => {
  const { spaceId, owner } = await seedSpace(api.db);
  const ada = '0198f3a2-7c1b-7000-8000-00000000000a';
  const record = { spaceId, changes: {}, ip: null, objectType: 'bot', objectId: ID };
  await runInWorkerTx(api.db, async (tx) => {
    await recordChange(tx, { ...record, actorId: ada, actorType: 'user', action: 'bot.updated' });
    await recordChange(tx, { ...record, actorId: null, actorType: 'system', action: 'bot.auto_disabled' });
    await recordChange(tx, { ...record, actorId: null, actorType: 'operator', action: 'bot.updated' });
    await recordChange(tx, {
      ...record,
      actorId: ada,
      actorType: 'user',
      action: 'space.updated',
      objectType: 'space',
      objectId: spaceId,
    });
  });
  const [space, operators, system, person] = (await entriesOf(owner.token, '?limit=4')) as [
    Entry,
    Entry,
    Entry,
    Entry,
  ];
  const soon = new Date(Date.now() + 60_000).toISOString();
  for (const [query, shown] of [
    [`actor_id=${ada}`, [space, person]],
    [`actor_id=${ada}&action=bot.updated`, [person]],
    ['action=bot.updated', [operators, person]],
    ['actor_type=operator&object_type=bot', [operators]],
    ['actor_type=system', [system]],
    [`actor_type=bot&actor_id=${ada}`, []],
    [`object_id=${ID}`, [operators, system, person]],
    [`object_id=${ID}&actor_type=user`, [person]],
    ['actor_type=operator&object_type=bot,nothing', [operators]],
    [`object_type=space&since=${space.created_at}`, [space]],
    [`until=${person.created_at}&object_type=bot`, []],
    [`since=${person.created_at}&until=${soon}&object_type=bot`, [operators, system, person]],
    [`since=${soon}`, []],
    [`limit=1&actor_id=${ada}&cursor=${space.id}`, [person]],
  ] as const)
    expect([query, await entriesOf(owner.token, `?${query}`)]).toEqual([query, shown]);
  for (const query of ['actor_id=ada', 'actor_type=root', 'action=', 'object_id=1', 'since=today', 'until=1'])
    expect([
      query,
      (await api.call('GET', `/api/v1/admin/audit_log?${query}`, { token: owner.token })).status,
    ]).toEqual([query, 400]);
});

test('an entry is written with its change or not at all', async () => {
  const { spaceId, owner } = await seedSpace(api.db);
  const change = {
    spaceId,
    actorId: null,
    actorType: 'system',
    action: 'bot.updated',
    objectType: 'bot',
    objectId: ID,
    changes: {},
    ip: null,
  } as const;
  await expect(
    runInWorkerTx(api.db, async (tx) => {
      await recordChange(tx, change);
      throw new Error('the change failed');
    }),
  ).rejects.toThrow('the change failed');
  expect((await entriesOf(owner.token)).map(({ action }) => action)).not.toContain('bot.updated');

  await runInWorkerTx(api.db, (tx) =>
    recordChange(tx, {
      ...change,
      changes: changesBetween({ a: [1], b: 2, c: 3 }, { a: [1], b: undefined, c: [3] }),
    }),
  );
  expect((await entriesOf(owner.token))[0]).toMatchObject({
    actor_id: null,
    actor_type: 'system',
    ip: null,
    changes: { b: { from: 2, to: null }, c: { from: 3, to: [3] } },
  });
  expect((await entriesOf(owner.token))[0]?.changes).not.toHaveProperty('a');
});
