import { startReceiver } from '@tieline/testing';
import type { Receiver, ReceivedRequest } from '@tieline/testing';
import { Client } from '../client.js';
import type { PolledEvent } from './poll-events.js';

/** An event queue served by a real HTTP server. */
const queue = Array.from({ length: 7 }, (_, index) => ({
  id: String(1001 + index),
  event_id: `e${index}`,
  event_type: 'MESSAGE_CREATED',
  payload_json: JSON.stringify({ text: `m${index}` }),
  created_at: '2026-01-31T09:00:00Z',
}));

let server: Receiver;
let client: Client;
let stop: AbortController;

beforeEach(async () => {
  server = await startReceiver((request) => ({ body: page(request) }));
  client = new Client({ url: server.url, token: 't', retries: 0 });
  stop = new AbortController();
});
afterEach(() => server.close());

function page({ url }: ReceivedRequest) {
  const query = new URL(url, 'http://x').searchParams;
  const after = query.get('cursor') ?? '';
  const events = queue.filter(({ id }) => id > after).slice(0, Number(query.get('limit')));
  return { ok: true, events, next_cursor: events.at(-1)?.id ?? '' };
}

async function read(
  count: number,
  options: Parameters<Client['events']>[0],
  take: (event: PolledEvent) => void,
) {
  for await (const event of client.events({ signal: stop.signal, wait: 0, ...options })) {
    take(event);
    if (--count === 0) stop.abort();
  }
}

test('returns every record once, parsed, page by page, and saves the cursor', async () => {
  const saved: string[] = [];
  const seen: unknown[] = [];
  const cursors = { load: () => '1002', save: (cursor: string) => void saved.push(cursor) };
  await read(5, { cursors, limit: 2 }, (event) => {
    seen.push(event.payload);
    if (event.id !== '1006') void event.ack();
  });
  expect(seen).toEqual(['m2', 'm3', 'm4', 'm5', 'm6'].map((text) => ({ text })));
  expect(saved.at(-1)).toBe('1005');
  expect(server.requests.map(({ url }) => url)).toEqual(
    ['1002', '1004', '1006'].map((cursor) => `/api/v1/bot/events?cursor=${cursor}&limit=2&wait=0`),
  );
});

test('stops reading at the limit of unacknowledged records', async () => {
  const held: PolledEvent[] = [];
  const reading = read(4, { limit: 2, maxOpen: 2 }, (event) => held.push(event));
  await server.waitFor(1);
  while (held.length < 2) await new Promise(setImmediate);
  // Twice the pause between requests.
  await new Promise((done) => setTimeout(done, 400));
  expect(server.requests).toHaveLength(1);
  await held[0]!.ack();
  await server.waitFor(2);
  await reading;
  expect(held.map(({ id }) => id)).toEqual(['1001', '1002', '1003', '1004']);
});

test('continues after failures and reports them', async () => {
  const troubles: unknown[] = [];
  const bad = [503, { status: 500 }, { body: 'nonsense' }];
  server.respond((request) => (request.url.includes('cursor=&') && bad.pop()) || { body: page(request) });
  bad.splice(1); // one is enough: pauses are real
  await read(1, { onTrouble: (error) => troubles.push(error) }, () => undefined);
  expect(troubles).toMatchObject([{ name: 'TielineError', status: 503 }]);
});

test.each([400, 401])('ends with %d, because retrying does not help', async (status) => {
  server.respond(status);
  await expect(read(1, {}, () => undefined)).rejects.toMatchObject({ status });
});

test.each(['while it waits for the server', 'while it waits for acknowledgements', 'before it began'])(
  'the signal ends it %s, without an error',
  async (when) => {
    if (when.startsWith('before')) stop.abort();
    else if (when.endsWith('server')) {
      server.respond('hang');
      void server.waitFor(1).then(() => stop.abort());
    }
    const seen: unknown[] = [];
    await read(0, { maxOpen: 1 }, (event) => {
      seen.push(event);
      if (seen.length === 7) setImmediate(() => stop.abort());
    });
    expect(seen).toHaveLength(when.endsWith('acknowledgements') ? 7 : 0);
  },
);
