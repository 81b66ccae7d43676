import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { startS3Server, type S3Server } from '@tieline/testing';
import { StorageUnavailableError } from '../file-storage.js';
import { S3FileStorage } from './s3-file-storage.js';

const KEY = 'space-1/file-1';
/** For storage that responds, however slow the machine is. */
const TIMEOUTS = { connect: 30_000, response: 30_000, idle: 30_000 };
/** For storage that does not respond. */
const SHORT_TIMEOUTS = { connect: 300, response: 300, idle: 300 };
let server: S3Server;
let storage: S3FileStorage;

const settingsOf = (changed = {}) => ({
  s3Endpoint: server.endpoint,
  s3Region: server.region,
  s3Bucket: server.bucket,
  s3AccessKeyId: server.accessKeyId,
  s3SecretAccessKey: server.secretAccessKey,
  s3ForcePathStyle: true,
  ...changed,
});
const inAMinute = (): number => Math.floor(Date.now() / 1000) + 60;
const put = (text: string, by = storage) =>
  by.put(KEY, Readable.from([Buffer.from(text)]), { maxBytes: 1000 });

beforeEach(async () => {
  server = await startS3Server();
  storage = new S3FileStorage(settingsOf(), TIMEOUTS);
});
afterEach(() => server.stop());

it('times out if storage does not respond, and works again when it does', async () => {
  await put('hello');
  server.pause();
  const impatient = new S3FileStorage(settingsOf(), { ...SHORT_TIMEOUTS, idle: 60_000 });
  for (const operation of [
    () => impatient.stat(KEY),
    () => impatient.open(KEY),
    () => impatient.remove(KEY),
    () => put('hello', new S3FileStorage(settingsOf(), SHORT_TIMEOUTS)),
  ]) {
    const since = performance.now();
    await expect(operation()).rejects.toThrow(StorageUnavailableError);
    expect(performance.now() - since).toBeLessThan(30_000);
  }
  server.resume();
  expect(await storage.stat(KEY)).toEqual({ size: 5 });
});

it('reports unavailable storage, not missing files, for wrong keys or a wrong bucket', async () => {
  await put('hello');
  for (const wrong of [
    { s3SecretAccessKey: 'wrong' },
    { s3AccessKeyId: 'wrong' },
    { s3Region: 'us-west-9' },
  ]) {
    const mistaken = new S3FileStorage(settingsOf(wrong), TIMEOUTS);
    await expect(mistaken.stat(KEY)).rejects.toThrow(StorageUnavailableError);
    await expect(mistaken.open(KEY)).rejects.toThrow(StorageUnavailableError);
  }
  const elsewhere = new S3FileStorage(settingsOf({ s3Bucket: 'another' }), TIMEOUTS);
  await expect(elsewhere.open(KEY)).rejects.toThrow(StorageUnavailableError);
  await expect(elsewhere.remove(KEY)).rejects.toThrow(StorageUnavailableError);
});

it('signs length, type and the condition of an upload', async () => {
  const { url, method, headers } = await storage.uploadTarget(KEY, {
    maxBytes: 5,
    contentType: 'text/plain',
    expiresAt: inAMinute(),
  });
  expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe(
    'content-length;content-type;host;if-none-match',
  );
  expect([method, headers]).toEqual(['PUT', { 'content-type': 'text/plain', 'if-none-match': '*' }]);
  const attempt = async (body: string, changed: Record<string, string> = {}, address = url) =>
    (await fetch(address, { method, headers: { ...headers, ...changed }, body })).status;
  expect(await attempt('123456')).toBe(403);
  expect(await attempt('1234')).toBe(403);
  expect(await attempt('12345', { 'content-type': 'text/html' })).toBe(403);
  expect(await attempt('12345', { 'if-none-match': '"x"' })).toBe(403);
  expect(await attempt('12345', { 'x-amz-acl': 'public-read' })).toBe(403);
  for (const name of new URL(url).searchParams.keys()) {
    const changed = new URL(url);
    changed.searchParams.set(name, `${changed.searchParams.get(name)}1`);
    expect([name, (await attempt('12345', {}, changed.href)) >= 400]).toEqual([name, true]);
  }
  expect(server.objects.size).toBe(0);
  expect(await attempt('12345')).toBe(200);
  expect(await attempt('54321')).toBe(412);
  expect(server.objects.get(KEY)).toMatchObject({ content: Buffer.from('12345'), contentType: 'text/plain' });
});

it('signs the name and type of a download', async () => {
  await put('hello');
  const url = new URL(
    await storage.downloadUrl(KEY, { fileName: 'a.txt', contentType: 'text/plain', expiresAt: inAMinute() }),
  );
  expect((await fetch(url)).status).toBe(200);
  for (const [name, value] of [
    ['response-content-type', 'text/html'],
    ['response-content-disposition', 'inline'],
    ['X-Amz-Expires', '6000'],
  ] as const) {
    const changed = new URL(url);
    changed.searchParams.set(name, value);
    expect([name, (await fetch(changed)).status]).toEqual([name, 403]);
  }
});

it('sends no checksums, which many implementations do not support', async () => {
  const { url } = await storage.uploadTarget(KEY, {
    maxBytes: 5,
    contentType: 'text/plain',
    expiresAt: inAMinute(),
  });
  expect(url.toLowerCase()).not.toContain('checksum');
  await put('hello');
  expect(server.refusals).toEqual([]);
});

it('reads an opened object long after the limit for the first response', async () => {
  const content = Buffer.alloc(2_000_000, 'x');
  await storage.put(KEY, Readable.from([content]), { maxBytes: content.length });
  const slow = new S3FileStorage(settingsOf(), { ...TIMEOUTS, response: 3000 });
  const { stream } = await slow.open(KEY);
  const since = performance.now();
  let read = 0;
  for await (const chunk of stream) {
    read += (chunk as Buffer).length;
    if (performance.now() - since < 3500) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(read).toBe(content.length);
});

it('opens an empty object and the start of a large one', async () => {
  await put('');
  expect((await buffer((await storage.open(KEY)).stream)).length).toBe(0);
  await storage.remove(KEY);
  await put('0123456789');
  const { size, stream } = await storage.open(KEY, { start: 0, end: 3 });
  expect([size, (await buffer(stream)).toString()]).toEqual([10, '0123']);
});

it('leaves no temporary file behind, however a put ends', async () => {
  const spool = await mkdtemp(join(tmpdir(), 'tieline-spool-'));
  const spooling = new S3FileStorage(settingsOf(), TIMEOUTS, spool);
  async function* broken(): AsyncGenerator<Buffer> {
    throw new Error('at once');
  }
  const keep = (content: AsyncIterable<Buffer>) => spooling.put(KEY, content, { maxBytes: 5 });
  await keep(Readable.from([Buffer.from('hello')]));
  for (const content of [broken(), Readable.from([Buffer.alloc(6)]), Readable.from([Buffer.from('again')])])
    await expect(keep(content)).rejects.toThrow();
  server.pause();
  const impatient = new S3FileStorage(settingsOf(), SHORT_TIMEOUTS, spool);
  await expect(put('hello', impatient)).rejects.toThrow(StorageUnavailableError);
  expect(await readdir(spool)).toEqual([]);
  await rm(spool, { recursive: true });
});
