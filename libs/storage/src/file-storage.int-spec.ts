import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ErrorFilter } from '@tieline/platform/http';
import { startS3Server } from '@tieline/testing';
import {
  ObjectExistsError,
  ObjectNotFoundError,
  ObjectTooLargeError,
  StorageUnavailableError,
  type FileStorage,
  type UploadTarget,
} from './file-storage.js';
import { startStorageApp } from './testing/storage-testing.js';

/** A storage driver, and how to simulate its outage. */
interface Driver {
  readonly storage: FileStorage;
  outage(): Promise<void>;
  recovery(): Promise<void>;
  close(): Promise<void>;
}

async function local(): Promise<Driver> {
  const app = await startStorageApp();
  const root = join(app.settings.dataDir, 'files');
  return {
    storage: app.storage,
    // Replaces the folder, which simulates a broken mount.
    outage: async () => {
      await rename(root, `${root}.away`);
      await writeFile(root, '');
    },
    recovery: async () => {
      await rm(root);
      await rename(`${root}.away`, root);
    },
    close: app.close,
  };
}

async function s3(): Promise<Driver> {
  const server = await startS3Server();
  const app = await startStorageApp(server.environment);
  const close = async (): Promise<void> => {
    await app.close();
    await server.stop();
  };
  return { storage: app.storage, outage: () => server.stop(), recovery: () => server.start(), close };
}

const inAMinute = (): number => Math.floor(Date.now() / 1000) + 60;
let keys = 0;
const newKey = (): string => `space-1/file-${(keys += 1)}`;
const contentOf = (storage: FileStorage, key: string): Promise<Buffer> =>
  storage.open(key).then(({ stream }) => buffer(stream));

function send(
  { url, method, headers }: UploadTarget,
  body: Uint8Array<ArrayBuffer> | string,
  more: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method, headers: { ...headers, ...more }, body });
}

