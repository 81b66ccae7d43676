import { v7 as uuidv7 } from 'uuid';
import { readRows } from '@tieline/testing';
import { native, REJECTED, startIncomingRig } from '../../testing/incoming-rig.js';
import type { IncomingRig } from '../../testing/incoming-rig.js';

let rig: IncomingRig;
let stranger: IncomingRig;

beforeAll(async () => {
  rig = await startIncomingRig({ PUBLIC_URL: 'https://chat.example/' });
  stranger = await rig.otherSpace();
});
afterAll(() => rig?.close());

const auditOf = async (
  id: string,
): Promise<{ action: string; changes: unknown; actor_id: string | null }[]> =>
  (await rig.call('GET', '/audit_log?limit=200')).body.entries
    .filter((entry: { object_id: string }) => entry.object_id === id)
    .reverse();

describe('POST /incoming_webhooks', () => {
  test('makes a webhook with defaults, and shows token, address and secret once', async () => {
    const conversation_id = await rig.channel();
    const { status, body } = await rig.call('POST', '/incoming_webhooks', {
      name: ' Alerts ',
      conversation_id: conversation_id.toUpperCase(),
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      webhook: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Alerts',
        conversation_id,
        require_signature: true,
        default_push: true,
        avatar_url: '',
        severity_from_color: true,
        group_alerts: true,
        replay_protection: true,
        has_native_secret: false,
        is_active: true,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      url: `https://chat.example/api/v1/webhooks/incoming/${body.token}`,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const shown = await rig.call('GET', `/incoming_webhooks/${body.webhook.id}`);
    expect(shown).toMatchObject({ status: 200, body: { ok: true, webhook: body.webhook } });
    const everywhere = JSON.stringify([
      shown.body,
      (await rig.call('GET', '/incoming_webhooks')).body,
      await auditOf(body.webhook.id),
    ]);
    expect(everywhere).not.toContain('whsec_');
    expect(everywhere).not.toContain(body.token);
  });

  test('stores neither token nor secret as they are', async () => {
    const webhook = await rig.webhook();
    const rows = await readRows<{ row: string }>(
      rig.api.db,
      'SELECT w::text AS row, token_hash, signing_secret FROM incoming_webhooks w WHERE id = $1',
      [webhook.id],
    );
    const stored = Object.values(rows[0] ?? {})
      .map((value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join(' ');
    for (const secret of [
      webhook.token,
      webhook.secret,
      Buffer.from(webhook.token).toString('hex'),
      Buffer.from(webhook.secret).toString('hex'),
    ])
      expect(stored).not.toContain(secret);
  });

  test('takes every setting, and null as absent', async () => {
    const conversation_id = await rig.channel('private');
    const settings = {
      name: 'x'.repeat(100),
      conversation_id,
      require_signature: false,
      default_push: false,
      avatar_url: 'https://example.com/a.png',
      severity_from_color: false,
      group_alerts: false,
      replay_protection: true,
      is_active: false,
    };
    expect(await rig.call('POST', '/incoming_webhooks', settings)).toMatchObject({
      status: 201,
      body: { webhook: settings },
    });
    const nulls = {
      name: 'a',
      conversation_id,
      require_signature: null,
      default_push: null,
      avatar_url: null,
      severity_from_color: null,
      group_alerts: null,
      replay_protection: null,
      is_active: null,
      id: uuidv7(),
      space_id: stranger.space.spaceId,
    };
    expect(await rig.call('POST', '/incoming_webhooks', nulls)).toMatchObject({
      status: 201,
      body: { webhook: { require_signature: true, default_push: true, avatar_url: '', is_active: true } },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a flag of another type', { require_signature: 'yes' }],
    ['an HTTP picture', { avatar_url: 'http://example.com/a.png' }],
    ['no uuid', { conversation_id: 'x' }],
    ['an unknown channel', { conversation_id: uuidv7() }],
  ])('400: %s', async (_, wrong) => {
    const body = { name: 'a', conversation_id: await rig.channel(), ...wrong };
    expect((await rig.call('POST', '/incoming_webhooks', body)).status).toBe(400);
  });

  test("400 for another space's channel, a DM and a thread", async () => {
    const [a, b] = [await rig.space.person('member'), await rig.space.person('member')];
    const dm = await rig.chat.direct({ id: a.id, type: 'user' }, { id: b.id, type: 'user' });
    const channel = await rig.channel();
    const owner = { id: rig.space.owner.id, type: 'user' } as const;
    const root = await rig.chat.post(channel, owner, 'root');
    const reply = await rig.chat.post(channel, owner, 'reply', { parentMessageId: root.messageId });
    for (const conversation_id of [await stranger.channel(), dm, reply.conversationId]) {
      expect((await rig.call('POST', '/incoming_webhooks', { name: 'a', conversation_id })).status).toBe(400);
    }
  });

  test('400 for an archived channel, also when a webhook is moved there', async () => {
    const conversation_id = await rig.channel();
    const webhook = await rig.webhook({ conversation_id });
    const archived = await rig.channel();
    await rig.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = ANY ($1)', [
      [conversation_id, archived],
    ]);
    const refused = {
      status: 400,
      body: {
        ok: false,
        code: 'conversation_archived',
        field: 'conversation_id',
        error: 'conversation is archived',
      },
    };
    expect(
      await rig.call('POST', '/incoming_webhooks', { name: 'a', conversation_id: archived }),
    ).toMatchObject(refused);
    const path = `/incoming_webhooks/${webhook.id}`;
    expect(await rig.call('PATCH', path, { conversation_id: archived })).toMatchObject(refused);
    expect((await rig.call('PATCH', path, { conversation_id, name: 'stays where it is' })).status).toBe(200);
  });

  test('is for admins and owners alone', async () => {
    const { token } = await rig.space.person('member');
    expect(
      (
        await rig.call(
          'POST',
          '/incoming_webhooks',
          { name: 'a', conversation_id: await rig.channel() },
          token,
        )
      ).status,
    ).toBe(403);
    expect((await rig.call('GET', '/incoming_webhooks', undefined, rig.space.owner.token)).status).toBe(200);
  });
});

test('webhooks made before group_alerts do not group', async () => {
  expect(
    await readRows(
      rig.api.db,
      "SELECT column_default FROM information_schema.columns WHERE table_name = 'incoming_webhooks' AND column_name = 'group_alerts'",
    ),
  ).toEqual([{ column_default: 'false' }]);
});

test('the list is paged, newest first, and of the own space', async () => {
  const other = await rig.otherSpace();
  const made = [await other.webhook(), await other.webhook(), await other.webhook()]
    .map(({ id }) => id)
    .reverse();
  const first = (await other.call('GET', '/incoming_webhooks?limit=2')).body;
  const second = (await other.call('GET', `/incoming_webhooks?limit=2&cursor=${first.next_cursor}`)).body;
  expect([...first.webhooks, ...second.webhooks].map(({ id }: { id: string }) => id)).toEqual(made);
  expect(second.next_cursor).toBe('');
  for (const query of ['?limit=0', '?limit=201', '?cursor=x'])
    expect((await rig.call('GET', `/incoming_webhooks${query}`)).status).toBe(400);
});

test('PATCH changes what it names; it counts with the next request', async () => {
  const webhook = await rig.webhook({ require_signature: true });
  const channel = await rig.channel();
  expect((await rig.post(webhook, { text: 'a' })).status).toBe(401);
  const { status, body } = await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, {
    require_signature: false,
    conversation_id: channel,
    name: 'New',
    avatar_url: null,
  });
  expect({ status, webhook: body.webhook }).toMatchObject({
    status: 200,
    webhook: { require_signature: false, conversation_id: channel, name: 'New', avatar_url: '' },
  });
  expect((await rig.post(webhook, { text: 'a' })).status).toBe(200);
  expect(await rig.history({ conversationId: channel })).toMatchObject([{ display_name: 'New' }]);
  expect((await auditOf(webhook.id)).at(-1)).toMatchObject({
    action: 'incoming_webhook.updated',
    actor_id: rig.admin.id,
    changes: {
      require_signature: { from: true, to: false },
      name: { from: 'Alerts', to: 'New' },
      conversation_id: { to: channel },
    },
  });
  for (const wrong of [{ name: '' }, { conversation_id: uuidv7() }, { is_active: 1 }])
    expect((await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, wrong)).status).toBe(400);
  const entries = (await auditOf(webhook.id)).length;
  await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, { name: 'New' });
  expect(await auditOf(webhook.id)).toHaveLength(entries);
});

test('off by an admin is 410, on again works', async () => {
  const webhook = await rig.webhook();
  await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: false });
  expect(await rig.post(webhook, { text: 'a' })).toMatchObject({ status: 410, body: REJECTED });
  await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: true });
  expect((await rig.post(webhook, { text: 'a' })).status).toBe(200);
});

