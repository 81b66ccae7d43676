import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@tieline/testing';
import { StableAddress } from '../sdk/stable-address.js';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import { RecordingTerminal } from './recording-terminal.js';
import type { CommandResult } from './recording-terminal.js';

let tieline: Tieline;
let address: StableAddress;
let folder: string;
let env: Record<string, string>;
let token: string;

beforeAll(async () => {
  address = await StableAddress.open();
  tieline = await Tieline.create({ PUBLIC_URL: address.url });
  const api = await tieline.start('api');
  address.target = new URL(api.url);
});
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-login-'));
  // No program of this folder opens a browser.
  env = { HOME: folder, TIELINE_PROFILES: path.join(folder, 'profiles.json'), PATH: folder };
  ({ ownerToken: token } = await createWorkspace(address));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(async () => {
  await tieline?.close();
  await address?.close();
});

const run = (...argv: string[]): Promise<CommandResult> => new RecordingTerminal(env, folder).run(argv);
const get = (to: string, cookie = ''): Promise<Response> =>
  fetch(to, { redirect: 'manual', headers: { cookie } });

interface Started {
  terminal: RecordingTerminal;
  ended: Promise<CommandResult>;
  /** The address that the browser is sent to. */
  address: string;
}

async function startLogin(): Promise<Started> {
  const terminal = new RecordingTerminal(env, folder);
  const ended = terminal.run(['--json', 'login', '--browser', '--url', address.url]);
  await eventually(() => expect(terminal.errors[0]).toMatch(/^Sign in at http/));
  return { terminal, ended, address: terminal.errors[0]!.replace('Sign in at ', '') };
}

/** Answers the request in a browser. Returns the address on loopback that it is sent to. */
async function answer({ address: asked }: Started, what: 'approve' | 'deny'): Promise<string> {
  const begun = await get(asked);
  const uid = new URL(begun.headers.get('location') ?? '').searchParams.get('uid');
  const path = `/api/v1/client/oauth/interactions/${uid}/${what}`;
  const { redirect_to } = await expectOk(call(address, 'POST', path, token));
  const cookie = begun.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return (await get(redirect_to as string, cookie)).headers.get('location') ?? '';
}

const profile = () => JSON.parse(readFileSync(env.TIELINE_PROFILES!, 'utf8')).profiles.default;

test('signs in with the browser, acts as the person, renews the tokens, and revokes them', async () => {
  const started = await startLogin();
  const callback = await answer(started, 'approve');
  expect(new URL(callback).hostname).toBe('127.0.0.1');
  expect(await (await get(callback)).text()).toBe('Signed in. You can close this page.');
  expect(await started.ended).toMatchObject({ code: 0, json: { kind: 'person', url: address.url } });
  expect(await run('channel', 'list')).toMatchObject({ code: 0 });
  const refused = await run('user', 'list');
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('tieline login --token')]);

  // Two commands renew an expired token once: a second use would revoke the login.
  const { accessToken: old } = profile().login;
  const all = JSON.parse(readFileSync(env.TIELINE_PROFILES!, 'utf8'));
  all.profiles.default.login.expiresAt = 0;
  writeFileSync(env.TIELINE_PROFILES!, JSON.stringify(all));
  const both = await Promise.all([run('whoami'), run('whoami')]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(profile().login.accessToken).not.toBe(old);
  expect(await run('whoami')).toMatchObject({ code: 0 });

  const { accessToken } = profile().login;
  expect(await run('logout')).toMatchObject({ code: 0 });
  expect((await call(address, 'GET', '/api/v1/client/me', accessToken)).status).toBe(401);
  expect(await run('whoami')).toMatchObject({ code: 3 });
});

test('another page on this machine cannot answer the sign-in', async () => {
  const started = await startLogin();
  const callback = new URL(await answer(started, 'approve'));
  for (const [name, value] of [
    ['state', 'guessed'],
    ['iss', 'https://other.example'],
  ] as const) {
    const forged = new URL(callback);
    forged.searchParams.set(name, value);
    expect((await get(forged.href)).status).toBe(400);
  }
  expect((await get(new URL('/other', callback).href)).status).toBe(400);
  expect((await get(callback.href)).status).toBe(200);
  expect((await started.ended).code).toBe(0);
});

test('a refused sign-in stores nothing', async () => {
  const started = await startLogin();
  await get(await answer(started, 'deny'));
  expect(await started.ended).toMatchObject({ code: 3 });
  expect(await run('whoami')).toMatchObject({ code: 3 });
});

test('the command line may use only loopback addresses', async () => {
  const { terminal, ended, address: started } = await startLogin();
  const asked = new URL(started);
  asked.searchParams.set('redirect_uri', 'https://evil.example/callback');
  const { status, headers } = await get(asked.href);
  expect([status, headers.get('location')]).toEqual([400, null]);
  terminal.stop.abort();
  expect((await ended).code).toBe(130);
});