describe.each([
  ['local', local],
  ['s3', s3],
])('storage on %s', (_name, start) => {
  let driver: Driver;
  let storage: FileStorage;

  beforeAll(async () => {
    driver = await start();
    storage = driver.storage;
  });
  afterAll(() => driver?.close());

  const target = (key: string, maxBytes: number, contentType = 'text/plain', expiresAt = inAMinute()) =>
    storage.uploadTarget(key, { maxBytes, contentType, expiresAt });
  const link = (key: string, fileName = 'a.txt', contentType = 'text/plain', expiresAt = inAMinute()) =>
    storage.downloadUrl(key, { fileName, contentType, expiresAt });
  const stored = async (content: Buffer | string): Promise<string> => {
    const key = newKey();
    await storage.put(key, Readable.from([Buffer.from(content)]), { maxBytes: 1_000_000 });
    return key;
  };

  it('accepts an upload by its target, and serves the same bytes by a link', async () => {
    const key = newKey();
    const content = randomBytes(700_000);
    expect(await storage.stat(key)).toBeUndefined();
    const upload = await target(key, content.length, 'application/pdf');
    expect((await send(upload, content)).status).toBe(200);
    expect(await storage.stat(key)).toEqual({ size: content.length });
    expect((await contentOf(storage, key)).equals(content)).toBe(true);
    const response = await fetch(await link(key, 'Отчёт "1".pdf', 'application/pdf'));
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="_____ _1_.pdf"; filename*=UTF-8''${encodeURIComponent('Отчёт "1".pdf')}`,
    );
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('stores an empty file', async () => {
    const key = newKey();
    expect((await send(await target(key, 0), '')).status).toBe(200);
    expect(await storage.stat(key)).toEqual({ size: 0 });
    expect(await (await fetch(await link(key))).text()).toBe('');
  });

  it('refuses more bytes than the target allows, and stores none of them', async () => {
    const key = newKey();
    const { status } = await send(await target(key, 5), '123456');
    expect([403, 413]).toContain(status);
    expect(await storage.stat(key)).toBeUndefined();
  });

  it('refuses another or a missing content type', async () => {
    const key = newKey();
    const upload = await target(key, 3, 'image/png');
    expect((await send(upload, 'abc', { 'content-type': 'text/html' })).status).toBe(403);
    expect((await fetch(upload.url, { method: 'PUT', body: Buffer.from('abc') })).status).toBe(403);
    expect(await storage.stat(key)).toBeUndefined();
  });

  it('never overwrites, although the target is still valid', async () => {
    const key = newKey();
    const upload = await target(key, 5);
    expect((await send(upload, 'first')).status).toBe(200);
    expect([403, 412]).toContain((await send(upload, 'other')).status);
    const { 'if-none-match': _, ...without } = upload.headers;
    expect((await send({ ...upload, headers: without }, 'other')).status).toBe(403);
    await expect(storage.put(key, Readable.from([Buffer.from('x')]), { maxBytes: 10 })).rejects.toThrow(
      ObjectExistsError,
    );
    expect((await contentOf(storage, key)).toString()).toBe('first');
  });

  it('lets exactly one of several concurrent uploads win', async () => {
    const key = newKey();
    const upload = await target(key, 100_000);
    const contents = Array.from({ length: 6 }, (_, index) => Buffer.alloc(100_000, String(index)));
    const responses = await Promise.all(contents.map((content) => send(upload, content)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = responses.findIndex(({ status }) => status === 200);
    expect((await contentOf(storage, key)).equals(contents[winner]!)).toBe(true);
  });

  it('accepts no upload with a download link, and no download with an upload target', async () => {
    const key = await stored('secret');
    const upload = await target(newKey(), 3);
    expect((await fetch(upload.url)).status).toBe(403);
    expect((await fetch(await link(key), { method: 'PUT', body: 'abc' })).status).toBe(403);
    expect((await fetch(await link(key), { method: 'DELETE' })).status).toBeGreaterThanOrEqual(400);
    expect(await storage.stat(key)).toEqual({ size: 6 });
  });

  it('refuses links of another object, and expired ones', async () => {
    const key = await stored('secret');
    const other = await stored('other');
    expect((await fetch((await link(key)).replace(key, other))).status).toBe(403);
    const past = Math.floor(Date.now() / 1000) - 1;
    expect((await fetch(await link(key, 'a.txt', 'text/plain', past))).status).toBe(403);
    expect((await fetch(await link(key, 'a.txt', 'text/plain', past + 10))).status).toBe(200);
    const late = newKey();
    expect((await send(await target(late, 3, 'text/plain', past), 'abc')).status).toBe(403);
    expect(await storage.stat(late)).toBeUndefined();
  });

  it('serves ranges', async () => {
    const url = await link(await stored('0123456789'));
    const part = async (range: string) => {
      const response = await fetch(url, { headers: { range } });
      return [
        response.status,
        response.headers.get('content-range'),
        response.status === 206 ? await response.text() : '',
      ];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=8-99')).toEqual([206, 'bytes 8-9/10', '89']);
    expect((await part('bytes=10-'))[0]).toBe(416);
  });

  it('opens ranges, and refuses those outside', async () => {
    const key = await stored('0123456789');
    const { size, stream } = await storage.open(key, { start: 3, end: 9 });
    expect([size, (await buffer(stream)).toString()]).toEqual([10, '3456789']);
    for (const range of [
      { start: 3, end: 10 },
      { start: 10, end: 12 },
      { start: 5, end: 4 },
      { start: -1, end: 4 },
    ]) {
      await expect(storage.open(key, range)).rejects.toThrow(RangeError);
    }
  });

  it('distinguishes versions of the bytes under a key', async () => {
    const key = await stored('one');
    const versionOf = async (one: string): Promise<string> => {
      const { version, stream } = await storage.open(one);
      stream.destroy();
      return version;
    };
    const first = await versionOf(key);
    expect(first).toMatch(/^[!#-~]{4,}$/);
    await storage.remove(key);
    await storage.put(key, Readable.from([Buffer.from('other')]), { maxBytes: 10 });
    expect(await versionOf(key)).not.toBe(first);
  });

  it('refuses too many bytes from its own process too', async () => {
    const key = newKey();
    await expect(
      storage.put(key, Readable.from([Buffer.alloc(6), Buffer.alloc(6)]), { maxBytes: 10 }),
    ).rejects.toThrow(ObjectTooLargeError);
    expect(await storage.stat(key)).toBeUndefined();
    await expect(storage.put(key, Readable.from([Buffer.alloc(10)]), { maxBytes: 10 })).resolves.toBe(10);
  });

  it('removes objects, also missing ones', async () => {
    const key = await stored('x');
    const url = await link(key);
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.stat(key)).toBeUndefined();
    await expect(storage.open(key)).rejects.toThrow(ObjectNotFoundError);
    expect((await fetch(url)).status).toBe(404);
  });

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/javascript',
    'application/javascript',
    'text/css',
    'not a type',
    'a/b\r\nx: y',
  ])('serves %j as plain bytes to be saved', async (contentType) => {
    const url = await link(await stored('<script>alert(1)</script>'), 'page.html', contentType);
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(response.headers.get('x')).toBeNull();
  });

  it('refuses malformed keys', async () => {
    for (const key of ['', '../x', 'a//b', 'A', 'a\0b', 'a/b/c/d']) {
      await expect(storage.stat(key)).rejects.toThrow(RangeError);
      await expect(storage.open(key)).rejects.toThrow(RangeError);
      await expect(storage.remove(key)).rejects.toThrow(RangeError);
      await expect(target(key, 1)).rejects.toThrow(RangeError);
      await expect(link(key)).rejects.toThrow(RangeError);
    }
  });

  it('reports an outage as 503 while it lasts, and works again afterwards', async () => {
    const key = await stored('x');
    await driver.outage();
    const operations = {
      stat: () => storage.stat(key),
      open: () => storage.open(key),
      remove: () => storage.remove(key),
      put: () => storage.put(newKey(), Readable.from([Buffer.from('x')]), { maxBytes: 10 }),
    };
    for (const [name, operation] of Object.entries(operations)) {
      const error: unknown = await operation().then(
        () => 'no error',
        (reason: unknown) => reason,
      );
      expect([name, error]).toEqual([name, expect.any(StorageUnavailableError)]);
      expect(answerOf(error)).toEqual({
        status: 503,
        retryAfter: '1',
        body: { ok: false, error: 'service unavailable', code: 'unavailable' },
      });
    }
    await driver.recovery();
    expect(await storage.stat(key)).toEqual({ size: 1 });
    expect((await contentOf(storage, key)).toString()).toBe('x');
  });

  it('returns an error of the content unchanged', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('x');
      throw Object.assign(new Error('the sender went away'), { syscall: 'read', code: 'ECONNRESET' });
    }
    const key = newKey();
    await expect(storage.put(key, broken(), { maxBytes: 10 })).rejects.toThrow('the sender went away');
    expect(await storage.stat(key)).toBeUndefined();
  });
});

/** Returns the response that a caller gets for an error. */
function answerOf(error: unknown): { status: number; retryAfter: string | undefined; body: unknown } {
  const response = { status: 0, retryAfter: undefined as string | undefined, body: undefined as unknown };
  const reply = {
    raw: {},
    status: (status: number) => ((response.status = status), reply),
    headers: (headers: Record<string, string>) => ((response.retryAfter = headers['retry-after']), reply),
    send: (body: unknown) => void (response.body = body),
  };
  const request = { raw: {}, url: '/', routeOptions: { config: {} }, log: { error: () => undefined } };
  new ErrorFilter().catch(error, {
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }),
  } as never);
  return response;
}
