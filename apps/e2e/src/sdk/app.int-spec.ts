import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, fileStore, memoryStore } from '@tieline/sdk';
import type { AppSettings, InstalledSpace, TokenStore } from '@tieline/sdk';
import { signedRequest } from '@tieline/sdk/signatures';
import { eventually, freePort } from '@tieline/testing';
import pg from 'pg';
import { pathOf, startExample } from '../examples/start-example.js';
import { inRepository, startPython, whyNoPython } from '../python/start-python.js';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';
import { StableAddress } from './stable-address.js';

const BOT_SCOPES = ['messages:read', 'messages:write', 'conversations:join', 'interactive', 'events'];

let tieline: Tieline;
let address: StableAddress;
let folder: string;
let owner: Workspace;
let started: App[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-app-'));
  address = await StableAddress.open();
  tieline = await Tieline.create({
    PUBLIC_URL: address.url,
    DELIVERY_BACKOFF_INITIAL_MS: '100',
    DELIVERY_BACKOFF_MAX_MS: '200',
  });
  const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  address.target = new URL(api.url);
  owner = await createWorkspace(address);
});
beforeEach(() => {
  started = [];
});
afterEach(() => Promise.all(started.map((app) => app.stop())));
afterAll(async () => {
  await tieline?.close();
  await address?.close();
  rmSync(folder, { recursive: true, force: true });
});

const as = (token: string, method: string, to: string, body?: object): Promise<Record<string, any>> =>
  expectOk(call(address, method, `/api/v1/${to}`, token, body));

/** Creates a listed app whose program listens on a port. */
async function registered(port: number, settings: object = {}) {
  const appUrl = `http://127.0.0.1:${port}/tieline`;
  const { app, client_secret, signing_secret } = await as(owner.ownerToken, 'POST', 'admin/apps', {
    name: 'Ping',
    redirect_uris: [`${appUrl}/callback`],
    event_url: `${appUrl}/events`,
    interactive_url: `${appUrl}/events`,
    bot_scopes: BOT_SCOPES,
    distribution: 'listed',
    ...settings,
  });
  await tieline.sql.query('UPDATE apps SET is_listed = true WHERE id = $1', [app.id]);
  const secrets = { clientId: app.client_id, clientSecret: client_secret, signingSecret: signing_secret };
  return { appUrl, port, id: app.id as string, ...(secrets as Record<keyof typeof secrets, string>) };
}

type Registered = Awaited<ReturnType<typeof registered>>;

