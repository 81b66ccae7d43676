import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePort } from '@tieline/testing';
import type { AppProcess, ChildProgram } from '@tieline/testing';
import { pathOf, startExample } from './start-example.js';
import { call, expectOk, createWorkspace, post, subscribe, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

interface Entry {
  event_id: string;
  event_type: string;
  delivery_id: string;
  proofs: string[];
  fetched?: boolean;
  text?: string;
  msg_index?: number;
  kind?: string;
}

let tieline: Tieline;
let api: AppProcess;
let workspace: Workspace;
let folder: string;
let settings: Record<string, string>;
let receiver: ChildProgram;
let hook: string;

beforeAll(async () => {
  tieline = await Tieline.create({
    DELIVERY_MAX_ATTEMPTS: '2',
    DELIVERY_BACKOFF_INITIAL_MS: '100',
    DELIVERY_AUTO_DISABLE_THRESHOLD: '3',
  });
  [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
});

/** Starts the receiver as described in its README. */
beforeEach(async () => {
  workspace = await createWorkspace(api, { channels: 2 });
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-receiver-'));
  settings = {
    API: `${api.url}/api/v1`,
    ADMIN_TOKEN: workspace.ownerToken,
    TIELINE_TOKEN: workspace.botToken,
    PORT: String(await freePort()),
    SECRETS_FILE: path.join(folder, 'secrets.json'),
    EVENTS_FILE: path.join(folder, 'events.jsonl'),
  };
  await start();
  hook = (await admin('subscribe', address('/events'))).id;
});
afterEach(async () => {
  await receiver?.end();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => tieline?.close());

async function start(): Promise<void> {
  receiver = await startExample('receiver/receiver.mjs', settings);
}

const address = (at: string): string => `http://127.0.0.1:${settings.PORT}${at}`;

/** Returns the output of the admin's script. */
async function admin(...words: string[]): Promise<Record<string, any>> {
  const run = promisify(execFile)(process.execPath, [pathOf('receiver/admin.mjs'), ...words], {
    env: settings,
  });
  return JSON.parse((await run).stdout);
}

const asAdmin = (method: string, to: string, body?: object): Promise<Record<string, any>> =>
  expectOk(call(api, method, `/api/v1/admin/${to}`, workspace.ownerToken, body));
const deliveries = async (query = ''): Promise<Record<string, any>[]> =>
  (await asAdmin('GET', `outgoing_webhooks/${hook}/deliveries${query}`)).deliveries;

async function overview(): Promise<{ conversations: Record<string, Entry[]>; notices: Entry[] }> {
  return (await (await fetch(address('/'))).json()) as Awaited<ReturnType<typeof overview>>;
}

/**
 * Returns what the receiver has stored of a conversation, when it has at least this many entries.
 */
const received = (count: number, channel = workspace.channels[0]!): Promise<Entry[]> =>
  eventually(async () => {
    const { [channel]: entries = [] } = (await overview()).conversations;
    expect(entries.map(({ text }) => text)).toHaveLength(count);
    return entries;
  });
const say = (text: string, channel?: string): Promise<string> => post(api, workspace, text, channel);

test('thin payloads are fetched, and each conversation is stored in order', async () => {
  const texts = Array.from({ length: 8 }, (_, n) => `word ${n}`);
  for (const text of texts) for (const channel of workspace.channels) await say(text, channel);
  for (const channel of workspace.channels) {
    const entries = await received(texts.length, channel);
    expect(entries.map(({ text }) => text)).toEqual(texts);
    expect(entries.every(({ fetched }) => fetched)).toBe(true);
    expect(entries.map(({ msg_index: index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  }
  const [{ delivery_id: id }] = (await deliveries()) as [Record<string, any>];
  const { delivery } = await asAdmin('GET', `deliveries/${id}`);
  expect(JSON.stringify(delivery)).not.toContain('word');
  expect((await asAdmin('GET', `outgoing_webhooks/${hook}`)).subscription).toMatchObject({
    payload: 'thin',
    ordered: true,
  });
});

test('a message deleted before it was fetched is stored without text', async () => {
  await receiver.end();
  const id = await say('never mind');
  await expectOk(call(api, 'DELETE', `/api/v1/bot/messages/${id}`, workspace.botToken));
  await eventually(async () => expect(await deliveries('?filter=failed')).toHaveLength(2));
  await start();
  await admin('recover', hook, new Date(0).toISOString());
  // Recovered events are not ordered.
  expect((await received(2)).map(({ event_type: type, fetched }) => [type, fetched]).sort()).toEqual([
    ['MESSAGE_CREATED', false],
    ['MESSAGE_DELETED', false],
  ]);
});

test('a redelivered event is stored once', async () => {
  await say('once');
  const [{ delivery_id: first }] = (await received(1)) as [Entry];
  const { delivery_id: again } = await asAdmin('POST', `deliveries/${first}/redeliver`);
  expect(again).not.toBe(first);
  await eventually(async () =>
    expect((await deliveries()).find(({ delivery_id: id }) => id === again)).toMatchObject({
      status: 'success',
    }),
  );
  expect(await received(1)).toMatchObject([{ delivery_id: first }]);
  await receiver.end();
  await start();
  await asAdmin('POST', `deliveries/${first}/redeliver`);
  await eventually(() => expect(receiver.output).toContain('known '));
  await received(1);
});

test('a request not signed with a known secret is refused', async () => {
  const forged = async (at: string, headers: Record<string, string>) =>
    (await fetch(address(at), { method: 'POST', body: '{"event_id":"x","data":{}}', headers })).status;
  const now = String(Math.floor(Date.now() / 1000));
  expect([
    await forged('/events', {}),
    await forged('/elsewhere', {}),
    await forged('/events', {
      'x-service-timestamp': now,
      'x-service-signature': `sha256=${'0'.repeat(64)}`,
    }),
    await forged('/events', {
      'webhook-id': 'x',
      'webhook-timestamp': now,
      'webhook-signature': 'v1,x v1,y',
    }),
  ]).toEqual([401, 401, 401, 401]);
  expect(await overview()).toEqual({ conversations: {}, notices: [] });
});

test('during the overlap of a rotation both secrets are valid', async () => {
  const know = (secrets: object[]): void =>
    writeFileSync(settings.SECRETS_FILE!, JSON.stringify({ '/events': secrets }));
  const proofsOf = async (text: string, count: number): Promise<string[]> => {
    await say(text);
    return (await received(count)).at(-1)!.proofs;
  };
  expect(await proofsOf('before', 1)).toEqual(['standard', 'service']);
  const { previous_secret_expires_at: until } = await admin('rotate', hook, '3600');
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(3_500_000);
  const { '/events': both } = JSON.parse(readFileSync(settings.SECRETS_FILE!, 'utf8')) as Record<
    string,
    object[]
  >;
  expect(both).toEqual([{ secret: expect.any(String) }, { secret: expect.any(String), until }]);
  expect(await proofsOf('both known', 2)).toEqual(['standard', 'service', 'previous']);
  know([both![1]!]);
  expect(await proofsOf('only the old one known', 3)).toEqual(['standard', 'previous']);
  know([both![0]!]);
  expect(await proofsOf('only the new one known', 4)).toEqual(['standard', 'service']);
});

test('missed events are recovered with their event ids', async () => {
  await say('here');
  await received(1);
  const since = new Date().toISOString();
  await receiver.end();
  await say('missed');
  await say('missed too');
  const failed = await eventually(async () => {
    const found = await deliveries('?filter=failed');
    expect(found).toHaveLength(2);
    return found;
  });
  await start();
  expect(await admin('recover', hook, since)).toMatchObject({
    state: 'done',
    total: 2,
    done: 2,
    only: 'failed',
  });
  const entries = await received(3);
  expect(entries.map(({ text }) => text).sort()).toEqual(['here', 'missed', 'missed too']);
  expect(
    entries
      .slice(1)
      .map(({ event_id: id }) => id)
      .sort(),
  ).toEqual(failed.map(({ event_id: id }) => id).sort());
});

test('with the extended profile a delivery is retried longer than the server setting allows', async () => {
  expect(await admin('extend', hook)).toMatchObject({ id: hook, retry_profile: 'extended' });
  await receiver.end();
  await say('later');
  const waiting = await eventually(async () => {
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ status: 'pending', attempts: expect.any(Number) });
    expect(delivery!.attempts).toBeGreaterThan(0);
    return delivery!;
  });
  await start();
  expect(await received(1)).toMatchObject([{ text: 'later', delivery_id: waiting.delivery_id }]);
});

test('a portal link shows the delivery log', async () => {
  await say('in the log');
  await received(1);
  const { url, expires_at: end } = await admin('portal', hook);
  expect(Date.parse(end)).toBeGreaterThan(Date.now() + 3_500_000);
  const reached = String(url).replace(/^https?:\/\/[^/]+/, api.url);
  const page = await fetch(reached);
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ]);
  const log = (await (await fetch(`${reached}/deliveries`)).json()) as { deliveries: object[] };
  expect(log.deliveries).toMatchObject([{ status: 'success', event_type: 'MESSAGE_CREATED' }]);
  await admin('rotate', hook, '0');
  expect((await fetch(reached)).status).toBe(401);
});

test('notices to admins arrive as events', async () => {
  await admin('notices', address('/notices'));
  const refusing = await tieline.receiver();
  refusing.respond(404);
  const { id } = await subscribe(api, workspace, refusing.url);
  for (const text of ['one', 'two', 'three']) await say(text);
  const notices = await eventually(async () => {
    const { notices: found } = await overview();
    expect(found).toHaveLength(1);
    return found;
  });
  expect(notices).toMatchObject([
    {
      event_type: 'NOTICE_CREATED',
      kind: 'outgoing_webhook.auto_disabled',
      object_id: id,
      text: expect.stringContaining('e2e'),
      proofs: ['standard', 'service'],
    },
  ]);
});
