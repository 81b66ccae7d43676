import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startS3Server } from '@tieline/testing';
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
  { maxBytes = 1_000_000, contentType = 'text/plain', expiresAt = inSeconds(60), on = app } = {},
) => on.storage.uploadTarget(key, { maxBytes, contentType, expiresAt });
const link = (key: string, { fileName = 'a.txt', contentType = 'text/plain' } = {}) =>
  app.storage.downloadUrl(key, { fileName, contentType, expiresAt: inSeconds(60) });
const stored = async (content: string): Promise<string> => {
  const key = newKey();
  await app.storage.put(key, Readable.from([Buffer.from(content)]), { maxBytes: 1_000_000 });
  return key;
};
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

describe('links', () => {
  const refused = {
    status: 403,
    body: '{"ok":false,"error":"the link is invalid or has expired","code":"link_refused"}',
  };

  it.each(['PUT', 'GET', 'HEAD'])('for %s become invalid if anything in them changes', async (method) => {
    const key = await stored('secret');
    const free = newKey();
    const { url, headers } = method === 'PUT' ? await target(free) : { url: await link(key), headers: {} };
    const path = pathOf(url);
    const [address = '', query = ''] = path.split('?');
    const parameters = query.split('&');
    const withQuery = (changed: string[]): string => `${address}?${changed.join('&')}`;
    const tampered = [
      address,
      `${address}?`,
      `${path}&extra=1`,
      `${path}A`,
      `${path}%00`,
      path.slice(0, -1),
      path.replace('/storage/', '/storage//'),
      path.replace('?', '/?'),
      path.replace('?', '%00?'),
      path.replace('?', '%2f?'),
      path.replace('space-1', 'space-2'),
      path.replace('space-1/', 'space-1%2F'),
      path.replace('space-1', 'space-1/../space-1'),
      path.replace('space-1', '%2e%2e/space-1'),
      path.replace('space-1', '%73pace-1'),
      path.replace('space-1', 'SPACE-1'),
      path.replace('/storage/', '/storage/../storage/'),
      path.replace('/storage', '/%73torage'),
      path.replace('?', '\\?'),
      ...parameters.map((_, index) => withQuery(parameters.filter((_, other) => other !== index))),
      ...parameters.map((parameter) => withQuery([...parameters, parameter])),
      ...parameters.map((parameter, index) => withQuery(parameters.with(index, `${parameter}1`))),
      ...parameters.map((parameter, index) =>
        withQuery(parameters.with(index, `${parameter.split('=')[0]}=`)),
      ),
    ];
    for (const changed of tampered) {
      const request = raw(method, changed, { ...headers });
      request.end(method === 'PUT' ? 'x' : undefined);
      const { status, body } = await answerTo(request);
      expect([changed, status, body]).toEqual([changed, 403, method === 'HEAD' ? '' : refused.body]);
    }
    expect(await app.storage.stat(free)).toBeUndefined();
    expect(await readdir(join(app.root, 'space-1'))).toContain(key.split('/')[1]);
  });

  it('do not serve another method', async () => {
    const key = await stored('secret');
    const read = pathOf(await link(key));
    const { url } = await target(key);
    for (const [method, path] of [
      ['PUT', read],
      ['GET', pathOf(url)],
      ['HEAD', pathOf(url)],
    ] as const) {
      const request = raw(method, path);
      request.end();
      expect((await answerTo(request)).status).toBe(403);
    }
    for (const method of ['POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      const request = raw(method, read);
      request.end();
      expect(await answerTo(request)).toMatchObject({
        status: 405,
        headers: { allow: 'GET, HEAD, PUT' },
        body: '{"ok":false,"error":"method not allowed","code":"method_not_allowed"}',
      });
    }
  });

  it('that cannot be decoded get the same response', async () => {
    const request = raw('GET', '/storage/%zz');
    request.end();
    expect(await answerTo(request)).toMatchObject({
      status: 400,
      body: '{"ok":false,"error":"bad request","code":"bad_request"}',
      headers: { 'x-request-id': expect.any(String) },
    });
  });

  it('are not logged', async () => {
    const { url, headers } = await target(newKey());
    await fetch(url, { method: 'PUT', headers, body: 'x' });
    await fetch(`${url}1`, { method: 'PUT', headers, body: 'x' });
    expect(app.log.join('\n')).not.toContain('signature=');
  });
});

describe('downloads', () => {
  const SAFE = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  };

  it('cannot be executed, sniffed, embedded or cached by others', async () => {
    const key = await stored('<script>alert(1)</script>');
    const url = await link(key, { fileName: 'x.html"\r\nset-cookie: a=b', contentType: 'text/html' });
    const responses = [
      await fetch(url),
      await fetch(url, { method: 'HEAD' }),
      await fetch(url, { headers: { range: 'bytes=0-3' } }),
    ];
    for (const { headers } of responses) {
      expect(Object.fromEntries(headers)).toMatchObject({
        ...SAFE,
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="x.html___set-cookie: a=b"; filename*=UTF-8''x.html%22__set-cookie%3A%20a%3Db`,
      });
      expect(headers.get('set-cookie')).toBeNull();
    }
    for (const path of [`${url}1`, await link(newKey())])
      expect(Object.fromEntries((await fetch(path)).headers)).toMatchObject({
        ...SAFE,
        'content-type': 'application/json; charset=utf-8',
      });
  });

  it('return size and type for HEAD, without bytes', async () => {
    const request = raw('HEAD', pathOf(await link(await stored('0123456789'), { contentType: 'image/png' })));
    request.end();
    expect(await answerTo(request)).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '10', 'content-type': 'image/png', 'accept-ranges': 'bytes' },
    });
  });

  it('resume with If-Range and are skipped with If-None-Match', async () => {
    const url = await link(await stored('0123456789'));
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[!#-~]+"$/);
    const get = async (headers: Record<string, string>) => {
      const response = await fetch(url, { headers });
      return [response.status, await response.text()];
    };
    expect(await get({ range: 'bytes=5-', 'if-range': etag })).toEqual([206, '56789']);
    expect(await get({ range: 'bytes=5-', 'if-range': '"another"' })).toEqual([200, '0123456789']);
    expect(await get({ range: 'bytes=0-1,3-4' })).toEqual([200, '0123456789']);
    expect(await get({ 'if-none-match': etag })).toEqual([304, '']);
    expect(await get({ 'if-none-match': '"another"' })).toEqual([200, '0123456789']);
  });

  it('respond to a range outside with the size', async () => {
    const response = await fetch(await link(await stored('0123456789')), { headers: { range: 'bytes=10-' } });
    expect([response.status, response.headers.get('content-range'), await response.json()]).toEqual([
      416,
      'bytes */10',
      { ok: false, error: 'range not satisfiable', code: 'range_not_satisfiable' },
    ]);
  });

  it('respond 404 in the standard shape if there is nothing', async () => {
    const response = await fetch(await link(newKey()));
    expect([response.status, await response.json()]).toEqual([
      404,
      { ok: false, error: 'not found', code: 'not_found' },
    ]);
  });
});

it('is described in the OpenAPI document', async () => {
  const { paths } = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { summary: string; responses: object }>>;
  };
  const operations = paths['/storage/{path}'] ?? {};
  expect(
    Object.entries(operations).map(([method, { summary, responses }]) => [
      method,
      summary !== '',
      Object.keys(responses),
    ]),
  ).toEqual([
    ['put', true, ['200', '400', '403', '409', '413', '503']],
    ['head', true, ['200', '403', '404', '503']],
    ['get', true, ['200', '206', '304', '403', '404', '416', '503']],
  ]);
});

it('serves no links if other storage is configured', async () => {
  const server = await startS3Server();
  const other = await startStorageApp(server.environment);
  const path = pathOf(await link(await stored('secret')));
  expect((await fetch(other.url + path)).status).toBe(404);
  await other.close();
  await server.stop();
});
