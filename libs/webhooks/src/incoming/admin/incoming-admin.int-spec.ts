import { uuidv7 } from 'uuidv7';
import { readRows } from '@tieline/testing';
import { native, REJECTED, startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness } from '../../testing/incoming-harness.js';

let harness: IncomingHarness;
let stranger: IncomingHarness;

beforeAll(async () => {
  harness = await startIncomingHarness({ PUBLIC_URL: 'https://chat.example/' });
  stranger = await harness.otherSpace();
});
afterAll(() => harness?.close());

const auditOf = async (
  id: string,
): Promise<{ action: string; changes: unknown; actor_id: string | null }[]> =>
  (await harness.call('GET', '/audit_log?limit=200')).body.entries
    .filter((entry: { object_id: string }) => entry.object_id === id)
    .reverse();

describe('POST /incoming_webhooks', () => {
  test('creates a webhook with defaults and shows token, address and secret once', async () => {
    const conversation_id = await harness.channel();
    const { status, body } = await harness.call('POST', '/incoming_webhooks', {
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
    const shown = await harness.call('GET', `/incoming_webhooks/${body.webhook.id}`);
    expect(shown).toMatchObject({ status: 200, body: { ok: true, webhook: body.webhook } });
    const everywhere = JSON.stringify([
      shown.body,
      (await harness.call('GET', '/incoming_webhooks')).body,
      await auditOf(body.webhook.id),
    ]);
    expect(everywhere).not.toContain('whsec_');
    expect(everywhere).not.toContain(body.token);
  });

  test('stores token and secret only hashed or encrypted', async () => {
    const webhook = await harness.webhook();
    const rows = await readRows<{ row: string }>(
      harness.api.db,
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

  test('accepts every setting, and treats null as absent', async () => {
    const conversation_id = await harness.channel('private');
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
    expect(await harness.call('POST', '/incoming_webhooks', settings)).toMatchObject({
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
    expect(await harness.call('POST', '/incoming_webhooks', nulls)).toMatchObject({
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
    const body = { name: 'a', conversation_id: await harness.channel(), ...wrong };
    expect((await harness.call('POST', '/incoming_webhooks', body)).status).toBe(400);
  });

  test("answers 400 for another space's channel, a DM and a thread", async () => {
    const [a, b] = [await harness.space.person('member'), await harness.space.person('member')];
    const dm = await harness.chat.direct({ id: a.id, type: 'user' }, { id: b.id, type: 'user' });
    const channel = await harness.channel();
    const owner = { id: harness.space.owner.id, type: 'user' } as const;
    const root = await harness.chat.post(channel, owner, 'root');
    const reply = await harness.chat.post(channel, owner, 'reply', { parentMessageId: root.messageId });
    for (const conversation_id of [await stranger.channel(), dm, reply.conversationId]) {
      expect((await harness.call('POST', '/incoming_webhooks', { name: 'a', conversation_id })).status).toBe(
        400,
      );
    }
  });

  test('answers 400 for an archived channel, on creation and on a move', async () => {
    const conversation_id = await harness.channel();
    const webhook = await harness.webhook({ conversation_id });
    const archived = await harness.channel();
    await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = ANY ($1)', [
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
      await harness.call('POST', '/incoming_webhooks', { name: 'a', conversation_id: archived }),
    ).toMatchObject(refused);
    const path = `/incoming_webhooks/${webhook.id}`;
    expect(await harness.call('PATCH', path, { conversation_id: archived })).toMatchObject(refused);
    expect((await harness.call('PATCH', path, { conversation_id, name: 'stays where it is' })).status).toBe(
      200,
    );
  });

  test('is for admins and owners only', async () => {
    const { token } = await harness.space.person('member');
    expect(
      (
        await harness.call(
          'POST',
          '/incoming_webhooks',
          { name: 'a', conversation_id: await harness.channel() },
          token,
        )
      ).status,
    ).toBe(403);
    expect(
      (await harness.call('GET', '/incoming_webhooks', undefined, harness.space.owner.token)).status,
    ).toBe(200);
  });
});

test('webhooks created before group_alerts existed do not group', async () => {
  expect(
    await readRows(
      harness.api.db,
      "SELECT column_default FROM information_schema.columns WHERE table_name = 'incoming_webhooks' AND column_name = 'group_alerts'",
    ),
  ).toEqual([{ column_default: 'false' }]);
});

test("the list is paged, newest first, and contains only the own space's webhooks", async () => {
  const other = await harness.otherSpace();
  const made = [await other.webhook(), await other.webhook(), await other.webhook()]
    .map(({ id }) => id)
    .reverse();
  const first = (await other.call('GET', '/incoming_webhooks?limit=2')).body;
  const second = (await other.call('GET', `/incoming_webhooks?limit=2&cursor=${first.next_cursor}`)).body;
  expect([...first.webhooks, ...second.webhooks].map(({ id }: { id: string }) => id)).toEqual(made);
  expect(second.next_cursor).toBe('');
  for (const query of ['?limit=0', '?limit=201', '?cursor=x'])
    expect((await harness.call('GET', `/incoming_webhooks${query}`)).status).toBe(400);
});

test('PATCH changes the given fields, with effect on the next request', async () => {
  const webhook = await harness.webhook({ require_signature: true });
  const channel = await harness.channel();
  expect((await harness.post(webhook, { text: 'a' })).status).toBe(401);
  const { status, body } = await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, {
    require_signature: false,
    conversation_id: channel,
    name: 'New',
    avatar_url: null,
  });
  expect({ status, webhook: body.webhook }).toMatchObject({
    status: 200,
    webhook: { require_signature: false, conversation_id: channel, name: 'New', avatar_url: '' },
  });
  expect((await harness.post(webhook, { text: 'a' })).status).toBe(200);
  expect(await harness.history({ conversationId: channel })).toMatchObject([{ display_name: 'New' }]);
  expect((await auditOf(webhook.id)).at(-1)).toMatchObject({
    action: 'incoming_webhook.updated',
    actor_id: harness.admin.id,
    changes: {
      require_signature: { from: true, to: false },
      name: { from: 'Alerts', to: 'New' },
      conversation_id: { to: channel },
    },
  });
  for (const wrong of [{ name: '' }, { conversation_id: uuidv7() }, { is_active: 1 }])
    expect((await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, wrong)).status).toBe(400);
  const entries = (await auditOf(webhook.id)).length;
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { name: 'New' });
  expect(await auditOf(webhook.id)).toHaveLength(entries);
});

test('a webhook disabled by an admin answers 410 and works again once enabled', async () => {
  const webhook = await harness.webhook();
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: false });
  expect(await harness.post(webhook, { text: 'a' })).toMatchObject({ status: 410, body: REJECTED });
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: true });
  expect((await harness.post(webhook, { text: 'a' })).status).toBe(200);
});

test('regenerating the token invalidates the old address immediately', async () => {
  const webhook = await harness.webhook();
  const { status, body } = await harness.call('POST', `/incoming_webhooks/${webhook.id}/regenerate_token`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ok: true,
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      url: `https://chat.example/api/v1/webhooks/incoming/${body.token}`,
    },
  });
  expect(await harness.post(webhook, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
  expect((await harness.post(body, { text: 'a' })).status).toBe(200);
});

test('rotating the secret invalidates the old one immediately', async () => {
  const webhook = await harness.webhook({ require_signature: true });
  const { status, body } = await harness.call('POST', `/incoming_webhooks/${webhook.id}/rotate_secret`);
  expect({ status, body }).toEqual({
    status: 200,
    body: { ok: true, signing_secret: expect.stringMatching(/^whsec_/) },
  });
  expect((await harness.post(webhook, '{"text":"a"}', native(webhook.secret, '{"text":"a"}'))).status).toBe(
    401,
  );
  expect(
    (await harness.post(webhook, '{"text":"a"}', native(body.signing_secret, '{"text":"a"}'))).status,
  ).toBe(200);
  expect((await auditOf(webhook.id)).map(({ action }) => action)).toEqual([
    'incoming_webhook.created',
    'incoming_webhook.secret_rotated',
  ]);
});

test('a deleted webhook answers 404, its address 401, and its messages stay', async () => {
  const webhook = await harness.webhook();
  await harness.post(webhook, { text: 'stays' });
  expect(await harness.call('DELETE', `/incoming_webhooks/${webhook.id}`)).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect(await harness.post(webhook, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
  expect(await harness.history(webhook)).toMatchObject([{ text: 'stays' }]);
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
    expect((await harness.call(method, url, method === 'PATCH' ? { name: 'b' } : undefined)).status).toBe(
      404,
    );
  expect(
    (await harness.call('GET', '/incoming_webhooks?limit=200')).body.webhooks.map(
      ({ id }: { id: string }) => id,
    ),
  ).not.toContain(webhook.id);
});

test("another space's webhook answers 404 everywhere", async () => {
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
    expect((await harness.call(method, url, method === 'PATCH' ? { name: 'b' } : undefined)).status).toBe(
      404,
    );
});

test('the limit of the plan holds when many webhooks are created concurrently', async () => {
  const small = await startIncomingHarness({ SPACE_LIMITS: 'incoming_webhooks=5/5/5' });
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

describe('many concurrent changes of one webhook hold at most two connections while they wait', () => {
  test.each<[string, string, string, object | undefined]>([
    ['change it', 'PATCH', '', { name: 'New' }],
    ['give it a token', 'POST', '/regenerate_token', undefined],
    ['give it a secret', 'POST', '/rotate_secret', undefined],
    ['delete it', 'DELETE', '', undefined],
  ])('%s', async (_name, method, path, body) => {
    const made = await harness.call('POST', '/incoming_webhooks', {
      name: 'Alerts',
      conversation_id: await harness.channel(),
    });
    const { id } = made.body.webhook;
    const { answers, waited } = await harness.api.whileRowLocked('incoming_webhooks', id, () =>
      Array.from({ length: 12 }, () => harness.call(method, `/incoming_webhooks/${id}${path}`, body)),
    );
    expect(waited).toBe(2);
    const later = method === 'DELETE' ? 404 : 200;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(later)]);
  });
});
