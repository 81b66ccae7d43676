import { uuidv7 } from 'uuidv7';
import { readRows } from '@tieline/testing';
import { SUBSCRIBABLE_EVENT_TYPES } from '../planning/event-types.js';
import { startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness } from '../testing/outgoing-harness.js';

// An IP address, so that no test waits for a name server.
const URL = 'https://127.0.0.1/hook';
const MINIMAL = { name: 'Deploy log', url: URL, event_types: ['MESSAGE_CREATED'] };

let harness: OutgoingHarness;
let stranger: OutgoingHarness;

beforeAll(async () => {
  harness = await startOutgoingHarness();
  stranger = await harness.otherSpace();
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

const create = (body: object) => harness.call('POST', '/outgoing_webhooks', body);
const auditOf = async (id: string) =>
  (await harness.call('GET', '/audit_log?limit=200')).body.entries
    .filter((entry: { object_id: string }) => entry.object_id === id)
    .reverse();

describe('POST /outgoing_webhooks', () => {
  test('creates a subscription with defaults and shows its secret once', async () => {
    const { status, body } = await create(MINIMAL);
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      subscription: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Deploy log',
        url: URL,
        event_types: ['MESSAGE_CREATED'],
        channel_ids: [],
        trigger: 'all',
        trigger_config: {},
        include_context: false,
        context_size: 10,
        status: 'active',
        retry_profile: 'contract',
        payload: 'full',
        ordered: false,
        breaker: { state: 'closed', consecutive_failures: 0 },
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const shown = await harness.call('GET', `/outgoing_webhooks/${body.subscription.id}`);
    expect(shown).toMatchObject({ status: 200, body: { ok: true, subscription: body.subscription } });
    const list = await harness.call('GET', '/outgoing_webhooks');
    expect(JSON.stringify([shown.body, list.body, await auditOf(body.subscription.id)])).not.toContain(
      'whsec_',
    );
  });

  test('stores the secret encrypted', async () => {
    const { body } = await create(MINIMAL);
    const [row] = await readRows<{ signing_secret: Buffer }>(
      harness.api.db,
      'SELECT signing_secret FROM outgoing_webhooks WHERE id = $1',
      [body.subscription.id],
    );
    expect(row?.signing_secret.toString('latin1')).not.toContain(body.signing_secret.slice(6, 30));
  });

  test('accepts every setting', async () => {
    const channel = await harness.channel('private');
    const settings = {
      name: ' All ',
      url: `${URL}?a=b`,
      event_types: [...SUBSCRIBABLE_EVENT_TYPES, 'MESSAGE_CREATED'],
      channel_ids: [channel.toUpperCase(), channel],
      trigger: 'keywords',
      trigger_config: { keywords: ['deploy', 'on call'] },
      include_context: true,
      context_size: 50,
      status: 'inactive',
      retry_profile: 'extended',
      ordered: true,
    };
    const { status, body } = await create(settings);
    expect(status).toBe(201);
    expect(body.subscription).toMatchObject({
      ...settings,
      name: 'All',
      event_types: SUBSCRIBABLE_EVENT_TYPES,
      channel_ids: [channel],
    });
  });

  test('treats null as absent and ignores unknown fields', async () => {
    const { status, body } = await create({
      ...MINIMAL,
      id: uuidv7(),
      space_id: stranger.space.spaceId,
      channel_ids: null,
      trigger: null,
      trigger_config: null,
      include_context: null,
      context_size: null,
      status: null,
    });
    expect(status).toBe(201);
    expect(body.subscription).toMatchObject({ trigger: 'all', context_size: 10, status: 'active' });
    expect((await stranger.call('GET', `/outgoing_webhooks/${body.subscription.id}`)).status).toBe(404);
  });

  test.each<[string, object]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of white space', { name: '   ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a name that is not a text', { name: 5 }],
    ['no url', { url: undefined }],
    ['an empty url', { url: '' }],
    ['an invalid url', { url: 'receiver' }],
    ['ftp', { url: 'ftp://receiver.example/' }],
    ['a url with a user', { url: 'https://user:pw@receiver.example/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['link-local', { url: 'https://169.254.169.254/latest' }],
    ['a private IPv6 address', { url: 'https://[fd00::1]/' }],
    ['an address in disguise', { url: 'https://0x0a000001/' }],
    ['a url over 2048 characters', { url: `${URL}?${'x'.repeat(2048)}` }],
    ['no event types', { event_types: undefined }],
    ['an empty list of event types', { event_types: [] }],
    ['an unknown event type', { event_types: ['MESSAGE_CREATED', 'MESSAGE_READ'] }],
    ['a direct event type', { event_types: ['button.click'] }],
    ['the test event type', { event_types: ['WEBHOOK_TEST'] }],
    ['event types that are not a list', { event_types: 'MESSAGE_CREATED' }],
    ['event types that are not texts', { event_types: [7] }],
    ['channels that are not a list', { channel_ids: 'x' }],
    ['a channel that is not a uuid', { channel_ids: ['x'] }],
    ['an unknown channel', { channel_ids: [uuidv7()] }],
    ['an unknown retry profile', { retry_profile: 'forever' }],
    ['ordered as a text', { ordered: 'yes' }],
    ['an unknown payload', { payload: 'half' }],
    ['a thin payload with context', { payload: 'thin', include_context: true }],
    ['an unknown trigger', { trigger: 'regex' }],
    ['keywords without a list', { trigger: 'keywords' }],
    ['a keyword of one character', { trigger: 'keywords', trigger_config: { keywords: ['a'] } }],
    ['a config that is not an object', { trigger_config: [] }],
    ['a mention of an unknown person', { trigger: 'mention', trigger_config: { user_ids: [uuidv7()] } }],
    ['include_context as a text', { include_context: 'yes' }],
    ['context_size 0', { context_size: 0 }],
    ['context_size 51', { context_size: 51 }],
    ['context_size 1.5', { context_size: 1.5 }],
    ['context_size as a text', { context_size: '5' }],
    ['an unknown status', { status: 'paused' }],
  ])('%s is rejected with 400 and creates nothing', async (_, change) => {
    const before = await harness.api.db.query('SELECT count(*) AS n FROM outgoing_webhooks');
    const { status, body } = await create({ ...MINIMAL, ...change });
    expect([status, body]).toEqual([
      400,
      {
        ok: false,
        error: expect.any(String),
        code: expect.stringMatching(/^(invalid_field|address_not_allowed|unknown_(channels|users))$/),
        field: expect.stringMatching(new RegExp(`^(${Object.keys(change).join('|')})`)),
      },
    ]);
    expect(await harness.api.db.query('SELECT count(*) AS n FROM outgoing_webhooks')).toEqual(before);
  });

  test('channel_ids must be channels of the space: no DM, no thread, none of another space', async () => {
    const owner = harness.chat.member('user', harness.space.owner.id);
    const dm = await harness.chat.direct(owner, harness.chat.member('user', harness.admin.id));
    const channel = await harness.channel();
    const root = await harness.post(channel, 'root');
    const { conversationId: thread } = await harness.post(channel, 'reply', {
      parentMessageId: root.messageId,
    });
    const voice = await harness.chat.conversation({ type: 'voice', members: [owner] });
    for (const id of [dm, thread, await stranger.channel()]) {
      expect(await create({ ...MINIMAL, channel_ids: [channel, id] })).toMatchObject({
        status: 400,
        body: {
          error: 'channel_ids must be channels of this space',
          code: 'unknown_channels',
          field: 'channel_ids',
        },
      });
    }
    expect((await create({ ...MINIMAL, channel_ids: [channel, voice] })).status).toBe(201);
  });

  test('user_ids must be people or bots of the space', async () => {
    const mention = (id: string) =>
      create({ ...MINIMAL, trigger: 'mention', trigger_config: { user_ids: [id] } });
    expect((await mention(harness.space.owner.id)).status).toBe(201);
    expect((await mention(stranger.space.owner.id)).status).toBe(400);
  });
});

test.each([
  ['https://a.example:99999/', 'url must have a port from 1 to 65535'],
  ['https://a.example:0/', 'url must have a port from 1 to 65535'],
  [' https://a.example/', 'url must not contain white space'],
  ['https://a.example/\n', 'url must not contain white space'],
  ['https:a.example', 'url must be an HTTPS URL'],
  ['https://user@a.example/', 'url must not contain a user name or password'],
  ['http://168.63.129.16/', 'url: address not allowed'],
])('%j is refused: %s', async (url, error) => {
  expect(await create({ ...MINIMAL, url })).toMatchObject({ status: 400, body: { error, field: 'url' } });
});

describe('plain HTTP', () => {
  test('is rejected unless the installation allows it, like private addresses', async () => {
    expect((await create({ ...MINIMAL, url: 'http://127.0.0.1/' })).status).toBe(201);
    const strict = await startOutgoingHarness({ EGRESS_ALLOW_HTTP: 'false', EGRESS_ALLOWED_CIDRS: '' });
    try {
      const answer = (url: string) => strict.call('POST', '/outgoing_webhooks', { ...MINIMAL, url });
      expect(await answer('http://93.184.215.14/')).toMatchObject({
        status: 400,
        body: { error: 'url must be an HTTPS URL' },
      });
      for (const url of [
        'https://127.0.0.1/',
        'https://localhost/',
        'https://[::1]/',
        'https://192.168.1.1/',
      ]) {
        expect(await answer(url)).toMatchObject({ status: 400, body: { error: 'url: address not allowed' } });
      }
      expect((await answer('https://93.184.215.14/')).status).toBe(201);
    } finally {
      await strict.close();
    }
  });
});

describe('GET, PATCH and DELETE', () => {
  test('the list is paged, newest first', async () => {
    const own = await harness.otherSpace();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.unshift((await own.call('POST', '/outgoing_webhooks', { ...MINIMAL, name })).body.subscription.id);
    const first = (await own.call('GET', '/outgoing_webhooks?limit=2')).body;
    const second = (await own.call('GET', `/outgoing_webhooks?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.subscriptions, ...second.subscriptions].map(({ id }) => id)).toEqual(ids);
    expect([first.next_cursor, second.next_cursor]).toEqual([ids[1], '']);
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x'])
      expect((await own.call('GET', `/outgoing_webhooks?${query}`)).status).toBe(400);
  });

  test('PATCH changes only the given fields and records them in the audit log', async () => {
    const { subscription } = (
      await create({ ...MINIMAL, trigger: 'keywords', trigger_config: { keywords: ['deploy'] } })
    ).body;
    const path = `/outgoing_webhooks/${subscription.id}`;
    const { status, body } = await harness.call('PATCH', path, {
      name: 'Renamed',
      context_size: 3,
      event_types: null,
    });
    expect(status).toBe(200);
    expect(body.subscription).toEqual({
      ...subscription,
      name: 'Renamed',
      context_size: 3,
      updated_at: expect.any(String),
    });
    expect((await harness.call('PATCH', path, { trigger: 'mention' })).body.subscription).toMatchObject({
      trigger: 'mention',
      trigger_config: {},
    });
    const entries = await auditOf(subscription.id);
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
      'outgoing_webhook.created',
      'outgoing_webhook.updated',
      'outgoing_webhook.updated',
    ]);
    expect(entries[1]).toMatchObject({
      actor_id: harness.admin.id,
      actor_type: 'user',
      object_type: 'outgoing_webhook',
      changes: { name: { from: 'Deploy log', to: 'Renamed' }, context_size: { from: 10, to: 3 } },
    });
  });

  test('a PATCH without changes answers 200 and records nothing', async () => {
    const { subscription } = (await create(MINIMAL)).body;
    expect(
      (
        await harness.call('PATCH', `/outgoing_webhooks/${subscription.id}`, {
          name: 'Deploy log',
          channel_ids: [],
        })
      ).body.subscription,
    ).toEqual(subscription);
    expect(await auditOf(subscription.id)).toHaveLength(1);
  });

  test.each<[object]>([
    [{ url: 'https://10.0.0.1/' }],
    [{ event_types: [] }],
    [{ channel_ids: [uuidv7()] }],
    [{ trigger: 'keywords' }],
    [{ context_size: 51 }],
    [{ status: 'x' }],
    [{ name: '' }],
  ])('a PATCH with %j gets 400 and changes nothing', async (change) => {
    const { subscription } = (await create(MINIMAL)).body;
    const path = `/outgoing_webhooks/${subscription.id}`;
    expect((await harness.call('PATCH', path, change)).status).toBe(400);
    expect((await harness.call('GET', path)).body.subscription).toEqual(subscription);
  });

  test('a deleted subscription answers 404 and its secret is deleted', async () => {
    const { subscription } = (await create(MINIMAL)).body;
    const path = `/outgoing_webhooks/${subscription.id}`;
    expect(await harness.call('DELETE', path)).toMatchObject({ status: 200, body: { ok: true } });
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate_secret'],
    ] as const) {
      expect([
        method,
        suffix,
        (await harness.call(method, path + suffix, method === 'PATCH' ? {} : undefined)).status,
      ]).toEqual([method, suffix, 404]);
    }
    expect(
      (await harness.call('GET', '/outgoing_webhooks?limit=200')).body.subscriptions.map(
        ({ id }: { id: string }) => id,
      ),
    ).not.toContain(subscription.id);
    expect(
      await harness.api.db.query('SELECT signing_secret FROM outgoing_webhooks WHERE id = $1', [
        subscription.id,
      ]),
    ).toEqual([{ signing_secret: null }]);
    expect((await auditOf(subscription.id)).at(-1)).toMatchObject({
      action: 'outgoing_webhook.deleted',
      changes: {},
    });
  });

  test("another space's subscription answers 404 everywhere", async () => {
    const { subscription } = (await create(MINIMAL)).body;
    const path = `/outgoing_webhooks/${subscription.id}`;
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate_secret'],
      ['GET', '/deliveries'],
    ] as const) {
      expect([
        method,
        suffix,
        (await stranger.call(method, path + suffix, method === 'PATCH' ? { name: 'x' } : undefined)).status,
      ]).toEqual([method, suffix, 404]);
    }
    expect((await harness.call('GET', '/outgoing_webhooks/12')).status).toBe(404);
    expect((await harness.call('GET', path)).body.subscription).toEqual(subscription);
  });

  test('members and guests get 403, requests without a token 401', async () => {
    const member = await harness.space.person('member');
    expect((await harness.call('GET', '/outgoing_webhooks', undefined, member.token)).status).toBe(403);
    expect((await harness.call('POST', '/outgoing_webhooks', MINIMAL, member.token)).status).toBe(403);
    expect((await harness.api.call('GET', '/api/v1/admin/outgoing_webhooks')).status).toBe(401);
    expect(
      (await harness.call('GET', '/outgoing_webhooks', undefined, harness.space.owner.token)).status,
    ).toBe(200);
  });

  test('a rotation returns the new secret once and is audited without it', async () => {
    const { subscription, signing_secret } = (await create(MINIMAL)).body;
    const { status, body } = await harness.call(
      'POST',
      `/outgoing_webhooks/${subscription.id}/rotate_secret`,
    );
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, signing_secret: expect.stringMatching(/^whsec_/) });
    expect(body.signing_secret).not.toBe(signing_secret);
    expect((await auditOf(subscription.id)).at(-1)).toMatchObject({
      action: 'outgoing_webhook.secret_rotated',
      changes: {},
    });
  });

  test('the endpoints are in the OpenAPI document with their errors', async () => {
    const { body } = await harness.api.call('GET', '/api/openapi.json');
    const responses = (path: string, method: string) =>
      Object.keys(body.paths[`/api/v1/admin${path}`][method].responses);
    expect(responses('/outgoing_webhooks', 'post')).toEqual(
      expect.arrayContaining(['201', '400', '401', '403']),
    );
    expect(responses('/outgoing_webhooks/{id}/test', 'post')).toEqual(expect.arrayContaining(['200', '404']));
    expect(responses('/deliveries/{id}/redeliver', 'post')).toEqual(
      expect.arrayContaining(['200', '404', '409']),
    );
  });
});

test('the limit of the plan holds when many subscriptions are created concurrently', async () => {
  const small = await startOutgoingHarness({ SPACE_LIMITS: 'subscriptions=5/5/5' });
  try {
    const { answers, waited } = await small.api.whileLocked('subscriptions', small.space.spaceId, () =>
      Array.from({ length: 16 }, () => small.call('POST', '/outgoing_webhooks', MINIMAL)),
    );
    expect(waited).toBe(2);
    const [created, refused] = [201, 409].map((code) => answers.filter(({ status }) => status === code));
    expect([created?.length, refused?.length]).toEqual([5, 11]);
    expect(refused?.[0]?.body).toMatchObject({ ok: false, code: 'limit_reached' });
    await small.call('DELETE', `/outgoing_webhooks/${created?.[0]?.body.subscription.id}`);
    expect((await small.call('POST', '/outgoing_webhooks', MINIMAL)).status).toBe(201);
  } finally {
    await small.close();
  }
});

describe('many concurrent changes of one subscription hold at most two connections while they wait', () => {
  test.each<[string, string, string, object | undefined]>([
    ['change it', 'PATCH', '', { name: 'New' }],
    ['give it a secret', 'POST', '/rotate_secret', undefined],
    ['test it', 'POST', '/test', undefined],
    ['delete it', 'DELETE', '', undefined],
  ])('%s', async (_name, method, path, body) => {
    const { id } = (await create(MINIMAL)).body.subscription;
    const { answers, waited } = await harness.api.whileRowLocked('outgoing_webhooks', id, () =>
      Array.from({ length: 12 }, () => harness.call(method, `/outgoing_webhooks/${id}${path}`, body)),
    );
    expect(waited).toBe(2);
    const later = method === 'DELETE' ? 404 : 200;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(later)]);
  });
});
