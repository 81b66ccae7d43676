import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rawBodyOf } from './raw-body.js';

const TEXT = '{"text": "Привет"}';

test('reads a web request and stops at the limit', async () => {
  let given = 0;
  const cancelled = { is: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      given += 1;
      if (given > 100) controller.close();
      else controller.enqueue(new Uint8Array(1000));
    },
    cancel: () => void (cancelled.is = true),
  });
  const request = new Request('http://bot.example.com', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit);
  await expect(rawBodyOf(request, 5000)).rejects.toThrow('the body is over 5000 bytes');
  expect(given).toBeLessThan(10);
  expect(cancelled.is).toBe(true);
  const small = new Request('http://bot.example.com', { method: 'POST', body: TEXT });
  expect(new TextDecoder().decode(await rawBodyOf(small))).toBe(TEXT);
  expect(await rawBodyOf(new Request('http://bot.example.com'))).toHaveLength(0);
});

test('reads a request of node:http', async () => {
  const server = createServer((request, response) => {
    void rawBodyOf(request, 30)
      .then((bytes) => response.end(bytes))
      .catch((error: Error) => response.writeHead(413).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await (await fetch(url, { method: 'POST', body: TEXT })).text()).toBe(TEXT);
    expect(await (await fetch(url, { method: 'POST', body: 'x'.repeat(31) })).text()).toBe(
      'the body is over 30 bytes',
    );
  } finally {
    server.close();
  }
});

test.each([
  ['a web request', () => new Request('http://x', { method: 'POST', body: TEXT })],
  ['what Fastify or a middleware keeps', () => ({ rawBody: TEXT, body: {} })],
  ['what express.raw makes', () => ({ body: Buffer.from(TEXT) })],
])('of %s', async (_, request) => {
  expect(new TextDecoder().decode(await rawBodyOf(request() as never))).toBe(TEXT);
  await expect(rawBodyOf(request() as never, 5)).rejects.toThrow('over 5 bytes');
});

test('reads no more than the limit', async () => {
  let read = 0;
  const request = {
    async *[Symbol.asyncIterator]() {
      for (; read < 1000; read += 1) yield new Uint8Array(100);
    },
  };
  await expect(rawBodyOf(request, 1000)).rejects.toThrow('over 1000 bytes');
  expect(read).toBeLessThan(12);
});

test('explains what to do if the body was already parsed or read', async () => {
  const read = new Request('http://x', { method: 'POST', body: TEXT });
  await read.text();
  await expect(rawBodyOf(read as never)).rejects.toThrow(/has been parsed.*express\.raw/);
  await expect(rawBodyOf({ body: { text: 'x' } })).rejects.toThrow('has been parsed');
});
