import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProfileFile } from '../profiles/profile-file.js';
import { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { KnownNames } from './known-names.js';

let folder: string;
let server: Server;
let asked: string[];
let answer: (response: ServerResponse) => void;
let names: KnownNames;

const namesOf = (profile?: string, timeoutMs?: number): KnownNames =>
  new KnownNames(
    new Session({ env: { HOME: folder } } as unknown as Terminal, profile === undefined ? {} : { profile }),
    timeoutMs,
  );

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tieline-names-'));
  asked = [];
  answer = (response) => response.end('{"ok":true,"bots":[{"id":"1","display_name":"Deployer"}]}');
  server = createServer((request, response) => {
    asked.push(request.url!);
    response.setHeader('content-type', 'application/json');
    answer(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new ProfileFile({ HOME: folder }).change((all) => {
    all.profiles.default = { url, token: 'tlu_x', bots: { Kept: 'tlb_x' } };
  });
  // A server that answers does so in time, also on a busy machine.
  names = namesOf(undefined, 60_000);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(folder, { recursive: true, force: true });
});

test('are requested once a minute and cached in a file only the user can read', async () => {
  for (let n = 0; n < 3; n += 1) expect(await names.of('bot')).toEqual(['Deployer', 'Kept']);
  expect(asked).toHaveLength(1);
  const cache = path.join(folder, '.cache/tieline');
  const [file] = await readdir(cache);
  expect((await stat(path.join(cache, file!))).mode & 0o777).toBe(0o600);
  expect(file).toMatch(/^[0-9a-f]{64}$/);
});

test('fall back to the profile after half a second if the server is silent, without retrying immediately', async () => {
  answer = () => undefined;
  const begun = Date.now();
  for (let n = 0; n < 2; n += 1) expect(await namesOf().of('bot')).toEqual(['Kept']);
  // Far below the minute that the other tests wait.
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(asked).toHaveLength(1);
});

test('take half a second at most, even if several requests are needed', async () => {
  answer = (response) =>
    void setTimeout(
      () =>
        response.end(
          '{"ok":true,"bots":[{"id":"1","display_name":"Deployer"}],"commands":[{"id":"2","name":"deploy"}]}',
        ),
      300,
    );
  expect(await namesOf().of('command')).toEqual([]);
});

/** Replaces the token of the profile by a sign-in in the browser. */
const signIn = (accessToken: string, expiresAt: number): Promise<void> =>
  new ProfileFile({ HOME: folder }).change((all) => {
    const { url } = all.profiles.default!;
    all.profiles.default = { url, login: { accessToken, refreshToken: 'tlf_x', expiresAt } };
  });

test('are requested after a sign-in in the browser, where people need no admin', async () => {
  answer = (response) =>
    response.end(
      '{"ok":true,"members":[{"id":"1","type":"user","display_name":"Ada"},{"id":"2","type":"bot","display_name":"Bot"}],"commands":[{"name":"deploy"}],"next_cursor":""}',
    );
  await signIn('tla_x', Date.now() + 60_000);
  expect(await names.of('user')).toEqual(['Ada']);
  expect(await names.of('slash')).toEqual(['/deploy']);
  expect(asked.map((url) => url.split('?')[0])).toEqual([
    '/api/v1/client/members',
    '/api/v1/client/commands',
  ]);
  // A completion renews no tokens, and keeps the names of the time before.
  await signIn('tla_y', 0);
  expect(await names.of('user')).toEqual(['Ada']);
  expect(await names.of('app')).toEqual([]);
  expect(asked).toHaveLength(2);
});

test('are empty for users who are not signed in or lack access', async () => {
  answer = (response) => response.writeHead(403).end('{"ok":false,"error":"no"}');
  expect(await names.of('hook')).toEqual([]);
  expect(await names.of('space')).toEqual([]);
  expect(asked).toHaveLength(1);
  const nobody = namesOf('x');
  expect(await nobody.of('bot')).toEqual([]);
  expect(await nobody.of('profile')).toEqual(['default']);
});