test('a regenerated token ends the old address at once', async () => {
  const webhook = await rig.webhook();
  const { status, body } = await rig.call('POST', `/incoming_webhooks/${webhook.id}/regenerate_token`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ok: true,
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      url: `https://chat.example/api/v1/webhooks/incoming/${body.token}`,
    },
  });
  expect(await rig.post(webhook, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
  expect((await rig.post(body, { text: 'a' })).status).toBe(200);
});

test('a rotated secret ends the old one at once', async () => {
  const webhook = await rig.webhook({ require_signature: true });
  const { status, body } = await rig.call('POST', `/incoming_webhooks/${webhook.id}/rotate_secret`);
  expect({ status, body }).toEqual({
    status: 200,
    body: { ok: true, signing_secret: expect.stringMatching(/^whsec_/) },
  });
  expect((await rig.post(webhook, '{"text":"a"}', native(webhook.secret, '{"text":"a"}'))).status).toBe(401);
  expect((await rig.post(webhook, '{"text":"a"}', native(body.signing_secret, '{"text":"a"}'))).status).toBe(
    200,
  );
  expect((await auditOf(webhook.id)).map(({ action }) => action)).toEqual([
    'incoming_webhook.created',
    'incoming_webhook.secret_rotated',
  ]);
});

test('a deleted webhook is 404, its address 401; its messages stay', async () => {
  const webhook = await rig.webhook();
  await rig.post(webhook, { text: 'stays' });
  expect(await rig.call('DELETE', `/incoming_webhooks/${webhook.id}`)).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect(await rig.post(webhook, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
  expect(await rig.history(webhook)).toMatchObject([{ text: 'stays' }]);
  const path = `/incoming_webhooks/${webhook.id}`;
  const tries: [string, string][] = [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/regenerate_token`],
    ['POST', `${path}/rotate_secret`],
    ['GET', `${path}/requests`],
  ];
  for (const [method, url] of tries)
    expect((await rig.call(method, url, method === 'PATCH' ? { name: 'b' } : undefined)).status).toBe(404);
  expect(
    (await rig.call('GET', '/incoming_webhooks?limit=200')).body.webhooks.map(({ id }: { id: string }) => id),
  ).not.toContain(webhook.id);
});

test("another space's webhook is 404 everywhere", async () => {
  const { id } = await stranger.webhook();
  const path = `/incoming_webhooks/${id}`;
  const tries: [string, string][] = [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/regenerate_token`],
    ['POST', `${path}/rotate_secret`],
    ['GET', `${path}/requests`],
    ['GET', '/incoming_webhooks/x'],
  ];
  for (const [method, url] of tries)
    expect((await rig.call(method, url, method === 'PATCH' ? { name: 'b' } : undefined)).status).toBe(404);
});

test('a space has as many incoming webhooks as its plan allows, and not one more when many are made at once (LIMIT_INCOMING_WEBHOOKS)', async () => {
  const small = await startIncomingRig({ LIMIT_INCOMING_WEBHOOKS: '5,5,5' });
  try {
    const body = { name: 'Alerts', conversation_id: await small.channel() };
    const { answers, waited } = await small.api.whileLocked('incoming webhooks', small.space.spaceId, () =>
      Array.from({ length: 16 }, () => small.call('POST', '/incoming_webhooks', body)),
    );
    expect(waited).toBe(2);
    const [created, refused] = [201, 409].map((code) => answers.filter(({ status }) => status === code));
    expect([created?.length, refused?.length]).toEqual([5, 11]);
    expect(refused?.[0]?.body).toMatchObject({ ok: false, code: 'limit_reached' });
    await small.call('DELETE', `/incoming_webhooks/${created?.[0]?.body.webhook.id}`);
    expect((await small.call('POST', '/incoming_webhooks', body)).status).toBe(201);
  } finally {
    await small.close();
  }
});

describe('many at once that change one webhook hold two connections while they wait for it', () => {
  test.each<[string, string, string, object | undefined]>([
    ['change it', 'PATCH', '', { name: 'New' }],
    ['give it a token', 'POST', '/regenerate_token', undefined],
    ['give it a secret', 'POST', '/rotate_secret', undefined],
    ['delete it', 'DELETE', '', undefined],
  ])('%s', async (_name, method, path, body) => {
    const made = await rig.call('POST', '/incoming_webhooks', {
      name: 'Alerts',
      conversation_id: await rig.channel(),
    });
    const { id } = made.body.webhook;
    const { answers, waited } = await rig.api.whileRowLocked('incoming_webhooks', id, () =>
      Array.from({ length: 12 }, () => rig.call(method, `/incoming_webhooks/${id}${path}`, body)),
    );
    expect(waited).toBe(2);
    const later = method === 'DELETE' ? 404 : 200;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(later)]);
  });
});
