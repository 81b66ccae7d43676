import dgram from 'node:dgram';
import { once } from 'node:events';
import { dnsResolver, type ResolveHost } from './resolve-host.js';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;

interface Zone {
  [name: string]: { a?: number[]; aaaa?: number[]; rcode?: number; silent?: boolean };
}

const ZONE: Zone = {
  'both.example': { a: [93, 184, 215, 14], aaaa: [0x26, 0x06, 0x28, 0, ...Array<number>(11).fill(0), 1] },
  'v4.example': { a: [93, 184, 215, 14] },
  'rebound.example': { a: [10, 0, 0, 1] },
  'broken.example': { rcode: 2 },
  'silent.example': { silent: true },
};

let server: dgram.Socket;
let resolve: ResolveHost;
let servers: string[];
let queries = 0;

beforeAll(async () => {
  server = dgram.createSocket('udp4');
  server.on('message', (query, from) => {
    queries++;
    const answer = answerTo(query);
    if (answer) server.send(answer, from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
  // Long, so that a busy machine repeats no query.
  resolve = dnsResolver({ servers, timeoutMs: 30_000 });
});

afterAll(() => {
  server.close();
});

/** A DNS answer with at most one record, for the one question of the query. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  const type = query.readUInt16BE(at + 1);
  const record = ZONE[labels.join('.').toLowerCase()] ?? { rcode: NXDOMAIN };
  if (record.silent) return undefined;
  const data = type === TYPE_A ? record.a : type === TYPE_AAAA ? record.aaaa : undefined;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (record.rcode ?? 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(data ? 1 : 0, 6);
  const parts = [header, query.subarray(12, at + 5)];
  if (data) parts.push(Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]));
  return Buffer.concat(parts);
}

it('queries both families and returns all answers', async () => {
  expect(await resolve('both.example')).toEqual(['93.184.215.14', '2606:2800::1']);
});

it('returns what there is when one family has no address', async () => {
  expect(await resolve('v4.example')).toEqual(['93.184.215.14']);
});

it('caches nothing: the next connection queries again', async () => {
  const before = queries;
  await resolve('v4.example');
  await resolve('v4.example');
  expect(queries - before).toBe(4);
});

it('asks the operating system for a name that DNS does not know', async () => {
  expect(await resolve('localhost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]),
  );
});

it('rejects soon when the name server is silent, without asking the operating system', async () => {
  const before = queries;
  const started = performance.now();
  const impatient = dnsResolver({ servers, timeoutMs: 100 });
  await expect(impatient('silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  // Without the option, the two tries take 15 seconds.
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(queries - before).toBe(4);
});

it('rejects when the name server fails', async () => {
  await expect(resolve('broken.example')).rejects.toMatchObject({ code: 'ESERVFAIL' });
});
