import { randomBytes } from 'node:crypto';
import {
  mkdtemp,
  readFile,
  readdir,
  rm,
  statfs,
  utimes,
  writeFile,
  mkdir,
  stat as statPath,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@tieline/testing';
import {
  ObjectExistsError,
  ObjectNotFoundError,
  ObjectTooLargeError,
  StorageUnavailableError,
  UploadInProgressError,
} from '../file-storage.js';
import { LocalFileStorage } from './local-file-storage.js';
import { STORAGE_PATH, StorageUrls } from './storage-urls.js';

const KEY = 'space-1/file-1';
const settings = {
  publicUrl: 'https://chat.example',
  secretKey: randomBytes(32).toString('base64'),
  secretKeysOld: [],
};
let dataDir: string;
let root: string;
let storage: LocalFileStorage;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tieline-storage-'));
  root = join(dataDir, 'files');
  storage = LocalFileStorage.fromSettings({ ...settings, dataDir });
});

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

async function put(content: Buffer | Readable, maxBytes = 1_000_000, key = KEY): Promise<number> {
  return storage.put(key, content instanceof Readable ? content : Readable.from([content]), { maxBytes });
}

async function read(range?: { start: number; end: number }): Promise<string> {
  const { stream } = await storage.open(KEY, range);
  return (await buffer(stream)).toString();
}

const leftovers = () => readdir(join(root, '.incoming'));

it('stores the exact bytes, readable by their owner only', async () => {
  const content = randomBytes(300_000);
  expect(
    await put(
      Readable.from([content.subarray(0, 1), content.subarray(1, 200_000), content.subarray(200_000)]),
    ),
  ).toBe(300_000);
  expect(await storage.stat(KEY)).toEqual({ size: 300_000 });
  const { size, stream } = await storage.open(KEY);
  expect(size).toBe(300_000);
  expect((await buffer(stream)).equals(content)).toBe(true);
  expect((await statPath(join(root, KEY))).mode & 0o777).toBe(0o600);
  expect(await leftovers()).toEqual([]);
});

it('stores an empty object', async () => {
  expect(await put(Buffer.alloc(0))).toBe(0);
  expect(await storage.stat(KEY)).toEqual({ size: 0 });
  expect(await read()).toBe('');
});

it('reads ranges, and refuses those outside', async () => {
  await put(Buffer.from('0123456789'));
  expect(await read({ start: 0, end: 0 })).toBe('0');
  expect(await read({ start: 3, end: 9 })).toBe('3456789');
  for (const range of [
    { start: 3, end: 10 },
    { start: 5, end: 4 },
    { start: -1, end: 4 },
    { start: Number.NaN, end: 4 },
  ]) {
    await expect(storage.open(KEY, range)).rejects.toThrow(RangeError);
  }
});

it('stores exactly as much as allowed, and stops reading as soon as there is more', async () => {
  expect(await put(Buffer.alloc(10), 10)).toBe(10);
  let yielded = 0;
  async function* tooMuch(): AsyncGenerator<Buffer> {
    while (yielded < 100) {
      yielded++;
      yield Buffer.alloc(1000);
    }
  }
  await expect(storage.put('space-1/file-2', tooMuch(), { maxBytes: 5500 })).rejects.toThrow(
    ObjectTooLargeError,
  );
  expect(yielded).toBe(6);
  expect(await storage.stat('space-1/file-2')).toBeUndefined();
  expect(await leftovers()).toEqual([]);
});

it('leaves nothing of an interrupted upload', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1000);
    throw new Error('client went away');
  }
  await expect(storage.put(KEY, broken(), { maxBytes: 10_000 })).rejects.toThrow('client went away');
  expect(await storage.stat(KEY)).toBeUndefined();
  expect(await leftovers()).toEqual([]);
});

it('never overwrites: one of many concurrent uploads wins as a whole', async () => {
  const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(100_000, String(index)));
  const results = await Promise.allSettled(contents.map((content) => put(content)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results)
    if (result.status === 'rejected')
      expect([ObjectExistsError, UploadInProgressError]).toContain((result.reason as Error).constructor);
  const winner = results.findIndex(({ status }) => status === 'fulfilled');
  expect((await readFile(join(root, KEY))).equals(contents[winner]!)).toBe(true);
  expect(await leftovers()).toEqual([]);
});

it('allows one upload of a key at a time: another one is refused immediately, and stages nothing', async () => {
  let resume = (): void => undefined;
  const paused = new Promise<void>((resolve) => (resume = resolve));
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1000);
    await paused;
  }
  const first = storage.put(KEY, slow(), { maxBytes: 10_000 });
  await eventually(async () => expect(await leftovers()).toHaveLength(1));
  const untouched = Readable.from([Buffer.from('x')]);
  await expect(storage.put(KEY, untouched, { maxBytes: 10 })).rejects.toThrow(UploadInProgressError);
  expect([untouched.readableFlowing, await leftovers()]).toEqual([null, [expect.any(String)]]);
  resume();
  expect(await first).toBe(1000);
});

