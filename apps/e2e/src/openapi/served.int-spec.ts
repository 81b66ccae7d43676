import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { shareTieline } from '../share-tieline.js';
import type { Tieline } from '../tieline.js';

let tieline: Tieline;
let base: string;

beforeAll(async () => {
  const shared = await shareTieline();
  ({ tieline } = shared);
  base = shared.api.url;
});
afterAll(() => tieline?.close());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Returns the raw response, because `fetch` would decompress it. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(base + path, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(parts),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const DOCUMENTS = ['/api/openapi.json', '/api/webhooks.json'];

test.each(DOCUMENTS)('%s is compressed for callers that accept it', async (path) => {
  const plain = await get(path);
  expect(plain.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    vary: 'Accept-Encoding',
  });
  expect(plain.headers['content-encoding']).toBeUndefined();
  const text = plain.bytes.toString();
  expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0' });
  for (const [accepted, encoding, decode] of [
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await get(path, { 'accept-encoding': accepted });
    expect([accepted, headers['content-encoding']]).toEqual([accepted, encoding]);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(decode(bytes).toString()).toBe(text);
  }
  for (const accepted of ['identity', 'zstd', 'br;q=0', ''])
    expect((await get(path, { 'accept-encoding': accepted })).bytes.toString()).toBe(text);
});

test.each(DOCUMENTS)('%s is not sent again to callers with the current version', async (path) => {
  const { headers } = await get(path, { 'accept-encoding': 'gzip' });
  const tag = String(headers.etag);
  for (const known of [tag, `"other", W/${tag}`, '*']) {
    const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': known });
    expect([known, again.status, again.bytes.length]).toEqual([known, 304, 0]);
    expect(again.headers.etag).toBe(tag);
  }
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
});

test('both documents have a page, and the first links to the second', async () => {
  for (const page of ['/api/docs', '/api/docs/webhooks', '/api/docs/webhooks/swagger-ui-init.js'])
    expect([page, (await get(page)).status]).toEqual([page, 200]);
  expect((await get('/api/docs/webhooks/swagger-ui-init.js')).bytes.toString()).toContain('onMessageCreated');
  const { info } = JSON.parse((await get('/api/openapi.json')).bytes.toString()) as {
    info: { description: string };
  };
  expect(info.description).toContain('](/api/docs/webhooks)');
});