/** Starts the program of an app in this process. */
async function startApp(app: Registered, settings: Partial<AppSettings> = {}): Promise<App> {
  const program = new App({
    ...app,
    url: address.url,
    scopes: BOT_SCOPES,
    setUp: (bot, space) => {
      bot.message(/^ping$/, (ctx) => ctx.reply(`pong from ${space.spaceName}`));
      bot.click('again', (ctx) => ctx.ephemeral('clicked'));
    },
    log: () => undefined,
    ...settings,
  });
  await program.start({ port: app.port });
  started.push(program);
  return program;
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
const get = (to: string, cookie = ''): Promise<Response> =>
  fetch(to, { redirect: 'manual', headers: { cookie } });

/** Begins an installation in a browser and agrees. Returns the address with the code. */
async function agree({ appUrl }: Registered, token: string): Promise<{ callback: string; cookie: string }> {
  const begun = await get(`${appUrl}/install`);
  const asked = await get(begun.headers.get('location') ?? '');
  const uid = new URL(asked.headers.get('location') ?? '').searchParams.get('uid');
  const approve = `client/oauth/interactions/${uid}/approve`;
  const { redirect_to } = await as(token, 'POST', approve);
  const answered = await get(redirect_to as string, cookiesOf(asked));
  return { callback: answered.headers.get('location') ?? '', cookie: cookiesOf(begun) };
}

async function install(app: Registered, { ownerToken }: Workspace): Promise<Response> {
  const { callback, cookie } = await agree(app, ownerToken);
  return get(callback, cookie);
}

/** Lets the bot of a space receive messages. Returns its id. */
async function listen({ ownerToken }: Workspace): Promise<string> {
  const { installations } = await as(ownerToken, 'GET', 'admin/installations');
  const id = installations[0].bot_id as string;
  await as(ownerToken, 'PATCH', `admin/bots/${id}`, { event_types: ['MESSAGE_CREATED'] });
  return id;
}

const say = ({ ownerToken, channels }: Workspace, text: string): Promise<unknown> =>
  as(ownerToken, 'POST', `client/conversations/${channels[0]}/messages`, { text });
const answers = ({ ownerToken, channels }: Workspace, text: string): Promise<void> =>
  eventually(async () => {
    const { messages } = await as(ownerToken, 'GET', `channels/${channels[0]}/messages`);
    expect(messages.map((message: { text: string }) => message.text)).toContain(text);
  });

/** Renames a space, so that answers show where they come from. */
async function space(name: string): Promise<Workspace> {
  const workspace = await createWorkspace(address);
  await tieline.sql.query('UPDATE spaces SET name = $2 WHERE id = $1', [workspace.spaceId, name]);
  return workspace;
}

test('the example serves two spaces, keeps their tokens over a restart, and forgets an uninstalled one', async () => {
  const app = await registered(await freePort());
  const file = path.join(folder, 'tokens.json');
  const env = {
    TIELINE_URL: address.url,
    TIELINE_CLIENT_ID: app.clientId,
    TIELINE_CLIENT_SECRET: app.clientSecret,
    TIELINE_SIGNING_SECRET: app.signingSecret,
    TIELINE_APP_URL: app.appUrl,
    TIELINE_PORT: String(app.port),
    TOKENS_FILE: file,
  };
  const [first, second] = await Promise.all([space('First'), space('Second')]);
  let program = await startExample('app/app.mjs', env);
  try {
    expect(await (await install(app, first)).text()).toBe('Installed in First. You can close this page.');
    await install(app, second);
    for (const one of [first, second]) await listen(one);
    await program.end();
    program = await startExample('app/app.mjs', env);
    for (const one of [first, second]) await say(one, 'ping');
    await answers(first, 'pong from First');
    await answers(second, 'pong from Second');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const { installations } = await as(first.ownerToken, 'GET', 'admin/installations');
    await as(first.ownerToken, 'DELETE', `admin/installations/${installations[0].id}`);
    const kept = (): string[] =>
      (JSON.parse(readFileSync(file, 'utf8')) as InstalledSpace[]).map(({ spaceId }) => spaceId);
    await eventually(() => expect(kept()).toEqual([second.spaceId]));
  } finally {
    await program.end();
  }
});

if (whyNoPython() === undefined)
  test('an app in Python does the same', async () => {
    const app = await registered(await freePort());
    const workspace = await space('Snakes');
    const env = {
      TIELINE_URL: address.url,
      TIELINE_CLIENT_ID: app.clientId,
      TIELINE_CLIENT_SECRET: app.clientSecret,
      TIELINE_SIGNING_SECRET: app.signingSecret,
      TIELINE_APP_URL: app.appUrl,
      TIELINE_PORT: String(app.port),
      TOKENS_FILE: path.join(folder, 'python.json'),
    };
    const start = () => startPython([inRepository('sdk/python/tests/ping_app.py')], env);
    let program = start();
    try {
      await program.hasWritten(/listening/);
      expect(await (await install(app, workspace)).text()).toBe(
        'Installed in Snakes. You can close this page.',
      );
      await listen(workspace);
      await program.end();
      program = start();
      await program.hasWritten(/listening/);
      await say(workspace, 'ping');
      await answers(workspace, 'pong from Snakes');
      const { installations } = await as(workspace.ownerToken, 'GET', 'admin/installations');
      await as(workspace.ownerToken, 'DELETE', `admin/installations/${installations[0].id}`);
      await eventually(() => expect(JSON.parse(readFileSync(env.TOKENS_FILE, 'utf8'))).toEqual([]));
    } finally {
      await program.end();
    }
  });

test('a token that expires is renewed once for many events, before it is used', async () => {
  const app = await registered(await freePort(), { token_rotation: true });
  await tieline.sql.query('CREATE TABLE app_spaces (space_id text PRIMARY KEY, space jsonb NOT NULL)');
  const pool = new pg.Pool({ connectionString: tieline.databaseUrl });
  const { postgresStore } = (await import(pathOf('app/postgres-store.mjs'))) as {
    postgresStore: (pool: pg.Pool) => TokenStore;
  };
  const store = postgresStore(pool);
  const [one, workspace] = await Promise.all([startApp(app, { store }), space('Rotating')]);
  await install(app, workspace);
  const { spaceId } = workspace;
  const before = (await store.get(spaceId))!;
  expect(before.expiresAt).toBeGreaterThan(Date.now() + 3_000_000);
  await store.set({ ...before, expiresAt: Date.now() });
  // A second process of the app.
  const other = new App({ ...app, url: address.url, scopes: BOT_SCOPES, store, setUp: () => undefined });
  const clients = await Promise.all([one, other, one, other].map((each) => each.clientOf(spaceId)));
  for (const client of clients) await client!.call('GET', '/api/v1/bot/me');
  expect((await store.get(spaceId))!.token).not.toBe(before.token);
  const revoked = await tieline.sql.query(
    `SELECT 1 FROM audit_log WHERE space_id = $1 AND action = 'app.authorization_revoked'`,
    [spaceId],
  );
  expect(revoked.rows).toEqual([]);
  await pool.end();
});

test('the old event of an uninstallation does not delete the token of a new installation', async () => {
  const app = await registered(await freePort());
  const store = memoryStore();
  const program = await startApp(app, { store });
  const workspace = await space('Again');
  await install(app, workspace);
  const { spaceId: space_id } = workspace;
  const event = { event_type: 'APP_UNINSTALLED', space_id, data: {} };
  const signed = { scheme: 'bot_push', secret: app.signingSecret, body: JSON.stringify(event) } as const;
  const { status } = await fetch(`${app.appUrl}/events`, await signedRequest(signed));
  expect(status).toBe(200);
  expect(await program.clientOf(space_id)).toBeDefined();
});

test('a code is accepted only in the browser that began the installation, and only from this Tieline', async () => {
  const app = await registered(await freePort());
  const store = memoryStore();
  await startApp(app, { store });
  const workspace = await space('Attacked');
  const { callback, cookie } = await agree(app, workspace.ownerToken);
  const other = new URL(callback);
  other.searchParams.set('iss', 'https://other.example');
  const begun = cookiesOf(await get(`${app.appUrl}/install`));
  for (const [to, cookies] of [
    [callback, ''],
    [callback, begun],
    [other.href, cookie],
  ] as const)
    expect((await get(to, cookies)).status).toBe(400);
  expect(await store.get(workspace.spaceId)).toBeUndefined();
  expect((await get(callback, cookie)).status).toBe(200);
  expect(await store.get(workspace.spaceId)).toMatchObject({ spaceName: 'Attacked' });
  // The code works once.
  expect((await get(callback, cookie)).status).toBe(400);
});

test('events without a valid signature, or of a space without a token, are refused', async () => {
  const app = await registered(await freePort());
  await startApp(app);
  const body = JSON.stringify({ event_type: 'MESSAGE_CREATED', space_id: 'unknown', data: {} });
  const post = async (secret: string): Promise<number> =>
    (await fetch(`${app.appUrl}/events`, await signedRequest({ scheme: 'bot_push', secret, body }))).status;
  expect(await post(`whsec_${'x'.repeat(32)}`)).toBe(401);
  expect(await post(app.signingSecret)).toBe(503);
  expect((await get(`${app.appUrl}/events`)).status).toBe(405);
  expect((await get(`${app.appUrl}/../install`)).status).toBe(404);
});

test('a file store keeps every one of concurrent changes', async () => {
  const file = path.join(folder, 'concurrent.json');
  const store = fileStore(file);
  const spaces = Array.from({ length: 20 }, (_, n) => ({
    ...{ spaceId: `s${n}`, spaceName: '', botId: '', token: `t${n}` },
  }));
  await Promise.all(spaces.map((one) => store.set(one)));
  await Promise.all([store.delete('s3'), store.delete('s4')]);
  const reread = fileStore(file);
  expect(await reread.get('s3')).toBeUndefined();
  expect(await reread.get('s19')).toEqual(spaces[19]);
});
