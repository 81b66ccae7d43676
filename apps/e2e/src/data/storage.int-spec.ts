import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalFileStorage } from '@tieline/storage';
import { eventually, startS3Server, TEST_ENVIRONMENT } from '@tieline/testing';
import { Tieline } from '../tieline.js';

const expiresAt = Math.floor(Date.now() / 1000) + 300;
let tieline: Tieline;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tieline-storage-'));
  tieline = await Tieline.create({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await tieline?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Creates links like any process with the same key and PUBLIC_URL. */
const linksOf = (publicUrl: string): LocalFileStorage =>
  LocalFileStorage.fromSettings({
    dataDir,
    publicUrl,
    secretKey: TEST_ENVIRONMENT.SECRET_KEY,
    secretKeysOld: [],
  });

test('a confirmed file survives kill -9, and an upload in progress leaves nothing visible', async () => {
  const api = await tieline.start('api');
  const content = Buffer.alloc(3_000_000, 'x');
  const target = (key: string) =>
    linksOf(api.url).uploadTarget(key, { maxBytes: content.length, contentType: 'text/plain', expiresAt });
  const whole = await target('space/whole');
  expect(
    (await fetch(whole.url, { method: whole.method, headers: whole.headers, body: content })).status,
  ).toBe(200);
  const half = await target('space/half');
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(content.subarray(0, 1_000_000)),
  });
  const broken = fetch(half.url, {
    method: half.method,
    headers: half.headers,
    body,
    duplex: 'half',
  } as RequestInit).catch(() => 'broken off');
  await eventually(async () =>
    expect(await readdir(path.join(dataDir, 'files', '.incoming'))).toHaveLength(1),
  );
  await api.kill('SIGKILL');
  expect(await broken).toBe('broken off');

  const next = await tieline.start('api');
  const read = async (key: string) =>
    fetch(
      await linksOf(next.url).downloadUrl(key, { fileName: 'a.txt', contentType: 'text/plain', expiresAt }),
    );
  expect(Buffer.from(await (await read('space/whole')).arrayBuffer()).equals(content)).toBe(true);
  expect((await read('space/half')).status).toBe(404);
});

test('the worker deletes parts of uploads that were interrupted more than a day ago', async () => {
  const incoming = path.join(dataDir, 'files', '.incoming');
  await mkdir(incoming, { recursive: true });
  const old = path.join(incoming, 'old');
  await writeFile(old, 'half');
  const twoDaysAgo = Date.now() / 1000 - 172_800;
  await utimes(old, twoDaysAgo, twoDaysAgo);
  await tieline.start('worker');
  await eventually(async () => expect(await readdir(incoming)).not.toContain('old'), {
    timeoutMs: 60_000,
  });
});

test('api and worker start on an S3 store', async () => {
  const store = await startS3Server();
  for (const kind of ['api', 'worker'] as const) {
    const process = await tieline.start(kind, store.environment);
    expect(process.output()).not.toMatch(/"level":"?(50|60|error|fatal)/);
    expect(await process.kill()).toEqual({ code: 0, signal: null });
  }
  await store.stop();
});