it('an upload whose process has ended frees the key after ten seconds', async () => {
  const lock = join(root, '.uploading', KEY.replaceAll('/', '.'));
  await mkdir(join(root, '.uploading'), { recursive: true });
  await writeFile(lock, '');
  await expect(put(Buffer.from('x'))).rejects.toThrow(UploadInProgressError);
  const past = new Date(Date.now() - 10_001);
  await utimes(lock, past, past);
  expect(await put(Buffer.from('x'))).toBe(1);
  expect(await readdir(join(root, '.uploading'))).toEqual([]);
});

it('refuses an upload that would leave too little free space, as if the disk were full', async () => {
  const { bavail, bsize } = await statfs(dataDir);
  const full = LocalFileStorage.fromSettings({ ...settings, dataDir }, bavail * bsize * 2);
  await expect(full.put(KEY, Readable.from([Buffer.from('x')]), { maxBytes: 1 })).rejects.toThrow(
    StorageUnavailableError,
  );
  expect(await storage.stat(KEY)).toBeUndefined();
});

it('does not expose an object before it is complete', async () => {
  let resume = (): void => undefined;
  const paused = new Promise<void>((resolve) => (resume = resolve));
  let begun = (): void => undefined;
  const started = new Promise<void>((resolve) => (begun = resolve));
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1000);
    begun();
    await paused;
    yield Buffer.alloc(1000);
  }
  const upload = storage.put(KEY, slow(), { maxBytes: 10_000 });
  await started;
  expect(await storage.stat(KEY)).toBeUndefined();
  await expect(storage.open(KEY)).rejects.toThrow(ObjectNotFoundError);
  resume();
  expect(await upload).toBe(2000);
  expect(await storage.stat(KEY)).toEqual({ size: 2000 });
});

it('removes objects, also missing ones', async () => {
  await put(Buffer.from('x'));
  await storage.remove(KEY);
  await storage.remove(KEY);
  expect(await storage.stat(KEY)).toBeUndefined();
  await expect(storage.open(KEY)).rejects.toThrow(ObjectNotFoundError);
});

it.each([
  '',
  '/',
  '..',
  '../x',
  'a/../b',
  'a/./b',
  '/a',
  'a/',
  'a//b',
  'a/b/c/d',
  '.incoming/x',
  'a.b',
  'A',
  'a\\b',
  'a\0b',
  'a b',
  '-a',
  'é',
  'a\n',
  'a'.repeat(65),
])('refuses %j as a key', async (key) => {
  await expect(put(Buffer.from('x'), 10, key)).rejects.toThrow(RangeError);
  await expect(storage.stat(key)).rejects.toThrow(RangeError);
  await expect(storage.open(key)).rejects.toThrow(RangeError);
  await expect(storage.remove(key)).rejects.toThrow(RangeError);
  expect(await readdir(dataDir)).toEqual([]);
});

it('removes uploads that a crash interrupted a day ago, and no later ones', async () => {
  await mkdir(join(root, '.incoming'), { recursive: true });
  for (const name of ['old', 'young']) await writeFile(join(root, '.incoming', name), 'half');
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(join(root, '.incoming', 'old'), yesterday, yesterday);
  expect(await storage.removeAbandonedUploads()).toBe(1);
  expect(await leftovers()).toEqual(['young']);
});

it('has nothing to remove before the first upload', async () => {
  expect(await storage.removeAbandonedUploads()).toBe(0);
});

it('creates links that contain what they allow', async () => {
  const urls = StorageUrls.fromSettings(settings);
  const now = Date.now();
  const expiresAt = Math.floor(now / 1000) + 60;
  const upload = await storage.uploadTarget(KEY, { maxBytes: 5, contentType: 'text/plain', expiresAt });
  expect(upload).toMatchObject({ method: 'PUT', headers: { 'content-type': 'text/plain' } });
  const target = (url: string) => url.slice(`https://chat.example${STORAGE_PATH}`.length);
  expect(urls.verify('PUT', target(upload.url), now)).toEqual({
    method: 'PUT',
    key: KEY,
    expiresAt,
    claims: { max_bytes: '5', content_type: 'text/plain' },
  });
  const download = await storage.downloadUrl(KEY, {
    fileName: 'a b.txt',
    contentType: 'text/plain',
    expiresAt,
  });
  expect(urls.verify('GET', target(download), now)).toEqual({
    method: 'GET',
    key: KEY,
    expiresAt,
    claims: { file_name: 'a b.txt', content_type: 'text/plain' },
  });
});
