import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '@tieline/testing';
import { startStorageApp, type StorageApp } from '../testing/storage-testing.js';

let app: StorageApp;
beforeAll(async () => {
  app = await startStorageApp({ FILE_MAX_BYTES: '5000000' });
});
afterAll(() => app?.close());

let keys = 0;
const newKey = (): string => `space-1/file-${(keys += 1)}`;
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const target = (
  key: string,
  {
    maxBytes = 1_000_000,
    isExact = false,
    contentType = 'text/plain',
    expiresAt = inSeconds(60),
    on = app,
  } = {},
) => on.storage.uploadTarget(key, { maxBytes, isExact, contentType, expiresAt });
const halfUploads = (of = app) => readdir(join(of.root, '.incoming')).catch(() => []);
const pathOf = (url: string): string => url.slice(app.url.length);

/** Sends a request exactly as written, without normalizing the path. */
function raw(method: string, path: string, headers: Record<string, string> = {}, on = app): ClientRequest {
  const { hostname, port } = new URL(on.url);
  const request = httpRequest({ hostname, port, method, path, headers, agent: false });
  request.on('error', () => undefined);
  return request;
}

async function answerTo(
  request: ClientRequest,
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: string }> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('uploads', () => {
  it('stores any type unchanged, including JSON and forms, however large', async () => {
    for (const contentType of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'image/png',
    ]) {
      const key = newKey();
      const content = Buffer.concat([Buffer.from('{"no": json'), randomBytes(3_000_000)]);
      const { url, method, headers } = await target(key, { maxBytes: content.length, contentType });
      const response = await fetch(url, { method, headers, body: content });
      expect([contentType, response.status, await response.json()]).toEqual([contentType, 200, { ok: true }]);
      expect(await app.storage.stat(key)).toEqual({ size: content.length });
    }
  });

  it('writes to the disk while bytes are still arriving', async () => {
    const key = newKey();
    const { url, headers } = await target(key);
    const upload = raw('PUT', pathOf(url), { ...headers });
    upload.write(Buffer.alloc(300_000));
    await eventually(async () => {
      const [name = ''] = await halfUploads();
      expect((await stat(join(app.root, '.incoming', name))).size).toBe(300_000);
    });
    expect(await app.storage.stat(key)).toBeUndefined();
    upload.end(Buffer.alloc(5));
    expect((await answerTo(upload)).status).toBe(200);
    expect(await app.storage.stat(key)).toEqual({ size: 300_005 });
    expect(await halfUploads()).toEqual([]);
  });

  it('one upload in progress per link: another one gets 409, and an interrupted one frees the link', async () => {
    const key = newKey();
    const { url, headers } = await target(key);
    const first = raw('PUT', pathOf(url), { ...headers });
    first.write(Buffer.alloc(1000));
    await eventually(async () => expect(await halfUploads()).toHaveLength(1));
    const second = await fetch(url, { method: 'PUT', headers, body: 'x' });
    expect([second.status, await second.json()]).toEqual([
      409,
      { ok: false, error: 'an upload to this link is already in progress', code: 'upload_in_progress' },
    ]);
    expect(await halfUploads()).toHaveLength(1);
    first.destroy();
    await eventually(
      async () => expect((await fetch(url, { method: 'PUT', headers, body: 'x' })).status).toBe(200),
      { timeoutMs: 10_000 },
    );
    expect(await app.storage.stat(key)).toEqual({ size: 1 });
  });

  it('refuses an announced size over the limit before a byte is sent', async () => {
    const key = newKey();
    for (const [maxBytes, length] of [
      [10, 11],
      [10_000_000, 5_000_001],
    ] as const) {
      const { url, headers } = await target(key, { maxBytes });
      const upload = raw('PUT', pathOf(url), { ...headers, 'content-length': String(length) });
      upload.flushHeaders();
      expect(await answerTo(upload)).toMatchObject({
        status: 413,
        body: '{"ok":false,"error":"request body too large","code":"body_too_large"}',
      });
      upload.destroy();
    }
    expect(await app.storage.stat(key)).toBeUndefined();
  });

  it('refuses a chunked body as soon as it exceeds the limit', async () => {
    const key = newKey();
    const { url, headers } = await target(key, { maxBytes: 100_000 });
    const upload = raw('PUT', pathOf(url), { ...headers });
    const endless = setInterval(() => upload.write(Buffer.alloc(10_000)), 1);
    const response = await answerTo(upload);
    clearInterval(endless);
    upload.destroy();
    expect(response).toMatchObject({
      status: 413,
      body: '{"ok":false,"error":"request body too large","code":"body_too_large"}',
    });
    expect(await app.storage.stat(key)).toBeUndefined();
    expect(await halfUploads()).toEqual([]);
  });

  it.each([
    ['announced: fewer', 4, false],
    ['announced: more', 6, false],
    ['chunked: fewer', 4, true],
    ['chunked: more', 6, true],
    ['nothing', 0, false],
  ])(
    'with another size than declared (%s) gets 400, stores nothing and keeps the link usable',
    async (_, size, isChunked) => {
      const key = newKey();
      const { url, headers } = await target(key, { maxBytes: 5, isExact: true });
      const upload = raw('PUT', pathOf(url), {
        ...headers,
        ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(size) }),
      });
      upload.end(Buffer.alloc(size));
      expect(await answerTo(upload)).toMatchObject({
        status: 400,
        body: '{"ok":false,"error":"the upload must have the declared size of 5 bytes","code":"upload_size_differs"}',
      });
      expect(await app.storage.stat(key)).toBeUndefined();
      expect(await halfUploads()).toEqual([]);
      expect((await fetch(url, { method: 'PUT', headers, body: 'hello' })).status).toBe(200);
      expect((await fetch(url, { method: 'PUT', headers, body: 'hell' })).status).toBe(403);
    },
  );

  it('with another size than declared is refused before a byte is sent', async () => {
    const { url, headers } = await target(newKey(), { maxBytes: 5, isExact: true });
    const upload = raw('PUT', pathOf(url), { ...headers, 'content-length': '4' });
    upload.flushHeaders();
    expect((await answerTo(upload)).status).toBe(400);
    upload.destroy();
  });

  it('lets a client that reads nothing before it has sent everything receive the response', async () => {
    const body = Buffer.alloc(20_000_000);
    const { url, headers } = await target(newKey(), { maxBytes: 1000 });
    for (const framing of [
      `content-length: ${body.length}\r\n\r\n`,
      `connection: close\r\ncontent-length: ${body.length}\r\n\r\n`,
      `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
      `connection: close\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
    ]) {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1').pause();
      socket.write(
        `PUT ${pathOf(url)} HTTP/1.1\r\nhost: x\r\ncontent-type: ${headers['content-type']}\r\n${framing}`,
      );
      await new Promise((resolve) => socket.write(body, resolve));
      const [answer] = (await once(socket.resume(), 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
      socket.destroy();
    }
  });

  it('disconnects a client that keeps sending', async () => {
    const strict = await startStorageApp({}, { idleMs: 60_000, afterExpiryMs: 60_000, drainMs: 3000 });
    const { url, headers } = await target(newKey(), { maxBytes: 10, on: strict });
    const socket = connect(Number(new URL(strict.url).port), '127.0.0.1').on('error', () => undefined);
    const cut = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `PUT ${url.slice(strict.url.length)} HTTP/1.1\r\nhost: x\r\ncontent-type: ${headers['content-type']}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const endless = setInterval(() => socket.write('3\r\nabc\r\n'), 5);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
    await cut;
    clearInterval(endless);
    await strict.close();
  });

  it('accepts exactly as much as allowed', async () => {
    const key = newKey();
    const { url, headers } = await target(key, { maxBytes: 1000 });
    const upload = raw('PUT', pathOf(url), { ...headers, 'transfer-encoding': 'chunked' });
    upload.end(Buffer.alloc(1000));
    expect((await answerTo(upload)).status).toBe(200);
  });

  it('leaves nothing of an upload whose client disconnects, and logs no error', async () => {
    for (const headers of [{ 'content-length': '900000' }, { 'transfer-encoding': 'chunked' }] as Record<
      string,
      string
    >[]) {
      const key = newKey();
      const { url, headers: given } = await target(key);
      const upload = raw('PUT', pathOf(url), { ...given, ...headers });
      upload.write(Buffer.alloc(100_000));
      await eventually(async () => expect(await halfUploads()).toHaveLength(1));
      upload.destroy();
      await eventually(async () => expect(await halfUploads()).toEqual([]));
      expect(await app.storage.stat(key)).toBeUndefined();
    }
    expect(app.log.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it('disconnects an upload that stalls, or that outlives its link by far', async () => {
    for (const [timeouts, expiresIn] of [
      [{ idleMs: 100, afterExpiryMs: 60_000, drainMs: 100 }, 60],
      [{ idleMs: 60_000, afterExpiryMs: 0, drainMs: 100 }, 5],
    ] as const) {
      const impatient = await startStorageApp({}, timeouts);
      const key = newKey();
      const { url, headers } = await target(key, { on: impatient, expiresAt: inSeconds(expiresIn) });
      const upload = raw('PUT', url.slice(impatient.url.length), { ...headers }, impatient);
      const cut = new Promise((resolve) => upload.once('close', resolve));
      upload.write('x');
      await cut;
      await eventually(async () => expect(await halfUploads(impatient)).toEqual([]));
      expect(await impatient.storage.stat(key)).toBeUndefined();
      await impatient.close();
    }
  });
});

describe('a client that sends Expect: 100-continue', () => {
  const asking = (path: string, headers: Record<string, string>, method = 'PUT') => {
    const request = raw(method, path, { ...headers, expect: '100-continue' });
    const asked = { continued: false };
    request.on('continue', () => {
      asked.continued = true;
      request.end('{   }');
    });
    request.flushHeaders();
    return { request, asked };
  };

  it('gets 100 if its upload is accepted', async () => {
    const key = newKey();
    const { url, headers } = await target(key);
    const { request, asked } = asking(pathOf(url), { ...headers, 'content-length': '5' });
    expect((await answerTo(request)).status).toBe(200);
    expect(asked.continued).toBe(true);
    expect(await app.storage.stat(key)).toEqual({ size: 5 });
  });

  it('is refused before it sends a byte otherwise', async () => {
    const { url, headers } = await target(newKey(), { maxBytes: 4 });
    const refused = [
      { path: pathOf(url), length: '5', status: 413 },
      { path: pathOf(url).replace('max_bytes=4', 'max_bytes=5'), length: '5', status: 403 },
    ];
    for (const { path, length, status } of refused) {
      const { request, asked } = asking(path, { ...headers, 'content-length': length });
      expect((await answerTo(request)).status).toBe(status);
      expect(asked.continued).toBe(false);
    }
  });

  it('gets 100 on all other routes', async () => {
    const { request, asked } = asking('/elsewhere', { 'content-length': '5' }, 'POST');
    expect((await answerTo(request)).status).toBe(404);
    expect(asked.continued).toBe(true);
  });
});
