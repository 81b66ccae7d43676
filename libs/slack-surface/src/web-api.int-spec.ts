import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { Scope } from '@tieline/platform/http';
import { limitedToken } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { slackId } from './ids/slack-ids.js';
import { SlackSurfaceModule } from './slack-surface.module.js';
import { slackToken } from './tokens/token-spellings.js';

const FORM = 'application/x-www-form-urlencoded';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let token: string;

beforeAll(async () => {
  api = await startBotsApi({}, [AppsModule, SlackSurfaceModule]);
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot({ display_name: 'Deployer' });
  token = slackToken(bot.token);
});
afterAll(() => api?.close());

interface Sent {
  body?: string;
  type?: string;
  authorization?: string;
  method?: string;
}

async function send(method: string, { body, type = FORM, authorization, method: verb = 'POST' }: Sent = {}) {
  const response = await fetch(`${api.url}/slack/api/${method}`, {
    method: verb,
    headers: { 'content-type': type, ...(authorization !== undefined && { authorization }) },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const bearer = (value = token): Sent => ({ authorization: `Bearer ${value}` });

describe('a call', () => {
  test('says who the bot is', async () => {
    const { status, body } = await send('auth.test', bearer());
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        url: expect.stringMatching(/\/slack\/$/),
        team: expect.any(String),
        team_id: slackId('space', fixture.space.spaceId),
        user: 'Deployer',
        user_id: slackId('user', bot.id),
        bot_id: slackId('bot', bot.id),
        is_enterprise_install: false,
      },
    ]);
  });

  test.each<[string, () => Promise<{ body: any }>]>([
    ['the header', () => send('auth.test', bearer())],
    ["Tieline's spelling", () => send('auth.test', bearer(bot.token))],
    ['a form', () => send('auth.test', { body: `token=${token}` })],
    ['JSON', () => send('auth.test', { body: JSON.stringify({ token }), type: 'application/json' })],
    ['the query', () => send(`auth.test?token=${token}`)],
    ['a GET', () => send(`auth.test?token=${token}`, { method: 'GET' })],
  ])('accepts the token in %s', async (_, call) => {
    expect((await call()).body).toMatchObject({ ok: true, user_id: slackId('user', bot.id) });
  });

  test('the token of the header wins', async () => {
    const { body } = await send('auth.test', { ...bearer('xoxb-wrong'), body: `token=${token}` });
    expect(body).toEqual({ ok: false, error: 'invalid_auth' });
  });

  test('names its scopes in headers', async () => {
    const { headers } = await send('auth.test', bearer());
    expect(headers.get('x-oauth-scopes')?.split(',')).toEqual(
      expect.arrayContaining(['chat:write', 'users:read']),
    );
    expect(headers.get('x-accepted-oauth-scopes')).toBe('');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('echoes arguments of api.test without a token', async () => {
    expect((await send('api.test', { body: 'foo=bar' })).body).toEqual({ ok: true, args: { foo: 'bar' } });
    expect((await send('api.test', { body: 'error=my_error&foo=b' })).body).toEqual({
      ok: false,
      error: 'my_error',
      args: { error: 'my_error', foo: 'b' },
    });
  });
});

describe('a wrong call is answered with status 200', () => {
  test.each<[string, string, Sent, object]>([
    ['no token', 'auth.test', {}, { error: 'not_authed' }],
    ['an empty token', 'auth.test', { body: 'token=' }, { error: 'not_authed' }],
    ['an unknown token', 'auth.test', bearer('xoxb-unknown'), { error: 'invalid_auth' }],
    ['an unknown token of a person', 'auth.test', bearer('xoxp-unknown'), { error: 'invalid_auth' }],
    ['another scheme', 'auth.test', { authorization: 'Basic YTpi' }, { error: 'invalid_auth' }],
    ['an app-level token', 'auth.test', bearer('xapp-1-A1-b'), { error: 'not_allowed_token_type' }],
    [
      'malformed JSON',
      'auth.test',
      { ...bearer(), body: '{"a"', type: 'application/json' },
      { error: 'invalid_json' },
    ],
    [
      'a JSON list',
      'auth.test',
      { ...bearer(), body: '[1]', type: 'application/json' },
      { error: 'invalid_json' },
    ],
    ['a NUL in a form', 'auth.test', { ...bearer(), body: 'a=%00' }, { error: 'invalid_form_data' }],
    [
      'a body over the limit',
      'auth.test',
      { ...bearer(), body: 'a'.repeat(1_100_000) },
      { error: 'body_too_large' },
    ],
  ])('%s', async (_, method, sent, expected) => {
    const { status, body } = await send(method, sent);
    expect([status, body]).toEqual([200, expect.objectContaining({ ok: false, ...expected })]);
  });

  test('an unknown method, which it names', async () => {
    const { status, body } = await send('admin.users.list', bearer());
    expect([status, body]).toEqual([
      200,
      {
        ok: false,
        error: 'unknown_method',
        response_metadata: { messages: ['[ERROR] unknown method: admin.users.list'] },
      },
    ]);
  });

  test('an unknown argument is named in a warning', async () => {
    expect((await send('auth.test', { ...bearer(), body: 'colour=red&team_id=T1' })).body).toMatchObject({
      ok: true,
      warning: 'see_messages',
      response_metadata: { messages: ['[WARN] unknown argument: colour'] },
    });
  });

  test('the token of an inactive bot', async () => {
    const other = await fixture.bot();
    await fixture.admin('PATCH', `/bots/${other.id}`, { is_active: false });
    expect((await send('auth.test', bearer(slackToken(other.token)))).body).toEqual({
      ok: false,
      error: 'account_inactive',
    });
  });

  test('an expired token', async () => {
    const other = await fixture.bot();
    await api.db.query("UPDATE bots SET token_expires_at = now() - interval '1 second' WHERE id = $1", [
      other.id,
    ]);
    expect((await send('auth.test', bearer(slackToken(other.token)))).body.error).toBe('token_expired');
  });
});

test('the token of a person says who that is', async () => {
  const person = limitedToken(fixture.space.owner.token, 'users:read' satisfies Scope);
  const { body, headers } = await send('auth.test', bearer(person));
  expect(body).toMatchObject({ ok: true, user_id: slackId('user', fixture.space.owner.id) });
  expect(body.bot_id).toBeUndefined();
  expect(headers.get('x-oauth-scopes')).toBe('users:read');
});

test('other HTTP methods and paths keep their own status', async () => {
  expect((await send('auth.test', { method: 'PUT' })).status).toBe(405);
  expect((await send('auth.test/more')).status).toBe(404);
});
